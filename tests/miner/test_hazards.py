"""Tags of real patches: git makes each from two versions of a file."""
# ruff: noqa: E501

from collections.abc import Callable

import pytest

from miner.hazards import Tag, anchor_places, hazards

Both = tuple[bytes | None, bytes | None]
BODY = b"a\nb\nc\nd\ne\nf\n"

CASES: dict[str, tuple[Both, set[Tag]]] = {
    "a plain change": ((BODY, BODY.replace(b"c", b"C")), set()),
    "the line stands twice": ((BODY + b"c\n", BODY.replace(b"c", b"C") + b"c\n"), {Tag.REPEATED_ANCHOR}),
    "the line stands in another": ((BODY + b"cc\n", BODY.replace(b"c", b"C") + b"cc\n"), set()),
    "put after a line that stands twice": ((BODY + b"c\n", BODY.replace(b"c\n", b"c\nx\n") + b"c\n"), {Tag.REPEATED_ANCHOR}),
    "put after a blank line": ((b"a\n\nb\n\nc\n", b"a\n\nx\nb\n\nc\n"), set()),
    "put at the start": ((BODY, b"x\n" + BODY), set()),
    "two lines of which one stands twice": ((b"a\nb\nc\nb\n", b"A\nB\nc\nb\n"), set()),
    "windows lines": ((BODY.replace(b"\n", b"\r\n"), BODY.replace(b"c", b"C").replace(b"\n", b"\r\n")), {Tag.CRLF}),
    "no newline at the end": ((BODY + b"g", BODY.replace(b"c", b"C") + b"g"), {Tag.NO_FINAL_NEWLINE}),
    "a newline taken from the end": ((BODY, BODY + b"g"), {Tag.NO_FINAL_NEWLINE}),
    "tabs": ((b"a\n\tb\n", b"A\n\tb\n"), {Tag.TABS}),
    "tabs and spaces": ((b"a\n\tb\n  c\n", b"A\n\tb\n  c\n"), {Tag.TABS, Tag.MIXED_INDENTATION}),
    "a tab after spaces": ((b"a\n  \tb\n", b"A\n  \tb\n"), {Tag.MIXED_INDENTATION}),
    "tabs and a comment that goes on": ((b"\t/* a\n * b */\nc\n", b"\t/* a\n * b */\nC\n"), {Tag.TABS}),
    "latin-1": ((b"a\n\xe9\n", b"A\n\xe9\n"), {Tag.NON_UTF8}),
    "a long line": ((b"a\n" + b"x" * 201 + b"\n", b"A\n" + b"x" * 201 + b"\n"), {Tag.LONG_LINES}),
    "a line that is not too long": ((b"a\n" + b"x" * 200 + b"\n", b"A\n" + b"x" * 200 + b"\n"), set()),
    "a fence": ((b"a\n  ```py\n", b"A\n  ```py\n"), {Tag.MARKDOWN_FENCES}),
    "a fence that comes to it": ((b"a\n", b"a\n~~~\n"), {Tag.MARKDOWN_FENCES}),
    "ticks in a line": ((b"a ``` b\n", b"A ``` b\n"), set()),
    "a new file": ((None, BODY), {Tag.NEW_FILE}),
    "a deleted file": ((BODY + b"c\n", None), {Tag.DELETION}),
    "ten runs": ((b"".join(b"%d\n." % n + b"%d\n" % n for n in range(10)), b"".join(b"%dx\n." % n + b"%d\n" % n for n in range(10))), {Tag.MANY_HUNKS}),
}  # fmt: skip


@pytest.fixture
def patch_of(repo) -> Callable[[dict[str, Both]], bytes]:
    """The patch that git writes between two versions of files."""

    def make(files: dict[str, Both]) -> bytes:
        repo.commit("before", {name: old for name, (old, _) in files.items() if old is not None} | {"keep": "k\n"})
        repo.commit("after", {name: new for name, (_, new) in files.items()})
        return repo.git("diff", "HEAD~1", "HEAD", "--no-renames").encode("utf-8", "surrogateescape") + b"\n"

    return make


@pytest.mark.parametrize(("both", "tags"), CASES.values(), ids=CASES.keys())
def test_hazards_of_a_change(patch_of, both: Both, tags: set[Tag]) -> None:
    patch = patch_of({"a b.py": both})
    assert hazards({"a b.py": both[0]}, patch) == [tag for tag in Tag if tag in tags]


@pytest.mark.parametrize(("count", "many"), [(3, False), (4, True)])
def test_many_files(patch_of, count: int, many: bool) -> None:
    files: dict[str, Both] = {f"{n}.py": (BODY, BODY.replace(b"c", b"C")) for n in range(count)}
    found = hazards({name: old for name, (old, _) in files.items()}, patch_of(files))
    assert (Tag.MANY_FILES in found) is many


def test_anchors_are_counted_run_by_run(patch_of) -> None:
    before = b"a\nb\nc\nb\nd\n"
    patch = patch_of({"a.py": (before, b"A\nb\nC\nb\nx\nd\n")})
    assert anchor_places({"a.py": before}, patch) == [1, 1, 2]
    assert anchor_places({"a.py": b"other\n"}, patch) == [0, 0, 0], "a tree without the lines"
    assert anchor_places({}, patch) == []
