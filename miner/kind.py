"""What kind of task a merged change is, from its labels, its title and the change itself."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from miner.patches import ABSENT, file_patches


class Kind(StrEnum):
    """What was to be done; `UNKNOWN` where nothing says it."""

    BUG_FIX = "bug_fix"
    FEATURE = "feature"
    REFACTOR = "refactor"
    API_MIGRATION = "api_migration"
    ERROR_HANDLING = "error_handling"
    PERFORMANCE = "performance"
    UNKNOWN = "unknown"


def _any_of(patterns: str) -> re.Pattern[str]:
    """A pattern that finds what any of the patterns does, one a line, in any case."""
    return re.compile("(?i)" + "|".join(f"(?:{pattern.strip()})" for pattern in patterns.strip().split("\n")))


# All tables are in the order of precedence: what is particular goes before what is said of most changes.
_LABELS = {
    Kind.PERFORMANCE: re.compile(r"(?i)\bperf|\bspeed|optimi[sz]"),
    Kind.API_MIGRATION: re.compile(r"(?i)deprecat|migrat|breaking|\bremoval"),
    Kind.ERROR_HANDLING: re.compile(r"(?i)error.handling|error.messages?"),
    Kind.REFACTOR: re.compile(r"(?i)refactor|clean.?up|tech.*debt|internal|code.quality"),
    Kind.BUG_FIX: re.compile(r"(?i)\bbug|\bfix|regression|\bcrash|\bdefect"),
    Kind.FEATURE: re.compile(r"(?i)feature|enhancement|\bnew\b|improvement"),
}
_PREFIX = re.compile(
    r"(?i)\W*(?:\[[^\]]*\]\s*)?(fix|bugfix|hotfix|bug|feat|feature|refactor|perf|chore|docs?|test|style)(?:\([^)]*\))?!?:\s"
)
_BY_PREFIX = {
    "fix": Kind.BUG_FIX, "bugfix": Kind.BUG_FIX, "hotfix": Kind.BUG_FIX, "bug": Kind.BUG_FIX, "feat": Kind.FEATURE,
    "feature": Kind.FEATURE, "refactor": Kind.REFACTOR, "perf": Kind.PERFORMANCE,
}  # fmt: skip
_SCOPE = re.compile(r"(?i)\s*(?:\[[^\]]*\])?\W*(?:(?:issue|bug|gh|pr) ?\W?\d+\W+|[\w. /-]+:\s+)?")
_LEADS = {  # words that a title begins with, after what it is about: `ConsoleRenderer: allow ...`
    Kind.PERFORMANCE: "cache memoize memoise",
    Kind.API_MIGRATION: "deprecate deprecates port migrate",
    Kind.BUG_FIX: "fix fixes fixed fixing bugfix correct corrects corrected correctly repair restore prevent prevents"
    " avoid ensure don't dont respect honor honour handle preserve stop never properly guard",
    Kind.ERROR_HANDLING: "raise raises throw throws reject refuse validate validates check catch warn forbid disallow"
    " report",
    Kind.REFACTOR: "move moves extract split rename inline consolidate unify harmonize harmonise modernize"
    " rewrite reimplement reuse tidy deduplicate convert reorder rework replace annotate",
    Kind.FEATURE: "add adds added adding allow allows support supports implement implements implemented introduce"
    " introduces new enable expose let provide accept include extend pass make create permit parse recognize bring show"
    " initial",
}
_LEADING = {kind: frozenset(words.split()) for kind, words in _LEADS.items()}
_TITLES = {
    Kind.PERFORMANCE: _any_of(r"""
        \bperf(?:ormance)?\b
        \bspeed(?:s|ing)?[ -]?ups?\b
        \boptimi[sz](?:e|es|ing|ations?)\b
        \bfaster\b
        \bmemory us(?:e|age)\b
        \b(?:start|import)[ -]?(?:up)? time\b
        \bcold import
        \breduce .*\b(?:cost|overhead|allocation|calls)\b
    """),
    Kind.API_MIGRATION: _any_of(r"""
        \bdeprecat
        \bmigrat
        \bport(?:ing|ed)? (?:\w+ )*(?:to|from)\b
        \b(?:switch|change|move)(?:d|ing|es)? (?:\w+ )?(?:from .* )?to (?:us(?:e|ing) )?(?!a |an )
        \b(?:drop|remove|end)(?:ped|d|s|ping)? (?:support (?:for|of) )?(?:python|node|legacy|distutils|\w+ python)
        \A(?:drop|remove)\b(?!.*\b(?:dead|unused|internal|private|redundant|unn?eeded|unnecessary|duplicate|obsolete)\b)
        \breplace .* (?:with|by)\b
        \brename\b.*\bto\b
        \bin favou?r of\b
        \bupgrade to\b
        \bcompat(?:ib\w+)? with\b.*\d
        \Ause .* instead of\b
        \brequire python\b
    """),
    Kind.BUG_FIX: _any_of(r"""
        \b(?:bugs?|bugfix|regression|crash(?:es|ed|ing)?|hang|deadlock|race condition|memory leak)\b
        \b(?:broken|infinite|spurious)\b
        \b(?:incorrect|wrong|unexpected)(?:ly)?\b
        \b(?:fails?|failing|failure|missing|duplicates?|issues?)\b
        \bfix(?:e[sd]|ing)?\b
        \b(?:do not|no longer|make sure|correctly)\b
        \bnot (?:be|being|working|respect)
        \b\w+(?:Error|Exception)\b (?:when|in|on|if|for|with)\b
    """),
    Kind.ERROR_HANDLING: _any_of(r"""
        \berror[ -](?:handling|messages?|reporting)\b
        \b(?:better|nicer|clearer|improved?|informative|helpful|clear) (?:\w+ ){0,2}(?:errors?|warnings?|exceptions?)\b
        \b(?:raise|throw)s?\b .*\b(?:error|exception|when|if|for|on)\b
        \A(?:throw|raise)s?\b
    """),
    Kind.REFACTOR: _any_of(r"""
        \brefactor
        \bclean(?:ing)?[ -]?ups?\b
        \bsimplif
        \breorgani[sz]e
        \brestructur
        \bnew implementation\b
        \binternal(?:s|ly)\b
        \b(?:dead code|unused)\b
        \b(?:typing|type (?:hints|annotations))\b
        \b(?:pyupgrade|f-?strings?|lint\w*)\b
    """),
    Kind.FEATURE: _any_of(r"""
        \bsupport(?:s|ed|ing)?\b
        \b(?:option|flag|parameter|argument|recipe|command|method|decorator|validator|dialect)s?$
        \badd(?:s|ed)?\b
        \bcan (?:now )?be\b
        \bcustomi[sz]
    """),
}
_FIX = re.compile(r"(?i)(?:bug)?fix(?:e[sd]|ing)?\b")
_COSMETIC = re.compile(r"(?i)\b(?:typos|style|lint\w*|clippy|comments?|docstrings?|grammar|spelling)\b")
_HANDLES = re.compile(
    rb"^\s*(?:try\b|except\b|raise\b|throw\b|\}?\s*catch\b|finally\b|return .*\berr(?:or)?s?\b|if err\b"
    rb"|.*\bwarnings?\.warn|.*(?:fmt\.Errorf|errors\.New|bail!|Err\())"
)
_DEFINES = re.compile(
    rb"^\s*(?:(?:pub(?:lic)?|private|protected|static|export|async|abstract|final|default)\b\s*)*"
    rb"(?:def|class|fn|func|function|interface|struct|enum|trait)\s+\w"
)


@dataclass(frozen=True)
class _Facts:
    """Numbers of lines of a change set: added and deleted, added ones that handle errors, and definitions."""

    added: int
    deleted: int
    handling: int
    defined: int
    undefined: int
    new_files: int


def kind_of(title: str, labels: Iterable[str], change_patch: bytes, adds_tests: bool) -> Kind:
    """The kind of a change; `adds_tests`: whether its tests' patch adds any line.

    Labels go before the title, and a conventional prefix (`feat:`) before its other words. Where none says anything,
    the change does: without a new line of test it is a refactoring, one that is mostly about errors is error handling,
    and one that defines more than it takes away is a feature.
    """
    for kind, pattern in _LABELS.items():
        if any(pattern.search(label) for label in labels):
            return kind
    prefix = _PREFIX.match(title)
    if prefix and prefix[1].lower() in _BY_PREFIX:
        return _BY_PREFIX[prefix[1].lower()]
    return _by_title(title[prefix.end() :] if prefix else title) or _by_change(_facts(change_patch), adds_tests)


def _by_title(title: str) -> Kind | None:
    scope = _SCOPE.match(title)
    said = title[scope.end() :] if scope else title
    if _FIX.match(said):
        return Kind.REFACTOR if _COSMETIC.search(said) else Kind.BUG_FIX
    lead = said.split(" ", 1)[0].lower().replace("\u2019", "'")
    for kind, pattern in _TITLES.items():
        if lead in _LEADING[kind] or pattern.search(said):
            return kind
    return None


def _facts(patch: bytes) -> _Facts:
    added: list[bytes] = []
    deleted: list[bytes] = []
    new_files = 0
    for file in file_patches(patch):
        new_files += file.modes[0] == ABSENT
        rows = [row for hunk in file.hunks for row in hunk.split(b"\n")[1:]]
        added += (row[1:] for row in rows if row.startswith(b"+") and row[1:].strip())
        deleted += (row[1:] for row in rows if row.startswith(b"-") and row[1:].strip())
    return _Facts(
        len(added), len(deleted), sum(map(bool, map(_HANDLES.match, added))),
        sum(map(bool, map(_DEFINES.match, added))), sum(map(bool, map(_DEFINES.match, deleted))), new_files,
    )  # fmt: skip


def _by_change(facts: _Facts, adds_tests: bool) -> Kind:
    if not adds_tests and facts.deleted:
        return Kind.REFACTOR
    if facts.added and facts.handling * 3 >= facts.added:
        return Kind.ERROR_HANDLING
    if facts.new_files or (facts.defined > facts.undefined and facts.added >= 3 * facts.deleted):
        return Kind.FEATURE
    return Kind.UNKNOWN
