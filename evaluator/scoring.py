"""Scoring a reply: parse, apply, compare symbols, run the tests, and put what failed in one category."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from evaluator.blocked import NO_REASON, blocked, without_reason
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
from evaluator.unintended import Allowed, counts, detail_of, has_elision, unintended_changes, with_excused
from miner.fixtures import Task
from miner.roles import Role, configures_tests, governs_tests, role_of
from miner.symbols.describe import described
from miner.symbols.files import Files


class Tests(StrEnum):
    """What the fixture's test command did."""

    __test__ = False  # not a test class, whatever its name

    PASS = "pass"
    FAIL = "fail"
    TIMEOUT = "timeout"


RunTests = Callable[[Files], Tests]  # changed files, laid over the starting tree -> verdict of the tests

_BRIEFLY = ": answer more briefly, with the edits alone."
_CUT_OFF: dict[StopReason | None, tuple[Detail, str]] = {
    "length": (Detail.STOP_LENGTH, f"The answer was cut off because it reached the output limit{_BRIEFLY}"),
    "timeout": (Detail.TIMED_OUT, f"The answer was cut off because it took too long{_BRIEFLY}"),
}


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
    if detail is Detail.NO_EDIT and any(_reads(other, text) for other in others):
        detail = Detail.OTHER_FORMAT
    return Score(Category.MALFORMED, detail, feedback=parsed.message)


def _reads(other: EditFormat, text: str) -> bool:
    """Whether a format that was not asked for finds an edit. One of another package that fails over it does not."""
    try:
        return not isinstance(other.parse(text), Unreadable)
    except (Exception, SystemExit):
        return False


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
        if content != before[path] and counts(path, before[path], task)
    }  # fmt: skip
    if not changed:
        return Score(Category.WRONG_CHANGE, Detail.NO_EFFECT, True, edits, edits, parses=True, tests=Tests.FAIL)
    strict = unintended_changes(before, changed, task.allowed)
    # Where nothing is unintended by the strict list there is nothing to excuse, which is most replies' case.
    allowed = with_excused(before, changed, task.allowed) if strict else task.allowed
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
        detail = Detail.ELISION if has_elision(broken, before, changed) else Detail.BROKEN_SYNTAX
        return score(Category.MISAPPLIED, detail, None, feedback)
    tests = run_tests(changed)
    if landed_elsewhere(applied.placements, before, task.allowed):
        return score(Category.MISAPPLIED, Detail.WRONG_LOCATION, tests)
    if unintended and (tests is Tests.PASS or _pass_when_put_back(before, changed, allowed, run_tests)):
        return score(Category.UNINTENDED_CHANGE, detail_of(unintended, before, changed, allowed), tests)
    if tests is Tests.PASS:
        return score(None, None, tests)
    detail = Detail.TESTS_TIMEOUT if tests is Tests.TIMEOUT else Detail.TESTS_FAIL
    return score(Category.WRONG_CHANGE, detail, tests)


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
