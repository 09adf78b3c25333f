# ruff: noqa: E501
import io
import json
import re
import socket
import threading
import zipfile
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from miner import recipes
from miner.recipes import go
from miner.recipes.go import GoRecipe, read_events
from miner.recipes.model import EnvironmentFailed, Result

R = GoRecipe()
needs_go = pytest.mark.skipif(not go.installed(), reason="no Go is installed")
MODULE = "module example.org/a\n\ngo 1.16\n"
SOURCE = "package a\n\nfunc Two() int { return 2 }\n"
TEST = """package a

import "testing"

func TestTwo(t *testing.T) {
	t.Run(`a "hostile" $(name) 'x'`, func(t *testing.T) {})
	t.Run("wrong", func(t *testing.T) { t.Errorf("got %d", Two()) })
}

func TestLater(t *testing.T) { t.Skip("not today") }

func ExampleTwo() {
	// Output:
}
"""
NESTED = """package nested

import "testing"

func TestEnds(t *testing.T) { panic("no end") }
func TestNever(t *testing.T) {}
"""


@pytest.mark.parametrize(
    ("paths", "fits"),
    [(["go.mod", "a_test.go"], True), (["go.mod", "a.go"], False), (["sub/go.mod", "sub/a_test.go"], False)],
    ids=["module", "no tests", "module below"],
)
def test_modules_with_tests_are_detected(project: Callable, paths: list[str], fits: bool) -> None:
    found = recipes.detect(project(dict.fromkeys(paths, "")))
    assert (found is not None and found.name == "go") is fits


def test_only_test_files_of_packages_are_runnable() -> None:
    files = ["b_test.go", "a/a_test.go", "a/testdata/x_test.go", "a/data.json", "helper.go", "_x/x_test.go"]
    assert R.runnable(files) == ["a/a_test.go", "b_test.go"]


TARGETS = {
    "functions": (["a_test.go::TestA", "p/b_test.go::TestB"], (), ["a_test.go::TestA", "p/b_test.go::TestB"]),
    "subtests": (["a_test.go::TestA/x y", "a_test.go::TestA/z"], (), ["a_test.go::TestA"]),
    "whole file": (["a_test.go::TestA", "a_test.go::TestB"], ["a_test.go::TestA/x", "a_test.go::TestB"], ["a_test.go"]),
    "part of a file": (["a_test.go::TestA"], ["a_test.go::TestA", "a_test.go::TestB"], ["a_test.go::TestA"]),
    "no function's name": (["a_test.go::.*|x", "a_test.go::TestA"], (), ["a_test.go"]),
    "order kept": (["b_test.go::TestB", "a_test.go::TestA"], (), ["b_test.go::TestB", "a_test.go::TestA"]),
}


@pytest.mark.parametrize(("ids", "seen", "expected"), TARGETS.values(), ids=TARGETS.keys())
def test_targets_are_top_level_functions(ids: list[str], seen: list[str], expected: list[str]) -> None:
    assert R.targets(ids, seen) == expected


def test_a_command_has_one_run_for_each_package_and_shuffles_what_is_out_of_order() -> None:
    tidy = R.command(["a_test.go::TestA", "p/b_test.go", "a_test.go::TestB"])
    assert tidy[1:] == ["{results}", "off", ".", "TestA/TestB", "p", "b_test.go"]
    mixed = R.command(["a_test.go::TestB", "a_test.go::TestA"])
    assert mixed[2].isdigit()
    assert mixed[2] == R.command(["a_test.go::TestB", "a_test.go::TestA"])[2]  # a command is one order for ever


def event(action: str, test: str | None, package: str = "m/p") -> str:
    return json.dumps({"Action": action, "Package": package} | ({"Test": test} if test else {}))


EVENTS = {
    "ends": ([event("run", "TestA"), event("pass", "TestA")], {"p/a_test.go::TestA": Result.PASSED}),
    "fails": ([event("run", "TestA"), event("fail", "TestA")], {"p/a_test.go::TestA": Result.FAILED}),
    "skips": ([event("skip", "TestA")], {"p/a_test.go::TestA": Result.SKIPPED}),
    "never ends": ([event("run", "TestA"), event("output", "TestA")], {"p/a_test.go::TestA": Result.FAILED}),
    "worst of two": ([event("fail", "TestA"), event("pass", "TestA")], {"p/a_test.go::TestA": Result.FAILED}),
    "subtest": ([event("pass", "TestA/x::y/z")], {"p/a_test.go::TestA/x::y/z": Result.PASSED}),
    "unlisted function": ([event("pass", "TestZ")], {"p::TestZ": Result.PASSED}),
    "unlisted package": ([event("pass", "TestA", "q")], {"q::TestA": Result.PASSED}),
    "package alone": ([event("fail", None)], {}),
    "other text": (["FAIL m/p [build failed]", "{", "[1]", '{"Package": 1, "Test": 2, "Action": 3}'], {}),
}


