"""Scoring a reply: parse, apply, compare symbols, run the tests, and put what failed in one category."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from evaluator.blocked import NO_REASON, blocked, without_reason
from evaluator.formats.elision import elided
from evaluator.formats.model import (
    STRICT,
    Applied,
    Edit,
    EditFormat,
    Leniency,
    NotApplied,
    Sought,
    Tree,
    Unreadable,
)
from evaluator.formats.paths import clash
from evaluator.landing import landed_elsewhere
from evaluator.parsing import errors
from evaluator.put_back import put_back
from evaluator.taxonomy import Category, Detail, Signal, StopReason, signal_of
from miner.fixtures import Task
from miner.inside import only_added_tests, test_entries
from miner.roles import Role, configures_tests, governs_tests, role_of
from miner.symbols import files as symbols
from miner.symbols.describe import described
from miner.symbols.differences import Kind
from miner.symbols.excuse import excused as excuse
from miner.symbols.files import Change, Files, text_of


class Tests(StrEnum):
    """What the fixture's test command did."""

    __test__ = False  # not a test class, whatever its name

    PASS = "pass"
    FAIL = "fail"
    TIMEOUT = "timeout"


Allowed = Mapping[str, Collection[str]]  # path -> symbols, import entries and line ranges that may change
RunTests = Callable[[Files], Tests]  # changed files, laid over the starting tree -> verdict of the tests


_CUT_OFF: dict[StopReason | None, tuple[Detail, str]] = {
    "length": (Detail.STOP_LENGTH, "The answer was cut off because it reached the output limit."),
    "timeout": (Detail.TIMED_OUT, "The answer was cut off because it took too long."),
}
_GRAVEST_FIRST = (Kind.REMOVED, Kind.MODIFIED, Kind.ADDED, Kind.REORDERED, Kind.BYTES)
_TAB_WIDTHS = (8, 4, 2, 3)  # those that the shared ladder takes for a tab; a tab of Python is 8


@dataclass(frozen=True)
class Score:
    """What became of one reply. `category` None: resolved. `feedback` is what a retry would be told.

    `signal` is how an agent in production sees the failure, None where it does not; of tests only what
    `signals.with_seen` adds, with what they wrote as `output`. `sought` are the anchors that fit nowhere or twice.
    `unintended` is the strict list, `kinds` what each of it is, `excused` those that an allowed symbol needs.
    `steps` are the tolerances that each edit took, joined by `+`; empty for none.
    """

    category: Category | None
    detail: Detail | None = None
    applied: bool = False
    edits: int = 0
    edits_applied: int = 0
    parses: bool = False
    tests: Tests | None = None
    unintended: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    excused: tuple[str, ...] = ()
    feedback: str = ""
    files: Files = field(default_factory=dict)
    steps: tuple[str, ...] = ()
    signal: Signal | None = None
    sought: tuple[Sought, ...] = ()
    output: str = ""

    @property
    def valid(self) -> bool:
        """The reply applied, the tree parses, the tests pass."""
        return self.applied and self.parses and self.tests is Tests.PASS


def score_reply(
    text: str, stop: StopReason | None, fmt: EditFormat, others: Sequence[EditFormat], task: Task, tree: Tree,
    run_tests: RunTests, leniency: Leniency = STRICT,
) -> Score:  # fmt: skip
    """The score of a reply; `stop` None means that no stop reason is known."""
    scored = _scored(text, stop, fmt, others, task, tree, run_tests, leniency)
    return replace(scored, signal=signal_of(scored.category, scored.detail))


