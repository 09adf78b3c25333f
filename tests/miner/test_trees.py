# ruff: noqa: E501
import os
import stat
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from miner.errors import ToolError
from miner.fixtures import FixtureFolder
from miner.git import create_bare
from miner.trees import missing_objects, open_bundle, write_bundle, write_files


def plain_git(*arguments: str, cwd: Path) -> str:
    env = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    env |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    done = subprocess.run(["git", *arguments], cwd=cwd, env=env, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_no_commit_of_a_bundle_has_a_parent_and_all_its_trees_are_there(unproved, tmp_path: Path) -> None:
    bundle = unproved.out / "billing" / "trees.bundle"
    plain_git("init", "--quiet", "--bare", ".", cwd=tmp_path)
    plain_git("fetch", "--quiet", str(bundle), "refs/trees/*:refs/trees/*", cwd=tmp_path)
    commits = plain_git("rev-list", "--all", "--parents", cwd=tmp_path).splitlines()
    assert commits
    assert all(len(row.split()) == 1 for row in commits)
    refs = dict(
        row.split()
        for row in plain_git("for-each-ref", "--format=%(refname:lstrip=2) %(tree)", cwd=tmp_path).split("\n")
    )
    assert refs.keys() == {record.starting_tree for record in FixtureFolder(unproved.out).records()}
    assert all(name == tree for name, tree in refs.items())
    assert plain_git("tag", cwd=tmp_path) == ""


def test_bundle_says_nothing_of_the_mined_history(unproved) -> None:
    bundle = unproved.out / "billing" / "trees.bundle"
    header = bundle.read_bytes().split(b"\n\n", 1)[0]
    assert b"refs/heads" not in header
    for record in FixtureFolder(unproved.out).records():
        assert record.base.encode() not in header
        assert record.merged.encode() not in header


def test_same_trees_give_the_same_commits_whenever_they_are_bundled(repo, borrowed, tmp_path: Path) -> None:
    repo.commit("Start", {"a.py": "x\n"})
    git, _ = borrowed(repo)
    tree = repo.git("rev-parse", "HEAD^{tree}")
    heads = []
    for name in ("one", "two"):
        write_bundle(git, [tree, tree], tmp_path / name)
        heads.append(plain_git("bundle", "list-heads", str(tmp_path / name), cwd=tmp_path))
    assert heads[0] == heads[1] != ""
    assert not list(tmp_path.glob(".*"))


def test_bundle_is_written_whatever_a_killed_git_left(repo, borrowed, tmp_path: Path) -> None:
    repo.commit("Start", {"a.py": "x\n"})
    git, _ = borrowed(repo)
    tree = repo.git("rev-parse", "HEAD^{tree}")
    for name in ("trees.bundle.lock", ".trees.bundle.tmp", ".trees.bundle.tmp.lock"):
        (tmp_path / name).write_bytes(b"torn")
    write_bundle(git, [tree], tmp_path / "trees.bundle")
    assert open_bundle(tmp_path / "trees.bundle").trees == {tree}


CONTENTS = {
    "crlf.py": b"x = 1\r\ny = 2\r\n", "lf.txt": b"a\nb\n", "mixed.bat": b"a\r\nb\n", "bare.py": b"x = 1", "empty.py": b"",
    "id.py": b"$Id$ $Format:%H$\n", "bin.dat": bytes(range(256)), "latin.py": b"# \xe9\n",
    "größe/mit leerzeichen.py": b"x\n", "new\nline.py": b"y\n", "utf16.txt": b"\xff\xfea\x00\n\x00",
}  # fmt: skip
ATTRIBUTES = b"*.py text eol=crlf ident\n*.txt text eol=crlf\n*.bat eol=lf\nid.py export-subst\nlf.txt export-ignore\nutf16.txt working-tree-encoding=UTF-16\n*.dat filter=lfs\n"


def test_checkout_gives_every_byte_mode_and_link_back(repo, borrowed, tmp_path: Path) -> None:
    # The attributes come in a second commit by a plumbing path, so that git stores the bytes as they are.
    repo.commit("Start", {**CONTENTS, "run.sh": b"#!/bin/sh\n", "tests/.gitignore": "*\n"})
    (repo.path / "run.sh").chmod(0o755)
    (repo.path / "link.py").symlink_to("lf.txt")
    (repo.path / "away").symlink_to("/etc/passwd")
    repo.commit("Modes")
    (repo.path / ".git/info").mkdir(exist_ok=True)
    (repo.path / ".git/info/attributes").write_text("* -text !eol !ident !filter !working-tree-encoding\n")
    repo.commit("Attributes", {".gitattributes": ATTRIBUTES})
    git, _ = borrowed(repo)
    write_bundle(git, [repo.git("rev-parse", "HEAD^{tree}")], tmp_path / "trees.bundle")
    store = open_bundle(tmp_path / "trees.bundle")
    (tree,) = store.trees
    folder = tmp_path / "out"
    folder.mkdir()
    store.checkout(tree, folder)
    assert {name: (folder / name).read_bytes() for name in CONTENTS} == CONTENTS
    assert (folder / ".gitattributes").read_bytes() == ATTRIBUTES
    assert stat.S_IMODE((folder / "run.sh").stat().st_mode) & 0o111 == 0o111
    assert not stat.S_IMODE((folder / "lf.txt").stat().st_mode) & 0o111
    assert (folder / "link.py").readlink() == Path("lf.txt")
    assert (folder / "away").readlink() == Path("/etc/passwd")
    assert not (folder / ".git").exists()
    written = {str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_symlink() or p.is_file()}
    assert written == store.blobs(tree).keys()


def test_checked_out_fixture_has_no_git_folder_and_is_its_starting_tree(unproved, tmp_path: Path) -> None:
    fixtures = FixtureFolder(unproved.out)
    for record in fixtures.records()[:4]:
        folder = tmp_path / record.number
        folder.mkdir()
        fixtures.task(record.id).store.checkout(record.starting_tree, folder)
        assert not list(folder.rglob(".git"))
        plain_git("init", "--quiet", "--template=", ".", cwd=folder)
        plain_git("-c", "core.autocrlf=false", "add", "--all", "--force", cwd=folder)
        assert plain_git("write-tree", cwd=folder) == record.starting_tree


def test_reading_a_path_that_a_tree_lacks_gives_none(unproved) -> None:
    fixtures = FixtureFolder(unproved.out)
    record = fixtures.records()[0]
    found = fixtures.task(record.id).store.read(record.starting_tree, ["pyproject.toml", "nothing/here.py"])
    assert found["pyproject.toml"].startswith(b"[")
    assert found["nothing/here.py"] is None


@pytest.mark.parametrize(
    "damage", [lambda data: data[:-200], lambda data: b"no bundle", lambda data: data[:-60] + bytes(40) + data[-20:]],
    ids=["cut off", "something else", "zeroed"],
)  # fmt: skip
def test_damaged_bundle_is_an_error_that_names_it(unproved, tmp_path: Path, damage) -> None:
    path = tmp_path / "trees.bundle"
    path.write_bytes(damage((unproved.out / "billing" / "trees.bundle").read_bytes()))
    with pytest.raises(ToolError, match=r"the starting trees are damaged.*trees.bundle"):
        open_bundle(path)
    with pytest.raises(ToolError, match="damaged"):  # nothing half-unpacked is taken for whole
        open_bundle(path)


@pytest.mark.parametrize("name", [".git", "..", "a/b"])
def test_bundle_with_a_tree_that_would_write_elsewhere_is_refused(repo, tmp_path: Path, name: str) -> None:
    blob = repo.commit("Start", {"a.txt": "x\n"}) and repo.git("rev-parse", "HEAD:a.txt")
    entry = b"100644 " + name.encode() + b"\0" + bytes.fromhex(blob)
    place = tmp_path / "tree"
    place.write_bytes(entry)
    tree = repo.git("hash-object", "-t", "tree", "-w", "--literally", str(place))
    commit = repo.git("commit-tree", "-m", "x", tree)
    repo.git("update-ref", f"refs/trees/{tree}", commit)
    repo.git("bundle", "create", str(tmp_path / "trees.bundle"), f"refs/trees/{tree}")
    with pytest.raises(ToolError, match=r"the starting trees are damaged"):
        open_bundle(tmp_path / "trees.bundle")


def test_missing_bundle_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match=r"cannot read the starting trees.*trees.bundle.*Harvest"):
        open_bundle(tmp_path / "trees.bundle")


