# ruff: noqa: E501
from fractions import Fraction
from pathlib import Path

import pytest
import yaml

from miner.errors import ToolError
from miner.prompt.note import digest_of
from miner.record import Fixture, PromptNote, dump_yaml
from miner.strata import Definition, Stratum
from miner.stratify import load_set, set_digest, stratify, thin_of

STRATA = Path(__file__).parents[2] / "strata.yaml"
TREE = "a" * 40
PROOF = {
    "command": ["true"], "fail_to_pass": ["t"], "repeats": 2, "timeout_seconds": 60, "seconds": 0.1,
    "environment": {"digest": "0" * 20, "recipe": "python-pytest", "toolchain": "python 3.11.7", "variant": "path"},
}  # fmt: skip


def fixture(name: str, tokens: int, fraction: float = 0.1, proved: bool = True) -> Fixture:
    return Fixture.model_validate({
        "id": f"r/{name}", "number": "1", "title": "t", "date": "2026-01-02T03:04:05Z", "base": TREE, "merged": TREE, "starting_tree": TREE,
        "solved_tree": TREE, "source_files": ["a.py"], "test_files": ["t.py"], "dropped_files": [],
        "rewrite_tokens": tokens, "change_fraction": fraction, "symbols_version": 1, "allowed": {},
        "proof": PROOF if proved else None,
    })  # fmt: skip


def folder(root: Path, *records: Fixture) -> Path:
    for record in records:
        place = root / record.id
        place.mkdir(parents=True)
        (place / "fixture.yaml").write_text(dump_yaml(record))
    return root


@pytest.fixture
def root(tmp_path: Path) -> Path:
    records = [
        fixture(f"{size}-{n}", tokens)
        for size, tokens in (("i", 100), ("n", 1000), ("p", 5000))
        for n in range(3)
    ]
    return folder(tmp_path, *records, fixture("unproved", 100, proved=False))


def test_set_is_drawn_from_the_proven_fixtures_and_loads_again(root: Path) -> None:
    written, drawn = stratify(root, STRATA, 1000, None, False)
    assert load_set(root) == written
    assert len(written.fixtures) == 9
    assert "r/unproved" not in written.fixtures
    assert [(q.name, q.taken) for q in drawn.quotas] == [
        ("inside", 3),
        ("near", 3),
        ("past", 3),
        ("large", 0),
    ]


def test_cap_moves_fixtures_between_the_sizes(root: Path) -> None:
    written, _ = stratify(root, STRATA, 100_000, None, False)
    assert {name: line.available for name, line in written.quotas.items()} == {
        "inside": 9,
        "near": 0,
        "past": 0,
        "large": 0,
    }


def test_size_given_goes_before_the_files(root: Path) -> None:
    assert len(stratify(root, STRATA, 1000, 3, False)[0].fixtures) == 3


def test_same_fixtures_give_the_same_file(root: Path) -> None:
    stratify(root, STRATA, 1000, 5, False)
    first = (root / "set.yaml").read_bytes()
    stratify(root, STRATA, 1000, 5, False)
    assert (root / "set.yaml").read_bytes() == first


def test_set_keeps_the_bounds_it_was_drawn_with(root: Path, tmp_path: Path) -> None:
    changed = yaml.safe_load(STRATA.read_text())
    changed["bounds"] = {"inside_below": 0.01, "past_above": 2, "large_above": 0.2}
    (tmp_path / "own.yaml").write_text(yaml.safe_dump(changed))
    stratify(root, tmp_path / "own.yaml", 1000, None, False)
    definition = load_set(root).definition()
    assert (definition.inside_below, definition.past_above, definition.large_above) == (0.01, 2, 0.2)
    assert definition.stratum(100, 1000) is Stratum.NEAR


def test_projects_strata_are_the_built_in_ones(root: Path) -> None:
    from miner.record import load_yaml
    from miner.stratify import StrataFile

    assert load_yaml(STRATA, StrataFile, "").definition() == Definition()
    assert Definition().size_quota[Stratum.NEAR] == Fraction(1, 3)


def test_balanced_draw_of_an_empty_size_is_refused(tmp_path: Path) -> None:
    root = folder(tmp_path, fixture("a", 100))
    with pytest.raises(ToolError, match=r"the set would be empty.*--balanced"):
        stratify(root, STRATA, 1000, None, True)
    assert not (root / "set.yaml").exists()


def test_missing_set_is_an_error_that_says_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match=r"no set is chosen.*set.yaml.*miner stratify"):
        load_set(tmp_path)


@pytest.mark.parametrize("text", ["fixtures: []\n", "a: [", "schema: 2\n", ""])
def test_unreadable_set_is_an_error_that_names_it(tmp_path: Path, text: str) -> None:
    (tmp_path / "set.yaml").write_text(text)
    with pytest.raises(ToolError, match=r"set\.yaml"):
        load_set(tmp_path)


