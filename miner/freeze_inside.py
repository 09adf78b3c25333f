"""Freezing a change whose tests stand inside the source files that it changes."""

from collections.abc import Sequence

from miner.diffs import patch_between
from miner.frozen import Frozen, Side, apply_patches, side_of
from miner.git import Git
from miner.inside import lay_tests
from miner.mined import Mined
from miner.rejection import Rejection
from miner.screen import Split
from miner.symbols.files import Files, allowed_by
from miner.tree_objects import Entry


def freeze_inside(
    starting: str, solved: str, files: Split, source: Sequence[Files], inside: Sequence[str], mined: Mined
) -> Frozen | Rejection:  # fmt: skip
    """The change with the tests that stand inside its source files laid over the starting tree by the tests' patch.

    A file that is new is the change set's as a whole.
    """
    before, after = source
    laid = {path: lay_tests(path, old, new) for path in inside if (old := before[path]) and (new := after[path])}
    modes = {path: entry.mode for path, entry in side_of(files.source, old=True).items() if entry}
    if None in laid.values():
        return Rejection.TESTS_INSIDE_SOURCE
    middle: Side = {path: Entry(modes[path], _written(content or b"", mined.git)) for path, content in laid.items()}
    unsolved = _written_tree(starting, middle | side_of(files.test, old=False), mined.git)
    if _written_tree(unsolved, side_of(files.source, old=False), mined.git) != solved:
        return Rejection.UNFAITHFUL_PATCH
    patches = [patch_between(mined.git, unsolved, solved), patch_between(mined.git, starting, unsolved)]
    if not patches[0]:
        return Rejection.NO_SOURCE_CHANGE
    if apply_patches(mined.git, starting, reversed(patches)) != solved:
        return Rejection.UNFAITHFUL_PATCH
    allowed = mined.crew.do(allowed_by, before, after)
    return Frozen(starting, solved, patches[0], patches[1], allowed, tuple(sorted(inside)))


def _written(content: bytes, git: Git) -> str:
    return git.run("hash-object", "-w", "--stdin", stdin=content).decode().strip()


def _written_tree(tree: str, side: Side, git: Git) -> str:
    """`tree` with some files replaced or removed, written to the repository."""
    gone = Entry("0", "0" * len(tree))
    lines = (f"{(entry or gone).mode} {(entry or gone).id}\t{path}" for path, entry in side.items())
    with git.index(tree) as index:
        git.run("update-index", "-z", "--index-info", stdin="".join(f"{line}\0" for line in lines).encode(), env=index)
        return git.line("write-tree", env=index)
