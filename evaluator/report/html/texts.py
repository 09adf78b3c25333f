"""The texts of attempts as the page carries them: per fixture one packed block, unpacked when it is looked at.

A block is raw deflate in base64, of JSON: `texts`, each once (attempts of a fixture share most of their prompts),
and what is made of them. `texts` are cut at `CAP` characters: `cut` are the numbers of those that were.
"""

import base64
import json
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from evaluator.journal import AttemptLine, transcript_path, truth_path
from evaluator.marks import loaded
from evaluator.transcript import Kept, read_transcript
from miner.errors import ToolError
from miner.record import read_plain
from miner.symbols.files import text_of

CAP = 200_000  # characters of one text; all of it is in the run's `replies/`


class _Texts:
    """Texts, each once, by number."""

    def __init__(self) -> None:
        self.known: dict[str, int] = {}
        self.cut: list[int] = []

    def number(self, text: str) -> int:
        shown = text[:CAP]
        if shown not in self.known:
            self.known[shown] = len(self.known)
        number = self.known[shown]
        if len(text) > CAP and number not in self.cut:
            self.cut.append(number)
        return number


def block(replies: Path, fixture: str, lines: Sequence[AttemptLine]) -> str:
    """The packed texts of a fixture's attempts. One whose transcript cannot be read has the reason in its place."""
    texts = _Texts()
    attempts = {key_of(line): _attempt(replies, line, texts) for line in lines}
    path = truth_path(replies, fixture)
    try:
        # The run may be a stranger's: a link must not put a file of this machine into the page.
        own = path.resolve().is_relative_to(replies.resolve())
        truth = texts.number(text_of(read_plain(path))) if own else None
    except OSError:
        truth = None
    return packed({"texts": list(texts.known), "cut": texts.cut, "truth": truth, "attempts": attempts})


def key_of(line: AttemptLine) -> str:
    """What names an attempt within its fixture: `whole_file.r1.a1`, of a later call `.c2`, as its files are named."""
    return transcript_path(Path(), *line.key).name.removesuffix(".md")


def packed(data: object) -> str:
    """JSON as raw deflate in base64; lone surrogates stay what they are, as escapes."""
    # Level 6 packs prompts as well as 9 does, in a third of the time.
    press = zlib.compressobj(6, zlib.DEFLATED, -15)
    return base64.b64encode(press.compress(json.dumps(data, separators=(",", ":")).encode()) + press.flush()).decode()


def _attempt(replies: Path, line: AttemptLine, texts: _Texts) -> dict[str, Any]:
    path = transcript_path(replies, *line.key)
    try:
        kept = read_transcript(path)
    except ToolError as error:
        # Where the run lies on this machine is nobody's business who reads the page.
        return {"gone": f"{error.what}: {error.remedy}"}
    return {
        "sentence": kept.sentence, "messages": [[m.role, _split(m.content, m.shared, texts)] for m in kept.messages],
        "reply": texts.number(kept.reply), "diff": texts.number(kept.diff), "tests": texts.number(kept.tests),
        "marks": _marks(kept),
    }  # fmt: skip


def _split(content: str, shared: int, texts: _Texts) -> list[int]:
    """A message as numbers of texts: the part that all formats share apart from the rest."""
    return [texts.number(piece) for piece in (content[:shared], content[shared:]) if piece]


def _marks(kept: Kept) -> list[tuple[int, int, str, str]] | None:
    """The marks of the diff's lines; None where there are none, as of older runs."""
    try:
        return [(m.first, m.last, m.kind.value, m.symbol) for m in loaded(kept.marks)] if kept.marks else None
    except ValueError:
        return None


def by_fixture(lines: Iterable[AttemptLine]) -> dict[str, list[AttemptLine]]:
    """Attempts by fixture, in order of appearance."""
    found: dict[str, list[AttemptLine]] = {}
    for line in lines:
        found.setdefault(line.fixture, []).append(line)
    return found
