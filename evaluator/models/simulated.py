"""Simulated models: they know the answer, and make the mistakes they are told to make."""

import hashlib
from collections.abc import Sequence
from enum import StrEnum

from evaluator.faults.model import Label
from evaluator.models.last_resort import NO_EDIT, truth
from evaluator.models.mistakes import Mistakes
from evaluator.models.model import Reply, Request
from evaluator.taxonomy import Category, Detail, StopReason
from miner.tokens import count_tokens, cut_to_tokens


class Fault(StrEnum):
    """A mistake dealt to a fixture; `NOT_APPLIED_FIRST` is made on the first attempt only."""

    TRUNCATED = "truncated"
    NOT_APPLIED = "not_applied"
    NOT_APPLIED_FIRST = "not_applied_first"
    UNINTENDED = "unintended"
    WRONG = "wrong"
    EDITED = "edited"


# The published shape: the share of tasks per format that meet each fault. Faults are disjoint; the share of
# UNINTENDED for whole_file is of the tasks that truncation leaves.
ARTICLE = {
    "whole_file": {Fault.TRUNCATED: 0.14, Fault.UNINTENDED: 0.11, Fault.NOT_APPLIED: 0.005, Fault.WRONG: 0.03},
    "unified_diff": {Fault.NOT_APPLIED_FIRST: 0.091, Fault.UNINTENDED: 0.02, Fault.WRONG: 0.03},
    "search_replace": {Fault.NOT_APPLIED_FIRST: 0.03, Fault.UNINTENDED: 0.01, Fault.WRONG: 0.03},
    # Not published: like their nearest relatives, so that a simulated run of all formats has something to show.
    "udiff": {Fault.NOT_APPLIED_FIRST: 0.07, Fault.UNINTENDED: 0.02, Fault.WRONG: 0.03},
    "apply_patch": {Fault.NOT_APPLIED_FIRST: 0.05, Fault.UNINTENDED: 0.02, Fault.WRONG: 0.03},
    "str_replace": {Fault.NOT_APPLIED_FIRST: 0.03, Fault.UNINTENDED: 0.01, Fault.WRONG: 0.03},
}
# Not published either: the share of impossible tasks that are edited anyway, whatever the format.
EDITED_ANYWAY = 0.25
# What a fault is asked for as; where that is not possible, another detail of its category.
_LABELS = {
    Fault.NOT_APPLIED: Label(Category.NOT_APPLIED, Detail.FORBIDDEN_PATH),
    Fault.NOT_APPLIED_FIRST: Label(Category.NOT_APPLIED, Detail.ANCHOR_MISSING),
    Fault.UNINTENDED: Label(Category.UNINTENDED_CHANGE, Detail.REMOVED),
    Fault.WRONG: Label(Category.WRONG_CHANGE, Detail.TESTS_FAIL),
    Fault.EDITED: Label(Category.WRONG_CHANGE, Detail.EDITED_ANYWAY),
}
_OF_THE_REST = {("whole_file", Fault.UNINTENDED)}


def deal(fixtures: Sequence[str], format_name: str, seed: int) -> dict[str, Fault]:
    """Fixture to fault, for one format: dealt, not drawn, so that any set shows the published shape.

    Fixtures ordered by a hash of seed, format and fixture receive disjoint faults, round(rate x n) each,
    at least one where the rate is 3% or more.
    """
    order = _in_order(fixtures, format_name, seed)
    dealt: dict[str, Fault] = {}
    for fault, rate in ARTICLE.get(format_name, {}).items():
        base = len(order) - len(dealt) if (format_name, fault) in _OF_THE_REST else len(order)
        count = max(round(rate * base), 1 if rate >= 0.03 else 0)
        for fixture in order[len(dealt) : len(dealt) + count]:
            dealt[fixture] = fault
    return dealt


def deal_impossible(fixtures: Sequence[str], format_name: str, seed: int) -> dict[str, Fault]:
    """Impossible fixture to fault, for one format: a quarter is edited anyway, at least one where there is any."""
    count = max(round(EDITED_ANYWAY * len(fixtures)), 1)
    return dict.fromkeys(_in_order(fixtures, format_name, seed)[:count], Fault.EDITED)


def _in_order(fixtures: Sequence[str], format_name: str, seed: int) -> list[str]:
    return sorted(fixtures, key=lambda i: hashlib.sha256(f"{seed}\0{format_name}\0{i}".encode()).digest())


class Perfect:
    """Encodes the known change, or says that none can be made; a reply longer than the cap is cut, as real ones are."""

    name = "simulated:perfect"
    simulated = True

    def reply(self, request: Request) -> Reply:
        """The right answer in the request's format."""
        text = truth(request.task, request.format)
        tokens = count_tokens(text)
        if tokens > request.cap:
            return _reply(request, cut_to_tokens(text, request.cap), "length", request.cap, self.name)
        return _reply(request, text, "stop", tokens, self.name)


class Article:
    """The published shape of failures, dealt over the fixtures of a set; of impossible ones some are edited anyway."""

    name = "simulated:article"
    simulated = True

    def __init__(
        self, fixtures: Sequence[str], formats: Sequence[str], seed: int, impossible: Sequence[str] = (),
        mistakes: Mistakes | None = None,
    ) -> None:  # fmt: skip
        self.mistakes = mistakes or Mistakes()
        self.dealt = {n: deal(fixtures, n, seed) | deal_impossible(impossible, n, seed) for n in formats}

    def reply(self, request: Request) -> Reply:
        """The right answer, or the one with the fault that this fixture was dealt."""
        task, fmt = request.task, request.format
        fault = self.dealt[fmt.name].get(task.id)
        text = truth(task, fmt)
        if fault is Fault.TRUNCATED:
            shown = min(request.cap, max(count_tokens(text) * 6 // 10, 1))
            return _reply(request, cut_to_tokens(text, shown), "length", request.cap, self.name)
        over = fault is Fault.NOT_APPLIED_FIRST and request.attempt > 1
        if fault is not None and not over and text != NO_EDIT:
            text = self.mistakes.reply(task, fmt, _LABELS[fault], 0).text
        # Truncation is dealt, never met: whatever its length, an untruncated reply counts as inside the cap.
        return _reply(request, text, "stop", min(count_tokens(text), request.cap - 1), self.name)


def _reply(request: Request, text: str, stop: StopReason, output_tokens: int, served: str) -> Reply:
    """A reply with invented but plausible latency: 400 ms and 12 ms a token."""
    input_tokens = sum(count_tokens(m.content) for m in request.messages)
    return Reply(text, stop, input_tokens, output_tokens, 400 + 12 * output_tokens, served)
