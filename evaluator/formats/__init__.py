"""The edit formats: one file each, one row here."""

from evaluator.formats.apply_patch import ApplyPatch
from evaluator.formats.model import EditFormat
from evaluator.formats.search_replace import SearchReplace
from evaluator.formats.unified_diff import UnifiedDiff
from evaluator.formats.whole_file import WholeFile
from miner.errors import ToolError

ALL: tuple[EditFormat, ...] = (WholeFile(), UnifiedDiff(), SearchReplace(), ApplyPatch())
FORMATS: dict[str, EditFormat] = {f.name: f for f in ALL}
# What is compared where nothing else is asked for.
DEFAULT = ("whole_file", "unified_diff", "search_replace")


def format_named(name: str) -> EditFormat:
    """The format of that name; raises `ToolError` listing those that exist."""
    if name not in FORMATS:
        raise ToolError("unknown edit format", name, f"Known: {', '.join(FORMATS)}.")
    return FORMATS[name]
