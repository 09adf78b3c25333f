# ruff: noqa: E501
from pathlib import Path

import pytest

from miner.junit import identify_among, read_junit, read_junit_folder

CASES = {
    "passed": ('<testcase file="t.py" classname="t" name="a"/>', {"t.py::a": "passed"}),
    "failed": ('<testcase file="t.py" classname="t" name="a"><failure message="m">x</failure></testcase>', {"t.py::a": "failed"}),
    "error in set-up": ('<testcase file="t.py" classname="t" name="a"><error message="m"/></testcase>', {"t.py::a": "failed"}),
    "skipped": ('<testcase file="t.py" classname="t" name="a"><skipped message="m"/></testcase>', {"t.py::a": "skipped"}),
    "in a folder": ('<testcase file="tests/x/t.py" classname="tests.x.t" name="a"/>', {"tests/x/t.py::a": "passed"}),
    "in a class": ('<testcase file="tests/t.py" classname="tests.t.A.B" name="a"/>', {"tests/t.py::A::B::a": "passed"}),
    "with parameters": ('<testcase file="t.py" classname="t" name="a[1-x::y.z]"/>', {"t.py::a[1-x::y.z]": "passed"}),
    "worst of two results": (
        '<testcase file="t.py" classname="t" name="a"/><testcase file="t.py" classname="t" name="a"><error message="teardown"/></testcase>',
        {"t.py::a": "failed"}),
    "worst first": (
        '<testcase file="t.py" classname="t" name="a"><failure message="m"/></testcase><testcase file="t.py" classname="t" name="a"/>',
        {"t.py::a": "failed"}),
    "module that was not collected": ('<testcase classname="" name="tests.t"><error message="m"/></testcase>', {}),
    "with output": ('<testcase file="t.py" classname="t" name="a"><system-out>o</system-out></testcase>', {"t.py::a": "passed"}),
    "none": ("", {}),
    "spaces and dashes in parameters": ('<testcase file="t.py" classname="t" name="a[x y - z]"/>', {"t.py::a[x y - z]": "passed"}),
    "brackets in parameters": ('<testcase file="t.py" classname="t" name="a[[1]-]]"/>', {"t.py::a[[1]-]]": "passed"}),
    "two parameters apart": (
        '<testcase file="t.py" classname="t" name="a[1]"/><testcase file="t.py" classname="t" name="a[2]"><failure/></testcase>',
        {"t.py::a[1]": "passed", "t.py::a[2]": "failed"}),
    "skipped after a pass": (
        '<testcase file="t.py" classname="t" name="a"/><testcase file="t.py" classname="t" name="a"><skipped/></testcase>',
        {"t.py::a": "skipped"}),
    "expected failure": ('<testcase file="t.py" classname="t" name="a"><skipped type="pytest.xfail"/></testcase>', {"t.py::a": "skipped"}),
    "text with examples": ('<testcase file="docs/x.rst" classname="docs.x.rst" name="x.rst"/>', {"docs/x.rst::x.rst": "passed"}),
    "without a name": ('<testcase file="t.py" classname="t" name=""/>', {}),
    "without a file": ('<testcase classname="tests.t" name="a"/>', {}),
    "module of another name than a folder's": (
        '<testcase file="tests/a.py" classname="tests.a.T" name="x"/>', {"tests/a.py::T::x": "passed"}),
}  # fmt: skip
INHERITED = '<testcase file="tests/base.py" classname="tests.test_x.TestX" name="a"/>'
OWN = '<testcase file="tests/test_x.py" classname="tests.test_x.TestY" name="b"/>'
BASE = '<testcase file="tests/base.py" classname="tests.base.TestBase" name="a"/>'
RUN_BY = {
    "the files that were run are known": (INHERITED, ["tests/test_x.py"], {"tests/test_x.py::TestX::a": "passed"}),
    "a file whose name begins the same": (
        INHERITED, ["tests/test.py", "tests/test_x.py"], {"tests/test_x.py::TestX::a": "passed"}),
    "a folder of the class's name": (
        '<testcase file="a/b.py" classname="a.b.C" name="x"/>', ["a.py", "a/b.py"], {"a/b.py::C::x": "passed"}),
    "other tests of the file tell": (
        OWN + INHERITED, [], {"tests/test_x.py::TestX::a": "passed", "tests/test_x.py::TestY::b": "passed"}),
    "the file's name tells": (INHERITED, [], {"tests/test_x.py::TestX::a": "passed"}),
    "a class inherits from one that is run too": (
        BASE + INHERITED, [], {"tests/base.py::TestBase::a": "passed", "tests/test_x.py::TestX::a": "passed"}),
    "a library's test cases": (
        '<testcase file="../env/lib/x/cases.py" classname="tests.test_x.TestX" name="a"/>', [],
        {"tests/test_x.py::TestX::a": "passed"}),
}  # fmt: skip


