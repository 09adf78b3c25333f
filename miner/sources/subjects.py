"""Merged changes recognised by what the messages of their commits say: one table row a way of saying it."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from miner.sources.model import Commit, MergedChange, Method, Unit

_BRANCH_MERGE = re.compile(r"Merged? (?:remote-tracking |remote )?(?:branch(?:es)?|commit|tags?) |Merge \S+ into \S+$")
_MERGE_OF = re.compile(r"Merged? (?:remote-tracking |remote )?branch '(?:(?:origin|upstream)/)?([^']+)'(?! of )")
_LASTING = re.compile(
    r"(?:main|master|trunk|dev|devel|develop|development|next|stable|production|staging|features?)"
    r"|(?:release|releases|maint|maintenance|support|stable|hotfix|v)?[-/._]?\d+(?:[._]\d+)*(?:[._]x)?"
    r"(?:[-_.](?:x|maintenance|maint|stable|line|branch|dev|devel|release|lts|bugfix|fixes))?"
)
_MERGE_UP = re.compile(
    r"(?i)merge (?:back )?(?:branch )?[`'\"]?(?:origin/|upstream/)?([\w./-]+?)[`'\"]?(?: branch)? (?:branch )?"
    r"(?:in)?to [`'\"]?([\w./-]+?)[`'\"]?(?: branch)?(?: \(#\d+\))?\.?"
)
_TOLD_OF = re.compile(r"(?i)merg(?:e|ed|ing)\b")


@dataclass(frozen=True)
class Named:
    """What a message says of the pull request that its commit merged; `certain`: the number is the pull request's.

    `(#N)` after a title may name an issue instead.
    """

    number: str
    title: str
    body: str
    branch: str = ""
    certain: bool = True


@dataclass(frozen=True)
class _Style:
    """One way of saying it: the pattern of the subject, and of a line of the body where that has the number."""

    subject: re.Pattern[str]
    read: Callable[[re.Match[str], str, str], Named]
    line: re.Pattern[str] | None = None

    def named(self, subject: str, body: str) -> Named | None:
        """What it says, or None where it is said in another way."""
        match = self.subject.match(subject)
        if match and self.line:
            match = next((found for row in reversed(body.split("\n")) if (found := self.line.match(row))), None)
        return self.read(match, subject, body) if match else None


def _below(match: re.Match[str], subject: str, body: str) -> Named:
    """The title stands below the subject, as the first line of the body, unless a list of commits does."""
    title, _, rest = body.strip().partition("\n")
    if title.startswith("* "):
        title, rest = subject, body
    return Named(match["number"].lower(), title or subject, rest, match.groupdict().get("branch") or "")


def _of_bors(match: re.Match[str], subject: str, body: str) -> Named:
    """Below the subject, with number and reviewers around it."""
    said = _below(match, subject, body)
    return replace(said, title=re.sub(r"^\d+: | r=\S+(?: a=\S+)?$", "", said.title))


def _beside(match: re.Match[str], subject: str, body: str) -> Named:
    """The title is part of the subject."""
    said = match.groupdict()
    return Named(match["number"], match["title"] or subject, body, said.get("branch") or "")


def _uncertain(match: re.Match[str], _subject: str, body: str) -> Named:
    return Named(match["number"], match["title"], body, certain=False)


def _in_the_body(match: re.Match[str], subject: str, body: str) -> Named:
    """The number is in a line of the body; below a merge's subject so is the title."""
    rest = body.replace(match[0], "").strip()
    merge = re.match(r"Merge branch '([^']+)'", subject)
    if merge:
        title, _, rest = rest.partition("\n")
        return Named(match["number"], title or subject, rest, merge[1])
    return Named(match["number"], subject, rest)


