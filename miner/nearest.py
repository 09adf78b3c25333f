"""Which fixture a person means by an id, a number or the start of a name, and what they may have meant (pure)."""

import difflib
from collections.abc import Collection, Iterable, Sequence

from miner.errors import ToolError

_MOST = 3  # so many are offered
_TWIN = "-impossible"


def meant(asked: Iterable[str], ids: Collection[str], unknown: str, otherwise: str) -> list[str]:
    """The id of each fixture asked for, each once; raises `ToolError` where none of `ids` is meant, or several are.

    `unknown` says what is wrong with one that is none, `otherwise` what to do where nothing is near it.
    """
    found = []
    for one in asked:
        fitting = matching(one, ids)
        if len(fitting) > 1:
            raise ToolError(f"{len(fitting)} fixtures fit", one, f"Write more of one: {_some(fitting)}.")
        if not fitting:
            raise ToolError(unknown, one, did_you_mean(one, sorted(ids)) or otherwise)
        found += fitting
    return list(dict.fromkeys(found))


def matching(asked: str, ids: Collection[str]) -> list[str]:
    """The id itself where it is one; else those whose name has this number, or begins so from the number on.

    A repository may stand before it (`svc/811`). Of a fixture and its impossible twin the fixture is meant.
    """
    asked = asked.removesuffix("/")
    if asked in ids:
        return [asked]
    repository, _, name = asked.rpartition("/")
    if not name:
        return []
    fitting = sorted(one for one in ids if _fits(name, one.split("/")[-1]) and repository in ("", one.split("/")[0]))
    return [one for one in fitting if not _is_twin(one, fitting)]


def _fits(start: str, name: str) -> bool:
    """Whether a name (`811-correctly-round`) begins so: with the whole number at least, as 81 is not 811."""
    return name.startswith(start if "-" in start else f"{start}-")


def _is_twin(one: str, others: Iterable[str]) -> bool:
    """Whether it is the impossible twin of one of the others; where its id was too long, its end was cut off."""
    return one.endswith(_TWIN) and any(other != one and other.startswith(one.removesuffix(_TWIN)) for other in others)


def _some(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - _MOST} more" if len(ids) > _MOST else ""
    return ", ".join(ids[:_MOST]) + more


def did_you_mean(asked: str, ids: Sequence[str]) -> str:
    """`Did you mean a/811-x?` of the nearest of `ids` (`<repo>/<number>-<slug>`); empty where none is near."""
    found = nearest(asked, ids)
    return f"Did you mean {' or '.join(found)}?" if found else ""


def nearest(asked: str, ids: Sequence[str]) -> list[str]:
    """At most three ids: those of that number, else those that hold the text, else those spelled much like it.

    A repository before the number (`team/811`) narrows the first two, and so does a path to the fixture's folder.
    """
    *folders, name = asked.strip("/").split("/")
    if not name:
        return []
    here = [one for one in ids if one.split("/")[0] == folders[-1]] if folders else list(ids)
    of_number = [one for one in here if one.split("/")[-1].startswith(f"{name}-")]
    holding = [one for one in here if name in one]
    return (of_number or holding or _alike(asked, name, ids))[:_MOST]


def _alike(asked: str, name: str, ids: Sequence[str]) -> list[str]:
    by_name = {one.split("/")[-1]: one for one in ids}
    whole = difflib.get_close_matches(asked, ids, _MOST)
    return whole or [by_name[found] for found in difflib.get_close_matches(name, list(by_name), _MOST)]
