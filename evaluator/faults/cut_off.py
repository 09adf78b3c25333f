"""Replies that were cut off, or that look so (taxonomy, row 1 and rule R1)."""

from collections.abc import Iterator
from random import Random

from evaluator.faults.grammar import GRAMMARS
from evaluator.faults.model import RESOLVED, Injected, Label, Site
from evaluator.faults.right import encoded, plain, right
from evaluator.faults.stray import as_text
from evaluator.faults.text_fault import TextFault, malformed, truncated, wrong_change
from evaluator.formats.model import EditFormat
from evaluator.scoring import Tests
from evaluator.taxonomy import Detail, StopReason
from miner.symbols import files as symbols
from miner.symbols.files import Files
from miner.symbols.lines import changed_blocks
from miner.text import split_lines
from miner.tokens import count_tokens, cut_to_tokens

_TRIES = 12  # cuts at random tokens before none is thought to leave an edit open
_OF_TESTS = {
    Tests.PASS: RESOLVED,
    Tests.FAIL: wrong_change(Detail.TESTS_FAIL),
    Tests.TIMEOUT: wrong_change(Detail.TESTS_TIMEOUT),
}


def _cut(text: str, random: Random) -> str | None:
    """The text up to a random token, not blank and not all of it; None where it has no such place."""
    size = count_tokens(text)
    if size < 2:
        return None
    cut = cut_to_tokens(text, random.randint(1, size - 1))
    return cut if cut.strip() and text.startswith(cut) and len(cut) < len(text) else None


def _anywhere(site: Site, fmt: EditFormat, random: Random, stop: StopReason, label: Label) -> Iterator[Injected]:
    text = encoded(site, fmt, site.truth)
    for _ in range(_TRIES if text else 0):
        if text and (cut := _cut(text, random)):
            yield Injected(cut, label, stop)


def _at_length(site: Site, fmt: EditFormat, random: Random) -> Iterator[Injected]:
    yield from _anywhere(site, fmt, random, "length", truncated(Detail.STOP_LENGTH))


def _by_time(site: Site, fmt: EditFormat, random: Random) -> Iterator[Injected]:
    yield from _anywhere(site, fmt, random, "timeout", truncated(Detail.TIMED_OUT))


def _whole_at_length(site: Site, fmt: EditFormat, _random: Random) -> Iterator[Injected]:
    if text := encoded(site, fmt, site.truth):
        yield Injected(text, truncated(Detail.STOP_LENGTH), "length")


def _whole_unknown(site: Site, fmt: EditFormat, _random: Random) -> Iterator[Injected]:
    if text := right(site, fmt):
        yield Injected(text, RESOLVED, None)


def _in_reasoning(_site: Site, _fmt: EditFormat, random: Random) -> Iterator[Injected]:
    blanks = ["", "\n", " \n\n", "\t\r\n"]
    random.shuffle(blanks)
    for text in blanks:
        yield Injected(text, truncated(Detail.IN_REASONING), "length")


def _blank(_site: Site, _fmt: EditFormat, random: Random) -> Iterator[Injected]:
    stops: list[StopReason | None] = ["stop", None]
    random.shuffle(stops)
    for stop in stops:
        yield Injected("\n", malformed(Detail.NO_EDIT), stop)


def _inside(site: Site, fmt: EditFormat, random: Random, stop: StopReason | None, label: Label) -> Iterator[Injected]:
    """Cut where an edit is open: at a token where one of the first tries is such a place, else at a character."""
    text = encoded(site, fmt, site.truth)
    grammar = GRAMMARS.get(fmt.name)
    if text is None or grammar is None or not plain(site):
        return
    ranges = [(first, last) for first, last in grammar.open_edits(text) if first < last]
    for _ in range(_TRIES):
        cut = _cut(text, random)
        if cut and any(first <= len(cut) < last for first, last in ranges):
            yield Injected(cut, label, stop)
    for first, last in ranges[:1]:
        yield Injected(text[: random.randrange(first, last)], label, stop)


def _open_unknown(site: Site, fmt: EditFormat, random: Random) -> Iterator[Injected]:
    yield from _inside(site, fmt, random, None, truncated(Detail.UNTERMINATED))


def _open_stopped(site: Site, fmt: EditFormat, random: Random) -> Iterator[Injected]:
    yield from _inside(site, fmt, random, "stop", malformed(Detail.BAD_BLOCK))


def _between(site: Site, fmt: EditFormat, random: Random) -> Iterator[Injected]:
    """Whole edits of which the last ones are missing, after a normal stop: scored as what they are."""
    if site.task.impossible:
        return
    beginnings = list(_beginnings(site))
    random.shuffle(beginnings)
    for files in beginnings:
        if _clean(site, files) and (text := encoded(site, fmt, files)):
            yield Injected(text, _OF_TESTS[site.tests_of(files)])


def _beginnings(site: Site) -> Iterator[Files]:
    """The truth without its last files, or without the last changes of its last file."""
    paths = sorted(site.truth)
    for count in range(1, len(paths)):
        yield {path: site.truth[path] for path in paths[:count]}
    path = paths[-1]
    old, new = as_text(site.task.before[path]), as_text(site.truth[path])
    if not old or not new:
        return
    ours, theirs = split_lines(old), split_lines(new)
    for _, i2, _, j2 in list(changed_blocks(old, new))[:-1]:
        yield {**site.truth, path: "".join([*theirs[:j2], *ours[i2:]]).encode()}


def _clean(site: Site, files: Files) -> bool:
    """Whether files parse as well as before, and only what may change does: half a change need not."""
    before = {path: site.task.before[path] for path in files}
    if symbols.unintended(before, files, site.task.allowed):
        return False
    return all(
        content is None or symbols.syntax_errors(path, content) <= symbols.syntax_errors(path, before[path] or b"")
        for path, content in files.items()
    )


FAULTS = (
    TextFault("cut_at_length", (truncated(Detail.STOP_LENGTH),), _at_length),
    TextFault("whole_at_length", (truncated(Detail.STOP_LENGTH),), _whole_at_length),
    TextFault("cut_by_time", (truncated(Detail.TIMED_OUT),), _by_time),
    TextFault("in_reasoning", (truncated(Detail.IN_REASONING),), _in_reasoning),
    TextFault("cut_open_unknown_stop", (truncated(Detail.UNTERMINATED),), _open_unknown),
    TextFault("cut_open_normal_stop", (malformed(Detail.BAD_BLOCK),), _open_stopped),
    TextFault("cut_between_edits", tuple(_OF_TESTS.values()), _between, needs_tests=True),
    TextFault("whole_unknown_stop", (RESOLVED,), _whole_unknown),
    TextFault("blank_reply", (malformed(Detail.NO_EDIT),), _blank),
)
