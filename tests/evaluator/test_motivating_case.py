"""The case that motivates the project, on the checked-in fixture, with its tests run in the sandbox."""

from pathlib import Path

import pytest

from evaluator.bench import TaskBench, benches
from evaluator.formats import FORMATS
from evaluator.scoring import Score, score_reply
from evaluator.taxonomy import Category, Detail
from miner.fixtures import FixtureFolder
from miner.symbols.compare import unintended_changes
from miner.symbols.files import text_of
from miner.tokens import count_tokens
from tests.demonstration.build import RETRY_CHANGE

FIXTURES = Path(__file__).parents[2] / "fixtures"
PATH = "src/billing/settlement.py"
HELPER = '    def _migrate_legacy_ref(self'
LOOKUP = 'settings.get(\n            "settlement.timeout", 30\n        )'


@pytest.fixture(scope="module")
def bench() -> TaskBench:
    folder = FixtureFolder(FIXTURES)
    fixture = next(record for record in folder.records() if record.number == str(RETRY_CHANGE))
    return benches([folder.task(fixture.id)])[fixture.id]


def damaged(solved: str) -> str:
    """The solved file without the helper, with two imports swapped and a lookup turned into a literal."""
    start = solved.index(HELPER)
    end = solved.index("    def import_legacy_batch", start)
    text = solved[:start] + solved[end:]
    assert text.count("import hashlib\nimport hmac\n") == 1
    assert text.count(LOOKUP) == 1
    return text.replace("import hashlib\nimport hmac\n", "import hmac\nimport hashlib\n").replace(LOOKUP, "30")


def score(bench: TaskBench, reply: str) -> Score:
    whole_file = FORMATS["whole_file"]
    return score_reply(reply, "stop", whole_file, [], bench.task, bench.tree, bench.run_tests)


def test_the_file_fits_the_cap_whole(bench: TaskBench) -> None:
    solved = text_of(bench.task.after[PATH])
    assert 750 < solved.count("\n") < 900
    assert count_tokens(solved) < 7_500


def test_the_right_answer_is_resolved(bench: TaskBench) -> None:
    found = score(bench, FORMATS["whole_file"].encode(bench.task.before, bench.task.after))
    assert (found.category, found.unintended, found.valid) == (None, (), True)


def test_an_answer_that_also_drops_a_helper_swaps_imports_and_hardens_a_setting_is_unintended(
    bench: TaskBench,
) -> None:
    solved = text_of(bench.task.after[PATH])
    reply = FORMATS["whole_file"].encode(bench.task.before, {PATH: damaged(solved).encode()})
    found = score(bench, reply)
    assert found.applied, "its apply rate says success"
    assert found.valid, "its tests pass"
    assert (found.category, found.detail) == (Category.UNINTENDED_CHANGE, Detail.REMOVED)
    assert found.unintended == (
        f"{PATH}::<module imports>",
        f"{PATH}::SettlementClient._configure",
        f"{PATH}::SettlementClient._migrate_legacy_ref",
    )


def test_the_strict_comparison_alone_names_exactly_the_three(bench: TaskBench) -> None:
    before, solved = text_of(bench.task.before[PATH]), text_of(bench.task.after[PATH])
    assert unintended_changes(before, damaged(solved), bench.task.allowed[PATH]) == [
        "<module imports>",
        "SettlementClient._configure",
        "SettlementClient._migrate_legacy_ref",
    ]
