"""Other source files to show, as near as there are: an impossible task's stand-ins, and what `--context` adds."""

from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import groupby
from pathlib import PurePosixPath

from miner.roles import Role, governs_tests, role_of
from miner.tokens import count_tokens

_TIMES, _LEAST = 2, 2000  # tokens that may be shown: so many times those of the own files, or this many
_COPIED = 0.75  # of a file's lines: with more of them, another one tells what it says

Texts = dict[str, bytes]


def stand_ins(withheld: Texts, paths: Iterable[str], read: Callable[[str], bytes]) -> list[str]:
    """The files to show of a tree's `paths`, sorted: at most as many as are withheld, perhaps none."""
    return sorted(nearest_texts(withheld, paths, read, len(withheld)))


def nearest_texts(own: Texts, paths: Iterable[str], read: Callable[[str], bytes], count: int) -> Texts:
    """At most `count` other source files of a tree's `paths`, the nearest to `own`, with their contents.

    Of the suffixes of `own` before others, then of the same folder, then of the nearest ones; in a folder those of
    about the same size first. No tests, no copies of `own`, and not many more tokens than that has.
    """
    limit = max(_LEAST, _TIMES * sum(count_tokens(_text(content)) for content in own.values()))
    chosen: Texts = {}
    for path, content in _nearest(own, paths, read):
        if len(chosen) == count:
            break
        if not _is_text(content) or any(is_copy(content, known) for known in own.values()):
            continue
        tokens = count_tokens(_text(content))
        if tokens <= limit:
            chosen[path] = content
            limit -= tokens
    return chosen


def is_copy(content: bytes, withheld: bytes) -> bool:
    """Whether most lines of a withheld file stand in another: a build's copy, a vendored or an older version."""
    lines = _lines(withheld)
    return content == withheld or (bool(lines) and len(lines & _lines(content)) > _COPIED * len(lines))


def _nearest(own: Texts, paths: Iterable[str], read: Callable[[str], bytes]) -> Iterator[tuple[str, bytes]]:
    """The tree's other source files with their contents, nearest first; only as many are read as are asked for."""
    suffixes = {PurePosixPath(path).suffix for path in own}
    size = sum(map(len, own.values())) / len(own)

    def far(path: str) -> tuple[bool, int]:
        return PurePosixPath(path).suffix not in suffixes, _distance(path, own)

    usable = (p for p in paths if p not in own and role_of(p) is Role.SOURCE and not governs_tests(p))
    for _, group in groupby(sorted(usable, key=lambda p: (*far(p), p)), key=far):
        contents = [(path, read(path)) for path in group]
        yield from sorted(contents, key=lambda pair: abs(len(pair[1]) - size))


def _distance(path: str, own: Collection[str]) -> int:
    """How many folders one goes up and down from a file to the nearest of its own."""
    return min(_steps(PurePosixPath(path).parts[:-1], PurePosixPath(other).parts[:-1]) for other in own)


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
