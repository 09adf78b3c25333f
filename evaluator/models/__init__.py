"""The models: one file a kind, one row here."""

from collections.abc import Sequence
from pathlib import Path

from evaluator.formats.model import EditFormat
from evaluator.models.model import Model
from evaluator.models.replay import Replay
from evaluator.models.simulated import Article, Perfect
from miner.errors import ToolError

KNOWN = "simulated:perfect, simulated:article, replay:DIR"


def model_named(
    name: str, fixtures: Sequence[str], formats: Sequence[EditFormat], seed: int, impossible: Sequence[str] = ()
) -> Model:
    """The model that a name stands for, over these fixture ids, possible and `impossible`; raises `ToolError`."""
    kind, _, argument = name.partition(":")
    if name == "simulated:perfect":
        return Perfect()
    if name == "simulated:article":
        return Article(fixtures, [f.name for f in formats], seed, impossible)
    if kind == "replay" and argument:
        return Replay(Path(argument))
    raise ToolError("unknown model", name, f"Known: {KNOWN}.")