_STYLES = (
    # GitHub, from old hand-made ones to a security advisory's; Bitbucket Server (`in PROJECT/repository`).
    # A merge that was picked onto another branch by a pull request of its own ends in that one's number.
    _Style(
        re.compile(r"(?!.*\(#\d+\)$)Merged? pull request #(?P<number>\d+) (?:in \S+ )?from (?P<branch>[^\s']\S*)"),
        _below,
    ),
    _Style(re.compile(r"Merge pull request from (?P<number>GHSA(?:-\w{4}){3})$"), _below),
    # Gitea and Forgejo.
    _Style(re.compile(r"Merge pull request '(?P<title>.*)' \(#(?P<number>\d+)\) from (?P<branch>\S+)"), _beside),
    # Bitbucket; Bitbucket Server since 2021.
    _Style(re.compile(r"Merged in (?P<branch>\S+) \(pull request #(?P<number>\d+)\)$"), _below),
    _Style(re.compile(r"Pull request #(?P<number>\d+): (?P<title>.*)"), _beside),
    # Azure DevOps.
    _Style(re.compile(r"Merged PR (?P<number>\d+): (?P<title>.*)"), _beside),
    # bors and homu; a batch (`Merge #1 #2`) is no single change.
    _Style(re.compile(r"Merge #(?P<number>\d+)$"), _of_bors),
    _Style(re.compile(r"Auto merge of #(?P<number>\d+) - (?P<branch>[^\s,]+)"), _below),
    # GitLab, a merge or a squash; Gerrit, where every change is one commit.
    _Style(re.compile(""), _in_the_body, re.compile(r"See merge request \S*!(?P<number>\d+)\s*$")),
    _Style(re.compile(r"(?!Revert )"), _in_the_body, re.compile(r"Reviewed-on: \S+/(?P<number>\d+)\s*$")),
    # GitHub's squash, and what many teams title a merge.
    _Style(re.compile(r"(?P<title>.*?)\s*\(#(?P<number>\d+)\)\s*$"), _uncertain),
)  # fmt: skip


def named(commit: Commit) -> Named | None:
    """What a commit's message says of the pull request it merged, or None.

    An octopus merge brings several branches in, so it is no single change whatever it is called.
    """
    subject, _, body = commit.message.partition("\n")
    if len(commit.parents) > 2:
        return None
    found = next((said for style in _STYLES if (said := style.named(subject, body)) is not None), None)
    return None if found and not found.certain and _BRANCH_MERGE.match(subject) else found


def merges_a_branch(commit: Commit) -> bool:
    """Whether a merge says that it brings in a branch and not a pull request."""
    subject = commit.message.partition("\n")[0]
    return bool(_BRANCH_MERGE.match(subject)) or _in_passing(subject)


def merges_a_lasting_branch(commit: Commit) -> bool:
    """Whether a merge says that it brings in a long-lived branch of the repository itself, by its name."""
    match = _MERGE_OF.match(commit.message.partition("\n")[0])
    return bool(match and _LASTING.fullmatch(match[1]))


def merges_lasting_branches(title: str) -> bool:
    """Whether a pull request's title says that it brings one long-lived branch into another."""
    match = _MERGE_UP.fullmatch(title)
    return bool(match and _LASTING.fullmatch(match[1]) and _LASTING.fullmatch(match[2]))


def _in_passing(subject: str) -> bool:
    """`merged with 0.5-maintenance`, `merge master to features`."""
    words = re.findall(r"[\w./-]+", subject)
    return bool(_TOLD_OF.match(subject)) and any(_LASTING.fullmatch(word) for word in words)


def is_title(subject: str) -> bool:
    """Whether a subject says what was done, and not only that something was merged."""
    return not re.match(r"(?i)merged?\b", subject)


def merged_changes(commits: Iterable[Commit], unit: Unit = Unit.PULL) -> Iterator[MergedChange]:
    """Those of `commits` that are merged changes by their messages alone, in their order.

    With `Unit.COMMIT` every commit with one parent counts. A commit without a parent (a root, or a shallow clone's
    edge) has no base and is none.
    """
    for commit in commits:
        if unit is Unit.COMMIT:
            if len(commit.parents) == 1:
                subject, _, body = commit.message.partition("\n")
                yield change_of(commit, Named(commit.id[:10], subject, body))
        elif commit.parents and (said := named(commit)) is not None:
            yield change_of(commit, said)


def change_of(commit: Commit, said: Named) -> MergedChange:
    """The merged change of one commit on the target branch."""
    return MergedChange(
        number=said.number, title=said.title.strip(), body=said.body.strip(), author=commit.author, email=commit.email,
        branch=said.branch, date=commit.committed, base=commit.parents[0], merged=commit.id,
        tip=commit.parents[1] if len(commit.parents) > 1 else commit.id, files=commit.files,
        method=Method.MERGE if len(commit.parents) > 1 else Method.SQUASH,
    )  # fmt: skip
