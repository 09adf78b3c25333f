"""What a person may have meant by an id that is none (pure)."""

import difflib
from collections.abc import Sequence

_MOST = 3  # so many are offered


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
