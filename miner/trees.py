"""The starting trees of a repository's fixtures: `trees.bundle`, its cache, and trees written to disk."""

import hashlib
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from miner import temporary
from miner.cache import hold
from miner.errors import ToolError
from miner.frozen import apply_patches
from miner.git import Git, GitFailed, Objects, create_bare
from miner.record import read_plain

_REFS = "refs/trees/"
_IDENTITY = "miner <miner@invalid> 946684800 +0000"  # fixed, so that a tree's commit is always the same


def cache_folder() -> Path:
    """Where everything that can be made again is kept: $XDG_CACHE_HOME or ~/.cache."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "edit-format-evaluator"


def write_bundle(git: Git, trees: Iterable[str], path: Path) -> None:
    """Write one parentless commit per tree to a git bundle at `path`, atomically."""
    wanted = sorted(set(trees))
    # Kept as the pack that it is: by itself, git unpacks few objects to a file each, which takes twice as long.
    commits = "".join(map(_root_commit, wanted)).encode()
    git.run("-c", "fastimport.unpackLimit=1", "fast-import", "--quiet", "--force", stdin=commits)
    refs = [f"{_REFS}{tree}" for tree in wanted]
    path.parent.mkdir(parents=True, exist_ok=True)
    # A folder of its own: a git that was killed leaves a lock beside its file, and would lock out every later one.
    with temporary.beside(path, ".writing-") as folder:
        unfinished = folder / path.name
        git.run("bundle", "create", "--quiet", str(unfinished), "--stdin", stdin="\n".join(refs).encode() + b"\n")
        unfinished.replace(path)


def _root_commit(tree: str) -> str:
    message = f"starting tree {tree}\n"
    return (
        f"commit {_REFS}{tree}\nauthor {_IDENTITY}\ncommitter {_IDENTITY}\n"
        f"data {len(message)}\n{message}\nM 040000 {tree} \"\"\n\n"
    )


def missing_objects(git: Git, trees: Iterable[str]) -> bool:
    """Whether any object that the trees need is absent from the repository."""
    names = "".join(f"{tree}\n" for tree in trees).encode()
    try:
        listing = git.run("rev-list", "--objects", "--missing=print", "--no-object-names", "--stdin", stdin=names)
    except GitFailed:
        return True
    return any(line.startswith(b"?") for line in listing.splitlines())


@dataclass(frozen=True)
class TreeStore:
    """The unpacked, checked contents of one `trees.bundle`."""

    git: Git

    @cached_property
    def trees(self) -> frozenset[str]:
        """The ids of the starting trees."""
        names = self.git.run("for-each-ref", "--format=%(refname)", _REFS).decode().split()
        return frozenset(name.removeprefix(_REFS) for name in names)

    def blobs(self, tree: str) -> dict[str, tuple[str, str]]:
        """Every file of a tree: path to (mode, blob id)."""
        rows = self.git.run("ls-tree", "-r", "-z", "--full-tree", tree).split(b"\0")
        found = {}
        for row in filter(None, rows):
            meta, _, path = row.partition(b"\t")
            mode, _, blob = meta.decode().split(" ")
            found[path.decode("utf-8", "surrogateescape")] = (mode, blob)
        return found

    @cached_property
    def objects(self) -> Objects:
        """The long-lived reader of the store's objects."""
        return Objects(self.git)

    def read(self, tree: str, paths: Iterable[str]) -> dict[str, bytes | None]:
        """The contents of files of a tree; None for a path that it does not have."""
        blobs = self.blobs(tree)
        return {path: self.objects.read(blobs[path][1]) if path in blobs else None for path in paths}

    def patched(self, tree: str, patches: Iterable[bytes], reverse: bool = False) -> str | None:
        """The id of the tree that results from applying patches (or taking them back), None where one does not fit."""
        return apply_patches(self.git, tree, patches, reverse)

    def checkout(self, tree: str, folder: Path) -> None:
        """Write a tree's files to an existing empty folder, byte for byte, without a `.git`."""
        with self.git.index(tree) as index:
            self.git.run("checkout-index", "--all", "--quiet", env=index | {"GIT_WORK_TREE": str(folder)})


def open_bundle(path: Path) -> TreeStore:
    """The trees of a bundle, unpacked into the cache under its digest and checked once by `git fsck`."""
    try:
        digest = hashlib.sha256(read_plain(path)).hexdigest()
    except OSError as error:
        remedy = f"{error.strerror}. Harvest the repository again."
        raise ToolError("cannot read the starting trees", path, remedy) from None
    folder = cache_folder() / "trees" / digest[:32]
    if not hold(folder):
        _unpack(path, folder)
        hold(folder)
    return TreeStore(Git(folder))


def _unpack(path: Path, folder: Path) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    with temporary.beside(folder, ".unpacking-") as scratch:
        git = create_bare(scratch / "trees.git")
        try:
            git.run("fetch", "--quiet", "--no-tags", str(path.resolve()), f"{_REFS}*:{_REFS}*")
            git.run("fsck", "--strict", "--no-dangling", "--no-progress")  # strict: `..`, `.git` in a tree are errors
        except GitFailed as error:
            remedy = f"{error.stderr.splitlines()[-1] if error.stderr else error}. Harvest the repository again."
            raise ToolError("the starting trees are damaged", path, remedy) from None
        try:
            git.directory.rename(folder)
        except OSError:
            if not folder.is_dir():  # another process may have unpacked the same bundle first
                raise


def write_files(folder: Path, files: Mapping[str, bytes | None]) -> None:
    """Write (or, for None, delete) files below `folder`; a link on the way never leads outside it."""
    for path, content in files.items():
        target = folder / path
        for parent in list(target.relative_to(folder).parents)[-2::-1]:
            place = folder / parent
            if place.is_symlink() or (place.exists() and not place.is_dir()):
                place.unlink()
        if content is None:
            target.unlink(missing_ok=True)
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        mode = target.stat().st_mode & 0o777 if target.is_file() and not target.is_symlink() else 0o644
        if target.is_symlink():
            target.unlink()
        target.write_bytes(content)
        target.chmod(mode)
