import os

# ruff: noqa: E501
from pathlib import Path

import pytest
import yaml
from pydantic import ValidationError

from miner.errors import ToolError
from miner.record import (
    FIXTURE_ID,
    Fixture,
    HarvestLine,
    Proof,
    Repository,
    Strength,
    as_data,
    dump_yaml,
    load_yaml,
    read_plain,
    write_atomically,
)

TREE = "a" * 40
FIXTURE = {
    "schema": 1, "id": "billing/12-fix-it", "number": "12", "title": "Fix it: größer 🦜", "date": "2026-01-02T03:04:05Z",
    "base": TREE, "merged": TREE, "starting_tree": TREE, "solved_tree": TREE, "source_files": ["src/größe.py"],
    "test_files": ["tests/t.py"], "dropped_files": [], "rewrite_tokens": 10, "change_fraction": 0.1,
    "symbols_version": 1, "allowed": {"src/größe.py": ["f", "from a import b"]},
    "tests_inside": [], "impossible": None, "kind": "unknown", "prompt": None, "author": "", "proof": None,
}  # fmt: skip
IMPOSSIBLE = {"of": "r/12-y", "withheld": ["src/größe.py"], "shown": ["src/b.py"], "repeats": 2}
LINE = {"number": "12", "commit": TREE, "date": "d", "title": "t"}
BAD = {
    "unknown field": {"extra": 1}, "another schema": {"schema": 2}, "id with a way out": {"id": "billing/../x"},
    "id without a slash": {"id": "billing"}, "id in capitals": {"id": "Billing/12-x"}, "id with three parts": {"id": "a/b/c"},
    "id with a newline": {"id": "billing/12-x\n"}, "short object id": {"base": "abc"}, "object id with a way out": {"base": "../" + "a" * 37},
    "object id with a newline": {"base": TREE + "\n"}, "no text as number": {"number": 12}, "files as text": {"source_files": "a"},
    "an author by name": {"author": "Ann"}, "no date": {"date": "soon"}, "a date without a zone": {"date": "2026-01-02T03:04:05"},
    "unfinished proof": {"proof": {"command": []}},
    "withheld that is no file of the change": {"impossible": IMPOSSIBLE | {"withheld": ["src/b.py"]}},
    "shown that is a file of the change": {"impossible": IMPOSSIBLE | {"shown": ["src/größe.py"]}},
    "impossible of itself": {"impossible": IMPOSSIBLE | {"of": "billing/12-fix-it"}},
    "impossible without runs": {"impossible": IMPOSSIBLE | {"repeats": 0}},
    "source outside the tree": {"source_files": ["../x.py"]}, "test at the root": {"test_files": ["/etc/x.py"]},
    "dropped file with a way out": {"dropped_files": ["a/../../x"]}, "allowed file with a way out": {"allowed": {"a/..": ["f"]}},
    "path with an empty part": {"source_files": ["a//b"]}, "path with a NUL": {"source_files": ["a\0b"]}, "no path": {"source_files": [""]},
}  # fmt: skip


@pytest.mark.parametrize("fields", BAD.values(), ids=BAD.keys())
def test_bad_fixture_is_refused(fields: dict[str, object]) -> None:
    Fixture.model_validate(FIXTURE)
    Fixture.model_validate(FIXTURE | {"impossible": IMPOSSIBLE})
    with pytest.raises(ValidationError):
        Fixture.model_validate(FIXTURE | fields)


ENVIRONMENT = {"digest": "0" * 20, "recipe": "r", "toolchain": "python 3.11.7", "variant": "editable"}
PROOF = {
    "command": ["true"], "fail_to_pass": ["t::a"], "repeats": 3, "timeout_seconds": 60, "seconds": 0.1, "environment": ENVIRONMENT,
}  # fmt: skip
BAD_PROOF = {
    "no test": {"fail_to_pass": []}, "no repeat": {"repeats": 0}, "no time": {"timeout_seconds": 0}, "unknown regression": {"regression": "some"},
    "unknown field": {"extra": 1}, "strength of no hunk": {"strength": {"hunks": 0, "unnoticed": []}},
    "digest with a way out": {"environment": ENVIRONMENT | {"digest": "../../../../etc/pass"}},
    "short digest": {"environment": ENVIRONMENT | {"digest": "00"}}, "digest with a newline": {"environment": ENVIRONMENT | {"digest": "0" * 20 + "\n"}},
    "environment of old": {"environment": {"digest": "0" * 20, "python": "3.11.7", "install": "path", "pretend_version": None}},
}  # fmt: skip


