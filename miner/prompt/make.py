"""From a merged change to its prompt: cleaned, with the issues that it closes, and without the answer."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from miner.prompt.clean import clean
from miner.prompt.cut import gives_away, without_runs
from miner.prompt.inline import clean_inline
from miner.prompt.leaks import leak
from miner.prompt.note import digest_of
from miner.prompt.removal import Removal
from miner.prompt.thin import is_thin
from miner.prompt.title import heading
from miner.record import PromptNote
from miner.sources.model import ClosedIssue, MergedChange


class LeakPolicy(StrEnum):
    """What becomes of a prompt that gives the answer away."""

    CUT = "cut"
    REJECT = "reject"
    KEEP = "keep"


@dataclass(frozen=True)
class Prompt:
    """The text of `prompt.md`, and what is recorded of it; `answers`: it gives the answer away."""

    text: str
    note: PromptNote
    answers: bool


def make_prompt(
    change: MergedChange, change_patch: bytes, before: Callable[[], Iterable[str]], policy: LeakPolicy = LeakPolicy.CUT
) -> Prompt:
    """The prompt of a merged change.

    `before` gives the texts of the change set's files in the starting tree; it is asked only where something of the
    answer seems to stand in the prompt.
    """
    text, removed = described(change.title, change.body, change.closes)
    found = leak(text, change_patch)
    if found.runs:
        found = leak(text, change_patch, before())
    answers = gives_away(found)
    cut = len(found.runs) if answers and policy is LeakPolicy.CUT else 0
    if cut:
        text = without_runs(text, found.runs)
    note = PromptNote(
        digest=digest_of(text), cleaned=removed, leak=found.share, longest=found.longest, cut=cut, thin=is_thin(text)
    )
    return Prompt(text, note, answers and policy is not LeakPolicy.CUT)


def described(title: str, body: str, closes: Iterable[ClosedIssue] = ()) -> tuple[str, list[Removal]]:
    """Title, description and closed issues as Markdown, cleaned; and the kinds of what was taken out."""
    name, removed = clean_inline(heading(title))
    cleaned = clean(body, title)
    removed.update(cleaned.removed)
    parts = [f"# {name}", cleaned.text]
    for issue in closes:
        about, gone = clean_inline(heading(issue.title))
        told = clean(issue.body, issue.title)
        removed.update(gone, told.removed)
        parts += [f"## Issue {issue.number}: {about}" if issue.number else f"## Issue: {about}", told.text]
    return "\n\n".join(part for part in parts if part) + "\n", [kind for kind in Removal if kind in removed]
