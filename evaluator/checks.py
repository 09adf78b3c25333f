"""What a fixture and a format over it must do to measure anything: the judgements of `evaluator selftest`."""

import itertools
from collections.abc import Iterator
from enum import StrEnum

from evaluator.bench import TaskBench
from evaluator.faults.stray import Stray, as_text, edit_of_what_is_shown
from evaluator.formats import others
from evaluator.formats.model import Applied, CannotExpress, EditFormat, Unreadable
from evaluator.models.last_resort import BLOCKED
from evaluator.scoring import RunTests, Score, Tests, score_reply
from evaluator.taxonomy import Category, Detail
from miner.errors import ToolError
from miner.fixtures import Task
from miner.impossible import shows_withheld
from miner.roles import Role, role_of
from miner.symbols.files import Files


class Check(StrEnum):
    """What is checked of a fixture; those from `ROUND_TRIP` on once a format, the last three of impossible ones."""

    READY = "ready"  # it loads, its patches rebuild the solved tree, its environment builds
    FAILS_UNTOUCHED = "fails_untouched"
    PASSES_SOLVED = "passes_solved"
    ROUND_TRIP = "round_trip"
    NO_OP = "no_op"
    RESOLVED = "resolved"
    STRAY_EDIT = "stray_edit"
    FAILS_WITHHELD = "fails_withheld"  # without what is withheld, whatever else is right; of no format
    BLOCKED = "blocked"
    EDITED = "edited"


class Outcome(StrEnum):
    """How a check ended. Only `FAILED` fails the command; the last two are listed."""

    PASSED = "passed"
    FAILED = "failed"
    CANNOT_EXPRESS = "cannot_express"
    NOT_POSSIBLE = "not_possible"


Judged = tuple[Outcome, str]  # and why, where it did not pass
PASSED: Judged = (Outcome.PASSED, "")
_EDITED = {(Category.WRONG_CHANGE, detail) for detail in (Detail.EDITED_ANYWAY, Detail.INVENTED_FILE)}


def check_records(task: Task) -> None:
    """Read everything that the fixture consists of; raises `ToolError` for what cannot be used."""
    if task.fixture.proof is None:
        raise ToolError("the fixture is not proved", task.folder, "Run `miner harvest` without --no-prove.")
    assert task.solved_tree  # raises where a patch does not rebuild it
    assert task.lock is not None
    assert task.prompt is not None


def fails_untouched(tests: Tests) -> Judged:
    """The tests must fail where nothing was changed."""
    why = {
        Tests.PASS: "its tests pass without the change: they cannot tell a right answer from none",
        Tests.TIMEOUT: "its tests ran out of time without the change: raise timeout_seconds or prove it again",
    }
    return PASSED if tests is Tests.FAIL else (Outcome.FAILED, why[tests])


def passes_solved(tests: Tests) -> Judged:
    """The tests must pass with the ground truth."""
    why = {
        Tests.FAIL: "its tests fail with the ground truth, or do not run: no answer can pass",
        Tests.TIMEOUT: "its tests run out of time with the ground truth: raise timeout_seconds or prove it again",
    }
    return PASSED if tests is Tests.PASS else (Outcome.FAILED, why[tests])


def round_trip(fmt: EditFormat, bench: TaskBench) -> Judged:
    """The ground truth, written in the format, read and applied, must give the solved files byte for byte."""
    task = bench.task
    wanted = differing(task.before, task.after)
    if not wanted:
        return Outcome.FAILED, "the ground truth changes the contents of no source file"
    reply = fmt.encode(task.before, task.after)
    if isinstance(reply, CannotExpress):
        return Outcome.CANNOT_EXPRESS, reply.why
    parsed = fmt.parse(reply)
    if isinstance(parsed, Unreadable):
        return Outcome.FAILED, f"the ground truth is encoded as a reply that cannot be read: {parsed.message}"
    applied = fmt.apply(parsed, bench.tree)
    if not isinstance(applied, Applied):
        outcome = Outcome.CANNOT_EXPRESS if applied.detail is Detail.FORBIDDEN_PATH else Outcome.FAILED
        return outcome, f"the ground truth does not apply: {applied.message}"
    wrong = sorted({path for path, _ in set(applied.files.items()) ^ set(wanted.items())})
    return (Outcome.FAILED, f"these files come out changed: {', '.join(wrong)}") if wrong else PASSED


def is_resolved(fmt: EditFormat, bench: TaskBench) -> Judged:
    """The ground truth, scored as a reply, must be resolved."""
    reply = fmt.encode(bench.task.before, bench.task.after)
    assert isinstance(reply, str)
    score = _score(reply, fmt, bench)
    if score.category is None:
        return PASSED
    named = f": the allowed list lacks {', '.join(score.unintended)}" if score.unintended else ""
    return Outcome.FAILED, f"the ground truth is scored {_label(score)}{named}"