def test_a_set_that_names_a_fixture_twice_is_refused(root: Path) -> None:
    written, _ = stratify(root, STRATA, 1000, None, False)
    twice = written.model_copy(update={"fixtures": [*written.fixtures, written.fixtures[0]]})
    (root / "set.yaml").write_text(dump_yaml(twice))
    with pytest.raises(ToolError, match=rf"{written.fixtures[0]} is in the set twice"):
        load_set(root)


BAD_STRATA = {
    "no share": {"quotas": {"inside": "a third", "near": 1, "past": 1, "large": 0}},
    "a size of none": {"set_size": 0}, "an unknown field": {"sets": 1},
    "a bound of none": {"bounds": {"inside_below": 0, "past_above": 1, "large_above": 0.5}},
}  # fmt: skip


@pytest.mark.parametrize("fields", BAD_STRATA.values(), ids=BAD_STRATA.keys())
def test_bad_strata_are_refused(root: Path, tmp_path: Path, fields: dict[str, object]) -> None:
    (tmp_path / "own.yaml").write_text(yaml.safe_dump(yaml.safe_load(STRATA.read_text()) | fields))
    with pytest.raises(ToolError, match=r"own\.yaml"):
        stratify(root, tmp_path / "own.yaml", 1000, None, False)


def test_digest_is_that_of_earlier_versions() -> None:
    """Where this fails, every set that was ever drawn is told to be another."""
    assert set_digest([fixture("a", 100)], 8000) == "54ff40b38848dcfffe19d4df53c57ecfecffd887a7d7bb2a3ef71c7d03e818cf"


def test_digest_depends_on_records_and_cap_and_not_on_their_order() -> None:
    a, b = fixture("a", 100), fixture("b", 100)
    assert set_digest([a, b], 8000) == set_digest([b, a], 8000)
    assert len({set_digest([a, b], 8000), set_digest([a, b], 4000), set_digest([a], 8000),
                set_digest([a, fixture("b", 101)], 8000)}) == 4  # fmt: skip


def test_digest_depends_on_edited_prompts_and_on_whether_tests_are_shown() -> None:
    a = fixture("a", 100)
    assert len({set_digest([a], 8000), set_digest([a], 8000, {"r/a": "1" * 64}), set_digest([a], 8000, {"r/a": "2" * 64}),
                set_digest([a], 8000, {}, True)}) == 4  # fmt: skip


def with_prompt(root: Path, name: str, thin: bool = False) -> Path:
    record = fixture(name, 100).model_copy(update={"prompt": PromptNote(digest=digest_of("# Do it\n"), thin=thin)})
    folder(root, record)
    (root / record.id / "prompt.md").write_text("# Do it\n")
    return root / record.id / "prompt.md"


def test_a_prompt_that_was_edited_is_noted_and_makes_another_set(tmp_path: Path) -> None:
    prompts = [with_prompt(tmp_path, name) for name in "ab"]
    before, _ = stratify(tmp_path, STRATA, 1000, None, False)
    prompts[1].write_text("# Do it well\n")
    after, _ = stratify(tmp_path, STRATA, 1000, None, False)
    assert (before.edited, after.edited) == ([], ["r/b"])
    assert before.digest != after.digest
    assert load_set(tmp_path) == after


def test_a_set_says_whether_its_prompts_show_the_tests(tmp_path: Path) -> None:
    with_prompt(tmp_path, "a")
    hidden, _ = stratify(tmp_path, STRATA, 1000, None, False)
    shown, _ = stratify(tmp_path, STRATA, 1000, None, False, show_tests=True)
    assert (hidden.show_tests, shown.show_tests) == (False, True)
    assert hidden.digest != shown.digest


def test_thin_prompts_are_named_unless_they_were_edited(tmp_path: Path) -> None:
    edited = with_prompt(tmp_path, "a", thin=True)
    with_prompt(tmp_path, "b", thin=True)
    with_prompt(tmp_path, "c")
    assert thin_of(tmp_path, stratify(tmp_path, STRATA, 1000, None, False)[0]) == ["r/a", "r/b"]
    edited.write_text("# Do it, because it is wrong\n")
    assert thin_of(tmp_path, stratify(tmp_path, STRATA, 1000, None, False)[0]) == ["r/b"]


def test_a_prompt_that_is_gone_is_named(tmp_path: Path) -> None:
    with_prompt(tmp_path, "a").unlink()
    with pytest.raises(ToolError, match=r"cannot read the prompt: .*prompt\.md"):
        stratify(tmp_path, STRATA, 1000, None, False)
