import hashlib
from pathlib import Path

import pytest

from miner.fixtures import FixtureFolder
from miner.freeze import freeze, measure
from miner.frozen import apply_patches
from miner.git import Git
from miner.mined import mined
from miner.screen import split
from miner.sources.log import read_commits
from miner.sources.subjects import merged_changes
from miner.tokens import count_tokens
from miner.trees import TreeStore


def blob_id(content: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


def frozen_head(repo, borrowed):
    """The newest change of a repository, frozen, and the store to look at its trees with."""
    git, head = borrowed(repo)
    change = next(iter(merged_changes(read_commits(git, head))))
    with mined(git) as readers:
        frozen = freeze(change, split(change), readers)
    if frozen is not None:  # named only so far: git's own applying must give the same, and write it
        patches = [frozen.change_patch, frozen.tests_patch]
        assert apply_patches(git, frozen.starting_tree, patches) == frozen.solved_tree
    return TreeStore(git), change, frozen


def test_every_kept_fixture_rebuilds_its_solved_tree_from_its_patches(unproved) -> None:
    folder = FixtureFolder(unproved.out)
    records = folder.records()
    assert len(records) == sum(line.fixture is not None for line in unproved.lines) > 20
    for record in records:
        task = folder.task(record.id)
        patched = task.store.patched(record.starting_tree, [task.tests_patch, task.change_patch])
        assert patched == record.solved_tree != record.starting_tree
        assert task.solved_tree == record.solved_tree


def test_every_kept_fixture_starts_from_the_tree_of_its_base(unproved, demonstration: Path) -> None:
    git = Git(demonstration / ".git")
    for record in FixtureFolder(unproved.out).records():
        assert record.starting_tree == git.line("rev-parse", f"{record.base}^{{tree}}")


def test_patches_of_every_fixture_touch_only_files_of_their_role(unproved) -> None:
    folder = FixtureFolder(unproved.out)
    for record in folder.records():
        task = folder.task(record.id)
        assert set(task.allowed) <= set(record.source_files)
        assert all(task.allowed.values())
        for path in record.dropped_files:
            assert path.encode() not in task.change_patch + task.tests_patch


def test_motivating_change_allows_one_method(unproved) -> None:
    (record,) = [r for r in FixtureFolder(unproved.out).records() if r.number == "149"]
    assert record.allowed == {"src/billing/settlement.py": ["SettlementClient.post"]}


ODD = {
    "crlf.py": b"x = 1\r\ny = 2\r\n", "mixed.py": b"x = 1\r\ny = 2\n", "bare.py": b"x = 1\ny = 2",
    "empty.py": b"", "latin.py": b"# \xe9\nx = 1\n", "bom.py": b"\xef\xbb\xbfx = 1\n", "tabs.py": b"if 1:\n\tx = 1 \n",
    "form.py": b"x = 1\n\x0c\ny = 2\n", "cr.py": b"x = 1\ry = 2\n",
}  # fmt: skip
EDITS = {
    "line endings and a line": {"src/crlf.py": b"x = 1\r\ny = 3\r\n"},
    "line endings alone": {"src/crlf.py": b"x = 1\ny = 2\n"},
    "mixed line endings": {"src/mixed.py": b"x = 1\ny = 2\r\n"},
    "no final newline stays": {"src/bare.py": b"x = 1\ny = 3"},
    "final newline comes": {"src/bare.py": b"x = 1\ny = 2\n"},
    "final newline goes": {"src/crlf.py": b"x = 1\r\ny = 2"},
    "empty becomes full": {"src/empty.py": b"x = 1\n"},
    "full becomes empty": {"src/crlf.py": b""},
    "empty file appears": {"src/new.py": b"", "src/crlf.py": b"x = 2\r\n"},
    "bytes that are no UTF-8": {"src/latin.py": b"# \xe8\nx = 2\n"},
    "byte order mark goes": {"src/bom.py": b"x = 1\n"},
    "white space at the end": {"src/tabs.py": b"if 1:\n\tx = 1\n"},
    "form feeds": {"src/form.py": b"x = 1\n\x0c\ny = 3\n"},
    "carriage returns": {"src/cr.py": b"x = 1\rz = 2\n"},
    "a file goes": {"src/cr.py": None, "src/crlf.py": b"x = 2\r\n"},
    "odd names": {"src/größe und\nzeile.py": b"x = 1\n", 'src/"quoted"\t.py': b"y = 1\n"},
    "binary test data": {"src/crlf.py": b"x = 2\r\n", "tests/a.png": bytes(range(256))},
    "a folder where a file was": {"src/cr.py": None, "src/cr.py/a.py": b"x = 1\n"},
    "a pathspec as a name": {"src/*.py": b"x = 1\n"},
}  # fmt: skip


@pytest.mark.parametrize("files", EDITS.values(), ids=EDITS.keys())
def test_patches_rebuild_the_merged_bytes(repo, borrowed, files: dict[str, bytes | None]) -> None:
    repo.commit(
        "Start", {f"src/{name}": content for name, content in ODD.items()} | {"tests/test_a.py": "1\n"}
    )
    repo.commit("Change (#2)", {**files, "tests/test_a.py": "2\n"})
    store, _, frozen = frozen_head(repo, borrowed)
    assert frozen is not None
    solved = {path: meta[1] for path, meta in store.blobs(frozen.solved_tree).items()}
    for path, content in files.items():
        assert solved.get(path) == (None if content is None else blob_id(content))
    assert solved["tests/test_a.py"] == blob_id(b"2\n")


def test_other_files_are_in_no_patch_and_stay_as_they_were(repo, borrowed) -> None:
    repo.commit("Start", {"a.py": "x = 1\n", "README.md": "one\n", "tests/test_a.py": "1\n"})
    repo.commit("Change (#2)", {"a.py": "x = 2\n", "README.md": "two\n", "tests/test_a.py": "2\n"})
    store, _change, frozen = frozen_head(repo, borrowed)
    assert frozen.starting_tree == repo.git("rev-parse", "HEAD~1^{tree}")
    assert store.blobs(frozen.solved_tree)["README.md"][1] == blob_id(b"one\n")
    assert b"README" not in frozen.change_patch + frozen.tests_patch
    assert b"test_a" not in frozen.change_patch
    assert b"a/a.py" not in frozen.tests_patch


def test_rename_is_rebuilt_and_both_names_are_allowed(repo, borrowed) -> None:
    repo.commit("Start", {"old.py": "def f():\n    pass\n" * 5, "b.py": "x = 1\n", "tests/test_a.py": "1\n"})
    (repo.path / "old.py").rename(repo.path / "new.py")
    repo.commit("Change (#2)", {"b.py": "x = 2\n", "tests/test_a.py": "2\n"})
    store, _, frozen = frozen_head(repo, borrowed)
    assert set(store.blobs(frozen.solved_tree)) == {"new.py", "b.py", "tests/test_a.py"}
    assert frozen.allowed == {"b.py": ["x"], "new.py": ["f"], "old.py": ["f", "f#2", "f#3", "f#4", "f#5"]}


def test_executable_bit_of_the_change_is_rebuilt(repo, borrowed) -> None:
    repo.commit("Start", {"run.py": "x = 1\n", "tests/test_a.py": "1\n"})
    (repo.path / "run.py").chmod(0o755)
    repo.commit("Change (#2)", {"run.py": "x = 2\n", "tests/test_a.py": "2\n"})
    store, _, frozen = frozen_head(repo, borrowed)
    assert store.blobs(frozen.solved_tree)["run.py"] == ("100755", blob_id(b"x = 2\n"))


def test_gitattributes_of_the_project_change_no_patch(repo, borrowed) -> None:
    repo.commit(
        "Start", {"a.py": "x = 1\n", "tests/test_a.py": "1\n", ".gitattributes": "*.py binary -diff\n"}
    )
    repo.commit("Change (#2)", {"a.py": "x = 2\n", "tests/test_a.py": "2\n"})
    _, _, frozen = frozen_head(repo, borrowed)
    assert b"+x = 2\n" in frozen.change_patch


def test_patch_that_does_not_fit_gives_no_tree(repo, borrowed) -> None:
    repo.commit("Start", {"a.py": "x = 1\n"})
    git, head = borrowed(repo)
    patch = b"diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-y = 1\n+y = 2\n"
    assert apply_patches(git, f"{head}^{{tree}}", [patch]) is None
    assert apply_patches(git, f"{head}^{{tree}}", [b""]) == repo.git("rev-parse", "HEAD^{tree}")


SIZES = [
    ("one line of ten", {"a.py": "x\n" * 9 + "y\n"}, 0.1, 2),
    ("half of the lines", {"a.py": "x\n" * 5 + "y\n" * 5}, 0.5, 10),
    ("all lines", {"a.py": "y\n" * 10}, 1.0, 20),
    ("doubled", {"a.py": "x\n" * 10 + "y\n" * 10}, 0.5, 10),
    ("a new file is not large", {"new.py": "y\n" * 10}, 0.0, 10),
    ("a deleted file is not large", {"b.py": None, "a.py": "x\n" * 9 + "y\n"}, 0.1, None),
]  # fmt: skip


@pytest.mark.parametrize(
    ("files", "fraction", "lines"), [row[1:] for row in SIZES], ids=[row[0] for row in SIZES]
)
def test_size_of_a_change(repo, borrowed, files, fraction: float, lines: int | None) -> None:
    repo.commit("Start", {"a.py": "x\n" * 10, "b.py": "z\n" * 3, "tests/test_a.py": "1\n"})
    repo.commit("Change (#2)", {**files, "tests/test_a.py": "2\n" * 99})
    git, head = borrowed(repo)
    change = next(iter(merged_changes(read_commits(git, head))))
    with mined(git) as readers:
        size = measure(change, split(change), readers)
    assert size.change_fraction == fraction
    assert lines is None or size.changed_lines == lines


def test_no_reply_rewrites_a_binary_file(repo, borrowed) -> None:
    repo.commit("Start", {"a.py": "x\n", "logo.png": b"\0one"})
    repo.commit("Change (#2)", {"a.py": "y\n", "logo.png": b"\0two" * 1000})
    git, head = borrowed(repo)
    change = next(iter(merged_changes(read_commits(git, head))))
    with mined(git) as readers:
        assert measure(change, split(change), readers).rewrite_tokens == count_tokens("y\n")


def test_rewrite_tokens_count_the_whole_new_text_of_changed_source_files(unproved) -> None:
    folder = FixtureFolder(unproved.out)
    for record in folder.records()[:5]:
        after = folder.task(record.id).after
        expected = sum(count_tokens(content.decode()) for content in after.values() if content is not None)
        assert record.rewrite_tokens == expected
