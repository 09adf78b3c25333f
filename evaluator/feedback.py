"""What a model is told after an attempt that a production agent would retry.

Only what such an agent sees: the parser's and applier's words, the starting tree, its own edit, visible tests. Never a
category, a hidden test, or what may change.
"""

from difflib import get_close_matches

from evaluator.formats.index import Text
from evaluator.formats.model import Sought, Tree
from evaluator.formats.nearest import nearest
from evaluator.journal import Feedback
from evaluator.messages import Message
from evaluator.parsing import error_places
from evaluator.scoring import Score
from evaluator.taxonomy import Detail, Signal
from miner.symbols.files import text_of

_AROUND = 8  # lines shown above and below a place
_PLACES = 3  # places shown of an anchor that stands in several
_LINES = 60  # shown of one place at most
_WIDTH = 300  # characters shown of a line
_OUTPUT = 4000  # characters of the tests' output, its last
_MOST = 12_000  # characters of what `full` adds


def told(mode: Feedback, score: Score, tree: Tree) -> str:
    """What a retry is told of why; kept as the attempt's `feedback`. Empty where nothing is told, or none follows.

    `tree` is the starting tree, without what an impossible task withholds: the retry's edits are for that again.
    """
    if mode == "none" or score.signal is None:
        return ""
    if mode == "error" or not (more := "\n".join(_more(score, tree))):
        return score.feedback
    return f"{score.feedback}\n{_cut(more)}"


def retry_message(why: str = "") -> Message:
    """The turn that asks for another attempt; `why` is what `told` gave."""
    reason = f" {why}\n" if why else " "
    return Message("user", f"Your answer could not be used.{reason}Nothing was changed. Answer again, whole.\n")


def _more(score: Score, tree: Tree) -> list[str]:
    """What an agent that looks closer sees, in parts."""
    match score.signal:
        case Signal.APPLIER if score.detail is Detail.UNKNOWN_PATH:
            return _alike(score.feedback, tree)
        case Signal.APPLIER:
            return [part for sought in score.sought for part in _places(sought, tree)]
        case Signal.SYNTAX:
            return _syntax(score, tree)
        case Signal.TESTS if score.output.strip():
            return [f"The end of what they wrote:\n{score.output.strip()[-_OUTPUT:]}"]
        case _:
            return []


def _places(sought: Sought, tree: Tree) -> list[str]:
    """The lines of the file around every place where an anchor stands, or else around the one most like it."""
    content = tree.read(sought.path)
    if content is None:
        return []
    lines, anchor = text_of(content).removesuffix("\n").split("\n"), list(sought.lines)
    found = _exact(lines, anchor)
    if not found:
        at = nearest(lines, anchor)
        found = [] if at is None else [at]
    return [_around(sought.path, lines, at, len(anchor)) for at in found[:_PLACES]]


def _exact(lines: list[str], anchor: list[str]) -> list[int]:
    """The first places where an anchor's lines stand, white space aside."""
    plain, wanted = [line.strip() for line in lines], [line.strip() for line in anchor]
    if not any(wanted):
        return []
    return list(Text(plain).places(wanted)[:_PLACES])


def _cut(text: str) -> str:
    """Text within bounds, whole lines of it."""
    return text if len(text) <= _MOST else f"{text[:_MOST].rpartition(chr(10))[0]}\n..."


def _around(path: str, lines: list[str], at: int, size: int) -> str:
    first = max(at - _AROUND, 0)
    last = min(at + size + _AROUND, first + _LINES, len(lines))
    rows = "".join(f"\n{n + 1}| {_printable(lines[n])}" for n in range(first, last))
    return f"Lines {first + 1} to {last} of {path} are:{rows}"


def _printable(line: str) -> str:
    """A line as a prompt shows it: no carriage return, no byte that is no text, and not without end."""
    return line.rstrip()[:_WIDTH].encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _alike(message: str, tree: Tree) -> list[str]:
    """The paths of the tree that are most like those that the message quotes."""
    named = [word.strip("'\"(),.;:") for word in message.split() if "/" in word or "." in word.strip(".,;:'\"()")]
    found = sorted({path for name in named[:_PLACES] for path in get_close_matches(name, list(tree.modes), 3, 0.7)})
    return [f"Files of nearly that name: {', '.join(found)}."] if found else []


def _syntax(score: Score, tree: Tree) -> list[str]:
    """The first places of the edited files that do not parse, but for lines that did not before."""
    parts = []
    for path, content in sorted(score.files.items()):
        if content is None:
            continue
        known = {place.text for place in error_places(path, tree.read(path) or b"")}
        for place in [place for place in error_places(path, content) if place.text not in known][:_PLACES]:
            lines = text_of(content).split("\n")
            what = f"{path}, line {place.line}, column {place.column}: {place.what}"
            parts.append(f"{what}\n{_edited_around(lines, place.line - 1)}")
    return parts


def _edited_around(lines: list[str], at: int) -> str:
    """The lines of the edited file around an error."""
    rows = range(max(at - 2, 0), min(at + 3, len(lines)))
    return "\n".join(f"{n + 1}| {_printable(lines[n])}" for n in rows)
