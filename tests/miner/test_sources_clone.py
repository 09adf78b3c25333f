"""The cached clone of a URL, with real git over file://, over HTTP on loopback and through a stand-in for ssh."""

import fcntl
import os
import shutil
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from miner.environments import Kind, entries
from miner.errors import ToolError
from miner.git import Objects
from miner.sources.clone import Cloned, cached_clone
from miner.sources.fetching import Login, Remote
from miner.sources.github.clone import clone_partly
from miner.sources.github.token import Token
from miner.sources.remote import RemoteSource
from miner.sources.urls import parse_url
from miner.trees import cache_folder
from tests.miner.clone_history import build_long_history, git
from tests.miner.conftest import Repo
from tests.miner.git_server import LOGIN, GitServer, serving_git

LIMIT = 60
AT_ONCE = (0.01, 0.01, 0.01)


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """60 changes. Copy it to change it."""
    return build_long_history(tmp_path_factory.mktemp("served") / "x.git", 60)


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def server(history: Path) -> Iterator[GitServer]:
    with serving_git(history.parent) as serving:
        yield serving


class Cloning:
    """Clones into one scratch folder after another; `said` is the progress."""

    def __init__(self, scratch: Path) -> None:
        self.scratch, self.count, self.said = scratch, 0, list[str]()

    def __call__(self, url: str, branch: str | None = None, login: Login | None = None) -> Cloned:
        self.count += 1
        remote = Remote(parse_url(url), login)
        return cached_clone(remote, branch, self.scratch / str(self.count), self.said.append, AT_ONCE)


@pytest.fixture
def clone(tmp_path: Path) -> Cloning:
    return Cloning(tmp_path / "scratch")


def kinds(cloned: Cloned) -> Counter[str]:
    """How many objects of each type are here."""
    return Counter(cloned.git.run("cat-file", "--batch-all-objects", "--batch-check=%(objecttype)").decode().split())


def kept() -> Path:
    (folder,) = (cache_folder() / "clones").iterdir()
    return folder


def blob(cloned: Cloned, spec: str) -> bytes | None:
    with Objects(cloned.git) as objects:
        return objects.read(spec)


@pytest.mark.parametrize("over", ["file", "http"])
def test_a_clone_has_the_history_and_no_contents_until_they_are_fetched(
    history: Path, server: GitServer, clone: Cloning, over: str
) -> None:
    cloned = clone(history.as_uri() if over == "file" else server.url("x.git"))
    assert cloned.head == git(history, "rev-parse", "main")
    assert (kinds(cloned)["commit"], kinds(cloned)["blob"]) == (61, 0)
    asked = len(server.answered)
    assert blob(cloned, f"{cloned.head}:pkg/m1.py") is None
    assert len(server.answered) == asked  # reading never fetches
    cloned.fetch([f"{cloned.head}^{{tree}}"])
    assert kinds(cloned)["blob"] == 50
    content = git(history, "rev-parse", f"{cloned.head}:pkg/m1.py")
    assert blob(cloned, content) is not None
    asked = len(server.answered)
    cloned.fetch([f"{cloned.head}^{{tree}}", content])
    assert len(server.answered) == asked


def test_a_process_that_reads_already_sees_what_is_fetched(history: Path, clone: Cloning) -> None:
    cloned = clone(history.as_uri())
    content = git(history, "rev-parse", f"{cloned.head}:pkg/m1.py")
    with Objects(cloned.git) as objects:
        assert objects.read(content) is None
        cloned.fetch([content])
        assert objects.read(content) == (git(history, "cat-file", "blob", content) + "\n").encode()


def test_only_what_is_new_is_fetched_the_next_time(tmp_path: Path, history: Path, clone: Cloning) -> None:
    with serving_git(tmp_path) as server:
        shutil.copytree(history, tmp_path / "y.git")
        first = clone(server.url("y.git"))
        first.fetch([f"{first.head}^{{tree}}"])
        sizes = [each.size for each in server.packs]
        server.answered.clear()
        assert clone(server.url("y.git")).head == first.head
        assert max(each.size for each in server.packs) < 1000  # refs only
        server.answered.clear()
        work = Repo(tmp_path / "work")
        subprocess.run(["git", "clone", "--quiet", tmp_path / "y.git", work.path], check=True)
        head = work.commit("More", {"pkg/m1.py": "x = 1\n"})
        work.git("push", "--quiet", "origin", "main")
        assert clone(server.url("y.git")).head == head
        assert max(each.size for each in server.packs) < max(sizes) / 5
        assert not any("objects/pack/tmp" in str(path) for path in kept().rglob("*"))


