# ruff: noqa: E501
from miner.mix import MixCell, natural_mix
from miner.record import HarvestLine
from miner.rejection import Rejection
from miner.strata import Definition, Stratum


def line(number: int, tokens: int | None, rejection: Rejection | None = None, source: bool = True) -> HarvestLine:
    return HarvestLine(number=str(number), commit=f"{number:040x}", date="d", title="t", changes_source=source,
                       rewrite_tokens=tokens, rejection=rejection)  # fmt: skip


def test_mix_counts_what_changes_source_whatever_became_of_it() -> None:
    lines = [line(1, 10), line(2, 10, Rejection.NO_TEST_CHANGE), line(3, 9000, Rejection.BOT),
             line(4, None, Rejection.NO_SOURCE_CHANGE, source=False), line(5, 1000)]  # fmt: skip
    mix = natural_mix({"b": lines, "a": [line(1, 10)]}, Definition(), 1000)
    assert mix.cells == tuple(
        MixCell(repository=name, stratum=stratum, changes=n)
        for name, stratum, n in [("a", Stratum.INSIDE, 1), ("b", Stratum.INSIDE, 2), ("b", Stratum.NEAR, 1), ("b", Stratum.PAST, 1)]
    )  # fmt: skip
    assert mix.unknown == {}


def test_those_whose_size_is_not_known_are_counted_apart() -> None:
    lines = [line(1, 10), line(2, None, Rejection.MISSING_BLOB), line(3, None, Rejection.MERGE_LOST, source=False),
             line(4, None, Rejection.MERGE_UP, source=False)]  # fmt: skip
    mix = natural_mix({"a": lines}, Definition(), 1000)
    assert ([cell.changes for cell in mix.cells], mix.unknown) == ([1], {"a": 2})


def test_a_number_counts_once_by_the_line_that_knows_its_size() -> None:
    mix = natural_mix({"a": [line(1, None, Rejection.MISSING_BLOB), line(1, 10), line(1, 9000)]}, Definition(), 1000)
    assert [(cell.stratum, cell.changes) for cell in mix.cells] == [(Stratum.INSIDE, 1)]
    assert mix.unknown == {}
