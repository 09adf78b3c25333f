"""Why a merged change is no fixture."""

from enum import StrEnum


class Rejection(StrEnum):
    """One reason per merged change that was not kept; the first that holds, in this order."""

    MERGE_LOST = "merge_lost"
    MERGE_UNCLEAR = "merge_unclear"
    MERGE_UP = "merge_up"
    NO_SOURCE_CHANGE = "no_source_change"
    TESTS_INSIDE_SOURCE = "tests_inside_source"
    NO_TEST_CHANGE = "no_test_change"
    BOT = "bot"
    REVERT = "revert"
    BACKPORT = "backport"
    ONLY_DELETIONS_OR_RENAMES = "only_deletions_or_renames"
    BINARY_OR_SUBMODULE = "binary_or_submodule"
    UNUSABLE_NAME = "unusable_name"
    MISSING_BLOB = "missing_blob"
    GENERATED_OR_VENDORED = "generated_or_vendored"
    TOO_LARGE = "too_large"
    DEPENDENCIES_CHANGED = "dependencies_changed"
    UNFAITHFUL_PATCH = "unfaithful_patch"
    PROMPT_LEAKS = "prompt_leaks"
    ENVIRONMENT_FAILED = "environment_failed"
    NO_TESTS_RUN = "no_tests_run"
    PASSES_BEFORE = "passes_before"
    FAILS_AFTER = "fails_after"
    FLAKY = "flaky"
    TIMED_OUT = "timed_out"
    INTERNAL_ERROR = "internal_error"


BY_PROOF = frozenset({
    Rejection.ENVIRONMENT_FAILED, Rejection.NO_TESTS_RUN, Rejection.PASSES_BEFORE, Rejection.FAILS_AFTER,
    Rejection.FLAKY, Rejection.TIMED_OUT,
})  # fmt: skip

EXPLANATIONS = {
    Rejection.MERGE_LOST: "the commit that merged it is no longer on the branch",
    Rejection.MERGE_UNCLEAR: "which commits of the branch are its own cannot be told",
    Rejection.MERGE_UP: "only merges one long-lived branch into another",
    Rejection.NO_SOURCE_CHANGE: "changes no source file",
    Rejection.TESTS_INSIDE_SOURCE: "its tests stand inside a source file and cannot be told apart from it",
    Rejection.NO_TEST_CHANGE: "changes no test file",
    Rejection.BOT: "written by a bot",
    Rejection.REVERT: "reverts another change",
    Rejection.BACKPORT: "brings an earlier change again (a backport, or applied once more)",
    Rejection.ONLY_DELETIONS_OR_RENAMES: "only deletes or renames source files",
    Rejection.BINARY_OR_SUBMODULE: "a changed file is binary, a symbolic link or a submodule",
    Rejection.UNUSABLE_NAME: "a changed file's name is no UTF-8 or has control characters",
    Rejection.MISSING_BLOB: "the clone lacks a file it needs",
    Rejection.GENERATED_OR_VENDORED: "a source file is generated or vendored",
    Rejection.TOO_LARGE: "more source files or lines than the limits",
    Rejection.DEPENDENCIES_CHANGED: "changes what the project depends on",
    Rejection.UNFAITHFUL_PATCH: "its patches do not reproduce its trees",
    Rejection.PROMPT_LEAKS: "its description gives the answer away (--leak reject)",
    Rejection.ENVIRONMENT_FAILED: "its environment did not build",
    Rejection.NO_TESTS_RUN: "none of its tests could be run",
    Rejection.PASSES_BEFORE: "its tests pass without it",
    Rejection.FAILS_AFTER: "its tests fail with it",
    Rejection.FLAKY: "its tests change their mind",
    Rejection.TIMED_OUT: "its tests ran out of time",
    Rejection.INTERNAL_ERROR: "miner failed on it (a bug: please report it)",
}
