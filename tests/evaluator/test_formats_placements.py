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