@pytest.mark.parametrize("fields", BAD_PROOF.values(), ids=BAD_PROOF.keys())
def test_bad_proof_is_refused(fields: dict[str, object]) -> None:
    Proof.model_validate(PROOF)
    with pytest.raises(ValidationError):
        Proof.model_validate(PROOF | fields)


def test_required_are_the_tests_that_turn_those_collected_after_and_those_that_are_kept() -> None:
    proof = Proof.model_validate(PROOF | {"pass_to_pass": ["k"], "collected_after": ["c"], "flaky": ["f"]})
    assert proof.required == ["t::a", "c", "k"]


def test_proof_says_nothing_that_was_not_looked_at() -> None:
    proof = Proof.model_validate(PROOF)
    assert (proof.pass_to_pass, proof.collected_after, proof.flaky, proof.strength) == ([], [], [], None)
    assert (proof.collects_only_after, proof.regression) == (False, "files")
    assert (proof.environment.fallbacks, proof.environment.undated, proof.environment.pretend_version) == ([], False, None)


@pytest.mark.parametrize(("unnoticed", "share"), [([], 1), (["a:1"], 0.75), (["a:1", "b:2", "c:1", "d:1"], 0)])
def test_strength_is_the_share_of_hunks_whose_absence_is_noticed(unnoticed: list[str], share: float) -> None:
    assert Strength(hunks=4, unnoticed=unnoticed).share == share


def test_fixture_with_a_proof_survives_being_written_and_loaded(tmp_path: Path) -> None:
    proof = PROOF | {"strength": {"hunks": 2, "unnoticed": ["a b.py:3"]}, "flaky": ["t::b[ä - [x]]"]}
    record = Fixture.model_validate(FIXTURE | {"proof": proof})
    (tmp_path / "f.yaml").write_text(dump_yaml(record), encoding="utf-8")
    assert load_yaml(tmp_path / "f.yaml", Fixture, "") == record


@pytest.mark.parametrize(
    ("cwd", "good"), [(".", True), ("a", True), ("a/b.c", True), ("..", False), ("/a", False), ("a/", False), ("", False), ("./a", False), ("a/../b", False)]
)  # fmt: skip
def test_sub_project_is_a_folder_inside_the_tree(cwd: str, good: bool) -> None:
    if good:
        assert Repository(name="a", source="b", recipe="c", cwd=cwd).cwd == cwd
        return
    with pytest.raises(ValidationError, match="cwd"):
        Repository(name="a", source="b", recipe="c", cwd=cwd)


ADDED_LATER = ("schema", "tests_inside", "impossible", "kind", "prompt", "author", "proof")


@pytest.mark.parametrize("field", [name for name in FIXTURE if name not in ADDED_LATER])
def test_every_field_of_a_fixture_is_needed(field: str) -> None:
    with pytest.raises(ValidationError, match=field):
        Fixture.model_validate({k: v for k, v in FIXTURE.items() if k != field})


def test_record_survives_being_written_and_loaded(tmp_path: Path) -> None:
    record = Fixture.model_validate(FIXTURE)
    (tmp_path / "f.yaml").write_text(dump_yaml(record), encoding="utf-8")
    assert load_yaml(tmp_path / "f.yaml", Fixture, "") == record


def test_record_is_written_in_the_order_of_its_fields_and_readably() -> None:
    text = dump_yaml(Fixture.model_validate(FIXTURE))
    assert list(yaml.safe_load(text)) == list(FIXTURE)
    assert "größer" in text
    assert as_data(Fixture.model_validate(FIXTURE)) == FIXTURE


