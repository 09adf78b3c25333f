"""Where an edit landed is told in lines of the file before, or not at all."""

import pytest

from evaluator.formats import FORMATS
from evaluator.formats.model import Applied, Tree

FILE = b"one\ntwo\nthree\n"
TWICE = {
    "unified_diff": "--- a/x\n+++ b/x\n@@ -1,3 +1,6 @@\n one\n+a\n+b\n+c\n two\n three\n"
                    "--- a/x\n+++ b/x\n@@ -4,3 +4,3 @@\n c\n two\n-three\n+3\n",
    "search_replace": "x\n<<<<<<< SEARCH\none\n=======\none\na\nb\nc\n>>>>>>> REPLACE\n"
                      "x\n<<<<<<< SEARCH\nthree\n=======\n3\n>>>>>>> REPLACE\n",
}  # fmt: skip


@pytest.mark.parametrize("name", TWICE)
def test_a_second_edit_of_a_file_names_lines_of_the_file_before(name: str) -> None:
    fmt = FORMATS[name]
    edits = fmt.parse(TWICE[name])
    assert isinstance(edits, list | tuple)
    applied = fmt.apply(edits, Tree({"x": "100644"}, lambda path: FILE))
    assert isinstance(applied, Applied)
    assert applied.files == {"x": b"one\na\nb\nc\ntwo\n3\n"}
    assert all(0 <= first <= last <= 3 for p in applied.placements for first, last in (p.chosen, *p.others))


TWINS = b"def f():\n    return x\n\ndef g():\n    return x\n\ndef h():\n    return x\n"
HUNK = "-    return x\n+    return y\n"


@pytest.mark.parametrize(
    ("scopes", "chosen", "others"),
    [
        ("@@\n", (1, 2), ((4, 5), (7, 8))),
        ("@@ def g():\n", (4, 5), ((7, 8),)),
        ("@@ def f():\n@@ def h():\n", (7, 8), ()),
    ],
    ids=["no scope", "a scope", "two scopes"],
)
def test_no_other_place_of_a_hunk_stands_above_its_scope(
    scopes: str, chosen: tuple[int, int], others: tuple[tuple[int, int], ...]
) -> None:
    fmt = FORMATS["apply_patch"]
    edits = fmt.parse(f"*** Begin Patch\n*** Update File: x.py\n{scopes}{HUNK}*** End Patch\n")
    assert isinstance(edits, list | tuple)
    applied = fmt.apply(edits, Tree({"x.py": "100644"}, lambda path: TWINS))
    assert isinstance(applied, Applied)
    assert [(place.chosen, place.others) for place in applied.placements] == [(chosen, others)]