@pytest.mark.parametrize(("lines", "expected"), EVENTS.values(), ids=EVENTS.keys())
def test_events_are_read(lines: list[str], expected: dict[str, Result]) -> None:
    packages, functions = "m/p /tree/p\n", "/tree/p/a_test.go:func TestA\n"
    assert read_events("\n".join(lines), "/tree\n", packages, functions) == expected


@needs_go
def test_a_newer_go_than_is_installed_is_asked_for_by_name(project: Callable) -> None:
    with pytest.raises(EnvironmentFailed, match=r"go\.mod asks for Go 9\.1, installed: .*install a newer"):
        R.toolchains(project({"go.mod": "module a\n\ngo 9.1\n"}))


@needs_go
def test_a_module_is_tested_from_end_to_end(try_recipe: Callable) -> None:
    files = {"go.mod": MODULE, "a.go": SOURCE, "a_test.go": TEST, "sub/go.mod": "module example.org/n\n\ngo 1.16\n",
             "sub/n_test.go": NESTED, "bad/b_test.go": "package bad\n\nvar x = undefined\n"}  # fmt: skip
    tried = try_recipe(files)
    assert (tried.record.recipe, tried.record.undated) == ("go", False)
    hostile = """a_test.go::TestTwo/a_"hostile"_$(name)_'x'"""
    done, found = tried.run("a_test.go", "sub/n_test.go::TestEnds", "bad/b_test.go")
    assert found == {
        "a_test.go::TestTwo": Result.FAILED, hostile: Result.PASSED, "a_test.go::TestTwo/wrong": Result.FAILED,
        "a_test.go::TestLater": Result.SKIPPED, "a_test.go::ExampleTwo": Result.PASSED,
        "sub/n_test.go::TestEnds": Result.FAILED,
    }  # fmt: skip
    assert "got 2" in done.output
    assert "undefined: undefined" in done.output
    assert tried.run("sub/n_test.go::TestNever")[1] == {"sub/n_test.go::TestNever": Result.PASSED}
    assert set(tried.run()[1]) == {k for k in found if k.startswith("a_test.go")}  # the whole of the top module


@pytest.fixture
def proxy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A module proxy with one module; not on loopback, which Go never asks the sandbox's proxy for."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing
        except OSError:
            pytest.skip("this machine has no address besides loopback")
        host = probe.getsockname()[0]
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("example.org/dep@v1.2.3/go.mod", "module example.org/dep\n")
        archive.writestr("example.org/dep@v1.2.3/dep.go", "package dep\n\nfunc Three() int { return 3 }\n")
    answers = {
        "info": json.dumps({"Version": "v1.2.3", "Time": "2020-01-01T00:00:00Z"}).encode(),
        "mod": b"module example.org/dep\n", "zip": packed.getvalue(),
    }  # fmt: skip

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            match = re.fullmatch(r"/example\.org/dep/@v/v1\.2\.3\.(\w+)", self.path)
            content = answers.get(match[1]) if match else None
            self.send_response(200 if content else 404)
            self.end_headers()
            self.wfile.write(content or b"")

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer((host, 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("GOPROXY", f"http://{host}:{server.server_port}")
    monkeypatch.setenv("GONOSUMDB", "example.org")
    yield
    server.shutdown()
    server.server_close()


@needs_go
def test_modules_of_a_registry_are_locked_and_there_without_a_network(try_recipe: Callable, proxy: None) -> None:
    test = 'package a\n\nimport (\n\t"testing"\n\n\t"example.org/dep"\n)\n\nfunc TestDep(t *testing.T) { _ = dep.Three() }\n'
    tried = try_recipe({"go.mod": f"{MODULE}\nrequire example.org/dep v1.2.3\n", "a_test.go": test})
    assert re.search(r"^example\.org/dep v1\.2\.3 h1:\S+$", tried.lock, re.MULTILINE)
    assert tried.record.fallbacks == ["no go.sum in .: the hashes are today's"]
    assert tried.run("a_test.go")[1] == {"a_test.go::TestDep": Result.PASSED}