def test_branches_heads_of_pull_requests_and_tags_come_and_go(repo: Repo, tmp_path: Path, clone: Cloning) -> None:
    first = repo.commit("Start", {"a.py": "x\n"})
    for ref in ("refs/pull/1/head", "refs/merge-requests/2/head", "refs/pull-requests/3/from", "refs/tags/v1"):
        repo.git("update-ref", ref, first)
    repo.git("update-ref", "refs/pull/1/merge", first)
    repo.git("branch", "a")
    cloned = clone(repo.path.as_uri(), "a")
    refs = cloned.git.run("for-each-ref", "--format=%(refname)").decode().split()
    assert refs == ["refs/merge-requests/2/head", "refs/pull-requests/3/from", "refs/pull/1/head", "refs/tags/v1"]
    assert cloned.git.line("describe", "--tags", cloned.head) == "v1"
    repo.git("branch", "-D", "a")
    second = repo.commit("More", {"a.py": "y\n"})
    repo.git("branch", "a/b")
    repo.git("update-ref", "-d", "refs/tags/v1")
    repo.git("update-ref", "refs/tags/v1/2", second)
    repo.git("checkout", "--quiet", "--detach", first)
    assert clone(repo.path.as_uri(), "a/b").head == second
    cloned = clone(repo.path.as_uri())
    assert cloned.head == first  # what HEAD is, of a branch or not
    assert "refs/tags/v1/2" in cloned.git.run("for-each-ref", "--format=%(refname)").decode().split()


@pytest.mark.parametrize("kind", ["cannot filter", "old protocol", "plain files"])
def test_a_server_that_cannot_leave_out_contents_gives_all_of_them(
    tmp_path: Path, clone: Cloning, kind: str
) -> None:
    source = build_long_history(tmp_path / "served/x.git", 20, allow_filter=kind != "cannot filter")
    git(source, "update-server-info")
    with serving_git(source.parent) as server:
        server.does.old, server.does.plain = kind == "old protocol", kind == "plain files"
        cloned = clone(server.url("x.git"))
        cloned.fetch([f"{cloned.head}^{{tree}}", git(source, "rev-parse", "main~5:pkg/m1.py")])
        assert blob(cloned, f"{cloned.head}:pkg/m1.py") is not None
        assert kinds(cloned)["blob"] == 90  # two of each change, and those that were there at first
    said = {"cannot filter": ["cannot leave out"], "old protocol": ["gives no single files"], "plain files": []}
    for each in said[kind]:
        assert any(each in line for line in clone.said)


def test_a_lost_connection_is_tried_again(server: GitServer, clone: Cloning) -> None:
    server.does.drops = 2
    cloned = clone(server.url("x.git"))
    assert sum("was lost: trying again" in line for line in clone.said) == 2
    server.does.drops = 1
    cloned.fetch([f"{cloned.head}^{{tree}}"])
    assert kinds(cloned)["blob"] == 50


def test_a_connection_that_is_lost_every_time_is_one_error(server: GitServer, clone: Cloning) -> None:
    server.does.drops = 1000
    with pytest.raises(ToolError, match="the connection is lost again and again"):
        clone(server.url("x.git"))
    assert server.does.drops == 1000 - 4
    server.does.drops = 0
    assert clone(server.url("x.git")).head  # what was left stands in nobody's way


@pytest.mark.parametrize("left", ["packed-refs.lock", "refs/targets/x.lock", "objects/pack/tmp_pack_x", "config.lock"])
def test_what_a_killed_git_left_is_cleared_away(history: Path, clone: Cloning, left: str) -> None:
    clone(history.as_uri())
    (kept() / left).parent.mkdir(parents=True, exist_ok=True)
    (kept() / left).write_text("")
    work = clone(history.as_uri())
    work.fetch([f"{work.head}^{{tree}}"])
    assert not (kept() / left).exists()


