"""What an edited tree changed besides what its task allows, and what kind of thing that is (docs/taxonomy.md)."""

from collections.abc import Collection, Mapping, Sequence

from evaluator.formats.elision import elided
from evaluator.taxonomy import Detail
from miner.fixtures import Task
from miner.inside import only_added_tests, test_entries
from miner.roles import Role, governs_tests, role_of
from miner.symbols import files as symbols
from miner.symbols.describe import described
from miner.symbols.differences import Kind
from miner.symbols.excuse import excused as excuse
from miner.symbols.files import Change, Files, text_of

Allowed = Mapping[str, Collection[str]]  # path -> symbols, import entries and line ranges that may change

_GRAVEST_FIRST = (Kind.REMOVED, Kind.MODIFIED, Kind.ADDED, Kind.REORDERED, Kind.BYTES)
_TAB_WIDTHS = (8, 4, 2, 3)  # those that the shared ladder takes for a tab; a tab of Python is 8


def counts(path: str, before: bytes | None, task: Task) -> bool:
    """Whether a changed file is compared, and laid over the tree that is tested.

    New test and other files are ignored, and so are paths that the ground truth's own test and other
    files touch: neither held against a reply nor able to help it (a conftest.py could). Existing ones
    must not be edited or deleted.
    """
    truths_own = {*task.fixture.test_files, *task.fixture.dropped_files}
    return role_of(path) is Role.SOURCE or (path not in truths_own and before is not None)


def unintended_changes(before: Files, changed: Files, allowed: Allowed) -> list[Change]:
    """What changed over the files that count that is not allowed; tests added inside source files are ignored."""
    found = symbols.unintended({path: before[path] for path in changed}, changed, allowed)
    added = {path: only_added_tests(path, before[path], changed[path]) for path in {change.path for change in found}}
    return [change for change in found if change.symbol not in added[change.path]]


def with_excused(before: Files, changed: Files, allowed: Allowed) -> Allowed:
    """What is allowed together with the additions that it needs."""
    sources = {path: content for path, content in changed.items() if not governs_tests(path)}
    more = excuse({path: before[path] for path in sources}, sources, allowed)
    tests = {path: entries for path, content in changed.items() if (entries := test_entries(path, content))}
    return {
        path: {*allowed.get(path, ()), *more.get(path, ()), *tests.get(path, ())}
        for path in {*allowed, *more, *tests}
    }


def detail_of(unintended: Sequence[Change], before: Files, changed: Files, allowed: Allowed) -> Detail:
    """The detail of an unintended change: `elision`, `bytes` where only line ends and the like differ, or a kind.

    Of several kinds the gravest; a symbol of which only line ends and the like differ is none of these.
    """
    if has_elision({change.path for change in unintended}, before, changed):
        return Detail.ELISION
    kinds = _kinds(unintended, before, changed, allowed)
    return next(Detail(kind.value) for kind in _GRAVEST_FIRST if kind in kinds)


def _kinds(unintended: Sequence[Change], before: Files, changed: Files, allowed: Allowed) -> set[Kind]:
    """The kinds of unintended changes; a modified symbol that is the same in a plain reading of the files is `bytes`.

    Tabs of other widths than 8 are read so only where a symbol differs in formatting: where columns are code (Python),
    8 is what a tab is.
    """
    tabs = any(b"\t" in (content or b"") for content in (*before.values(), *changed.values()))
    worded = dict(zip(unintended, described(before, changed, unintended), strict=True))
    kinds = {change: change.kind for change in unintended}
    for width in _TAB_WIDTHS if tabs else _TAB_WIDTHS[:1]:
        left = set(unintended_changes(_all_plain(before, width), _all_plain(changed, width), allowed))
        kinds |= {
            change: Kind.BYTES for change in unintended
            if change.kind is Kind.MODIFIED and change not in left
            and (width == _TAB_WIDTHS[0] or worded[change] == "modified (formatting)")
        }  # fmt: skip
    return set(kinds.values())


def has_elision(paths: Collection[str], before: Files, changed: Files) -> bool:
    """Whether in one of the files a comment stands in the place of text that was left out."""
    return any(elided(path, text_of(before[path]), text_of(changed[path])) for path in paths)


def _all_plain(files: Files, tab: int) -> Files:
    return {path: _plain(content, tab) for path, content in files.items()}


def _plain(content: bytes | None, tab: int) -> bytes | None:
    """Contents without byte order mark, with plain line endings, blanks for tabs and a final newline."""
    if content is None:
        return None
    text = content.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").expandtabs(tab)
    return text if text.endswith(b"\n") else text + b"\n"