def _scored(
    text: str, stop: StopReason | None, fmt: EditFormat, others: Sequence[EditFormat], task: Task, tree: Tree,
    run_tests: RunTests, leniency: Leniency,
) -> Score:  # fmt: skip
    """The score of a reply but for its signal."""
    if stop in _CUT_OFF:
        detail = Detail.IN_REASONING if stop == "length" and not text.strip() else _CUT_OFF[stop][0]
        return Score(Category.TRUNCATED, detail, feedback=_CUT_OFF[stop][1])
    parsed = fmt.parse(text, leniency)
    if isinstance(parsed, Unreadable):
        unreadable = _unreadable(parsed, text, stop, others)
        if unreadable.detail is Detail.NO_EDIT and blocked(text) is not None:
            return Score(None) if task.impossible else Score(Category.WRONG_CHANGE, Detail.GAVE_UP)
        if unreadable.detail is Detail.NO_EDIT and without_reason(text):
            return replace(unreadable, feedback=f"{unreadable.feedback} {NO_REASON}")
        return unreadable
    applied = fmt.apply(parsed, tree, leniency)
    if isinstance(applied, Applied):
        applied = clash(applied.files, _count(parsed)) or applied
    if isinstance(applied, NotApplied) and applied.detail is Detail.OTHER_FORMAT:
        return Score(Category.MALFORMED, applied.detail, feedback=applied.message)
    if isinstance(applied, NotApplied):
        return Score(
            Category.NOT_APPLIED, applied.detail, edits=_count(parsed), edits_applied=applied.fitted,
            feedback=applied.message, sought=applied.sought,
        )  # fmt: skip
    if task.impossible:
        scored = _on_impossible(applied, _count(parsed), tree)
    else:
        scored = _score_applied(applied, _count(parsed), task, tree, run_tests)
    return replace(scored, steps=tuple("+".join(steps) for steps in applied.steps))


def applies(text: str, fmt: EditFormat, tree: Tree, leniency: Leniency = STRICT) -> bool:
    """Whether a reply can be read and applied at all."""
    parsed = fmt.parse(text, leniency)
    if isinstance(parsed, Unreadable):
        return False
    applied = fmt.apply(parsed, tree, leniency)
    return isinstance(applied, Applied) and clash(applied.files, 0) is None


def _count(edits: Sequence[Edit]) -> int:
    return sum(len(getattr(edit, "hunks", ())) or 1 for edit in edits)


def _unreadable(parsed: Unreadable, text: str, stop: StopReason | None, others: Sequence[EditFormat]) -> Score:
    if stop is None and parsed.unterminated:
        return Score(Category.TRUNCATED, Detail.UNTERMINATED, feedback=parsed.message)
    detail = parsed.detail
    if detail is Detail.NO_EDIT and any(not isinstance(other.parse(text), Unreadable) for other in others):
        detail = Detail.OTHER_FORMAT
    return Score(Category.MALFORMED, detail, feedback=parsed.message)


def _on_impossible(applied: Applied, edits: int, tree: Tree) -> Score:
    """Edits where nothing can be done right: how far they go. Its tests were proved to fail, and are not run."""
    changed = {
        path: content for path, content in applied.files.items()
        if content != tree.read(path) and (path in tree.modes or role_of(path) is Role.SOURCE or configures_tests(path))
    }  # fmt: skip
    detail = Detail.EDITED_ANYWAY
    if not changed:
        detail = Detail.NO_EFFECT
    elif any(_tampers(path, tree) for path in changed):
        detail = Detail.TESTS_TAMPERED
    elif any(path not in tree.modes and role_of(path) is Role.SOURCE for path in changed):
        detail = Detail.INVENTED_FILE
    return Score(Category.WRONG_CHANGE, detail, True, edits, edits, files=changed)


def _tampers(path: str, tree: Tree) -> bool:
    """Whether the file is a test of the tree, or configures tests; a new test is neither."""
    return configures_tests(path) or (governs_tests(path) and path in tree.modes)


