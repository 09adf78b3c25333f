"""The edit formats: one file each, one row here; others come from the entry points of installed packages."""

from importlib.metadata import entry_points

from evaluator.formats.apply_patch import ApplyPatch
from evaluator.formats.model import EditFormat
from evaluator.formats.renamed import own_name
from evaluator.formats.search_replace import SearchReplace
from evaluator.formats.str_replace import StrReplace
from evaluator.formats.udiff import UDiff
from evaluator.formats.unified_diff import UnifiedDiff
from evaluator.formats.whole_file import WholeFile
from miner.errors import ToolError

ENTRY_POINTS = "edit_format_evaluator.formats"
DEFAULT = ("whole_file", "unified_diff", "search_replace")
ALL: tuple[EditFormat, ...] = (WholeFile(), UnifiedDiff(), SearchReplace(), UDiff(), ApplyPatch(), StrReplace())


BROKEN: dict[str, str] = {}  # formats of installed packages that cannot be used, and why


def _known() -> dict[str, EditFormat]:
    """Our formats, and those of installed packages: an entry point names a class or function that makes one."""
    found = {fmt.name: fmt for fmt in ALL}
    for point in entry_points(group=ENTRY_POINTS):
        try:
            fmt: EditFormat = point.load()()
            name = fmt.name
        except (Exception, SystemExit) as error:  # another's code: it must not take ours down
            BROKEN[point.name] = f"{point.value} cannot be loaded: {type(error).__name__}: {error}"
            continue
        if name in found:
            BROKEN[point.name] = f"{point.value} takes the name of another format, {name}"
        else:
            found[name] = fmt
    return found


FORMATS: dict[str, EditFormat] = _known()


def format_named(name: str) -> EditFormat:
    """The format of that name; raises `ToolError` listing those that exist."""
    if name in BROKEN and name not in FORMATS:
        raise ToolError("unusable edit format", name, f"{BROKEN[name]}. Correct or uninstall its package.")
    if name not in FORMATS:
        raise ToolError("unknown edit format", name, f"Known: {', '.join(FORMATS)}.")
    return FORMATS[name]


def chosen_formats(names: list[str] | None, default: tuple[str, ...] = DEFAULT) -> list[EditFormat]:
    """The formats that were asked for, each once, in their order; `all` stands for every one."""
    asked = [one for name in names or default for one in (FORMATS if name == "all" else [name])]
    return [format_named(name) for name in dict.fromkeys(asked)]


def others(fmt: EditFormat) -> list[EditFormat]:
    """Every known format but this one, under whatever name."""
    return [other for name, other in FORMATS.items() if name != own_name(fmt)]
