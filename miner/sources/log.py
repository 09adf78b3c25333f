"""Commits, read from one `git log`: the first-parent chain with its files, or whole histories without."""

from collections.abc import Collection, Generator, Iterable, Iterator
from contextlib import suppress

from miner.git import Git, GitFailed
from miner.sources.model import Commit, FileChange

_FIELDS = 8
_FORMAT = "%x01%H%x00%P%x00%T%x00%an%x00%ae%x00%aI%x00%cI%x00%B%x00"


def read_commits(git: Git, head: str) -> Iterator[Commit]:
    """The commits of `head`'s first-parent chain, newest first, streamed from one `git log`."""
    files = ("--first-parent", "-m", "--raw", "--no-abbrev", "--find-renames=100%", "--no-textconv", "--no-ext-diff")
    return _read(git, *files, "--end-of-options", head, "--")


def read_descriptions(git: Git, head: str) -> Generator[Commit, None, None]:
    """Every commit reachable from `head`, without files, about newest first, streamed from one `git log`."""
    return _read(git, "--end-of-options", head, "--")


def read_beside(git: Git, heads: Collection[str], head: str) -> Iterator[Commit]:
    """The commits reachable from `heads` and not from `head`, without files; heads that are missing are passed over."""
    return _read(git, "--ignore-missing", "--stdin", stdin="".join(f"{each}\n" for each in [*heads, f"^{head}"]))


def _read(git: Git, *options: str, stdin: str = "") -> Generator[Commit, None, None]:
    log = git.stream("log", "-z", "--no-show-signature", f"--format={_FORMAT}", *options)
    assert log.stdout is not None
    assert log.stdin is not None
    try:
        with suppress(BrokenPipeError):  # its end is told below
            log.stdin.write(stdin.encode())  # git reads all of it before it answers
            log.stdin.close()
        yield from _parse(_split_nul(iter(lambda: log.stdout.read(1 << 16), b"")))  # type: ignore[union-attr]
        if log.wait():  # it ended early: a tree or commit is missing, and the history must not look shorter
            raise GitFailed(["log"], "the history cannot be read to its end: an object is missing")
    finally:
        log.kill()
        log.stdout.close()
        log.wait()


def _split_nul(chunks: Iterable[bytes]) -> Iterator[bytes]:
    rest = b""
    for chunk in chunks:
        *whole, rest = (rest + chunk).split(b"\0")
        yield from whole
    if rest:
        yield rest


def _parse(tokens: Iterator[bytes]) -> Iterator[Commit]:
    token = next(tokens, None)
    while token is not None:
        header = [token.lstrip(b"\n")[1:], *(next(tokens, b"") for _ in range(_FIELDS - 1))]
        files: list[FileChange] = []
        token = next(tokens, None)
        while token is not None and not token.lstrip(b"\n").startswith(b"\x01"):
            entry = token.lstrip(b"\n")
            if entry.startswith(b":"):
                files.append(file_change(entry, tokens))
            token = next(tokens, None)
        yield _commit([field.decode("utf-8", "replace") for field in header], files)


def file_change(entry: bytes, tokens: Iterator[bytes]) -> FileChange:
    """One entry of git's raw format, its paths taken from the tokens that follow it."""
    old_mode, new_mode, old_blob, new_blob, status = entry[1:].decode().split(" ")
    first = _path(next(tokens))
    if status[0] in "RC":
        return FileChange(_path(next(tokens)), "R", old_mode, new_mode, old_blob, new_blob, first)
    return FileChange(first, status[0], old_mode, new_mode, old_blob, new_blob)


def _path(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")


def _commit(header: list[str], files: list[FileChange]) -> Commit:
    identity, parents, tree, author, email, authored, committed, message = header
    return Commit(
        identity, tuple(parents.split()), tree, author, email, authored, committed, message.strip(), tuple(files)
    )
