"""Trees are named as git's index would name them, without a process; names that git refuses are refused."""

import subprocess

import pytest

from miner.git import Git, Objects
from miner.tree_objects import Entry, Trees, UnreadableTree, parse_tree, tree_id

START = {
    "a.py": "1\n", "sub/b.py": "2\n", "sub/deep/c.py": "3\n", "sub.py": "4\n", "sub-x/d.py": "5\n", "only/e.py": "6\n",
}  # fmt: skip
EDITS: dict[str, dict[str, str | None]] = {
    "nothing": {},
    "a file at the top": {"a.py": "x\n"},
    "a file deep inside": {"sub/deep/c.py": "x\n"},
    "several at several levels": {"a.py": "x\n", "sub/b.py": "y\n", "sub/deep/c.py": "z\n"},
    "a new file": {"sub/new.py": "x\n"},
    "new folders": {"n/e/w.py": "x\n", "sub/deep/er/x.py": "y\n"},
    "a file goes": {"sub/b.py": None},
    "a folder goes with its last file": {"only/e.py": None},
    "folders go with their last file": {"sub/deep/c.py": None, "sub/b.py": None},
    "a folder becomes a file": {"only/e.py": None, "only": "x\n"},
    "a file becomes a folder": {"a.py": None, "a.py/b.py": "x\n"},
    "a file moves": {"a.py": None, "sub/deep/a.py": "1\n"},
    "everything goes": dict.fromkeys(START),
    "names that sort about the slash": {"sub!": "x\n", "sub0": "y\n", "sub.d/x": "z\n"},
    "a name of several bytes": {"größe/日本.py": "x\n"},
}  # fmt: skip


def sides(repo) -> tuple[str, str]:
    return repo.git("rev-parse", "HEAD~1^{tree}"), repo.git("rev-parse", "HEAD^{tree}")


def entry(repo, path: str) -> Entry:
    mode, _, blob = repo.git("ls-tree", "-z", "HEAD", "--", f":(literal){path}").split("\t")[0].split(" ")
    return Entry(mode, blob)


@pytest.mark.parametrize("edits", EDITS.values(), ids=EDITS.keys())
def test_edited_tree_has_the_id_that_git_gives_it(repo, edits: dict[str, str | None]) -> None:
    repo.commit("before", START)
    repo.write({path: None for path, text in edits.items() if text is None})
    for folder in sorted((p for p in repo.path.rglob("*") if p.is_dir() and ".git" not in p.parts), reverse=True):
        if not any(folder.iterdir()):
            folder.rmdir()
    repo.commit("after", {path: text for path, text in edits.items() if text is not None})
    before, after = sides(repo)
    with Objects(Git(repo.path / ".git")) as objects:
        wanted = {path: None if text is None else entry(repo, path) for path, text in edits.items()}
        assert Trees(objects.read).edited(before, wanted) == after


def test_modes_and_links_of_the_tree_are_kept(repo) -> None:
    repo.write({"run.sh": "x\n", "a.py": "1\n"})
    (repo.path / "run.sh").chmod(0o755)
    (repo.path / "link").symlink_to("a.py")
    repo.commit("before")
    repo.commit("after", {"a.py": "2\n"})
    before, after = sides(repo)
    with Objects(Git(repo.path / ".git")) as objects:
        assert Trees(objects.read).edited(before, {"a.py": entry(repo, "a.py")}) == after


def test_tree_of_a_sha256_repository(new_repo, tmp_path) -> None:
    repo = new_repo("sha")
    (repo.path / ".git").rename(tmp_path / "unused")
    repo.git("init", "--quiet", "--template=", "--initial-branch=main", "--object-format=sha256")
    repo.commit("before", START)
    repo.commit("after", {"sub/b.py": "x\n"})
    before, after = sides(repo)
    with Objects(Git(repo.path / ".git")) as objects:
        assert Trees(objects.read).edited(before, {"sub/b.py": entry(repo, "sub/b.py")}) == after


def written(repo, *entries: tuple[str, bytes, str]) -> str:
    """A tree of any entries, as no git of today would write it."""
    content = b"".join(mode.encode() + b" " + name + b"\0" + bytes.fromhex(oid) for mode, name, oid in entries)
    command = ["git", "hash-object", "-t", "tree", "-w", "--literally", "--stdin"]
    done = subprocess.run(command, cwd=repo.path, input=content, capture_output=True, check=True)
    return done.stdout.decode().strip()


def test_old_modes_are_written_as_the_index_writes_them(repo) -> None:
    repo.commit("before", {"a.py": "1\n", "b.py": "2\n", "sub/c.py": "3\n"})
    blob, other, folder = (repo.git("rev-parse", f"HEAD:{path}") for path in ("a.py", "b.py", "sub"))
    rows = [("100664", b"a.py", blob), ("100644", b"b.py", other), ("040000", b"none", written(repo))]
    old = written(repo, *rows, ("040000", b"sub", folder))
    repo.git("read-tree", old)
    repo.git("update-index", "--cacheinfo", f"100644,{other},a.py")
    with Objects(Git(repo.path / ".git")) as objects:
        assert Trees(objects.read).edited(old, {"a.py": Entry("100644", other)}) == repo.git("write-tree")


REFUSED = [
    ("40000", b".git"), ("100644", b".GIT"), ("40000", b".."), ("40000", b"."), ("100644", b"a/b"),
    ("120000", b".gitmodules"),
]  # fmt: skip


@pytest.mark.parametrize(("mode", "name"), REFUSED, ids=[f"{mode} {name.decode()}" for mode, name in REFUSED])
@pytest.mark.parametrize("depth", [0, 2])
def test_name_that_git_refuses_is_refused_wherever_it_is(repo, mode: str, name: bytes, depth: int) -> None:
    repo.commit("before", {"a.py": "1\n", "sub/b.py": "2\n"})
    tree = written(repo, (mode, name, repo.git("rev-parse", "HEAD:sub" if mode == "40000" else "HEAD:a.py")))
    for _ in range(depth):
        tree = written(repo, ("40000", b"inner", tree))
    with Objects(Git(repo.path / ".git")) as objects:
        trees = Trees(objects.read)
        trees.check(repo.git("rev-parse", "HEAD^{tree}"))
        for _ in range(2):  # what was refused once is no better the next time
            with pytest.raises(UnreadableTree, match="has an entry named"):
                trees.check(tree)


def test_absent_folder_is_told(repo) -> None:
    repo.commit("before", START)
    repo.loose("HEAD:sub/deep").unlink()
    with Objects(Git(repo.path / ".git")) as objects, pytest.raises(UnreadableTree, match="is absent"):
        Trees(objects.read).check(repo.git("rev-parse", "HEAD^{tree}"))


def test_tree_read_and_named_again_is_itself(repo) -> None:
    repo.commit("before", START)
    git = Git(repo.path / ".git")
    with Objects(git) as objects:
        tree = repo.git("rev-parse", "HEAD^{tree}")
        assert tree_id(parse_tree(objects.read(tree), 20), 20) == tree
