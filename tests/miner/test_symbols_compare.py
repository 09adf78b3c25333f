# ruff: noqa: E501
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from miner.symbols import compare
from miner.symbols import outline as outlines
from miner.symbols.compare import unallowed, unintended_changes
from miner.symbols.differences import Kind
from miner.symbols.languages import BY_NAME
from miner.symbols.languages.python import PYTHON
from miner.symbols.model import Outline


def outline(text: str) -> Outline:
    return outlines.outline(text.encode("utf-8", "surrogateescape"), PYTHON)


def allowed_symbols(before: str, after: str) -> list[str]:
    return compare.allowed_symbols(outline(before), outline(after))


BASE = '''import os
from a import b, c

LIMIT = 3


class A:
    """Doc."""

    field = 1

    def m(self):
        return 1

    def n(self):
        return 2


def f(x):
    return x + 1


def g(x):
    return x - 1


print("done")
'''


def edit(old: str, new: str) -> str:
    assert BASE.count(old) == 1, old
    return BASE.replace(old, new)


CHANGED = {
    "nothing": (BASE, []),
    "a body": (edit("x + 1", "x + 2"), ["f"]),
    "a comment in a body": (edit("x + 1", "x + 1  # why"), ["f"]),
    "an indentation": (edit("    return x + 1", "        return x + 1"), ["f"]),
    "blanks at a line end": (edit("x + 1\n", "x + 1  \n"), ["f"]),
    "a signature": (edit("def f(x)", "def f(x, y=1)"), ["f"]),
    "a method": (edit("return 1", "return 3"), ["A.m"]),
    "a field": (edit("field = 1", "field = 2"), ["A.field"]),
    "a class docstring": (edit('"""Doc."""', '"""Text."""'), ["A.<body>"]),
    "a base class": (edit("class A:", "class A(B):"), ["A.<body>"]),
    "a constant": (edit("LIMIT = 3", "LIMIT = 4"), ["LIMIT"]),
    "a module statement": (edit("done", "over"), ["<module>"]),
    "a function removed": (edit("def f(x):\n    return x + 1\n\n\n", ""), ["f"]),
    "a function added": (edit("def g", "def h(x):\n    return x\n\n\ndef g"), ["h"]),
    "a method added": (edit("    def n", "    def o(self):\n        pass\n\n    def n"), ["A.o"]),
    "a function renamed": (edit("def f", "def h"), ["f", "h"]),
    "a decorator": (edit("def f", "@d\ndef f"), ["f"]),
    "a comment above": (edit("def f", "# why\ndef f"), ["f"]),
    "an import added": (edit("import os\n", "import os\nimport re\n"), ["<module imports>"]),
    "an import removed": (edit("import os\n", ""), ["<module imports>"]),
    "an imported name added": (edit("b, c", "b, c, d"), ["<module imports>"]),
    "an import reformatted": (edit("from a import b, c", "from a import (b, c)"), ["<module imports>"]),
    "imports reordered": (edit("import os\nfrom a import b, c", "from a import b, c\nimport os"), ["<module imports>"]),
    "everything removed": ("", ["<module imports>", "<module>", "A.<body>", "A.field", "A.m", "A.n", "LIMIT", "f", "g"]),
    "two functions": (edit("x + 1", "x").replace("x - 1", "x"), ["f", "g"]),
    "an overload": (edit("def g", "def f(x, y):\n    pass\n\n\ndef g"), ["f#2"]),
    "a blank line between": (edit("x + 1\n\n\n", "x + 1\n\n\n\n"), ["f"]),
    "no final newline": (BASE.removesuffix("\n"), ["<module>"]),
    "a class removed with its methods": (
        BASE[: BASE.index("class A")] + BASE[BASE.index("def f") :], ["A.<body>", "A.field", "A.m", "A.n"]),
    "a method moved out": (
        edit("    def n(self):\n        return 2\n\n\n", "\ndef n(self):\n    return 2\n\n\n"), ["A.n", "n"]),
}  # fmt: skip


@pytest.mark.parametrize(("after", "expected"), CHANGED.values(), ids=CHANGED.keys())
def test_every_change_is_named_where_nothing_is_allowed(after: str, expected: list[str]) -> None:
    assert unintended_changes(BASE, after, []) == expected


@pytest.mark.parametrize("after", [row[0] for row in CHANGED.values()], ids=CHANGED.keys())
def test_what_a_change_set_allows_covers_the_change_set(after: str) -> None:
    assert unintended_changes(BASE, after, allowed_symbols(BASE, after)) == []


@pytest.mark.parametrize("after", [row[0] for row in CHANGED.values()], ids=CHANGED.keys())
def test_same_change_backwards_names_the_same_symbols(after: str) -> None:
    assert unintended_changes(after, BASE, []) == unintended_changes(BASE, after, [])


ALLOWED = {
    "the symbol allowed": (edit("x + 1", "x"), ["f"], []),
    "another symbol allowed": (edit("x + 1", "x"), ["g"], ["f"]),
    "a class allows not its methods": (edit("return 1", "return 3"), ["A.<body>"], ["A.m"]),
    "a method allows not its class": (edit("class A:", "class A(B):"), ["A.m"], ["A.<body>"]),
    "an entry allowed": (edit("import os\n", "import os\nimport re\n"), ["import re"], []),
    "an entry allows no other": (edit("import os\n", "import os\nimport re\nimport sys\n"), ["import re"],
                                 ["<module imports>"]),
    "an entry allows no removal": (edit("import os\n", "import re\n"), ["import re"], ["<module imports>"]),
    "an entry in a statement": (edit("b, c", "b, c, d"), ["from a import d"], []),
    "an entry in a statement and another gone": (edit("b, c", "b, d"), ["from a import d"], ["<module imports>"]),
    "an entry and others reordered": (edit("b, c", "c, b, d"), ["from a import d"], ["<module imports>"]),
    "the block allowed": (edit("import os\n", "import re\n"), ["<module imports>"], []),
    "an alias is another entry": (edit("import os", "import os as o"), ["import os"], ["<module imports>"]),
}  # fmt: skip