@pytest.mark.parametrize(("cases", "files", "expected"), RUN_BY.values(), ids=RUN_BY.keys())
def test_inherited_test_is_of_the_file_that_runs_it(
    tmp_path: Path, cases: str, files: list[str], expected: dict[str, str]
) -> None:
    path = tmp_path / "r.xml"
    path.write_text(f"<testsuites><testsuite>{cases}</testsuite></testsuites>")
    assert read_junit(path, files) == expected


@pytest.mark.parametrize(("cases", "expected"), CASES.values(), ids=CASES.keys())
@pytest.mark.parametrize("nested", [True, False], ids=["suites", "suite"])
def test_results_are_read(tmp_path: Path, cases: str, expected: dict[str, str], nested: bool) -> None:
    suite = f'<testsuite name="pytest">{cases}</testsuite>'
    path = tmp_path / "r.xml"
    path.write_text(
        '<?xml version="1.0" encoding="utf-8"?>' + (f"<testsuites>{suite}</testsuites>" if nested else suite)
    )
    assert read_junit(path) == expected


@pytest.mark.parametrize(
    "content", [b"", b"no xml", b"<testsuites><testsuite>", b"\xff\xfe", b"<html/>"],
    ids=["empty", "text", "cut off", "bytes", "another document"],
)  # fmt: skip
def test_unreadable_results_are_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "r.xml").write_bytes(content)
    assert read_junit(tmp_path / "r.xml") is None


def test_missing_results_are_none(tmp_path: Path) -> None:
    assert read_junit(tmp_path / "r.xml") is None


def test_entities_of_a_hostile_file_are_not_read_from_disk(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "r.xml").write_text(
        f'<!DOCTYPE x [<!ENTITY e SYSTEM "file://{tmp_path}/secret">]>'
        '<testsuites><testsuite><testcase file="t.py" classname="t" name="a&e;"/></testsuite></testsuites>'
    )
    assert "secret" not in str(read_junit(tmp_path / "r.xml"))


AMONG = {
    "file of the report": ('<testcase file="t.rb" classname="A group. of" name="a"/>', {"t.rb::A group. of::a": "passed"}),
    "no class": ('<testcase file="t.sh" name="a"/>', {"t.sh::a": "passed"}),
    "file by its class": ('<testcase classname="tests.t.A" name="a"/>', {"tests/t.py::A::a": "passed"}),
    "file and class": ('<testcase file="t.py" classname="t.A" name="a"/>', {"t.py::A::a": "passed"}),
    "no file": ('<testcase classname="A" name="a"/>', {"::A::a": "passed"}),
    "no name": ('<testcase classname="A"/>', {}),
}  # fmt: skip


@pytest.mark.parametrize(("cases", "expected"), AMONG.values(), ids=AMONG.keys())
def test_reports_of_any_tool_are_named(tmp_path: Path, cases: str, expected: dict[str, str]) -> None:
    (tmp_path / "r.xml").write_text(f"<testsuites><testsuite>{cases}</testsuite></testsuites>")
    assert read_junit_folder(tmp_path, identify_among(["tests/t.py"])) == expected


def test_reports_of_a_folder_are_one_with_the_worst_of_each_test(tmp_path: Path) -> None:
    for name, inner in (("a.xml", "<failure/>"), ("b/c.xml", ""), ("d.txt", "<error/>")):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f'<testsuite><testcase file="t" name="x">{inner}</testcase></testsuite>')
    (tmp_path / "broken.xml").write_text("<testsuite")
    (tmp_path / "link.xml").symlink_to(tmp_path / "a.xml")
    assert read_junit_folder(tmp_path, identify_among(())) == {"t::x": "failed"}


def test_a_folder_without_readable_reports_is_none(tmp_path: Path) -> None:
    (tmp_path / "broken.xml").write_text("<testsuite")
    assert read_junit_folder(tmp_path, identify_among(())) is None
