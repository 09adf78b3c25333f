"""The taxonomy of failure: one category per failed attempt, with a detail (docs/taxonomy.md)."""

from enum import StrEnum
from typing import Literal

# Why a model stopped: by itself, at the output cap, or at the call's time limit after its first token.
StopReason = Literal["stop", "length", "timeout"]


class Category(StrEnum):
    """What went wrong, in order of precedence; a resolved attempt has none."""

    TRUNCATED = "truncated"
    MALFORMED = "malformed"
    NOT_APPLIED = "not_applied"
    MISAPPLIED = "misapplied"
    UNINTENDED_CHANGE = "unintended_change"
    WRONG_CHANGE = "wrong_change"


class Detail(StrEnum):
    """How it went wrong."""

    STOP_LENGTH = "stop_length"
    IN_REASONING = "in_reasoning"
    TIMED_OUT = "timed_out"
    UNTERMINATED = "unterminated"
    NO_EDIT = "no_edit"
    BAD_BLOCK = "bad_block"
    OTHER_FORMAT = "other_format"
    ANCHOR_MISSING = "anchor_missing"
    ANCHOR_AMBIGUOUS = "anchor_ambiguous"
    HUNK_MISMATCH = "hunk_mismatch"
    UNKNOWN_PATH = "unknown_path"
    FORBIDDEN_PATH = "forbidden_path"
    WRONG_LOCATION = "wrong_location"
    BROKEN_SYNTAX = "broken_syntax"
    REMOVED = "removed"
    MODIFIED = "modified"
    ADDED = "added"
    REORDERED = "reordered"
    ELISION = "elision"
    BYTES = "bytes"
    TESTS_FAIL = "tests_fail"
    TESTS_TIMEOUT = "tests_timeout"
    NO_EFFECT = "no_effect"
    GAVE_UP = "gave_up"
    EDITED_ANYWAY = "edited_anyway"
    INVENTED_FILE = "invented_file"
    TESTS_TAMPERED = "tests_tampered"


class Discard(StrEnum):
    """Why a trial says nothing about its format."""

    INFRA_ERROR = "infra_error"
    HARNESS_ERROR = "harness_error"
    REFUSAL = "refusal"
    BUDGET_EXHAUSTED = "budget_exhausted"


class Signal(StrEnum):
    """What an agent in production sees of a failure, and may retry on. Never a category, hidden tests or allowed lists.

    `TESTS` are those that an agent can see fail: tests of the starting tree, and what its prompt showed.
    """

    STOP = "stop"
    PARSER = "parser"
    APPLIER = "applier"
    SYNTAX = "syntax"
    TESTS = "tests"


DEFAULT_SIGNALS = (Signal.STOP, Signal.PARSER, Signal.APPLIER, Signal.SYNTAX)
# How a failure shows, by category and detail; None stands for every other detail. What is not here shows in tests only.
SHOWN_BY: dict[tuple[Category, Detail | None], Signal] = {
    (Category.TRUNCATED, None): Signal.STOP, (Category.TRUNCATED, Detail.UNTERMINATED): Signal.PARSER,
    (Category.MALFORMED, None): Signal.PARSER, (Category.NOT_APPLIED, None): Signal.APPLIER,
    (Category.MISAPPLIED, Detail.BROKEN_SYNTAX): Signal.SYNTAX, (Category.MISAPPLIED, Detail.ELISION): Signal.SYNTAX,
}  # fmt: skip


def signal_of(category: Category | None, detail: Detail | None) -> Signal | None:
    """The signal that a failure gives without any test, or None where there is none."""
    if category is None:
        return None
    return SHOWN_BY.get((category, detail)) or SHOWN_BY.get((category, None))


def is_retried(category: Category | None, detail: Detail | None) -> bool:
    """Whether the default signals (stop, parser, applier, syntax) cause another attempt."""
    return signal_of(category, detail) in DEFAULT_SIGNALS