@pytest.mark.parametrize(("after", "allowed", "expected"), ALLOWED.values(), ids=ALLOWED.keys())
def test_allowed_symbols_are_not_named(after: str, allowed: list[str], expected: list[str]) -> None:
    assert unintended_changes(BASE, after, allowed) == expected


ALLOWED_LISTS = {
    "a body": (edit("x + 1", "x"), ["f"]),
    "an import": (edit("import os\n", "import os\nimport re\n"), ["import re"]),
    "a name of an import": (edit("b, c", "b, d"), ["from a import c", "from a import d"]),
    "a reformatted block": (edit("from a import b, c", "from a import (b, c)"), ["<module imports>"]),
    "a new file": ("import os\n\ndef f():\n    pass\n", ["f", "import os"]),
}


@pytest.mark.parametrize(("after", "expected"), ALLOWED_LISTS.values(), ids=ALLOWED_LISTS.keys())
def test_allowed_list_names_symbols_and_import_entries(after: str, expected: list[str]) -> None:
    before = "" if after.startswith("import os\n\ndef") else BASE
    assert allowed_symbols(before, after) == expected


@pytest.mark.parametrize(
    ("after", "kind"),
    [(edit("x + 1", "x"), Kind.MODIFIED), (edit("def f(x):\n    return x + 1\n\n\n", ""), Kind.REMOVED),
     (edit("def g", "def h(x):\n    pass\n\n\ndef g"), Kind.ADDED)],
    ids=["modified", "removed", "added"],
)  # fmt: skip
def test_kind_of_a_change(after: str, kind: Kind) -> None:
    assert [change.kind for change in unallowed(outline(BASE), outline(after), [])] == [kind]


BODY_START = BASE.index("return x + 1")
BODY_END = BODY_START + len("return x + 1")
CHARACTERS = st.characters(codec="ascii", categories=["L", "N", "P", "S"], exclude_characters="\n\r")


@given(st.integers(BODY_START, BODY_END - 1), CHARACTERS)
@settings(max_examples=100, deadline=None)
def test_any_character_replaced_in_a_body_is_seen(at: int, new: str) -> None:
    after = BASE[:at] + new + BASE[at + 1 :]
    assert (unintended_changes(BASE, after, []) != []) is (after != BASE)


@given(st.integers(BODY_START, BODY_END), st.text(CHARACTERS, min_size=1, max_size=9))
@settings(max_examples=100, deadline=None)
def test_anything_inserted_in_a_body_is_seen(at: int, new: str) -> None:
    assert unintended_changes(BASE, BASE[:at] + new + BASE[at:], []) != []


LINES = BASE.splitlines(keepends=True)


@given(st.integers(0, len(LINES) - 1), st.text(CHARACTERS, min_size=1, max_size=12))
@settings(max_examples=80, deadline=None)
def test_any_replaced_line_is_seen(at: int, new: str) -> None:
    after = "".join([*LINES[:at], new + "\n", *LINES[at + 1 :]])
    assert (unintended_changes(BASE, after, []) != []) is (after != BASE)


@given(st.integers(0, len(LINES) - 1))
def test_line_ending_of_any_single_line_is_seen(at: int) -> None:
    after = "".join([*LINES[:at], LINES[at].replace("\n", "\r\n"), *LINES[at + 1 :]])
    assert unintended_changes(BASE, after, []) != []


@given(st.lists(st.tuples(st.integers(0, len(LINES) - 1), st.text(CHARACTERS, max_size=8)), max_size=4))
@settings(max_examples=100, deadline=None)
def test_allowed_list_of_any_change_covers_it_and_nothing_of_itself(edits: list[tuple[int, str]]) -> None:
    lines = list(LINES)
    for at, new in edits:
        lines[at] = new + "\n"
    after = "".join(lines)
    allowed = allowed_symbols(BASE, after)
    assert unintended_changes(BASE, after, allowed) == []
    assert (allowed == []) is (unintended_changes(BASE, after, []) == [])


TWINS = "def f(): pass\n\n\ndef f(): pass\n\n\ndef f(): pass\n"
OF_TWINS = {
    "the first changes": (TWINS.replace("pass", "return", 1), ["modified f"]),
    "the last changes": ("return".join(TWINS.rsplit("pass", 1)), ["modified f#3"]),
    "one goes, no matter which": (TWINS[16:], ["removed f#3"]),
    "one is added": (TWINS + "\n\ndef f(): return\n", ["added f#4"]),
}


@pytest.mark.parametrize(("after", "expected"), OF_TWINS.values(), ids=OF_TWINS)
def test_of_equal_namesakes_the_one_that_changed_is_named(after: str, expected: list[str]) -> None:
    assert [f"{c.kind.value} {c.name}" for c in unallowed(outline(TWINS), outline(after), [])] == expected


@pytest.mark.parametrize(("language", "text"), [("javascript", "// c\n{}\n"), ("ruby", "# c\nbegin\nend\n"),
                                               ("go", "// c\nconst ()\n"), ("cpp", "// c\nexport {}\n")])  # fmt: skip
def test_a_comment_above_an_empty_block_is_read(language: str, text: str) -> None:
    found = outlines.outline(text.encode(), BY_NAME[language])
    assert [s.name for s in found.segments] == ["<module>"]
