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


# What an agent in production sees of a failure, and may retry on: the stop reason, its parser, its
# applier, a syntax check. Never the category, the hidden tests or the allowed list.
RETRIED: frozenset[tuple[Category, Detail | None]] = frozenset(
    {
        (Category.TRUNCATED, None), (Category.MALFORMED, None), (Category.NOT_APPLIED, None),
        (Category.MISAPPLIED, Detail.BROKEN_SYNTAX), (Category.MISAPPLIED, Detail.ELISION),
    }
)  # fmt: skip


def is_retried(category: Category | None, detail: Detail | None) -> bool:
    """Whether the default signals (stop, parser, applier, syntax) cause another attempt."""
    return category is not None and ((category, None) in RETRIED or (category, detail) in RETRIED)
