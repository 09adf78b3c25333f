# ruff: noqa: E501
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from miner.errors import ToolError
from miner.git import Git, GitFailed, Objects, borrow, create_bare, git_environment
from miner.sources.log import read_commits
from miner.sources.subjects import merged_changes


def test_environment_holds_nothing_of_the_callers_git_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", "/elsewhere")
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", "/bin/false")
    monkeypatch.setenv("GIT_CONFIG_PARAMETERS", "'core.pager=x'")
    env = git_environment()
    assert not {"GIT_DIR", "GIT_EXTERNAL_DIFF", "GIT_CONFIG_PARAMETERS"} & env.keys()
    assert env["GIT_CONFIG_GLOBAL"] == os.devnull


def test_callers_git_variables_mislead_no_command(
    repo, borrowed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = repo.commit("Start", {"a.py": "x\n"})
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "nowhere"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "index"))
    assert borrowed(repo)[1] == head


@pytest.mark.parametrize("kind", ["plain", "bare", "worktree", "borrowing", "packed", "detached"])
def test_head_and_objects_of_any_kind_of_clone_are_reached(repo, new_repo, tmp_path: Path, kind: str) -> None:
    head = repo.commit("Start", {"a.py": "x = 1\n"})
    place = tmp_path / "other"
    if kind == "bare":
        repo.git("clone", "--quiet", "--bare", str(repo.path), str(place))
    elif kind == "worktree":
        repo.git("worktree", "add", "--quiet", "--detach", str(place))
    elif kind == "borrowing":
        repo.git("clone", "--quiet", "--shared", str(repo.path), str(place))
    else:
        place = repo.path
        if kind == "packed":
            repo.git("repack", "-a", "-d", "--quiet")
            repo.git("pack-refs", "--all")
        elif kind == "detached":
            repo.git("checkout", "--quiet", "--detach")
    git, found = borrow(place, tmp_path / "ours.git")
    assert found == head
    assert git.run("show", f"{head}:a.py") == b"x = 1\n"


def test_tags_are_there_for_describing(repo, borrowed) -> None:
    repo.commit("Start", {"a.py": "x\n"})
    repo.git("tag", "v1.2")
    repo.git("tag", "-a", "-m", "annotated", "v1.3")
    repo.commit("More", {"a.py": "y\n"})
    git, head = borrowed(repo)
    assert git.line("describe", "--tags", "--abbrev=0", head) in ("v1.2", "v1.3")


def test_repository_of_sha256_objects_is_read(tmp_path: Path, new_repo) -> None:
    repo = new_repo("sha")
    (repo.path / ".git").rename(tmp_path / "unused")
    repo.git("init", "--quiet", "--template=", "--initial-branch=main", "--object-format=sha256")
    repo.commit("Start", {"a.py": "x\n"})
    repo.commit("Change (#2)", {"a.py": "y\n"})
    git, head = borrow(repo.path, tmp_path / "ours.git")
    assert len(head) == 64
    (change,) = merged_changes(read_commits(git, head))
    with Objects(git) as objects:
        assert objects.read(change.files[0].new_blob) == b"y\n"


@pytest.mark.parametrize("kind", ["missing", "empty folder", "file", "folder inside"])
def test_what_is_no_repository_is_an_expected_error(repo, tmp_path: Path, kind: str) -> None:
    repo.commit("Start", {"sub/a.py": "x\n"})
    place = {"missing": tmp_path / "nothing", "empty folder": tmp_path / "empty", "file": repo.path / "sub/a.py",
             "folder inside": repo.path / "sub"}[kind]  # fmt: skip
    if kind == "empty folder":
        place.mkdir()
    with pytest.raises(ToolError, match="repository"):
        borrow(place, tmp_path / "ours.git")


def test_repository_without_a_commit_is_an_expected_error(repo, tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="no commit"):
        borrow(repo.path, tmp_path / "ours.git")


