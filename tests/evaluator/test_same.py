"""A/A runs: counts against the draws themselves, a bias that must be found, runs that could not have found one."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest

from evaluator.bench import TaskBench
from evaluator.formats import FORMATS
from evaluator.journal import RunFile
from evaluator.models import model_named
from evaluator.models.expected import expected
from evaluator.models.model import NoEvidence, Reply, Request
from evaluator.same import Counted, Seeded, same
from evaluator.statistics.exact import mcnemar, size
from evaluator.taxonomy import Category, Discard
from miner.errors import ToolError
from miner.fixtures import Task

FORMAT = FORMATS["search_replace"]
NAMES = ("search_replace-1", "search_replace-2")
ROUNDS = 25


@dataclass(frozen=True)
class Coin:
    """Resolves a fixture with the chance of the name, drawn by seed, name and fixture; else says nothing of use."""

    chances: tuple[float, float] = (0.6, 0.6)
    lost: float = 0.0
    served: str = "coin"
    seed: int = 0
    name: str = "simulated:coin"
    simulated: bool = True

    def draw(self, name: str, fixture: str) -> float:
        return int.from_bytes(hashlib.sha256(f"{self.seed}\0{name}\0{fixture}".encode()).digest()[:6]) / 2**48

    def resolves(self, name: str, fixture: str) -> bool:
        return self.draw(name, fixture) < self.chances[NAMES.index(name)]

    def reply(self, request: Request) -> Reply:
        name, fixture = request.format.name, request.task.id
        if self.draw(name, fixture) >= 1 - self.lost:
            raise NoEvidence(Discard.INFRA_ERROR, "503")
        right = self.resolves(name, fixture)
        text = FORMAT.encode(request.task.before, request.task.after) if right else "I cannot say."
        return Reply(str(text), "stop", 1, 1, 1, self.served.format(name))


Run = Callable[..., Counted]


@pytest.fixture
def counted(checked_in: list[Task], truth_bench: Callable[[Task], TaskBench]) -> Run:
    benches = {task.id: truth_bench(task) for task in checked_in}

    def count(model: Coin, rounds: int = ROUNDS) -> Counted:
        settings = RunFile(
            set_digest="", cap=8000, model=model.name, simulated=True, formats=[FORMAT.name], attempts=1, seed=5,
            fixtures=list(benches), started="", version="0",
        )  # fmt: skip
        return list(same(settings, FORMAT, benches, lambda seed: replace(model, seed=seed), rounds, 2))[-1]

    return count


def test_what_is_counted_is_what_was_drawn(counted: Run, checked_in: list[Task]) -> None:
    found = counted(Coin())
    coins = [Coin(seed=seed) for seed in range(5, 5 + ROUNDS)]
    drawn = [[[coin.resolves(name, t.id) for name in NAMES] for t in checked_in] for coin in coins]
    splits = [(rows.count([True, False]), rows.count([False, True])) for rows in drawn]
    won = [b > c for b, c in splits if mcnemar(b, c) <= 0.05]
    assert found.runs == ROUNDS
    assert found.winners == (won.count(True), won.count(False))
    assert found.trials == ROUNDS * 2 * len(checked_in)
    assert found.resolved == sum(sum(map(sum, rows)) for rows in drawn)
    assert found.disagreed == {t.id: sum(rows[n][0] != rows[n][1] for rows in drawn) for n, t in enumerate(checked_in)}
    assert found.decidable == sum(b + c >= 6 for b, c in splits)
    assert found.incomplete == 0
    assert found.limit == 4
    assert found.passed


def test_a_name_that_really_is_better_is_found_out(counted: Run) -> None:
    found = counted(Coin((0.9, 0.3)))
    assert not found.passed
    assert found.winners[0] > 20
    assert found.winners[1] == 0


@pytest.mark.parametrize("chances", [(1.0, 1.0), (0.0, 0.0)])
def test_runs_that_could_declare_no_winner_pass_nothing(counted: Run, chances: tuple[float, float]) -> None:
    found = counted(Coin(chances), 3)
    assert (found.winners, found.decidable, found.passed, found.expected) == ((0, 0), 0, False, 0)


def test_discarded_trials_take_their_blocks_out(counted: Run, checked_in: list[Task]) -> None:
    found = counted(Coin(lost=0.1), 10)
    lost = [
        [Coin(seed=seed).draw(name, t.id) >= 0.9 for name in NAMES] for t in checked_in for seed in range(5, 15)
    ]
    assert found.trials == 20 * len(checked_in) - sum(map(sum, lost))
    assert found.incomplete == sum(map(any, lost)) > 0


def test_a_served_model_that_changes_ends_it_with_its_reason(counted: Run) -> None:
    with pytest.raises(ToolError, match="the served model changed"):
        counted(Coin(served="coin-{}"), 1)


def test_the_size_that_is_expected_is_that_of_the_shares_seen(counted: Run) -> None:
    found = counted(Coin(), 10)
    assert found.expected == pytest.approx(size([count / 10 for count in found.disagreed.values()]))
    assert 0 < found.expected < 0.05


def test_the_packaged_mix_has_some_of_every_row_and_draws_by_seed_and_name(
    checked_in: list[Task], truth_bench: Callable[[Task], TaskBench]
) -> None:
    benches = {task.id: truth_bench(task) for task in checked_in}
    model = model_named("simulated:same", list(benches), [FORMAT], 1)
    assert isinstance(model, Seeded)
    settings = RunFile(
        set_digest="", cap=8000, model=model.name, simulated=True, formats=[FORMAT.name], attempts=3, seed=1,
        fixtures=list(benches), started="", version="0", applier={FORMAT.name: []},
    )  # fmt: skip
    found = list(same(settings, FORMAT, benches, model.seeded, 12, 2))[-1]
    truth = expected(model.spec, FORMAT.name, 3)  # type: ignore[attr-defined]
    assert all(truth.first[category] > 0.05 for category in Category)
    share = truth.share(None)
    assert found.resolved / found.trials == pytest.approx(share, abs=0.07), "more than four standard errors"
    assert sum(found.disagreed.values()) / 12 == pytest.approx(27 * 2 * share * (1 - share), rel=0.15)


@pytest.mark.parametrize("name", ["simulated:perfect", "simulated:article"])
def test_models_that_draw_nothing_are_none_to_compare_with_themselves(name: str) -> None:
    assert not isinstance(model_named(name, [], [FORMAT], 1), Seeded)
