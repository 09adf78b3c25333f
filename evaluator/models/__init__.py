"""The models: one file a kind, one row here."""

from collections.abc import Sequence
from pathlib import Path

from evaluator.formats import FORMATS
from evaluator.formats.model import EditFormat
from evaluator.formats.renamed import ENDINGS
from evaluator.models.drawn import Drawn
from evaluator.models.model import Model
from evaluator.models.replay import Replay
from evaluator.models.simulated import Article, Perfect
from evaluator.models.spec import SimulationFile, load_simulation
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
        return Drawn(simulation(Path(argument)), name, seed)
    if kind == "replay" and argument:
        return Replay(Path(argument))
    raise ToolError("unknown model", name, f"Known: {KNOWN}.")


def simulation(path: Path) -> SimulationFile:
    """The file of a simulated model; raises `ToolError` where it rates an unknown format (`default` would answer).

    `--same` runs a format under two names, which may be rated too.
    """
    spec = load_simulation(path)
    known = {f"{name}{ending}" for name in FORMATS for ending in ("", *ENDINGS)}
    if strange := sorted(spec.formats.keys() - known):
        raise ToolError(f"rates of an unknown edit format, {strange[0]}", path, f"Known: {', '.join(FORMATS)}.")
    return spec