def test_nothing_of_a_hostile_configuration_is_run(repo, borrowed, tmp_path: Path) -> None:
    trap = tmp_path / "trap"
    hook = tmp_path / "hook.sh"
    hook.write_text(f"#!/bin/sh\necho x >> '{trap}'\ncat\n")
    hook.chmod(0o755)
    (repo.path / ".git/info").mkdir(exist_ok=True)
    repo.commit("Start", {"a.py": "x\n", ".gitattributes": "*.py diff=evil filter=evil\n"})
    repo.commit("Change (#2)", {"a.py": "y\n"})
    for key in ("core.fsmonitor", "diff.external", "diff.evil.textconv", "diff.evil.command", "filter.evil.smudge",
                "core.pager", "core.sshCommand", "uploadpack.packObjectsHook", "core.alternateRefsCommand"):  # fmt: skip
        repo.git("config", key, str(hook))
    (repo.path / ".git/hooks").mkdir(exist_ok=True)
    for name in ("post-checkout", "post-index-change", "reference-transaction"):
        (repo.path / ".git/hooks" / name).write_text(hook.read_text())
        (repo.path / ".git/hooks" / name).chmod(0o755)
    git, head = borrowed(repo)
    list(merged_changes(read_commits(git, head)))
    git.run("diff-tree", "-p", f"{head}^", head)
    with git.index(head) as index:
        (tmp_path / "out").mkdir()
        git.run("checkout-index", "--all", env=index | {"GIT_WORK_TREE": str(tmp_path / "out")})
    assert (tmp_path / "out/a.py").read_bytes() == b"y\n"
    assert not trap.exists()


def test_replaced_objects_are_read_as_they_were_committed(repo, borrowed) -> None:
    repo.commit("Start", {"a.py": "true\n", "b.py": "false\n"})
    repo.git("replace", repo.git("rev-parse", "HEAD:a.py"), repo.git("rev-parse", "HEAD:b.py"))
    git, head = borrowed(repo)
    assert git.run("cat-file", "-p", f"{head}:a.py") == b"true\n"


def test_objects_are_read_by_any_name_and_missing_ones_are_none(repo, borrowed) -> None:
    head = repo.commit("Start", {"a.py": b"x\r\n\0", "empty": b""})
    git, _ = borrowed(repo)
    with Objects(git) as objects:
        assert objects.read(f"{head}:a.py") == b"x\r\n\0"
        assert objects.read(f"{head}:empty") == b""
        assert objects.read("1" * 40) is None
        assert objects.read(f"{head}:nothing") is None
        assert objects.resolve(f"{head}^{{tree}}") == repo.git("rev-parse", "HEAD^{tree}")
        assert objects.resolve("1" * 40) is None
        assert objects.read(f"{head}:a.py") == b"x\r\n\0"  # still in step after the missing ones


def test_objects_may_be_read_from_many_threads(repo, borrowed) -> None:
    files = {f"f{n}": b"%d\n" % n * (n + 1) for n in range(60)}
    head = repo.commit("Start", files)
    git, _ = borrowed(repo)
    with Objects(git) as objects, ThreadPoolExecutor(8) as workers:
        assert list(workers.map(lambda name: objects.read(f"{head}:{name}"), files)) == list(files.values())


def test_failing_command_raises_with_what_git_said(tmp_path: Path) -> None:
    git = create_bare(tmp_path / "x.git")
    with pytest.raises(GitFailed, match="nothing"):
        git.run("rev-parse", "--verify", "nothing")


def test_remote_protocols_are_refused(tmp_path: Path) -> None:
    git = create_bare(tmp_path / "x.git")
    for url in ("https://127.0.0.1:1/x", "ext::sh -c true", "ssh://127.0.0.1/x", "git://127.0.0.1/x"):
        with pytest.raises(GitFailed, match="not allowed"):
            git.run("fetch", url)


def test_private_index_leaves_nothing_behind(repo, borrowed) -> None:
    head = repo.commit("Start", {"a.py": "x\n"})
    git, _ = borrowed(repo)
    with git.index(head) as index:
        path = Path(index["GIT_INDEX_FILE"])
        assert path.exists()
        assert git.line("write-tree", env=index) == repo.git("rev-parse", "HEAD^{tree}")
    assert not path.parent.exists()
    assert not (git.directory / "index").exists()


def test_git_is_the_directory_it_runs_on(tmp_path: Path) -> None:
    assert Git(tmp_path).command(["log"]) == ["git", f"--git-dir={tmp_path}", "log"]