@pytest.mark.parametrize(("spec", "missing"), [("", False), ("HEAD:src/deep/b.py", True), ("HEAD:src", True)])
def test_objects_that_a_tree_lacks_are_found(repo, borrowed, spec: str, missing: bool) -> None:
    repo.commit("Start", {"a.py": "x\n", "src/deep/b.py": "y\n"})
    tree = repo.git("rev-parse", "HEAD^{tree}")
    if spec:
        repo.loose(spec).unlink()
    git, _ = borrowed(repo)
    assert missing_objects(git, [tree]) is missing


def test_objects_of_an_unknown_tree_are_missing(tmp_path: Path) -> None:
    assert missing_objects(create_bare(tmp_path / "x.git"), ["1" * 40])


WRITES: dict[str, tuple[Mapping[str, bytes | None], dict[str, bytes]]] = {
    "a new file": ({"new/deep/a.py": b"1\r\n"}, {"a.py": b"1", "new/deep/a.py": b"1\r\n"}),
    "a file again": ({"a.py": b"2"}, {"a.py": b"2"}),
    "a file gone": ({"a.py": None}, {}),
    "no file gone": ({"never/was.py": None}, {"a.py": b"1"}),
    "a folder where a file was": ({"a.py/b.py": b"2"}, {"a.py/b.py": b"2"}),
}


@pytest.mark.parametrize(("files", "expected"), WRITES.values(), ids=WRITES.keys())
def test_files_are_written_and_deleted(tmp_path: Path, files, expected: dict[str, bytes]) -> None:
    (tmp_path / "a.py").write_bytes(b"1")
    write_files(tmp_path, files)
    found = {str(p.relative_to(tmp_path)): p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()}
    assert found == expected


def test_mode_of_a_file_written_again_is_kept(tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_bytes(b"1")
    (tmp_path / "run.sh").chmod(0o755)
    write_files(tmp_path, {"run.sh": b"2"})
    assert stat.S_IMODE((tmp_path / "run.sh").stat().st_mode) == 0o755


@pytest.mark.parametrize("link", ["file", "folder"])
def test_link_never_leads_a_write_outside(tmp_path: Path, link: str) -> None:
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    outside.mkdir()
    inside.mkdir()
    (outside / "a.py").write_bytes(b"untouched")
    if link == "file":
        (inside / "x").mkdir()
        (inside / "x/a.py").symlink_to(outside / "a.py")
    else:
        (inside / "x").symlink_to(outside)
    write_files(inside, {"x/a.py": b"written"})
    assert (outside / "a.py").read_bytes() == b"untouched"
    assert (inside / "x/a.py").read_bytes() == b"written"
