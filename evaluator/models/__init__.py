"""The models: one file a kind, one row here."""

from collections.abc import Sequence
from pathlib import Path

from evaluator.formats.model import EditFormat
from evaluator.models.drawn import Drawn
from evaluator.models.model import Model
from evaluator.models.replay import Replay
from evaluator.models.simulated import Article, Perfect
from evaluator.models.spec import load_simulation
from miner.errors import ToolError

KNOWN = "simulated:perfect, simulated:article, simulated:same, simulated:FILE.yaml, replay:DIR"
_SAME = Path(__file__).with_name("same.yaml")


def model_named(
    name: str, fixtures: Sequence[str], formats: Sequence[EditFormat], seed: int, impossible: Sequence[str] = ()
) -> Model:
    """The model that a name stands for, over these fixture ids, possible and `impossible`; raises `ToolError`."""
    kind, _, argument = name.partition(":")
    if name == "simulated:perfect":
        return Perfect()
    if name == "simulated:article":
        return Article(fixtures, [f.name for f in formats], seed, impossible)
    if name == "simulated:same":
        return Drawn(load_simulation(_SAME), name, seed)
    if kind == "simulated" and argument.endswith((".yaml", ".yml")):
        return Drawn(load_simulation(Path(argument)), name, seed)
    if kind == "replay" and argument:
        return Replay(Path(argument))
    raise ToolError("unknown model", name, f"Known: {KNOWN}.")
