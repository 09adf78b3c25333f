"""What an impossible task shows in the place of what it withholds: other source files, as near as there are."""

from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import groupby
from pathlib import PurePosixPath

from miner.roles import Role, governs_tests, role_of
from miner.tokens import count_tokens

_TIMES, _LEAST = 2, 2000  # tokens that may be shown: so many times those withheld, or this many
_COPIED = 0.75  # of a withheld file's lines: with more of them, another file tells what was withheld

Texts = dict[str, bytes]


def stand_ins(withheld: Texts, paths: Iterable[str], read: Callable[[str], bytes]) -> list[str]:
    """The files to show of a tree's `paths`, sorted: at most as many as are withheld, perhaps none.

    Of the withheld files' suffixes before others, then of the same folder, then of the nearest ones; in a folder those
    of about the same size first. No tests, no copies of what is withheld, and not many more tokens than that has.
    """
    limit = max(_LEAST, _TIMES * sum(count_tokens(_text(content)) for content in withheld.values()))
    chosen: list[str] = []
    for path, content in _nearest(withheld, paths, read):
        if len(chosen) == len(withheld):
            break
        if not _is_text(content) or any(is_copy(content, secret) for secret in withheld.values()):
            continue
        tokens = count_tokens(_text(content))
        if tokens <= limit:
            chosen.append(path)
            limit -= tokens
    return sorted(chosen)


def is_copy(content: bytes, withheld: bytes) -> bool:
    """Whether most lines of a withheld file stand in another: a build's copy, a vendored or an older version."""
    lines = _lines(withheld)
    return content == withheld or (bool(lines) and len(lines & _lines(content)) > _COPIED * len(lines))


def _nearest(
    withheld: Texts, paths: Iterable[str], read: Callable[[str], bytes]
) -> Iterator[tuple[str, bytes]]:
    """The tree's other source files with their contents, nearest first; only as many are read as are asked for."""
    suffixes = {PurePosixPath(path).suffix for path in withheld}
    size = sum(map(len, withheld.values())) / len(withheld)

    def far(path: str) -> tuple[bool, int]:
        return PurePosixPath(path).suffix not in suffixes, _distance(path, withheld)

    usable = (p for p in paths if p not in withheld and role_of(p) is Role.SOURCE and not governs_tests(p))
    for _, group in groupby(sorted(usable, key=lambda p: (*far(p), p)), key=far):
        contents = [(path, read(path)) for path in group]
        yield from sorted(contents, key=lambda pair: abs(len(pair[1]) - size))


def _distance(path: str, withheld: Collection[str]) -> int:
    """How many folders one goes up and down from a file to the nearest withheld one."""
    return min(_steps(PurePosixPath(path).parts[:-1], PurePosixPath(other).parts[:-1]) for other in withheld)


def _steps(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    shared = 0
    while shared < min(len(one), len(other)) and one[shared] == other[shared]:
        shared += 1
    return len(one) + len(other) - 2 * shared


def _is_text(content: bytes) -> bool:
    try:
        return bool(content.decode().strip()) and b"\0" not in content
    except UnicodeDecodeError:
        return False


def _text(content: bytes) -> str:
    return content.decode("utf-8", "replace")


def _lines(content: bytes) -> set[bytes]:
    return {line.strip() for line in content.split(b"\n")} - {b""}
