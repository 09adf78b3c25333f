# ruff: noqa: E501
import json
import shutil
from pathlib import Path

import pytest

from miner.hazards import Tag
from miner.set_file import load_set

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "fixtures"
STRATA = ("--strata", ROOT / "strata.yaml")
RETRY = "billing/149-retry-settlement-posts-on-transient-gateway"


def ids(result) -> list[str]:
    assert result.code == 0, result.err
    return [row["id"] for row in json.loads(result.out)]


def test_every_fixture_is_a_line_where_nobody_watches_and_only_its_tags_wrap(miner) -> None:
    result = miner("show", FIXTURES, *STRATA)
    header, *lines, end = result.out.splitlines()
    assert header.split() == ["fixture", "kind", "stratum", "tokens", "changed", "strength", "in", "set", "tags"]
    more, rows = ([line for line in lines if line.startswith(" ") is wrapped] for wrapped in (True, False))
    assert {word for line in more for word in line.split()} <= set(Tag)
    assert [row.split()[0] for row in rows] == sorted(p.parent.relative_to(FIXTURES).as_posix() for p in FIXTURES.glob("*/*/fixture.yaml"))
    assert end == f"{len(rows)} fixtures, sizes against a cap of 8000 tokens"


def test_rows_say_what_the_set_says(miner) -> None:
    chosen = load_set(FIXTURES)
    rows = {row["id"]: row for row in json.loads(miner("show", FIXTURES, "--in-set", "--json", *STRATA).out)}
    assert set(rows) == {*chosen.fixtures, *chosen.impossible}
    assert {i: rows[i]["tags"] for i in chosen.fixtures if rows[i]["tags"]} == chosen.tags
    for stratum in ("inside", "near", "past"):
        assert sum(rows[i]["stratum"] == stratum for i in chosen.fixtures) == chosen.quotas[stratum].taken
    assert sum(rows[i]["large"] for i in chosen.fixtures) == chosen.quotas["large"].taken


def test_filters_are_any_of_a_kind_and_all_of_the_kinds(miner) -> None:
    rows = json.loads(miner("show", FIXTURES, "--json", *STRATA).out)
    found = ids(miner("show", FIXTURES, "--json", "--stratum", "near", "--stratum", "large", "--tag", "repeated_anchor", *STRATA))
    assert found == [r["id"] for r in rows if (r["stratum"] == "near" or r["large"]) and Tag.REPEATED_ANCHOR in r["tags"]]
    assert found
    assert ids(miner("show", FIXTURES, "--json", "--kind", "feature", *STRATA)) == [r["id"] for r in rows if r["kind"] == "feature"]
    assert ids(miner("show", FIXTURES, "--json", "--repo", "other", *STRATA)) == []


def test_another_cap_gives_other_sizes(miner) -> None:
    rows = json.loads(miner("show", FIXTURES, "--json", "--cap", 1000000, *STRATA).out)
    assert {row["stratum"] for row in rows} == {"inside"}


def test_one_fixture_is_a_page(miner) -> None:
    out = miner("show", FIXTURES, RETRY, *STRATA).out
    prompt = (FIXTURES / RETRY / "prompt.md").read_text()
    assert out.startswith(f"# {RETRY}\n")
    assert prompt.strip() in out
    for said in ("src/billing/settlement.py: SettlementClient.post", "in the set", "fails, then passes:", "strength:"):
        assert said in out


def test_the_folder_may_be_left_out_before_an_id(miner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    for meant in (RETRY, "149", "billing/149", "149-retry"):
        assert miner("show", meant).out.startswith(f"# {RETRY}\n")


def test_what_is_neither_folder_nor_id_is_told_what_is_near(miner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert f"neither a fixtures folder nor a fixture id: retry. Did you mean {RETRY}?" in miner("show", "retry").err
    assert "no such fixture: retry." in miner("show", "fixtures", "retry").err
    monkeypatch.chdir(tmp_path)
    assert "no such fixtures folder: 149. Run `miner harvest" in miner("show", "149").err


def test_without_a_set_nothing_is_in_one(miner, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(FIXTURES, tmp_path / "fixtures"))
    (folder / "set.yaml").unlink()
    assert ids(miner("show", folder, "--json", "--in-set", *STRATA)) == []


REFUSED = {
    "no stratum": (["--stratum", "huge"], "not a stratum: huge"), "no tag": (["--tag", "odd"], "not a hazard tag: odd"),
    "no fixture": (["billing/1-x"], "no such fixture: billing/1-x. `miner show` without an id lists all."),
    "a part": (["settlement"], f"no such fixture: settlement. Did you mean {RETRY}?"),
}  # fmt: skip


@pytest.mark.parametrize(("options", "said"), REFUSED.values(), ids=REFUSED.keys())
def test_what_is_not_there_is_refused(miner, options: list[str], said: str) -> None:
    result = miner("show", FIXTURES, *options, *STRATA)
    assert (result.code, result.out) == (1, "")
    assert said in result.err