def test_values_never_change_after_loading() -> None:
    record = Repository(name="a", source="b", recipe="c")
    with pytest.raises(ValidationError):
        record.name = "z"


@pytest.mark.parametrize("name", ["../x", "A", "", ".a", "a/b", "a b", "a" * 81, "a\n"])
def test_repository_of_a_bad_name_is_refused(name: str) -> None:
    with pytest.raises(ValidationError):
        Repository(name=name, source="b", recipe="c")


def test_line_names_only_known_rejections() -> None:
    assert HarvestLine.model_validate(LINE | {"rejection": "bot"}).rejection == "bot"
    with pytest.raises(ValidationError):
        HarvestLine.model_validate(LINE | {"rejection": "skipped"})


@pytest.mark.parametrize(
    ("text", "matches"),
    [("a/b", True), ("a-1.x/12-fix_it", True), ("a/../b", False), ("a/b/c", False), ("a/", False), ("a/b\n", False),
     ("/a/b", False), ("a/.b", False)],
)  # fmt: skip
def test_fixture_ids_match_a_pattern(text: str, matches: bool) -> None:
    assert (FIXTURE_ID.match(text) is not None) is matches


UNREADABLE = {
    "no YAML": b"a: [", "no UTF-8": b"\xff\xff", "a list": b"- 1", "empty": b"", "wrong field": b"name: a\nsource: b\n",
    "an object to construct": b"!!python/object/apply:os.getcwd []\n",
}  # fmt: skip


@pytest.mark.parametrize("content", UNREADABLE.values(), ids=UNREADABLE.keys())
def test_unreadable_file_is_an_error_of_one_line_that_names_it(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "repo.yaml"
    path.write_bytes(content)
    with pytest.raises(ToolError) as caught:
        load_yaml(path, Repository, "Do this.")
    message = str(caught.value)
    assert str(path) in message
    assert message.endswith("Do this.")
    assert "\n" not in message


def test_missing_file_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match=r"cannot read.*repo.yaml.*No such file.*Do this"):
        load_yaml(tmp_path / "repo.yaml", Repository, "Do this.")


@pytest.mark.parametrize(
    ("content", "expected"),
    [("größe\n", "größe\n".encode()), (b"\r\n\xff", b"\r\n\xff"), ("\udcff", b"\xff")],
)
def test_file_is_written_whole_with_ordinary_permissions(
    tmp_path: Path, content: str | bytes, expected: bytes
) -> None:
    path = tmp_path / "new/folder/file"
    write_atomically(path, content)
    assert path.read_bytes() == expected
    assert path.stat().st_mode & 0o777 == 0o644
    assert [p.name for p in path.parent.iterdir()] == ["file"]


def test_file_that_cannot_replace_leaves_the_old_one_and_no_scratch_file(tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken/child").write_text("old")
    with pytest.raises(OSError):
        write_atomically(tmp_path / "taken", "new")
    assert [p.name for p in tmp_path.iterdir()] == ["taken"]


@pytest.mark.parametrize("kind", ["fifo", "link", "folder", "missing"])
def test_what_is_no_regular_file_of_a_set_is_neither_followed_nor_waited_for(tmp_path: Path, kind: str) -> None:
    (tmp_path / "secret").write_text("secret")
    path = tmp_path / "prompt.md"
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "link":
        path.symlink_to(tmp_path / "secret")
    elif kind == "folder":
        path.mkdir()
    with pytest.raises(OSError):
        read_plain(path)


@pytest.mark.parametrize(
    "edit",
    [{"env": {"A=B": "x"}}, {"env": {"": "x"}}, {"env": {"A": "a\0b"}}, {"setup": ["a\0b"]}, {"test": ["a\0b"]},
     {"cwd": ".."}, {"cwd": "/tmp"}, {"cwd": "a/"}],
)  # fmt: skip
def test_repository_that_could_not_be_run_is_refused(edit: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Repository.model_validate({"name": "x", "source": "x", "recipe": "command", **edit})
