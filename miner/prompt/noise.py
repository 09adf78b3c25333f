"""Subjects of squashed commits that say what happened to a branch, never what is to be done."""

import re

# Subjects made of these words alone say nothing about the task.
_NOISE = frozenset(re.findall(r"\S+", """
    and also more some another yet the a an one few minor small tiny little final latest last again for in to of
    on with into it is up down back out this that not no we please now too fix fixes fixed fixing fixup fixups
    add added adds adding update updated updates updating improve improved improves improving apply applied
    address addressed addresses addressing correct corrected clean cleaned cleaning cleanup run ran move moved
    tweak tweaks tweaked adjust adjusted make making pass passing resolve resolved bump bumped clarify clarified
    clarification clarifications expand expanded polish better nicer link links linked entry entries try trying
    restore typo typos wip ci lint linter linting lints nit nits nitpick oops whoops squash format formatting
    formatted style styles whitespace spelling grammar wording phrasing appease pacify happy black flake8 isort
    ruff mypy pyright clippy rustfmt gofmt prettier eslint spotless pylint tox coverage codecov travis appveyor
    precommit pre commit typing type types hint hints annotation annotations changelog changes change md rst txt
    news newsfragment fragment fragments releasenotes authors contributors readme history doc docs docstring
    docstrings documentation narrative comment comments test tests unit testcase testcases case cases regression
    fixture fixtures build error errors warning warnings failure failures failing broken import imports stray
    empty unused unnecessary line lines upgrade upgrading guide notes note review reviewer reviewers feedback
    suggestion suggestions remark remarks request requests requested pr pull code point points merge merged
    conflict conflicts rebase rebased fubar master main develop branch upstream version versions versionadded
    versionchanged tag tags consistency consistent reorder refactor refactoring simplify simplified initial
    first second commit attempt stuff thing things issue pypy py2 py3 python
"""))
_NOISE_SUBJECT = re.compile(
    r"(?i)\[pre-commit\.ci\].*|merge (?:remote-tracking )?(?:branch|pull).*|update [\w./-]+\.\w+|\S*|revert\b.*"
    r"|apply suggestion.*"
    r"|(?:fix|address|update|resolve)\w* .{0,40}(?:comments|review|feedback|suggestions?)\b.*|.*\bfrom code review\b.*"
)


_ASIDE = re.compile(
    r"(?i)\b(?:change-?log|news|doc(?:s|string|strings|umentation|ument)?|tests?|testing|typos?|tox|ci|mypy"
    r"|pyright|typing|typed|type hints?|coverage|version(?:added|changed)|x?fails?|read-?me|lint\w*|spelling|explain)\b"
    r"|\.(?:rst|md|yml|yaml|toml|cfg)\b"
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
