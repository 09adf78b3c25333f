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


def _any_of(*patterns: str) -> re.Pattern[str]:
    return re.compile("(?i)" + "|".join(patterns))


# In the order of precedence: what is said in particular goes before what is said of most changes.
_LABELS = {
    Kind.PERFORMANCE: _any_of(r"\bperf", r"\bspeed", r"optimi[sz]"),
    Kind.API_MIGRATION: _any_of(r"deprecat", r"migrat", r"breaking", r"\bremoval"),
    Kind.ERROR_HANDLING: _any_of(r"error.handling", r"error.messages?"),
    Kind.REFACTOR: _any_of(r"refactor", r"clean.?up", r"tech.*debt", r"internal", r"code.quality"),
    Kind.BUG_FIX: _any_of(r"\bbug", r"\bfix", r"regression", r"\bcrash", r"\bdefect"),
    Kind.FEATURE: _any_of(r"feature", r"enhancement", r"\bnew\b", r"improvement"),
}
_CONVENTIONAL = re.compile(r"(?i)\W*(?:\[[^\]]*\]\s*)?(fix|bugfix|hotfix|bug|feat|feature|refactor|perf|chore|docs?|test|style)(?:\([^)]*\))?(!)?:\s")
_BY_PREFIX = {
    "fix": Kind.BUG_FIX, "bugfix": Kind.BUG_FIX, "hotfix": Kind.BUG_FIX, "bug": Kind.BUG_FIX, "feat": Kind.FEATURE,
    "feature": Kind.FEATURE, "refactor": Kind.REFACTOR, "perf": Kind.PERFORMANCE,
}  # fmt: skip
_TITLES = {
    Kind.PERFORMANCE: _any_of(
        r"\bperf(?:ormance)?\b", r"\bspeed(?:s|ing)?[ -]?ups?\b", r"\bspeed up\b", r"\boptimi[sz](?:e|es|ing|ations?)\b", r"\bfaster\b", r"memory (?:usage|use)\b",
        r"\b(?:start|import)[ -]?(?:up)? time\b", r"\bcold import", r"^\W*(?:cache|memoi[sz]e)\b", r"\blazy import", r"reduce .*\b(?:cost|overhead|allocation|calls)\b",
    ),
    Kind.API_MIGRATION: _any_of(
        r"\bdeprecat", r"\bmigrat", r"\bport(?:ing|ed)? (?:\w+ )*(?:to|from)\b", r"\b(?:switch|change|move)(?:e?d|ing|es)? (?:\w+ )?(?:from .* )?to (?:use |using )?(?!a |an )",
        r"\b(?:drop|remove|end)(?:ped|d|s|ping)? (?:support (?:for|of) )?(?:old |deprecated |py(?:thon)? ?\d|python|node|legacy|distutils|attr\.|\w+ python)",
        r"\breplace .* (?:with|by)\b", r"\brename\b.*\bto\b", r"\bin favou?r of\b", r"\bupgrade to\b", r"\bcompat(?:ib\w+)? with\b.*\d", r"^\W*use .* instead of\b", r"\brequire python\b",
        r"^\W*(?:drop|remove)\b(?!.*\b(?:dead|unused|internal|private|redundant|unnecessary|unneeded|duplicate|obsolete)\b)",
    ),
    Kind.BUG_FIX: _any_of(
        r"^\W*(?:\w+:\s+)?(?:fix(?:e[sd]|ing|up)?|bug(?:fix)?|correct(?:ed|ly|s)?|repair|restore|prevent(?:ed|s)?|avoid(?:s|ed)?|ensure|don['’]?t|do not|respect|honou?r|handle|preserve|stop|never|no longer|properly|make sure)\b",
        r"\b(?:bug|bugs|bugfix|regression|crash(?:es|ed|ing)?|hang|deadlock|race condition|memory leak|broken|incorrect(?:ly)?|wrong(?:ly)?|fails?|failing|failure|infinite|unexpected(?:ly)?|spurious|missing|duplicates?|issues?)\b",
        r"\bfix(?:e[sd]|ing)?\b", r"\bnot (?:be|being|working|respect)", r"\bcorrectly\b", r"\b\w+(?:Error|Exception)\b (?:when|in|on|if|for|with)\b",
    ),
    Kind.ERROR_HANDLING: _any_of(
        r"\berror[ -](?:handling|messages?|reporting)\b", r"\b(?:better|nicer|clearer|improved?|informative|helpful|clear|useful) (?:\w+ ){0,2}(?:errors?|warnings?|exceptions?)\b",
        r"^\W*(?:\w+:\s+)?(?:raise|throw|reject|refuse|validate|check|catch|warn|forbid|disallow|report)\w*\b", r"\b(?:raise|throw)s?\b .*\b(?:error|exception|when|if|for|on)\b", r"\bmention what\b",
    ),
    Kind.REFACTOR: _any_of(
        r"\brefactor", r"\bclean(?:ing)?[ -]?ups?\b", r"\bsimplif", r"\breorgani[sz]e", r"\brestructur", r"^\W*(?:\w+:\s+)?(?:move|extract|split|rename|inline|consolidate|unify|merge(?! pull)|harmoni[sz]e|moderni[sz]e|rewrite|reimplement|reuse|tidy|de-?duplicate|factor out|convert|reorder|rework|replace|annotate|remove unused)\b",
        r"\bnew implementation\b", r"\binternal(?:s|ly)?\b", r"\bdead code\b", r"\bunused\b", r"\btype (?:hints|annotations)\b", r"\btyping\b", r"\bpyupgrade\b", r"\bf-?strings?\b", r"\blint",
    ),
    Kind.FEATURE: _any_of(
        r"^\W*(?:issue \d+:?\s*|\[\w+\]\s*|[\w. /-]+:\s+)?(?:add(?:s|ed|ing)?|allow(?:s|ed|ing)?|support(?:s|ed|ing)?|implement(?:s|ed|ing|ation)?|introduc\w+|new|enable|expose|let|provide|accept|include|extend|pass|make|create|permit|parse|recogni[sz]e|bring over|show|initial)\b",
        r"\bsupport(?:s|ed|ing)?\b", r"\bnew\b", r"\b(?:option|flag|parameter|argument|recipe|command|method|decorator|validator|dialect)s?$", r"\badd(?:s|ed|ing)?\b", r"\bcan (?:now )?be\b", r"\bcustomi[sz]",
    ),
}  # fmt: skip
_FIX = _any_of(r"\W*(?:\w+:\s+|issue \W?\d+\W+)?(?:bug)?fix(?:e[sd]|ing)?\b")
_COSMETIC = _any_of(r"\btypos?\b", r"\bstyle\b", r"\blint", r"\bclippy\b", r"\b(?:comments?|docstrings?|grammar|spelling)\b")
_HANDLES = re.compile(rb"^\s*(?:try\b|except\b|raise\b|throw\b|\}?\s*catch\b|finally\b|return .*\berr(?:or)?s?\b|if err\b|.*\bwarnings?\.warn|.*(?:fmt\.Errorf|errors\.New|bail!|Err\())")
_DEFINES = re.compile(rb"^\s*(?:(?:pub(?:lic)?|private|protected|static|export|async|abstract|final|default)\b\s*)*(?:def|class|fn|func|function|interface|struct|enum|trait)\s+\w")


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
    """The kind of a change; `adds_tests`: whether its tests' patch adds any line of test.

    Labels go before the title, and a conventional prefix before its other words; where neither says anything, the change
    does: no line of test added or the same number of definitions moved is a refactoring, mostly error handling is that,
    more definitions than before are a feature.
    """
    for kind, pattern in _LABELS.items():
        if any(pattern.search(label) for label in labels):
            return kind
    prefix = _CONVENTIONAL.match(title)
    if prefix and prefix[1].lower() in _BY_PREFIX:
        return _BY_PREFIX[prefix[1].lower()]
    said = title[prefix.end() :] if prefix else title
    if _FIX.match(said):
        return Kind.REFACTOR if _COSMETIC.search(said) else Kind.BUG_FIX
    for kind, pattern in _TITLES.items():
        if pattern.search(said):
            return kind
    return _by_change(_facts(change_patch), adds_tests)


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
