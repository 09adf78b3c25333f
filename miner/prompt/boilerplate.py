"""Tables of what templates and machines write into descriptions; all matched against whole lines, any case."""

import re

# Sections about the pull request, its author or its review, never about what is to be done.
_SECTIONS = (
    r".*\bcheck ?-?lists?\b.*", r"types? of changes?.*", r"what (?:type|kind) of change.*", r"pr type", r"change status",
    r"how (?:has|was|were) (?:this|these|it)(?: changes?)?(?: been)? tested.*", r"(?:how )?(?:it|this) was tested",
    r"test(?:ing)?(?: plan| steps| instructions| configuration|ing done)?", r"(?:how )?to test.*", r"how to (?:test|verify).*",
    r"(?:manual )?(?:verification|validation|testing)", r"screen ?-?(?:shots?|casts?|recordings?).*", r"proof that it works",
    r"documentation and compatibility", r"related (?:issues?|prs?|pull requests?|links?|work).*", r"(?:linked|fixed|closed) issues?.*",
    r"references?", r"release notes?", r"before submitting.*", r"who can review.*", r"review(?:ers?|ing)?(?: notes?)?.*",
    r"summary by .*", r"(?:[\W_]|walkthrough)*walkthrough", r".*codecov.* report.*", r"coverage.*", r"pull request checks?",
    r"(?:dependabot|renovate) commands.*", r"configuration \(.*renovate.*\)", r"contribution guidelines?.*", r"legal.*|cla|dco",
    r"thank you.*", r"acknowledge?ments?", r"ai (?:usage|disclosure|assistance).*", r"deployment.*|rollback plan",
    r"your environment|environment|system info(?:rmation)?|versions?", r"pull request template|pr template",
)  # fmt: skip
# What a person writes below a heading that does not apply.
_NOTHING = (
    r"no(?:pe|ne|t applicable|thing)?", r"n/?a", r"none (?:that )?i(?:'m| am) aware of", r"not (?:that i know of|as far as i know|yet)",
    r"should(?:n't| not)(?: be| have any)?", r"-", r"tbd|todo", r"no response", r"there are none", r"no,? .{0,20}",
    r"(?:yes|done)", r"(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):? *#? *\(?(?:issue|number|issue.number)?\)?",
)  # fmt: skip
_CHATTER = (
    r"for more information, see ?(?:https?://pre-commit\.ci)?", r"(?:all|ci) (?:tests|checks)(?: (?:have|are))? (?:pass(?:ed|ing|es)?|green).*",
    r"ci (?:is|are) (?:green|passing).*", r"coverage (?:increased|decreased|remained).*", r"\W*generated (?:with|by) .{0,80}",
    r"(?:this|the) (?:pr|pull request|description|commit) (?:was|is|has been) (?:auto(?:matically)?[- ]?)?(?:generated|created|opened) (?:by|with).*",
    r"bumps? \S+ from \S+ to \S+.*", r"dependabot (?:will|has|commands).*", r"you can trigger .*@?dependabot.*",
    r"signed-off-by dependabot.*", r"this reverts commit [0-9a-f]{7,40}\.?", r"\(?cherry[- ]picked from commit [0-9a-f]{7,40}\)?\.?",
    r"\[(?:skip ci|ci skip|pre-commit\.ci.*|build)\].*", r"(?:/|please )?(?:cc|ptal|lgtm|r\?|needs review|ready for review)\b[\s@:,\w/-]{0,60}[.!]?",
    r"_?originally posted by .*", r"this change is(?: reviewable)?", r"reviewed (?:in|at).{0,60}", r"(?:pr|pull request):? #\d+",
    r"please (?:include|describe|delete|read|make sure|confirm|provide|list|add) .*(?:\bpr\b|pull request|your change|the change|options|relevant|contribut).*",
    r"thank(?:s| you) for (?:your|the|submitting|opening|contribut).*", r"put an `?x`? in .*", r"\W*insert a description.*",
    r"automatic merge from.*", r"merge branch .*", r"description will come soon.*", r"<?/?(?:details|summary|br|sub|sup|p|div|center|h\d)\b[^<>]*/?>",
)  # fmt: skip


