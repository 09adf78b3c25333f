"""What the encoders of all formats share: which files differ, and what no reply can hold."""

import re
from collections.abc import Iterable

from evaluator.formats.model import CannotExpress
from miner.symbols.files import Files

# A reply is text: a model writes no NUL, and bytes that are no UTF-8 (lone surrogates here) have no text.
_NO_TEXT = re.compile("[\0\ud800-\udfff]")


def changed_paths(before: Files, after: Files) -> list[str]:
    """The paths whose contents differ, sorted."""
    return [path for path in sorted({*before, *after}) if before.get(path) != after.get(path)]


def joined(parts: Iterable[tuple[str, str | CannotExpress]], between: str = "\n") -> str | CannotExpress:
    """The parts of a reply, one a path, as one text; or the first reason why there is none."""
    texts: list[str] = []
    for path, part in parts:
        if isinstance(part, CannotExpress):
            return part
        if match := _NO_TEXT.search(part):
            kind = "NUL bytes" if match[0] == "\0" else "bytes that are not UTF-8"
            return CannotExpress(f"{path!r}: a reply that is text cannot hold its {kind}")
        texts.append(part)
    return between.join(texts)
