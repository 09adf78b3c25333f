"""The changes of an opened source that were asked for: the filters, and who wrote each according to git."""

import re

from miner.errors import ToolError
from miner.git import Objects
from miner.screen import ReadBlob
from miner.sources.commits import parse_commit
from miner.sources.model import MergedChange, Opened
from miner.wanted import Selection, Wanted, select

_NO_REPLY = re.compile(r"(?:\d+\+)?([^@]+)@users\.noreply\.")


def selected(opened: Opened, wanted: Wanted, last: int | None, repo: object) -> Selection:
    """The newest `last` changes (None: all) that are asked for; raises `ToolError` for labels where none are known."""
    if wanted.labels and not opened.has_labels:
        raise ToolError("no labels are known of its changes", repo, "Drop --label, or harvest it as org/svc on GitHub.")
    with Objects(opened.git) as objects:
        return select(opened.changes, wanted, lambda change: people(change, objects.read), last)


def people(change: MergedChange, read: ReadBlob) -> set[str]:
    """What the one who wrote a change is called: name, e-mail, login. A merge commit is its maintainer's, not theirs.

    Git says it of the last commit that was merged; a login is known where GitHub hides the e-mail behind it, or
    is what the source gives as author, without an e-mail.
    """
    names = {change.author} if not change.email else set()
    tip = change.tip
    if tip == change.merged and (raw := read(tip)) is not None:
        tip = (parse_commit(tip, raw).parents[1:] or (tip,))[-1]
    raw = read(tip)
    if raw is not None:
        written = parse_commit(tip, raw)
        hidden = _NO_REPLY.match(written.email)
        names |= {written.author, written.email, hidden[1] if hidden else ""}
    return {name.lower() for name in names if name}