def _any_of(patterns: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("(?i)" + "|".join(f"(?:{pattern})" for pattern in patterns))


SECTION = _any_of(_SECTIONS)
NOTHING = _any_of(_NOTHING)
CHATTER = _any_of(_CHATTER)
TRAILER = re.compile(
    r"(?i)(?:[a-z]+(?:-[a-z]+)*-by|change-id|cherry-picked-from|git-svn-id|claude-session|co-author|pr-url|piperorigin-revid"
    r"|reviewed-on|tested-on|bug-url|gh-pr|github-(?:pr|issue)|auto-submit|commit-queue):\s.*"
)
WRAPPED = re.compile(r"<[^<>\s]+@[^<>\s]+>")  # the address of a trailer that was wrapped
RULER = re.compile(r"[-*_=]{3,}")

# Subjects of squashed commits made of these words alone say what happened to a branch, never what is to be done.
_NOISE = frozenset("""
    and also more some another yet the a an one few minor small tiny little final latest last again for in to of on with into
    it is up down back out this that not no we please now too
    fix fixes fixed fixing fixup fixups add added adds adding update updated updates updating improve improved improves
    improving apply applied address addressed addresses addressing correct corrected clean cleaned cleaning cleanup run ran
    move moved tweak tweaks tweaked adjust adjusted make making pass passing resolve resolved bump bumped clarify clarified
    clarification clarifications expand expanded polish better nicer link links linked entry entries try trying restore
    typo typos wip ci lint linter linting lints nit nits nitpick oops whoops squash format formatting formatted style styles
    whitespace spelling grammar wording phrasing appease pacify happy
    black flake8 isort ruff mypy pyright clippy rustfmt gofmt prettier eslint spotless pylint tox coverage codecov travis
    appveyor precommit pre commit typing type types hint hints annotation annotations
    changelog changes change md rst txt news newsfragment fragment fragments releasenotes authors contributors readme history
    doc docs docstring docstrings documentation narrative comment comments test tests unit testcase testcases case cases
    regression fixture fixtures build error errors warning warnings failure failures failing broken import imports stray empty
    unused unnecessary line lines upgrade upgrading guide notes note
    review reviewer reviewers feedback suggestion suggestions remark remarks request requests requested pr pull code point
    points merge merged conflict conflicts rebase rebased fubar master main develop branch upstream
    version versions versionadded versionchanged tag tags consistency consistent reorder refactor refactoring simplify
    simplified initial first second commit attempt stuff thing things issue pypy py2 py3 python
""".split())
_NOISE_SUBJECT = re.compile(
    r"(?i)\[pre-commit\.ci\].*|merge (?:remote-tracking )?(?:branch|pull).*|update [\w./-]+\.\w+|\S*|revert\b.*|apply suggestion.*"
    r"|(?:fix|address|update|resolve)\w* .{0,40}(?:comments|review|feedback|suggestions?)\b.*|.*\bfrom code review\b.*"
)


_ASIDE = re.compile(
    r"(?i)\b(?:change-?log|news|doc(?:s|string|strings|umentation|ument)?|tests?|testing|typos?|tox|ci|mypy|pyright|typing|typed"
    r"|type hints?|coverage|version(?:added|changed)|x?fails?|read-?me|lint\w*|spelling|explain|warn once)\b|\.(?:rst|md|yml|yaml|toml|cfg)\b"
)
_CODE = re.compile(r"`|\w[_.:]\w|\w\(|[a-z][A-Z]|--\w")


def says_nothing(subject: str, first: bool = True) -> bool:
    """Whether the subject of a squashed commit says nothing about the task.

    After the first commit, what is about tests and documents is beside the task too (neither is in the change set), and
    so is a remark of three words that names nothing.
    """
    words = re.findall(r"[^\W\d]\w*", subject.lower())
    if _NOISE.issuperset(words) or _NOISE_SUBJECT.fullmatch(subject):
        return True
    return not first and (_ASIDE.search(subject) is not None or (len(words) < 4 and not _CODE.search(subject)))
