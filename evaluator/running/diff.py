"""What an attempt, or the ground truth, changed, as a diff to be read."""

from evaluator.formats.model import CannotExpress
from evaluator.formats.unified_diff.writing import file_diff
from miner.remembered import remembered
from miner.symbols.files import Files


def tree_diff(before: Files, after: Files) -> str:
    """The unified diff of the files that differ, by path; what no diff can say is named."""
    return "".join(
        _diff(path, before.get(path), content) for path, content in sorted(after.items()) if content != before.get(path)
    )


# The formats of a block often write equal files.
@remembered(8 << 20, lambda _path, before, after: 2 * (len(before or b"") + len(after or b"")) + 1000)
def _diff(path: str, before: bytes | None, after: bytes | None) -> str:
    found = file_diff(path, before, after)
    return f"(no diff of {path!r}: {found.why})\n" if isinstance(found, CannotExpress) else found
