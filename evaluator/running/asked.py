"""What `evaluator run` was asked for, checked, as settings. Nothing is called and nothing written."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from pydantic import JsonValue

from evaluator.appliers import granted
from evaluator.formats.model import EditFormat
from evaluator.journal import CallSettings, Feedback, Price, RunFile, TaskFacts
from evaluator.models import KNOWN
from evaluator.prices import price_of, price_table
from evaluator.report.noted import task_facts
from evaluator.taxonomy import DEFAULT_SIGNALS, Signal
from miner import __version__
from miner.errors import ToolError
from miner.fixtures import Task
from miner.nearest import meant
from miner.set_file import SetFile
from miner.strata import Stratum


@dataclass(frozen=True)
class Asked:
    """The settings of a new run, as options gave them."""

    model: str | None
    applier: str = "standard"
    attempts: int = 3
    repeats: int = 1
    seed: int = 1
    feedback: Feedback = "error"
    retry_on: Sequence[Signal] = DEFAULT_SIGNALS
    context: int = 0
    call: CallSettings = field(default_factory=CallSettings)
    prices: Path | None = None
    max_spend: float | None = None
    max_seconds: float | None = None
    only: Sequence[str] = ()
    stratum: Stratum | None = None


def settings_of(asked: Asked, chosen: SetFile, tasks: Sequence[Task], formats: Sequence[EditFormat]) -> RunFile:
    """The run's settings over the set's `tasks`, all of them; raises `ToolError` for what cannot be run."""
    name = asked.model or chosen.model
    if name is None:
        remedy = f"A mined set needs --model or EVALUATOR_MODEL: {KNOWN}."
        raise ToolError("no model given", "set.yaml names none", remedy)
    facts = {task.id: task_facts(task.fixture, chosen) for task in tasks}
    wanted = selected(facts, asked.only, asked.stratum)
    price = price_of(name, price_table(asked.prices))
    check_spend(asked.max_spend, price, name)
    return RunFile(
        set_digest=chosen.digest, cap=chosen.cap, model=name, simulated=False, formats=[f.name for f in formats],
        applier=granted(asked.applier, formats), attempts=asked.attempts, seed=asked.seed,
        fixtures=[i for i in chosen.fixtures if i in wanted], impossible=[i for i in chosen.impossible if i in wanted],
        set_tasks=len(facts), started=datetime.now(UTC).isoformat(timespec="seconds"), version=__version__,
        show_tests=chosen.show_tests, repeats=asked.repeats, feedback=asked.feedback, retry_on=list(asked.retry_on),
        context=asked.context, call=asked.call, price=price, max_spend_usd=asked.max_spend,
        max_seconds=asked.max_seconds, tasks={i: facts[i] for i in wanted}, mix=chosen.mix,
    )  # fmt: skip


def selected(facts: Mapping[str, TaskFacts], only: Sequence[str], stratum: Stratum | None) -> list[str]:
    """The fixtures that `--only` and `--stratum` leave, in the set's order; raises `ToolError` where there is none."""
    named = meant(only, facts, "the set has no such fixture", "Its ids stand in set.yaml.")
    found = [i for i, fact in facts.items() if (not named or i in named) and stratum in (None, fact.stratum)]
    if not found:
        raise ToolError("nothing is left to run", f"--stratum {stratum}", "No fixture asked for is in that stratum.")
    return found


def check_spend(limit: float | None, price: Price | None, model: str) -> None:
    """Raise `ToolError` where there is a limit in USD and no price to hold calls to it."""
    if limit is not None and price is None:
        raise ToolError("--max-spend needs a price", model, "Give its row with --prices FILE (docs/planning.md).")


def parameters(given: Sequence[str]) -> dict[str, JsonValue]:
    """The parameters of `--param key=value`; a value that is JSON is read as JSON, any other is text."""
    found: dict[str, JsonValue] = {}
    for text in given:
        key, equals, value = text.partition("=")
        if not equals or not key.strip() or key.strip() in found:
            raise ToolError("no parameter, or one given twice", text, "Give --param key=value, such as top_p=0.9.")
        try:
            found[key.strip()] = json.loads(value)
        except ValueError:
            found[key.strip()] = value
    return found
