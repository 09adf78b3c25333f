"""Cutting out of a prompt what is part of the answer."""

import re
from collections.abc import Sequence

from miner.prompt.leaks import Leak, Run, tokens_of

MARK = "[code removed: it is part of the answer]"
SHARE, LONGEST = 0.2, 16  # from this share of the new tokens, or so many in one run, a prompt gives its answer away
_FENCE = re.compile(
    r"^[ \t]*(?:>[ \t]?)*(?P<mark>`{3,}|~{3,})[^\n]*\n(?P<code>.*?)(?:^[ \t]*(?:>[ \t]?)*(?P=mark)[ \t]*$|\Z)",
    re.MULTILINE | re.DOTALL,
)
_MARKS = re.compile(rf"{re.escape(MARK)}(?:\s*{re.escape(MARK)})+")
_MOSTLY = 0.5  # a block of code of which this share is given away goes whole: the rest is its frame


def gives_away(leak: Leak) -> bool:
    """Whether so much of the answer stands in the prompt that reading it would do."""
    return leak.share >= SHARE or leak.longest >= LONGEST


def without_runs(prompt: str, runs: Sequence[Run]) -> str:
    """The prompt with each run replaced by `MARK`: in a block of code its whole lines, or the block's whole text where
    the runs are most of it; elsewhere the run alone, or the code span that it is in.
    """
    spans = [_in_block(prompt, run) or _in_text(prompt, run) for run in runs]
    spans += [block for block in _blocks(prompt) if _is_mostly_given(prompt, block, runs)]
    text, after = "", len(prompt)
    for begin, end in sorted(_joined(spans), reverse=True):
        text = MARK + prompt[end:after] + text
        after = begin
    return _MARKS.sub(MARK, prompt[:after] + text)


def _blocks(prompt: str) -> list[tuple[int, int]]:
    """Where the text of fenced code is, its last newline left out."""
    return [(m.start("code"), max(m.end("code") - 1, m.start("code"))) for m in _FENCE.finditer(prompt)]


def _in_block(prompt: str, run: Run) -> tuple[int, int] | None:
    for begin, end in _blocks(prompt):
        if begin <= run.start < end:
            last = prompt.find("\n", min(run.end, end))
            return prompt.rfind("\n", 0, run.start) + 1, max(last, 0) or end
    return None


def _in_text(prompt: str, run: Run) -> tuple[int, int]:
    """The run, with the rest of the code span around it: half a span would leave its backticks open."""
    begin, end = run.start, run.end
    if prompt.count("`", prompt.rfind("\n\n", 0, begin) + 1, begin) % 2:
        begin = prompt.rfind("`", 0, begin)
    opened = prompt.count("`", begin, end) % 2
    if opened and (close := prompt.find("`", end)) >= 0:
        end = close + 1
    return begin, end


def _is_mostly_given(prompt: str, block: tuple[int, int], runs: Sequence[Run]) -> bool:
    inside = sum(run.tokens for run in runs if block[0] <= run.start < block[1])
    return inside >= _MOSTLY * max(len(tokens_of(prompt[slice(*block)])), 1)


def _joined(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for begin, end in sorted(spans):
        if joined and begin <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((begin, end))
    return joined
