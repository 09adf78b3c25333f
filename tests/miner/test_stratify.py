# ruff: noqa: E501
import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
import yaml

from miner.errors import ToolError
from miner.fixtures import load_fixture
from miner.git import create_bare
from miner.hazards import Tag
from miner.mix import MixCell
from miner.prompt.note import digest_of
from miner.record import Fixture, HarvestLine, PromptNote, Repository, dump_yaml
from miner.set_file import changed, load_set, set_digest, thin_of
from miner.strata import Definition, Stratum
from miner.stratify import stratify
from miner.trees import write_bundle

STRATA = Path(__file__).parents[2] / "strata.yaml"
TREE = "a" * 40
PATCH = b"diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n\\ No newline at end of file\n"
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


@pytest.fixture(scope="module")
def bundle(tmp_path_factory) -> tuple[str, bytes]:
    """A starting tree with a.py, and its bundle."""
    place = tmp_path_factory.mktemp("bundle")
    git = create_bare(place / "trees.git")
    blob = git.run("hash-object", "-w", "--stdin", stdin=b"x = 1\n").decode().strip()
    tree = git.run("mktree", stdin=f"100644 blob {blob}\ta.py\n".encode()).decode().strip()
    write_bundle(git, [tree], place / "trees.bundle")
    return tree, (place / "trees.bundle").read_bytes()


@pytest.fixture
def folder(bundle: tuple[str, bytes]) -> Callable[..., Path]:
    """Write fixtures below a folder, all of the one starting tree."""

    def write(root: Path, *records: Fixture) -> Path:
        tree, packed = bundle
        for record in records:
            place = root / record.id
            place.mkdir(parents=True)
            (place / "fixture.yaml").write_text(dump_yaml(record.model_copy(update={"starting_tree": tree})))
            (place / "change.patch").write_bytes(PATCH)
            (place.parent / "trees.bundle").write_bytes(packed)
            (place.parent / "repo.yaml").write_text(dump_yaml(Repository(name="r", source="s", recipe="none")))
        return root

    return write


@pytest.fixture
def root(folder, tmp_path: Path) -> Path:
    records = [
        fixture(f"{size}-{n}", tokens)
        for size, tokens in (("i", 100), ("n", 1000), ("p", 5000))
        for n in range(3)
    ]
    return folder(tmp_path, *records, fixture("unproved", 100, proved=False))


def test_set_is_drawn_from_the_proven_fixtures_and_loads_again(root: Path) -> None:
    done = stratify(root, STRATA, 1000, None, False)
    written, drawn = done.chosen, done.drawn
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
    written = stratify(root, STRATA, 100_000, None, False).chosen
    assert {name: line.available for name, line in written.quotas.items()} == {
        "inside": 9,
        "near": 0,
        "past": 0,
        "large": 0,
    }


def test_size_given_goes_before_the_files(root: Path) -> None:
    assert len(stratify(root, STRATA, 1000, 3, False).chosen.fixtures) == 3


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
    from miner.strata_file import StrataFile

    assert load_yaml(STRATA, StrataFile, "").definition() == Definition()
    assert Definition().size_quota[Stratum.NEAR] == Fraction(1, 3)


def test_balanced_draw_of_an_empty_size_is_refused(folder, tmp_path: Path) -> None:
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
    written = stratify(root, STRATA, 1000, None, False).chosen
    twice = written.model_copy(update={"fixtures": [*written.fixtures, written.fixtures[0]]})
    (root / "set.yaml").write_text(dump_yaml(twice))
    with pytest.raises(ToolError, match=rf"{written.fixtures[0]} is in the set twice"):
        load_set(root)


