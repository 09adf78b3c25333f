"""repo.yaml: detected once, then its owner's; options of harvest are written into it."""

from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml

from miner.errors import ToolError
from miner.git import Git
from miner.record import Repository
from miner.repository import Overrides, repository_record, sub_projects, summary
from miner.trees import TreeStore

NEW = Repository(name="sample", source="clone", recipe="none")
PYTHON = {"pyproject.toml": '[project]\nname = "a"\n'}
GO = {"go.mod": "", "services/api/setup.py": "", "tools/pyproject.toml": "", "x/node_modules/y/setup.py": ""}


class Mined:
    """A repository of these files, and the folder of its fixtures."""

    def __init__(self, repo, files: Mapping[str, str], folder: Path) -> None:
        repo.commit("Start", files)
        self.store, self.head = TreeStore(Git(repo.path / ".git")), repo.git("rev-parse", "HEAD")
        self.path = folder / "repo.yaml"

    def record(self, overrides: Overrides | None = None, must_prove: bool = True) -> Repository:
        """What harvest would go by."""
        args = self.store, self.head, overrides or Overrides(), must_prove
        return repository_record(self.path.parent, NEW, *args)

    @property
    def written(self) -> dict[str, object]:
        """What repo.yaml says now."""
        found = yaml.safe_load(self.path.read_text())
        assert isinstance(found, dict)
        return found


def test_recipe_is_detected_and_written_with_every_field_to_edit(repo, tmp_path: Path) -> None:
    mined = Mined(repo, PYTHON, tmp_path / "out")
    assert mined.record().recipe == "python-pytest"
    assert mined.written == {
        "schema": 1, "name": "sample", "source": "clone", "recipe": "python-pytest", "cwd": ".", "python": "",
        "setup": [], "test": [], "env": {},
    }  # fmt: skip


def test_what_the_owner_edited_is_kept(repo, tmp_path: Path) -> None:
    mined = Mined(repo, PYTHON, tmp_path / "out")
    mined.record()
    edited = mined.written | {"python": "3.9", "setup": ["make"], "env": {"A": "b"}, "source": "elsewhere"}
    mined.path.write_text(yaml.safe_dump(edited))
    record = mined.record()
    assert (record.python, record.setup, record.env, record.source) == ("3.9", ["make"], {"A": "b"}, "elsewhere")
    assert mined.written == edited


def test_recipe_that_the_owner_chose_is_not_detected_again(repo, tmp_path: Path) -> None:
    mined = Mined(repo, PYTHON, tmp_path / "out")
    mined.record()
    mined.path.write_text(yaml.safe_dump(mined.written | {"recipe": "node-vitest"}))
    assert mined.record().recipe == "node-vitest"


