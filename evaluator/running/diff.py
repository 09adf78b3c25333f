"""What an attempt, or the ground truth, changed, as a diff to be read."""

from functools import lru_cache

from evaluator.formats.model import CannotExpress
from evaluator.formats.unified_diff.writing import file_diff
from miner.symbols.files import Files


def tree_diff(before: Files, after: Files) -> str:
    """The unified diff of the files that differ, by path; what no diff can say is named."""
    return "".join(
        _diff(path, before.get(path), content) for path, content in sorted(after.items()) if content != before.get(path)
    )


@lru_cache(maxsize=256)  # the formats of a block often write equal files
def _diff(path: str, before: bytes | None, after: bytes | None) -> str:
    found = file_diff(path, before, after)
    return f"(no diff of {path!r}: {found.why})\n" if isinstance(found, CannotExpress) else found
