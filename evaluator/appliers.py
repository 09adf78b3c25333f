"""Appliers: which tolerances of its ladder each format is granted."""

from collections.abc import Iterable, Mapping
from pathlib import Path

import yaml

from evaluator.formats.model import STRICT, EditFormat, Leniency
from miner.errors import ToolError

Granted = Mapping[str, list[str]]  # format -> names of tolerances, in the order of its ladder


def granted(applier: str, formats: Iterable[EditFormat]) -> dict[str, list[str]]:
    """What `--applier` grants each format: `standard` its whole ladder, `strict` nothing, a YAML file what it lists.

    A file maps formats to lists of tolerances; a format that it leaves out has its whole ladder. Raises
    `ToolError` for a file that cannot be read and for tolerances that a format does not have.
    """
    ladders = {fmt.name: [tolerance.name for tolerance in fmt.tolerances] for fmt in formats}
    if applier == "standard":
        return ladders
    if applier == "strict":
        return {name: [] for name in ladders}
    return {name: _listed(applier, name, ladder, _read(applier)) for name, ladder in ladders.items()}


def leniency(granted: Granted, fmt: EditFormat) -> Leniency:
    """What a format is granted in a run; nothing where the run does not say."""
    return frozenset(granted.get(fmt.name, STRICT))


def _read(applier: str) -> dict[str, object]:
    try:
        data = yaml.safe_load(Path(applier).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no YAML"
        raise ToolError("cannot read the applier", applier, f"{why}: give standard, strict or a file.") from None
    if not isinstance(data, dict):
        raise ToolError("an applier maps formats to lists of tolerances", applier, "See docs/formats.md.")
    return data


def _listed(applier: str, name: str, ladder: list[str], data: dict[str, object]) -> list[str]:
    if name not in data:
        return ladder
    wanted = data[name] or []
    if not isinstance(wanted, list) or not set(map(str, wanted)).issubset(ladder):
        what = f"{name} has no such tolerance: {wanted}"
        raise ToolError(what, applier, f"It has {', '.join(ladder) or 'none'}.")
    return [step for step in ladder if step in wanted]
