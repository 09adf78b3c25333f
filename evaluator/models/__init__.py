"""The models: one file a kind, one row here; others come from the entry points of installed packages."""

from collections.abc import Sequence
from difflib import get_close_matches
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from evaluator.formats import FORMATS
from evaluator.formats.model import EditFormat
from evaluator.formats.renamed import ENDINGS
from evaluator.journal import CallSettings
from evaluator.models.command import Command
from evaluator.models.drawn import Drawn
from evaluator.models.model import Model
from evaluator.models.provider import Provider
from evaluator.models.replay import Replay
from evaluator.models.simulated import Article, Perfect
from evaluator.models.spec import SimulationFile, load_simulation
from miner.errors import ToolError

KNOWN = (
    "simulated:perfect, simulated:article, simulated:same, simulated:FILE.yaml, replay:DIR, command:CMD, "
    "anthropic:MODEL, openai:MODEL, or any other provider of any-llm as PROVIDER:MODEL"
)
ENTRY_POINTS = "edit_format_evaluator.models"
CAP = 8_000  # where a caller has no set to take it from
_SAME = Path(__file__).with_name("same.yaml")
_ALSO_CALLED = {
    "aws": "bedrock", "claude": "anthropic", "google": "gemini", "gpt": "openai", "hf": "huggingface", "grok": "xai",
    "vertex": "vertexai", "vertex_ai": "vertexai",
}  # fmt: skip
_OURS = ("simulated", "replay", "command")


def model_named(
    name: str, fixtures: Sequence[str], formats: Sequence[EditFormat], seed: int, impossible: Sequence[str] = (),
    call: CallSettings | None = None, cap: int = CAP,
) -> Model:  # fmt: skip
    """The model that a name stands for, over these fixture ids, possible and `impossible`.

    Raises `ToolError` where there is none, its key is missing, or it cannot be called with these settings. Sends
    nothing. Close it after use (`close_model`).
    """
    kind, _, argument = name.partition(":")
    settings = call or CallSettings()
    if kind in _OURS:
        _refuse_settings(name, settings)
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
    if kind == "command" and argument.strip():
        return Command(argument, settings)
    if kind in _OURS or not kind or not argument:
        raise ToolError("unknown model", name, f"{_meant(name, kind)}Known: {KNOWN}.")
    for point in entry_points(group=ENTRY_POINTS, name=kind):
        return _of_package(point, argument, settings, cap)
    _check_provider(name, kind)
    return Provider(name, settings, cap)


def stop_waiting(model: Model) -> None:
    """Have a model give up the calls that wait, with nothing in flight, where it has any, and begin none any more.

    They end in `NoEvidence` with `budget_exhausted`; what is in flight goes on to its end.
    """
    stop = getattr(model, "stop_waiting", None)
    if stop is not None:
        stop()


def close_model(model: Model) -> None:
    """End what a model has under way, where it has anything: calls, connections, processes."""
    close = getattr(model, "close", None)
    if close is not None:
        close()


def _of_package(point: EntryPoint, argument: str, settings: CallSettings, cap: int) -> Model:
    """A model of an installed package: its entry point takes what stands behind the colon, the settings and the cap."""
    try:
        made: Model = point.load()(argument, settings, cap)
    except ToolError:
        raise
    except (Exception, SystemExit) as error:  # another's code: what is wrong with it is not our bug
        remedy = f"{point.value}: {type(error).__name__}: {error}. Correct or uninstall its package."
        raise ToolError("unusable model of an installed package", point.name, remedy) from error
    return made


def _check_provider(name: str, kind: str) -> None:
    from any_llm import AnyLLM  # takes a second, which only its models need

    if kind not in (known := AnyLLM.get_supported_providers()):
        hint = _meant(name, kind, known)
        raise ToolError("unknown model", name, f"{hint}Known: {KNOWN}. Providers: {', '.join(sorted(known))}.")


def _meant(name: str, kind: str, providers: Sequence[str] = ()) -> str:
    """What was probably meant by a name, as a sentence; empty where nothing is like it."""
    argument = name.partition(":")[2] or "MODEL"
    if "/" in kind and kind.partition("/")[0].lower() in providers:
        kind, argument = kind.split("/", 1)  # as routers write it
    likely = _ALSO_CALLED.get(kind.lower()) or next(
        iter(get_close_matches(kind.lower(), [*_OURS, *providers], n=1, cutoff=0.7)), None
    )
    return f"Did you mean {likely}:{argument}? " if likely else ""


def _refuse_settings(name: str, call: CallSettings) -> None:
    """A setting that goes nowhere must not look as if it had been measured."""
    given = {
        "--temperature": call.temperature is not None, "--reasoning-effort": call.reasoning_effort is not None,
        "--param": bool(call.params), "--base-url": call.base_url is not None,
        "--timeout": call.timeout_seconds is not None and not name.startswith("command:"),
    }  # fmt: skip
    if wrong := [flag for flag, is_given in given.items() if is_given]:
        raise ToolError("the model takes no such setting", f"{name} {' '.join(wrong)}", "Leave it out.")


def simulation(path: Path) -> SimulationFile:
    """The file of a simulated model; raises `ToolError` where it rates an unknown format (`default` would answer).

    `--same` runs a format under two names, which may be rated too.
    """
    spec = load_simulation(path)
    known = {f"{name}{ending}" for name in FORMATS for ending in ("", *ENDINGS)}
    if strange := sorted(spec.formats.keys() - known):
        raise ToolError(f"rates of an unknown edit format, {strange[0]}", path, f"Known: {', '.join(FORMATS)}.")
    return spec
