"""`evaluator plan` as people type it."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from evaluator.prices import price_of, price_table

FIXTURES = Path(__file__).parents[2] / "fixtures"
APP = """
import sys, typer
from evaluator.cli_plan import plan_command
from miner.errors import run_command_line
app = typer.Typer()
app.callback()(lambda: None)
app.command("plan")(plan_command)
sys.exit(run_command_line(app, "evaluator"))
"""


def plan(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    keyless = {k: v for k, v in os.environ.items() if not k.endswith("_API_KEY") and not k.startswith("EVALUATOR_")}
    return subprocess.run(
        [sys.executable, "-c", APP, "plan", str(FIXTURES), *arguments], capture_output=True, text=True, timeout=60,
        env=keyless | environment,
    )  # fmt: skip


def test_without_a_key_it_says_what_a_run_would_cost_and_can_show() -> None:
    done = plan("--model", "anthropic:claude-sonnet-4-5", "--repeats", "2", "--workers", "8")
    assert done.returncode == 0, done.stderr
    head, priced, _, *rest = done.stdout.splitlines()
    assert head == "27 tasks and 3 impossible x 3 formats x 2 repeats, cap 8,000 tokens, attempts at most 3"
    assert priced.startswith("anthropic:claude-sonnet-4-5: $3 in, $15 out per million tokens")
    assert "as of 2" in priced
    names = ["whole_file", "unified_diff", "search_replace", "all"]
    rows = [line.split() for line in rest if line.startswith(tuple(f"{name} " for name in names))]
    assert [row[0] for row in rows] == names * 2
    assert rows[7][1] == "540", "30 tasks, 3 formats, 2 repeats, 3 attempts at most"
    assert "unpriced" not in done.stdout
    assert "10% of attempts are followed by another (--expect-retries)" in done.stdout
    assert "whole_file: 13 right answers longer than the cap; every" in done.stdout
    assert "80% power, exact test at 5%, one repeat. In brackets: each of 3 pairs (Holm)." in done.stdout
    assert "unified_diff, search_replace: 1 right answer longer" in done.stdout
    assert "920 (" in done.stdout


def test_as_data_it_adds_up() -> None:
    done = plan("--model", "openai:gpt-5", "--json", "--format", "all", "--expect-retries", "0", "--context", "2")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["fixtures"], found["impossible"], found["context"]) == (27, 3, 2)
    assert found["price"]["output"] == 10
    assert [f["name"] for f in found["formats"]][:2] == ["whole_file", "unified_diff"]
    for which in ("expected", "most"):
        for count in ("calls", "input_tokens", "cached_tokens", "cache_write_tokens", "output_tokens"):
            assert sum(f[which]["use"][count] for f in found["formats"]) == pytest.approx(found[which]["use"][count])
        for kind in ("canonical", "paid"):
            assert sum(f[which]["costs"][kind] for f in found["formats"]) == pytest.approx(found[which]["costs"][kind])
    small = next(f for f in found["formats"] if f["name"] == "search_replace")
    assert small["expected"]["use"]["calls"] == 30 + 2 * small["past_cap"]


def test_how_many_tasks_equivalence_takes_is_said_when_asked() -> None:
    done = plan("--format", "all", "--equivalent-within", "3")
    assert "tasks for equal within 3 points" in done.stdout
    assert "~950" in done.stdout
    found = json.loads(plan("--json", "--equivalent-within", "10").stdout)
    assert (found["equivalent_within"], found["tasks_for_equivalence"]) == (0.1, [None, 86, 172, 258])
    assert json.loads(plan("--json").stdout)["tasks_for_equivalence"] is None


def test_a_model_without_a_price_is_unpriced_and_a_row_of_ones_own_prices_it(tmp_path: Path) -> None:
    done = plan("--format", "whole_file")
    assert "simulated:article: unpriced; give --prices FILE" in done.stdout
    assert "$" not in done.stdout
    assert "can show" not in done.stdout, "one format is compared with nothing"
    own = tmp_path / "own.yaml"
    own.write_text("prices: [{model: 'simulated:*', as_of: 2026-01-02, input: 1, output: 2}]\n")
    done = plan("--format", "whole_file", "--prices", str(own))
    assert "simulated:article: $1 in, $2 out per million tokens (simulated:*, as of 2026-01-02" in done.stdout
    assert "unpriced" not in done.stdout
    assert price_of("simulated:article", price_table()) is None


def test_the_model_may_come_from_the_environment_and_its_name_drives_no_terminal() -> None:
    done = plan("--format", "udiff", EVALUATOR_MODEL="x:\x1b[31mred")
    assert "x:\\x1b[31mred: unpriced" in done.stdout


REFUSED = {
    "no such format": (["--format", "nonsense"], 1, "unknown edit format"),
    "no such price table": (["--prices", "/nonexistent.yaml"], 1, "cannot read the prices: /nonexistent.yaml"),
    "equal within nothing": (["--equivalent-within", "0"], 2, "--equivalent-within 0: not points between 0 and 100"),
    "more retries than attempts": (["--expect-retries", "1.5"], 2, "--expect-retries"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_planned_is_said(case: str) -> None:
    arguments, code, said = REFUSED[case]
    done = plan(*arguments)
    assert (done.returncode, done.stdout) == (code, "")
    assert said in done.stderr


def test_a_set_whose_fixture_is_gone_is_named(tmp_path: Path) -> None:
    shutil.copytree(FIXTURES, tmp_path / "fixtures")
    gone = "117-round-small-cash-amounts-up-in-slovakia"
    shutil.rmtree(tmp_path / "fixtures" / "billing" / gone)
    done = subprocess.run(
        [sys.executable, "-c", APP, "plan", str(tmp_path / "fixtures")], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 1
    assert gone in done.stderr


ONE = "billing/117-round-small-cash-amounts-up-in-slovakia"


@pytest.mark.parametrize(
    ("arguments", "head"),
    [
        (["--only", ONE], "1 task x 3 formats x "),
        (["--stratum", "inside"], "11 tasks x 3 formats x "),
        (["--stratum", "inside", "--only", ONE, "--only", "billing/90-two-lines"], None),
    ],
)
def test_a_part_of_the_set_is_planned_as_a_run_of_it_would_be(arguments: list[str], head: str | None) -> None:
    done = plan(*arguments)
    if head is None:
        assert (done.returncode, done.stdout) == (1, "")
        assert "the set has no such fixture: billing/90-two-lines" in done.stderr
    else:
        assert done.stdout.startswith(head), done.stderr
        assert "no difference can be shown, even where a pair disagrees on 30% of them." in done.stdout
        assert "none (none)" in done.stdout
