import json
from collections.abc import Callable
from pathlib import Path

import pytest

from evaluator.formats import FORMATS
from evaluator.formats.model import Applied, NotApplied, Tree, Unreadable
from evaluator.formats.paths import clash, forbidden, normal_path
from evaluator.taxonomy import Detail

FILES = {"pkg/a.py": b"1\n", "top.py": b"2\n"}
MODES = {"link.py": "120000", "sub": "160000", "tool": "100755"}
REFUSED = {
    "absolute": ("/etc/passwd", "is not relative"),
    "drive": ("C:/x.py", "is not relative"),
    "drive without a slash": ("c:x.py", "is not relative"),
    "empty": ("", "is not relative"),
    "parent": ("../x.py", "not a plain path"),
    "parent inside": ("pkg/../x.py", "not a plain path"),
    "parent alone": ("..", "not a plain path"),
    "dot inside": ("pkg/./x.py", "not a plain path"),
    "double slash": ("pkg//x.py", "not a plain path"),
    "trailing slash": ("pkg/", "not a plain path"),
    "git": (".git/hooks/pre-commit", "belongs to git"),
    "git in capitals": ("pkg/.GIT/config", "belongs to git"),
    "NUL": ("a\0.py", "has a control character"),
    "newline": ("a\n.py", "has a control character"),
    "delete": ("a\x7f.py", "has a control character"),
    "long name": ("n" * 256, "is too long"),
    "long name in bytes": ("é" * 128, "is too long"),
    "long path": ("d/" * 500 + "x", "is too long"),
    "link": ("link.py", "is a link or submodule"),
    "submodule": ("sub", "is a link or submodule"),
    "through a link": ("link.py/x.py", "goes through a file or link"),
    "through a submodule": ("sub/x.py", "goes through a file or link"),
    "through a file": ("top.py/x.py", "goes through a file or link"),
    "folder": ("pkg", "is a folder"),
}


@pytest.mark.parametrize(("path", "reason"), REFUSED.values(), ids=REFUSED.keys())
def test_a_path_outside_the_regular_files_is_refused_with_its_reason(
    tree_of: Callable[..., Tree], path: str, reason: str
) -> None:
    found = forbidden(path, tree_of(FILES, **MODES), 3)
    assert found is not None
    assert (found.detail, found.fitted) == (Detail.FORBIDDEN_PATH, 3)
    assert reason in found.message
    assert found.message.isprintable(), "control characters of a reply never reach a terminal"


@pytest.mark.parametrize(
    "path", ["top.py", "pkg/a.py", "pkg/new.py", "new/deep/er.py", "tool", ".github/x.yml", "..x", "a..b", ".gitignore",
             "pkg2", "to", "n" * 255],
)  # fmt: skip
def test_a_plain_path_is_no_business_of_the_guard(tree_of: Callable[..., Tree], path: str) -> None:
    assert forbidden(path, tree_of(FILES, **MODES), 0) is None


@pytest.mark.parametrize(
    ("written", "plain"),
    [("./x.py", "x.py"), ("././x.py", "x.py"), ("a\\b.py", "a/b.py"), (".\\x.py", "x.py"), ("..\\x", "../x")],
)
def test_a_path_is_spelled_as_the_tree_spells_it(written: str, plain: str) -> None:
    assert normal_path(written) == plain


CREATIONS = {
    "whole_file": "{}\n```\nnew\n```\n",
    "unified_diff": "--- /dev/null\n+++ {}\n@@ -0,0 +1 @@\n+new\n",
    "str_replace": '[{{"path": "{}", "create": "new\\n"}}]',
    "search_replace": "{}\n<<<<<<< SEARCH\n=======\nnew\n>>>>>>> REPLACE\n",
    "udiff": "--- /dev/null\n+++ {}\n@@ ... @@\n+new\n",
    "apply_patch": "*** Begin Patch\n*** Add File: {}\n+new\n*** End Patch\n",
}
TYPED = ["/etc/x.py", "../x.py", "a/../../x.py", "..\\x.py", "C:\\x.py", ".git/config", "./.git/config", "link.py",
         "top.py/x.py", "pkg/", "a\0.py"]  # fmt: skip


@pytest.mark.parametrize("name", list(FORMATS))
@pytest.mark.parametrize("path", TYPED, ids=repr)
def test_a_reply_that_types_a_forbidden_path_is_not_applied(
    tree_of: Callable[..., Tree], name: str, path: str
) -> None:
    typed = json.dumps(path)[1:-1] if name == "str_replace" else path
    parsed = FORMATS[name].parse(CREATIONS[name].format(typed))
    if isinstance(parsed, Unreadable):
        assert (name, path) == ("whole_file", "pkg/"), "above a fence the name of a folder is prose"
        return
    outcome = FORMATS[name].apply(parsed, tree_of(FILES, **MODES))
    assert isinstance(outcome, NotApplied)
    assert outcome.detail is Detail.FORBIDDEN_PATH


@pytest.mark.parametrize("name", list(FORMATS))
def test_the_same_reply_with_a_plain_path_applies(tree_of: Callable[..., Tree], name: str) -> None:
    parsed = FORMATS[name].parse(CREATIONS[name].format("pkg/new.py"))
    assert not isinstance(parsed, Unreadable)
    outcome = FORMATS[name].apply(parsed, tree_of(FILES, **MODES))
    assert isinstance(outcome, Applied)
    assert outcome.files == {"pkg/new.py": b"new\n"}


def test_reading_a_link_gives_nothing(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("s")
    (tmp_path / "link").symlink_to("secret")
    tree = Tree({"link": "120000", "secret": "100644"}, lambda path: (tmp_path / path).read_bytes())
    assert tree.read("link") is None
    assert tree.read("secret") == b"s"
    assert tree.read("gone") is None


@pytest.mark.parametrize(
    ("written", "clashes"),
    [
        ({"a": b"", "a/b": b""}, True), ({"a/b/c": b"", "a": b""}, True), ({"a": None, "a/b": b""}, False),
        ({"a": b"", "ab/c": b""}, False), ({"a/b": b"", "a/c": b""}, False), ({}, False),
    ],
)  # fmt: skip
def test_one_reply_cannot_make_a_path_both_file_and_folder(
    written: dict[str, bytes | None], clashes: bool
) -> None:
    assert (clash(written, 0) is not None) is clashes