BAD_STRATA = {
    "no share": {"quotas": {"inside": "a third", "near": 1, "past": 1, "large": 0}},
    "a size of none": {"set_size": 0}, "an unknown field": {"sets": 1},
    "a tolerance above one": {"tolerance": 2}, "a cap of none": {"at_most": {"per_author": 0}}, "more than all": {"min_strength": 1.1},
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


def with_prompt(folder, root: Path, name: str, thin: bool = False) -> Path:
    record = fixture(name, 100).model_copy(update={"prompt": PromptNote(digest=digest_of("# Do it\n"), thin=thin)})
    folder(root, record)
    (root / record.id / "prompt.md").write_text("# Do it\n")
    return root / record.id / "prompt.md"


def test_a_prompt_that_was_edited_is_noted_and_makes_another_set(folder, tmp_path: Path) -> None:
    prompts = [with_prompt(folder, tmp_path, name) for name in "ab"]
    before = stratify(tmp_path, STRATA, 1000, None, False).chosen
    prompts[1].write_text("# Do it well\n")
    after = stratify(tmp_path, STRATA, 1000, None, False).chosen
    assert (before.edited, after.edited) == ([], ["r/b"])
    assert before.digest != after.digest
    assert load_set(tmp_path) == after


def test_a_set_says_whether_its_prompts_show_the_tests(folder, tmp_path: Path) -> None:
    with_prompt(folder, tmp_path, "a")
    hidden = stratify(tmp_path, STRATA, 1000, None, False).chosen
    shown = stratify(tmp_path, STRATA, 1000, None, False, show_tests=True).chosen
    assert (hidden.show_tests, shown.show_tests) == (False, True)
    assert hidden.digest != shown.digest


def test_thin_prompts_are_named_unless_they_were_edited(folder, tmp_path: Path) -> None:
    edited = with_prompt(folder, tmp_path, "a", thin=True)
    with_prompt(folder, tmp_path, "b", thin=True)
    with_prompt(folder, tmp_path, "c")
    assert thin_of(tmp_path, stratify(tmp_path, STRATA, 1000, None, False).chosen) == ["r/a", "r/b"]
    edited.write_text("# Do it, because it is wrong\n")
    assert thin_of(tmp_path, stratify(tmp_path, STRATA, 1000, None, False).chosen) == ["r/b"]


def test_a_prompt_that_is_gone_is_named(folder, tmp_path: Path) -> None:
    with_prompt(folder, tmp_path, "a").unlink()
    with pytest.raises(ToolError, match=r"cannot read the prompt: .*prompt\.md"):
        stratify(tmp_path, STRATA, 1000, None, False)


def own(path: Path, **fields: object) -> Path:
    """Our strata.yaml with other fields."""
    path.write_text(yaml.safe_dump(yaml.safe_load(STRATA.read_text()) | fields))
    return path


def test_strata_of_before_are_valid_and_say_the_same(tmp_path: Path) -> None:
    from miner.strata_file import definition_of

    old = {name: value for name, value in yaml.safe_load(STRATA.read_text()).items()
           if name not in ("tolerance", "balance", "at_most", "min_strength")}  # fmt: skip
    (tmp_path / "old.yaml").write_text(yaml.safe_dump(old))
    assert definition_of(tmp_path / "old.yaml") == Definition()


def test_a_grown_pool_keeps_the_fixtures_of_the_set_and_redraw_does_not(folder, root: Path) -> None:
    before = stratify(root, STRATA, 1000, 6, False).chosen.fixtures
    folder(root, *(fixture(f"{size}-{n}", tokens) for size, tokens in (("i", 100), ("n", 1000), ("p", 5000)) for n in range(3, 30)))
    grown = stratify(root, STRATA, 1000, 6, False)
    assert (grown.chosen.fixtures, grown.drawn.kept) == (before, 6)
    larger = stratify(root, STRATA, 1000, 9, False)
    assert larger.drawn.kept == 0, "drawn in another way"
    anew = stratify(root, STRATA, 1000, 6, False, redraw=True)
    assert anew.drawn.kept == 0
    assert anew.chosen.fixtures != before


def test_a_set_that_cannot_be_read_is_drawn_anew(root: Path) -> None:
    (root / "set.yaml").write_text("a: [")
    assert stratify(root, STRATA, 1000, None, False).drawn.kept == 0
    assert len(load_set(root).fixtures) == 9


def test_weak_and_unmeasured_fixtures_are_left_out_where_a_strength_is_asked_for(folder, tmp_path: Path) -> None:
    def of(name: str, unnoticed: list[str] | None) -> Fixture:
        strength = None if unnoticed is None else {"hunks": 4, "unnoticed": unnoticed}
        return Fixture.model_validate(fixture(name, 100).model_dump(by_alias=True) | {"proof": PROOF | {"strength": strength}})

    folder(tmp_path, of("strong", []), of("half", ["a:1", "a:2"]), of("weak", ["a:1", "a:2", "a:3"]), of("unknown", None))
    done = stratify(tmp_path, own(tmp_path / "own.yaml", min_strength=0.5), 1000, None, False)
    assert done.chosen.fixtures == ["r/half", "r/strong"]
    assert done.too_weak == ["r/unknown", "r/weak"]
    with pytest.raises(ToolError, match=r"no proven fixture is strong enough.*min_strength"):
        stratify(folder(tmp_path / "weak", of("weak", ["a:1"])), own(tmp_path / "own.yaml", min_strength=1), 1000, None, False)


def test_authors_of_the_records_are_capped(folder, tmp_path: Path) -> None:
    records = [fixture(f"a{n}", 100).model_copy(update={"author": author}) for n, author in enumerate(["a" * 10, "a" * 10, "b" * 10, "", ""])]
    done = stratify(folder(tmp_path, *records), own(tmp_path / "own.yaml", at_most={"per_author": 1}), 1000, None, False)
    assert len(done.chosen.fixtures) == 4


def test_hazards_are_in_the_set_and_not_in_its_digest(root: Path) -> None:
    chosen = stratify(root, STRATA, 1000, None, False).chosen
    assert chosen.tags == {i: [Tag.NO_FINAL_NEWLINE] for i in chosen.fixtures}
    (root / "r/i-0/change.patch").write_bytes(PATCH.replace(b"\\ No newline at end of file\n", b""))
    again = stratify(root, STRATA, 1000, None, False).chosen
    assert "r/i-0" not in again.tags
    assert again.digest == chosen.digest


def test_the_natural_mix_is_in_the_set_and_not_in_its_digest(root: Path) -> None:
    before = stratify(root, STRATA, 1000, None, False).chosen
    lines = [HarvestLine(number=str(n), commit=TREE, date="d", title="t", changes_source=True, rewrite_tokens=tokens, change_fraction=0.1)
             for n, tokens in enumerate([10, 20, 9000, None])]  # fmt: skip
    (root / "r/harvest.jsonl").write_text("".join(json.dumps(line.model_dump(mode="json", by_alias=True)) + "\n" for line in lines))
    chosen = stratify(root, STRATA, 1000, None, False).chosen
    assert chosen.mix == [MixCell(repository="r", stratum=Stratum.INSIDE, changes=2), MixCell(repository="r", stratum=Stratum.PAST, changes=1)]
    assert chosen.mix_unknown == {"r": 1}
    assert (chosen.digest, chosen.digests) == (before.digest, before.digests)
    assert load_set(root) == chosen


def test_fixtures_that_changed_are_named(root: Path) -> None:
    chosen = stratify(root, STRATA, 1000, None, False).chosen
    records = [fixture(i.split("/")[1], {"i": 100, "n": 1000, "p": 5000}[i[2]]) for i in chosen.fixtures]
    records = [r.model_copy(update={"starting_tree": load_fixture(root / r.id).starting_tree}) for r in records]
    assert changed(records, chosen) == []
    assert changed([*records[1:], records[0].model_copy(update={"rewrite_tokens": 101})], chosen) == [records[0].id]
    assert changed(records, chosen, {records[1].id: "0" * 64}) == [records[1].id]
    assert changed(records[:1], chosen.model_copy(update={"digests": {}})) == [], "a set of before does not tell"


def test_what_the_command_says_has_its_remedy_and_its_number(miner, folder, tmp_path: Path) -> None:
    prompt = with_prompt(folder, tmp_path, "a", thin=True)
    said = miner("stratify", tmp_path, "--cap", 1000, "--strata", STRATA)
    assert said.code == 0, said.err
    assert f"1 prompt too thin to act on: r/a; edit {prompt}, then stratify again" in said.out
    assert "short of 40 `past`: how many more merged changes hold as many is not known" in said.out
    assert "`miner harvest --repo REPO --want inside,near,past --cap 1000` looks through the whole history" in said.out
    assert said.err == "", "there was no set before"
    prompt.write_text("# Do it, because it is wrong\n")
    again = miner("stratify", tmp_path, "--cap", 1000, "--strata", STRATA)
    assert "1 prompt edited after the harvest: r/a" in again.out
    assert "(the same tasks, but their records, prompts or --show-tests changed)" in again.err