@pytest.mark.parametrize("damage", ["*.idx", "*.pack", "../../packed-refs"])
def test_a_damaged_clone_heals_or_says_what_to_do(history: Path, clone: Cloning, damage: str) -> None:
    clone(history.as_uri())
    (path,) = (kept() / "objects/pack").glob(damage)
    path.chmod(0o600)
    path.write_bytes(path.read_bytes()[:30])
    try:
        assert clone(history.as_uri()).head == git(history, "rev-parse", "main")
    except ToolError as error:
        if "in the cache" not in str(error):
            raise
        shutil.rmtree(kept())
        assert clone(history.as_uri()).head == git(history, "rev-parse", "main")


def test_one_fetch_at_a_time(history: Path, clone: Cloning) -> None:
    clone(history.as_uri())
    with (kept() / "fetching").open("rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        heads: list[str] = []
        thread = threading.Thread(target=lambda: heads.append(clone(history.as_uri()).head))
        waited = threading.Event()
        clone.said.clear()
        clone.said = Listening(waited)
        thread.start()
        assert waited.wait(LIMIT)
        assert heads == []
    thread.join(LIMIT)
    assert heads == [git(history, "rev-parse", "main")]


class Listening(list[str]):
    """A progress that tells when another fetch is waited for."""

    def __init__(self, waited: threading.Event) -> None:
        super().__init__()
        self.waited = waited

    def append(self, line: str) -> None:
        super().append(line)
        if "waiting for another fetch" in line:
            self.waited.set()


def test_what_the_server_lacks_is_missing_and_asked_for_once(tmp_path: Path, clone: Cloning) -> None:
    source = build_long_history(tmp_path / "served/x.git", 5)
    gone = [git(source, "rev-parse", f"main:pkg/m{place}.py") for place in (1, 3)]
    unpack(source)
    for each in gone:
        (source / "objects" / each[:2] / each[2:]).unlink()
    with serving_git(source.parent) as server:
        cloned = clone(server.url("x.git"))
        cloned.fetch([f"{cloned.head}^{{tree}}", "1" * 40])
        assert kinds(cloned)["blob"] == 48
        assert [blob(cloned, each) for each in gone] == [None, None]
        asked = len(server.answered)
        cloned.fetch([*gone, "1" * 40])
        assert len(server.answered) == asked


def unpack(repository: Path) -> None:
    """A loose file for every object."""
    packs = list((repository / "objects/pack").glob("pack-*"))
    for pack in packs:
        shutil.move(pack, repository / pack.name)
    for pack in repository.glob("pack-*.pack"):
        subprocess.run(["git", "unpack-objects", "-q"], cwd=repository, stdin=pack.open("rb"), check=True)


@pytest.mark.parametrize(
    ("kind", "what"),
    [
        ("no host", "no such host"), ("no answer", "the host does not answer"), ("404", "no git repository there"),
        ("page", "the repository has no commit"), ("private", "it is private, or not there"),
        ("no folder", "no git repository there"), ("plain folder", "no git repository there"),
        ("empty", "the repository has no commit"), ("no branch", "no such branch"),
        ("sha256", "its object ids are of another kind"), ("moved with a login", "it is at another address"),
        ("full of nonsense", "no git repository there"),
    ],
)  # fmt: skip
def test_each_thing_that_is_wrong_is_one_error(
    tmp_path: Path, server: GitServer, clone: Cloning, kind: str, what: str
) -> None:
    url, branch, login = server.url("x.git"), None, None
    if kind == "no host":
        url = "https://no-such-host.invalid/x.git"
    elif kind == "no answer":
        with serving_git(tmp_path) as closed:
            url = closed.url("x.git")
    elif kind == "404":
        url = server.url("none.git")
    elif kind in ("page", "full of nonsense"):
        server.does.page = "<html>Hello</html>" if kind == "page" else "001e# service=git-upload-pack\nxxxx"
    elif kind == "private":
        server.does.private = True
    elif kind == "no branch":
        branch = "no/such"
    elif kind == "moved with a login":
        server.does.moved["/old.git"] = "/x.git"
        url, login = server.url("old.git"), Login("ann", "x")
    else:
        url = (tmp_path / "folder").as_uri()
        if kind == "plain folder":
            (tmp_path / "folder").mkdir()
        elif kind in ("empty", "sha256"):
            Repo(tmp_path).git("init", "--quiet", f"--object-format={'sha1' if kind == 'empty' else kind}", "folder")
        if kind == "sha256":
            Repo(tmp_path / "folder").commit("Start", {"a.py": "x\n"})
    with pytest.raises(ToolError, match=what) as caught:
        clone(url, branch, login)
    assert "\n" not in str(caught.value)
    assert url in str(caught.value)


def test_a_repository_that_moved_is_followed(server: GitServer, clone: Cloning) -> None:
    server.does.moved["/old.git"] = "/x.git"
    assert clone(server.url("old.git")).head


def test_a_login_opens_and_is_nowhere_on_disk(server: GitServer, clone: Cloning) -> None:
    server.does.private = True
    cloned = clone(server.url("x.git"), login=Login(*LOGIN))
    cloned.fetch([f"{cloned.head}^{{tree}}"])
    assert kinds(cloned)["blob"] == 50
    assert LOGIN[1] not in repr(Login(*LOGIN))
    with pytest.raises(ToolError, match="private"):
        clone(server.url("x.git"), login=Login(LOGIN[0], "wrong"))
    with pytest.raises(ToolError, match="private"):
        clone(server.url("x.git"))  # what is in the cache is for those who are let in
    for path in (each for each in kept().rglob("*") if each.is_file()):
        assert LOGIN[1].encode() not in path.read_bytes()


def test_a_token_of_github_opens(server: GitServer, tmp_path: Path) -> None:
    server.does.private, server.does.login = True, ("x-access-token", LOGIN[1])
    cloned = clone_partly(server.url("x.git"), "main", Token(LOGIN[1], "GITHUB_TOKEN"), tmp_path, lambda _: None)
    assert (kinds(cloned)["commit"], kinds(cloned)["blob"]) == (61, 0)
    with pytest.raises(ToolError, match="private"):
        clone_partly(server.url("x.git"), "main", None, tmp_path, lambda _: None)


def test_what_gits_helpers_know_is_used(
    server: GitServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.does.private = True
    source = RemoteSource(parse_url(server.url("x.git")), waits=AT_ONCE)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    with pytest.raises(ToolError, match="private"):
        source.open(tmp_path / "first", lambda _: None)
    (tmp_path / ".gitconfig").write_text(
        f'[credential]\n\thelper = "!f() {{ echo username={LOGIN[0]}; echo password={LOGIN[1]}; }}; f"\n'
    )
    opened = source.open(tmp_path / "second", lambda _: None)
    assert len(list(opened.changes)) == 60


def test_ssh_is_asked_without_a_prompt(
    history: Path, tmp_path: Path, clone: Cloning, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "bin/ssh"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" >> {tmp_path}/said\nfor last; do :; done\nexec sh -c "$last"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    assert clone(f"git@host.example:{history}").head
    said = (tmp_path / "said").read_text().splitlines()
    assert said[0] == "-oBatchMode=yes"
    assert f"git-upload-pack '{history}'" in said
    program.write_text('#!/bin/sh\necho "git@host.example: Permission denied (publickey)." >&2\nexit 255\n')
    with pytest.raises(ToolError, match="ssh was not let in"):
        clone(f"ssh://git@host.example{history}")


def test_a_clone_is_listed_and_pruned_unless_it_is_held(history: Path, clone: Cloning) -> None:
    clone(history.as_uri())
    (entry,) = [each for each in entries() if each.kind is Kind.CLONES]
    assert entry.path.resolve() == kept().resolve()
    assert kept().stat().st_mode & 0o777 == 0o700
    command = (
        "import sys; from miner.environments import entries; from miner.prune import prune; "
        "print([each.kept for each in prune(entries(), entries())])"
    )
    done = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['in use by a running command']"
    assert kept().is_dir()
