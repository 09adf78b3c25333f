"""Why an attempt ended as it did, in one English sentence (docs/taxonomy.md). Pure."""

from collections.abc import Callable, Sequence

from evaluator.journal import AttemptLine
from evaluator.taxonomy import Category, Detail, Discard

_NAMED = 3  # symbols or tests that a sentence names

_ENDS: dict[tuple[Category, Detail], str] = {
    (Category.TRUNCATED, Detail.STOP_LENGTH): "The reply was cut off at the output limit, after {tokens}.",
    (Category.TRUNCATED, Detail.IN_REASONING): "All {tokens} up to the output limit went "
    "into reasoning; no answer came.",
    (Category.TRUNCATED, Detail.TIMED_OUT): "The reply was cut off at the call's time limit.",
    (Category.TRUNCATED, Detail.UNTERMINATED): "The reply ends inside an open edit, and nothing says why it stopped.",
    (Category.MALFORMED, Detail.NO_EDIT): "No edit in any format can be read in the reply.",
    (Category.MALFORMED, Detail.BAD_BLOCK): "An edit begins in the reply that {format} cannot read.",
    (Category.MALFORMED, Detail.OTHER_FORMAT): "The edits of the reply are in another format than {format}.",
    (Category.NOT_APPLIED, Detail.ANCHOR_MISSING): "The text that an edit is to replace does not occur ({fitted}).",
    (Category.NOT_APPLIED, Detail.ANCHOR_AMBIGUOUS): "The text that an edit is to replace occurs more than once, and "
    "nothing tells which is meant ({fitted}).",
    (Category.NOT_APPLIED, Detail.HUNK_MISMATCH): "A hunk's lines do not stand in the file as it says ({fitted}).",
    (Category.NOT_APPLIED, Detail.UNKNOWN_PATH): "An edit names a file that the tree does not have ({fitted}).",
    (Category.NOT_APPLIED, Detail.FORBIDDEN_PATH): "An edit names a path that it may not write to ({fitted}).",
    (Category.MISAPPLIED, Detail.BROKEN_SYNTAX): "The edits applied, and left a file that does not parse.",
    (Category.MISAPPLIED, Detail.ELISION): "The edits applied, and left a file that does not parse: a comment stands "
    "for text that was left out.",
    (Category.MISAPPLIED, Detail.WRONG_LOCATION): "An edit landed outside what the task allows, though its text also "
    "fits inside.",
    (Category.UNINTENDED_CHANGE, Detail.ELISION): "A comment stands for text that was left out; unintended: {symbols}.",
    (Category.UNINTENDED_CHANGE, Detail.BYTES): "Only bytes that no reader sees changed (line endings, a byte order "
    "mark, a final newline, tabs), unintended: {symbols}.",
    (Category.UNINTENDED_CHANGE, Detail.REMOVED): "Something was removed that the task does not allow; "
    "unintended: {symbols}.",
    (Category.UNINTENDED_CHANGE, Detail.MODIFIED): "Something was modified that the task does not allow; "
    "unintended: {symbols}.",
    (Category.UNINTENDED_CHANGE, Detail.ADDED): "Something was added that the task neither allows nor needs; "
    "unintended: {symbols}.",
    (Category.UNINTENDED_CHANGE, Detail.REORDERED): "What was there was put into another order; "
    "unintended: {symbols}.",
    (Category.WRONG_CHANGE, Detail.TESTS_FAIL): "The edits applied and the tests fail{tests}.",
    (Category.WRONG_CHANGE, Detail.TESTS_TIMEOUT): "The edits applied and the tests ran out of time.",
    (Category.WRONG_CHANGE, Detail.NO_EFFECT): "The edits applied, and no file that counts differs.",
    (Category.WRONG_CHANGE, Detail.GAVE_UP): "The reply says that a task is impossible which can be done.",
    (Category.WRONG_CHANGE, Detail.EDITED_ANYWAY): "The task cannot be done, and was edited anyway.",
    (Category.WRONG_CHANGE, Detail.INVENTED_FILE): "The task cannot be done, and a source file was invented.",
    (Category.WRONG_CHANGE, Detail.TESTS_TAMPERED): "The task cannot be done, and tests or what "
    "configures them were changed.",
}  # fmt: skip
_DISCARDED: dict[Discard, str] = {
    Discard.INFRA_ERROR: "No evidence: the provider failed ({error}).",
    Discard.HARNESS_ERROR: "No evidence: the harness failed ({error}).",
    Discard.REFUSAL: "No evidence: the provider says that the model declined ({error}).",
    Discard.BUDGET_EXHAUSTED: "No evidence: the run's money or time was used up before this attempt.",
}


def sentence(line: AttemptLine, failing: Sequence[str] = ()) -> str:
    """The reason for an attempt's verdict; `failing` are the required tests that did not pass, where they are known."""
    if line.discarded is not None:
        return _DISCARDED[line.discarded].format(error=line.error or "no reason given")
    if line.failure_category is None:
        return _resolved(line)
    ends = _ENDS.get((line.failure_category, line.detail)) if line.detail else None
    if ends is None:  # a line that this version would not write: what it says is all that is known
        return f"Ended as {line.failure_category.value}, {line.detail.value if line.detail else 'without a detail'}."
    parts: dict[str, Callable[[], str]] = {
        "tokens": lambda: _tokens(line), "format": lambda: line.format,
        "fitted": lambda: f"{line.edits_applied} of {line.edits} edits fit",
        "symbols": lambda: _listed([s for s in line.unintended_changes if s not in line.excused]),
        "tests": lambda: f": {_listed(failing)}" if failing else "",
    }  # fmt: skip
    return ends.format(**{name: part() for name, part in parts.items()})


def categories_of(detail: Detail) -> list[Category]:
    """The categories that have this detail, in order of precedence: one but for an elision."""
    return [category for category in Category if (category, detail) in _ENDS]


def _tokens(line: AttemptLine) -> str:
    if not line.counted_here:
        return f"{line.output_tokens:,} tokens"
    return f"~{line.output_tokens:,} tokens (counted here, in another vocabulary than the model's)"


def _resolved(line: AttemptLine) -> str:
    if not line.applied:
        return "Resolved: the reply says that the task is impossible, which it is."
    if line.excused:
        return f"Resolved: the tests pass, and all else that changed is needed by it: {_listed(line.excused)}."
    return "Resolved: the tests pass, and nothing unintended changed."


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