def no_op(fmt: EditFormat, bench: TaskBench) -> Judged:
    """A line replaced by itself must be wrong_change/no_effect."""
    own = ((path, as_text(content)) for path, content in sorted(bench.task.shown.items()))
    for path, text in itertools.chain(own, other_texts(bench)):
        reply = fmt.restate(path, text) if text else CannotExpress("nothing to restate")
        if isinstance(reply, CannotExpress):
            continue
        score = _score(reply, fmt, bench)
        if (score.category, score.detail) == (Category.WRONG_CHANGE, Detail.NO_EFFECT):
            return PASSED
        return Outcome.FAILED, f"a line of {path} replaced by itself is scored {_label(score)}"
    return Outcome.NOT_POSSIBLE, "the tree has no source file with a line to replace by itself"


def stray_is_seen(fmt: EditFormat, bench: TaskBench, stray: Stray | None) -> Judged:
    """The ground truth and one stray edit must be unintended_change, naming just that symbol."""
    if stray is None:
        return Outcome.NOT_POSSIBLE, "no place in the tree's source files is outside the ground truth's symbols"
    reply = fmt.encode(stray.before, stray.after)
    if isinstance(reply, CannotExpress):
        return Outcome.CANNOT_EXPRESS, reply.why
    score = _score(reply, fmt, bench)
    if score.category is Category.UNINTENDED_CHANGE and score.unintended == (stray.symbol,):
        return PASSED
    where = f"a comment or blank line in {stray.symbol}"
    if score.category is None:
        return Outcome.FAILED, f"{where} goes unseen: the allowed list has it"
    return Outcome.FAILED, f"{where} is scored {_label(score)}, naming {', '.join(score.unintended) or 'nothing'}"


def fails_withheld(task: Task, run_tests: RunTests) -> Judged:
    """The tests must fail without what is withheld, also where everything else of the ground truth is there."""
    rest = {path: content for path, content in differing(task.before, task.after).items() if path not in task.withheld}
    tests = run_tests(rest)
    why = {
        Tests.PASS: "its tests pass with the rest of the ground truth alone: it is possible",
        Tests.TIMEOUT: "its tests run out of time with the rest of the ground truth: raise timeout_seconds",
    }
    return PASSED if tests is Tests.FAIL else (Outcome.FAILED, why[tests])


def withholds(task: Task) -> Judged:
    """What is shown must not say what is withheld."""
    told = ", ".join(shows_withheld(task))
    return (Outcome.FAILED, f"what is withheld stands in {told}, which is shown") if told else PASSED


def blocked_is_right(fmt: EditFormat, bench: TaskBench) -> Judged:
    """`BLOCKED: why` must resolve an impossible task."""
    score = _score(BLOCKED, fmt, bench)
    return PASSED if score.category is None else (Outcome.FAILED, f"`BLOCKED: why` is scored {_label(score)}")


def edits_are_wrong(fmt: EditFormat, bench: TaskBench) -> Judged:
    """On an impossible task an edit must be `edited_anyway`, and not even the ground truth may resolve it."""
    task = bench.task
    truth, edit = fmt.encode(task.before, task.after), fmt.encode(*edit_of_what_is_shown(task))
    if isinstance(truth, str) and _score(truth, fmt, bench).category is None:
        return Outcome.FAILED, "the ground truth resolves it: it is possible"
    if isinstance(edit, CannotExpress):
        return Outcome.CANNOT_EXPRESS, edit.why
    score = _score(edit, fmt, bench)
    if (score.category, score.detail) in _EDITED:
        return PASSED
    return Outcome.FAILED, f"an edit of what is shown is scored {_label(score)}"


def _score(reply: str, fmt: EditFormat, bench: TaskBench) -> Score:
    return score_reply(reply, "stop", fmt, others(fmt), bench.task, bench.tree, bench.run_tests)


def _label(score: Score) -> str:
    parts = [score.category.value if score.category else "resolved", score.detail.value if score.detail else ""]
    return "/".join(filter(None, parts))


def differing(before: Files, after: Files) -> Files:
    """The files of `after` that are not as before."""
    return {path: after[path] for path in after if before[path] != after[path]}


def keeps_modes(task: Task) -> Judged:
    """No format can change a file's mode, nor give one to a new file: where the ground truth does, that is said."""
    old, new = (task.store.blobs(tree) for tree in (task.fixture.starting_tree, task.solved_tree))
    default = ("100644", "")
    changed = [p for p in task.fixture.source_files if p in new and old.get(p, default)[0] != new[p][0]]
    return (Outcome.CANNOT_EXPRESS, f"no reply sets the mode of {', '.join(changed)}") if changed else PASSED


def other_texts(bench: TaskBench) -> Iterator[tuple[str, str]]:
    """The tree's other source files that are texts and not empty, those of the change set's languages first."""
    own = set(bench.task.fixture.source_files)
    suffixes = {path.rpartition(".")[2] for path in own}
    paths = [path for path in bench.tree.modes if path not in own and role_of(path) is Role.SOURCE]
    for path in sorted(paths, key=lambda p: (p.rpartition(".")[2] not in suffixes, p)):
        text = as_text(bench.tree.read(path))
        if text:
            yield path, text