OVERRIDES: dict[str, tuple[Overrides, dict[str, object]]] = {
    "nothing": (Overrides(), {}),
    "python": (Overrides(python="3.11"), {"python": "3.11"}),
    "setup": (Overrides(setup=["a b", "c"]), {"setup": ["a b", "c"]}),
    "test": (Overrides(test=["make", "check"]), {"test": ["make", "check"]}),
    "env": (Overrides(env={"A": "1"}), {"env": {"A": "1"}}),
    "env of none": (Overrides(env={}), {"env": {}}),
    "all": (
        Overrides(python="3.11", setup=["a"], env={"A": "1"}), {"python": "3.11", "setup": ["a"], "env": {"A": "1"}},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("overrides", "expected"), OVERRIDES.values(), ids=OVERRIDES.keys())
def test_options_go_before_the_file_and_are_written_back(
    repo, tmp_path: Path, overrides: Overrides, expected: dict[str, object]
) -> None:
    mined = Mined(repo, PYTHON, tmp_path / "out")
    mined.record()
    mined.path.write_text(yaml.safe_dump(mined.written | {"python": "3.9", "setup": ["old"], "env": {"B": "2"}}))
    before = mined.written
    record = mined.record(overrides)
    assert mined.written == before | expected
    assert Repository.model_validate(mined.written) == record
    assert mined.record() == record  # said once, kept


def test_recipe_is_detected_in_the_sub_project(repo, tmp_path: Path) -> None:
    mined = Mined(repo, GO, tmp_path / "out")
    record = mined.record(Overrides(cwd="services/api"))
    assert (record.recipe, record.cwd) == ("python-pytest", "services/api")


def test_another_sub_project_is_looked_at_anew_and_the_same_one_is_not(repo, tmp_path: Path) -> None:
    files = {**PYTHON, "web/package.json": '{"scripts": {"test": "mocha"}}', "web/test/a.js": ""}
    mined = Mined(repo, files, tmp_path / "out")
    assert mined.record().recipe == "python-pytest"
    assert mined.record(Overrides(cwd="web")).recipe == "node-mocha"
    mined.path.write_text(mined.path.read_text().replace("node-mocha", "command"))
    assert mined.record(Overrides(cwd="web")).recipe == "command", "the owner's choice for this folder"


def test_without_a_recipe_sub_projects_are_named_and_nothing_is_written(repo, tmp_path: Path) -> None:
    mined = Mined(repo, GO, tmp_path / "out")
    with pytest.raises(ToolError) as caught:
        mined.record()
    message = str(caught.value)
    assert message.startswith("no recipe runs this repository's tests: clone. Known recipes: python-pytest")
    assert "Sub-projects: services/api, tools (--cwd)." in message
    assert message.endswith("--no-prove.")
    assert not mined.path.exists()


def test_without_a_recipe_and_sub_projects_none_are_named(repo, tmp_path: Path) -> None:
    mined = Mined(repo, {"go.mod": ""}, tmp_path / "out")
    with pytest.raises(ToolError) as caught:
        mined.record()
    assert "Sub-projects" not in str(caught.value)


def test_without_a_recipe_where_nothing_is_proved_none_is_written_and_detected_again(repo, tmp_path: Path) -> None:
    mined = Mined(repo, {"a.txt": ""}, tmp_path / "out")
    assert mined.record(must_prove=False).recipe == "none"
    assert mined.written["recipe"] == "none"
    repo.commit("Python now", PYTHON)
    mined.head = repo.git("rev-parse", "HEAD")
    assert mined.record().recipe == "python-pytest"


BAD = {
    "no YAML": ("a: [", "unreadable repository"),
    "an unknown field": ("colour", "colour"),
    "a way out": ("cwd", "cwd"),
    "a name of two lines": ("name", "name"),
}


@pytest.mark.parametrize(("what", "message"), BAD.values(), ids=BAD.keys())
def test_file_that_cannot_be_read_is_named_and_left_alone(repo, tmp_path: Path, what: str, message: str) -> None:
    mined = Mined(repo, PYTHON, tmp_path / "out")
    mined.record()
    values = {"colour": "red", "cwd": "../../etc", "name": "a\nb"}
    text = yaml.safe_dump(mined.written | {what: values[what]}) if what in values else what
    mined.path.write_text(text)
    with pytest.raises(ToolError, match=rf"unreadable repository: .*repo\.yaml.*{message}|{message}: .*repo\.yaml"):
        mined.record()
    assert mined.path.read_text() == text


def test_summary_is_the_recipes_or_says_that_there_is_none(repo, tmp_path: Path) -> None:
    mined = Mined(repo, {**PYTHON, "inner/setup.py": ""}, tmp_path / "out")
    record = mined.record()
    assert summary(mined.store, mined.head, record).startswith("python-pytest: pyproject.toml; any Python; python -m")
    inner = record.model_copy(update={"cwd": "inner"})
    assert summary(mined.store, mined.head, inner).startswith("python-pytest: setup.py; ")
    assert summary(mined.store, mined.head, NEW) == "no recipe"


def test_summary_of_an_unknown_recipe_is_an_error_that_names_the_known(repo, tmp_path: Path) -> None:
    mined = Mined(repo, PYTHON, tmp_path / "out")
    record = mined.record().model_copy(update={"recipe": "cobol"})
    with pytest.raises(ToolError, match=r"unknown recipe: cobol\. Known recipes: python-pytest"):
        summary(mined.store, mined.head, record)


def test_sub_projects_are_folders_with_a_manifest(repo, tmp_path: Path) -> None:
    mined = Mined(repo, GO, tmp_path / "out")
    assert sub_projects(mined.store, mined.head) == {
        "services/api": ["python-pytest"], "tools": ["python-pytest"],
    }  # fmt: skip
