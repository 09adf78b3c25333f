import pytest

from evaluator.put_back import put_back
from miner.symbols.compare import unintended_changes
from miner.symbols.files import syntax_errors

BEFORE = '''import a
import b


def f():
    return 1


def g():
    return 2


if X:
    h = 3
'''
ALLOWED = ["f", "import c"]
WANTED = BEFORE.replace("return 1", "return 10")
CASES = {
    "nothing unintended": (WANTED, WANTED),
    "a function dropped": (WANTED.replace("def g():\n    return 2\n\n\n", ""), WANTED),
    "a function modified": (WANTED.replace("return 2", "return 20"), WANTED),
    "a function added": (WANTED.replace("def g", "def new():\n    pass\n\n\ndef g"), WANTED),
    "imports swapped": (WANTED.replace("import a\nimport b", "import b\nimport a"), WANTED),
    "an import dropped, an allowed one added": (
        WANTED.replace("import b\n", "import c\n"),
        WANTED.replace("import b\n", "import b\nimport c\n"),
    ),
    "a compound statement dropped": (WANTED.replace("\n\nif X:\n    h = 3\n", ""), WANTED),
}


@pytest.mark.parametrize(("after", "expected"), CASES.values(), ids=CASES.keys())
def test_only_what_is_allowed_stays_changed(after: str, expected: str) -> None:
    restored = put_back({"x.py": BEFORE.encode()}, {"x.py": after.encode()}, {"x.py": ALLOWED})["x.py"]
    assert restored is not None
    assert unintended_changes(BEFORE, restored.decode(), ALLOWED) == []
    assert syntax_errors("x.py", restored) == 0
    assert "".join(restored.decode().split()) == "".join(expected.split())


def test_files_that_may_not_change_are_as_before_and_new_ones_gone() -> None:
    before = {"x.py": b"1\n", "y.txt": b"a\nb\nc\n", "n.py": None}
    after = {"x.py": b"2\n", "y.txt": b"A\nb\nC\n", "n.py": b"3\n"}
    assert put_back(before, after, {"y.txt": ["<lines 1-1>"]}) == {"x.py": b"1\n", "y.txt": b"A\nb\nc\n", "n.py": None}


def test_a_deleted_file_comes_back() -> None:
    assert put_back({"x.py": b"1\n"}, {"x.py": None}, {"x.py": ["f"]}) == {"x.py": b"1\n"}
