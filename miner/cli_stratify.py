"""`miner stratify`, the command."""

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from miner.advice import Mined, advice, said_of
from miner.drawing import Quota
from miner.errors import ToolError, printable
from miner.fixtures import FixtureFolder
from miner.history_file import read_history_file
from miner.set_file import SetFile, thin_of
from miner.strata_file import DEFAULT_STRATA
from miner.stratify import Stratified, stratify
from miner.tables import print_table
from miner.wording import plural

_NAMED = 5  # so many fixtures are named in a line, and the others counted


def stratify_command(
    fixtures: Annotated[Path, typer.Argument(help="The fixtures folder.")] = Path("fixtures"),
    cap: Annotated[int, typer.Option(help="The model's output cap in tokens.")] = 8000,
    size: Annotated[int | None, typer.Option(min=1, help="The largest set (default: strata.yaml's).")] = None,
    balanced: Annotated[bool, typer.Option("--balanced", help="Cut every size to the scarcest.")] = False,
    strata: Annotated[Path, typer.Option(help="Bounds, quotas and limits.")] = DEFAULT_STRATA,
    model: Annotated[str | None, typer.Option(help="Default model; for demonstration sets only.")] = None,
    impossible: Annotated[
        int | None, typer.Option(min=0, help="Impossible tasks to add beside it (default: strata.yaml's, else 0).")
    ] = None,
    show_tests: Annotated[bool, typer.Option("--show-tests", help="Prompts show the tests that must pass.")] = False,
    redraw: Annotated[bool, typer.Option("--redraw", help="Keep nothing of the set that is there.")] = False,
) -> None:
    """Draw a set that is balanced by file size against the output cap, and write fixtures/set.yaml.

    Fixtures of the set that is there are kept, where it was drawn in the same way: it grows with the pool.
    """
    if model is not None and not model.startswith("simulated:"):
        remedy = "A set may only name a simulated model: choose the real one with `evaluator run --model`."
        raise ToolError("not a simulated model", model, remedy)
    done = stratify(fixtures, strata, cap, size, balanced, model, impossible, show_tests, redraw)
    chosen = done.chosen
    _print_quotas(done.drawn.quotas)
    kept = f", {done.drawn.kept} of them kept from the set before" if done.drawn.kept else ""
    print(f"{plural(len(chosen.fixtures), 'fixture')}, cap {cap} tokens: {printable(str(fixtures / 'set.yaml'))}{kept}")
    for line in (*map(said_of, done.short), *advice(done.short, _mined(fixtures, done), cap), *_notes(fixtures, done)):
        print(printable(line))
    _print_impossible(chosen, impossible, fixtures)
    if done.replaced is not None:
        print(printable(_said_of_replaced(done.replaced, chosen)), file=sys.stderr)


def _mined(fixtures: Path, done: Stratified) -> Mined:
    return Mined(fixtures, done.history, {name: read_history_file(fixtures / name) for name in done.history})


def _said_of_replaced(before: SetFile, now: SetFile) -> str:
    """A warning, for a set is easily drawn over by trying another cap; what sets it apart is named."""
    gone = len({*before.fixtures, *before.impossible} - {*now.fixtures, *now.impossible})
    come = len({*now.fixtures, *now.impossible} - {*before.fixtures, *before.impossible})
    changes = [f"cap {before.cap} before, {now.cap} now"] if before.cap != now.cap else []
    changes += [f"{plural(gone, 'task')} of it gone"] if gone else []
    changes += [f"{plural(come, 'task')} new"] if come else []
    changed = "; ".join(changes) or "the same tasks, but their records, prompts or --show-tests changed"
    return (f"Warning: another set than the one that was there ({changed}): "
            "runs over that one can no longer be resumed.")  # fmt: skip


def _print_quotas(quotas: tuple[Quota, ...]) -> None:
    table = Table("stratum", "wanted", "in the pool", "taken", "", box=None, pad_edge=False)
    for quota in quotas:
        if not quota.missing:
            verdict = "met" if quota.taken <= quota.wanted else f"met, {quota.taken - quota.wanted} over"
        else:
            verdict = f"{quota.missing} missing" + (", tolerated" if quota.met else "")
        table.add_row(quota.name, str(quota.wanted), str(quota.available), str(quota.taken), verdict)
    print_table(table)


def _notes(fixtures: Path, done: Stratified) -> list[str]:
    """What else a person should know of the set: prompts, tests, and the history that it stands for."""
    chosen = done.chosen
    thin = thin_of(fixtures, chosen)
    where = printable(str(fixtures / (thin[0] if len(thin) == 1 else "<id>") / "prompt.md"))
    named = [
        (chosen.edited, "prompt", "edited after the harvest", ""),
        (thin, "prompt", "too thin to act on", f"; edit {where}, then stratify again"),
        (done.too_weak, "fixture", "left out: what their tests notice of the change is too little or not known", ""),
    ]
    lines = [f"{plural(len(ids), noun)} {what}: {_some(ids)}{remedy}" for ids, noun, what, remedy in named if ids]
    if chosen.mix:
        known, unknown = sum(cell.changes for cell in chosen.mix), sum(chosen.mix_unknown.values())
        apart = f", and {unknown:,} whose size is not known" if unknown else ""
        lines.append(f"the history's mix: {known:,} merged changes that change source files{apart}")
    return lines


def _some(ids: list[str]) -> str:
    more = f" and {len(ids) - _NAMED} more" if len(ids) > _NAMED else ""
    return printable(", ".join(ids[:_NAMED]) + more)


def _print_impossible(chosen: SetFile, asked: int | None, fixtures: Path) -> None:
    if chosen.impossible or asked:
        taken = len(chosen.impossible)
        short = f", not {asked}: make more with `miner impossible`" if taken < (asked or 0) else ""
        print(f"and {plural(taken, 'impossible task')}, counted apart{short}")
    elif asked is None and (made := sum(r.impossible is not None for r in FixtureFolder(fixtures).records())):
        are, them = ("task is", "it") if made == 1 else ("tasks are", "them")
        print(f"The {made} impossible {are} left out: --impossible {made} adds {them}, counted apart.")