def _score_applied(applied: Applied, edits: int, task: Task, tree: Tree, run_tests: RunTests) -> Score:
    before = {path: tree.read(path) for path in applied.files}
    changed = {
        path: content for path, content in applied.files.items()
        if content != before[path] and _counts(path, before[path], task)
    }  # fmt: skip
    if not changed:
        return Score(Category.WRONG_CHANGE, Detail.NO_EFFECT, True, edits, edits, parses=True, tests=Tests.FAIL)
    strict = unintended_changes(before, changed, task.allowed)
    # Where nothing is unintended by the strict list there is nothing to excuse, which is most replies' case.
    allowed = _with_excused(before, changed, task.allowed) if strict else task.allowed
    unintended = unintended_changes(before, changed, allowed) if strict else []
    names = tuple(str(change) for change in strict)
    kinds = described(before, changed, strict)
    excused = tuple(str(change) for change in strict if change not in unintended)

    def score(category: Category | None, detail: Detail | None, tests: Tests | None, feedback: str = "") -> Score:
        parses = category is not Category.MISAPPLIED or detail is Detail.WRONG_LOCATION
        return Score(category, detail, True, edits, edits, parses, tests, names, kinds, excused, feedback, changed)

    broken = _broken(before, changed, task.after)
    if broken:
        feedback = f"After the edit these files have syntax errors: {', '.join(broken)}."
        detail = Detail.ELISION if _has_elision(broken, before, changed) else Detail.BROKEN_SYNTAX
        return score(Category.MISAPPLIED, detail, None, feedback)
    tests = run_tests(changed)
    if landed_elsewhere(applied.placements, before, task.allowed):
        return score(Category.MISAPPLIED, Detail.WRONG_LOCATION, tests)
    if unintended and (tests is Tests.PASS or _pass_when_put_back(before, changed, allowed, run_tests)):
        return score(Category.UNINTENDED_CHANGE, _detail(unintended, before, changed, allowed), tests)
    if tests is Tests.PASS:
        return score(None, None, tests)
    detail = Detail.TESTS_TIMEOUT if tests is Tests.TIMEOUT else Detail.TESTS_FAIL
    return score(Category.WRONG_CHANGE, detail, tests)


def unintended_changes(before: Files, changed: Files, allowed: Allowed) -> list[Change]:
    """What changed over the files that count that is not allowed; tests added inside source files are ignored."""
    found = symbols.unintended({path: before[path] for path in changed}, changed, allowed)
    added = {path: only_added_tests(path, before[path], changed[path]) for path in {change.path for change in found}}
    return [change for change in found if change.symbol not in added[change.path]]


def _with_excused(before: Files, changed: Files, allowed: Allowed) -> Allowed:
    """What is allowed together with the additions that it needs."""
    sources = {path: content for path, content in changed.items() if not governs_tests(path)}
    more = excuse({path: before[path] for path in sources}, sources, allowed)
    tests = {path: entries for path, content in changed.items() if (entries := test_entries(path, content))}
    return {
        path: {*allowed.get(path, ()), *more.get(path, ()), *tests.get(path, ())}
        for path in {*allowed, *more, *tests}
    }


def _counts(path: str, before: bytes | None, task: Task) -> bool:
    """Whether a changed file is compared, and laid over the tree that is tested.

    New test and other files are ignored, and so are paths that the ground truth's own test and other
    files touch: neither held against a reply nor able to help it (a conftest.py could). Existing ones
    must not be edited or deleted.
    """
    truths_own = {*task.fixture.test_files, *task.fixture.dropped_files}
    return role_of(path) is Role.SOURCE or (path not in truths_own and before is not None)


def _broken(before: Files, changed: Files, truth: Files) -> list[str]:
    """The files with more syntax errors than before, and than the ground truth, which a grammar may not fully know."""
    return sorted(
        path for path, content in changed.items()
        if content is not None
        and errors(path, content) > max(errors(path, known or b"") for known in (before[path], truth.get(path)))
    )  # fmt: skip


def _pass_when_put_back(before: Files, changed: Files, allowed: Allowed, run_tests: RunTests) -> bool:
    restored = put_back(before, changed, allowed)
    left = {path: content for path, content in restored.items() if content != before[path]}
    return bool(left) and run_tests(left) is Tests.PASS


def _detail(unintended: Sequence[Change], before: Files, changed: Files, allowed: Allowed) -> Detail:
    """The detail of an unintended change: `elision`, `bytes` where only line ends and the like differ, or a kind.

    Of several kinds the gravest; a symbol of which only line ends and the like differ is none of these.
    """
    if _has_elision({change.path for change in unintended}, before, changed):
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


def _has_elision(paths: Collection[str], before: Files, changed: Files) -> bool:
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
