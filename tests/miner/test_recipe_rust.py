# ruff: noqa: E501
import hashlib
import io
import json
import os
import tarfile
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from miner import recipes
from miner.recipes import rust
from miner.recipes.installed import version_of
from miner.recipes.model import EnvironmentFailed, Result
from miner.recipes.rust import RustRecipe, own_packages, programs, read_libtest

R = RustRecipe()
needs_rust = pytest.mark.skipif(not rust.installed(), reason="no Rust is installed")
PASSED, FAILED, SKIPPED = Result.PASSED, Result.FAILED, Result.SKIPPED
MANIFEST = '[package]\nname = "a-b"\nversion = "0.1.0"\nedition = "2021"\n'
IT = """
mod deep {
    #[test] fn good() { assert_eq!(a_b::two(), 2) }
    #[test] fn bad() { println!("test deep::good ... FAILED"); println!("test deep::fake ... ok"); panic!("no") }
    #[test] #[ignore] fn later() {}
    #[test] #[should_panic] fn panics() { panic!() }
}
"""


@pytest.mark.parametrize(
    ("files", "fits"),
    [({"Cargo.toml": MANIFEST, "src/lib.rs": ""}, True), ({"Cargo.toml": MANIFEST}, False),
     ({"crates/a/Cargo.toml": MANIFEST, "crates/a/src/lib.rs": ""}, False)],
    ids=["package", "no code", "package below"],
)  # fmt: skip
def test_packages_are_detected(project: Callable, files: dict[str, str], fits: bool) -> None:
    found = recipes.detect(project(files))
    assert (found is not None and found.name == "rust-cargo") is fits


def test_rust_files_of_a_package_are_runnable() -> None:
    files = ["tests/it.rs", "tests/data.json", "crates/a/src/money/tests.rs", "build_test.rs"]
    assert R.runnable(files) == ["crates/a/src/money/tests.rs", "tests/it.rs"]


TARGETS = {
    "tests": (["tests/it.rs::a::b", "tests/it.rs::c"], (), ["tests/it.rs::a::b", "tests/it.rs::c"]),
    "whole file": (["tests/it.rs::a::b"], ["tests/it.rs::a::b"], ["tests/it.rs"]),
    "a name that looks like an option": (["tests/it.rs::--list", "tests/it.rs::c"], (), ["tests/it.rs"]),
    "a name with spaces": (["tests/it.rs::a b"], (), ["tests/it.rs"]),
}


@pytest.mark.parametrize(("ids", "seen", "expected"), TARGETS.values(), ids=TARGETS.keys())
def test_targets_are_single_tests(ids: list[str], seen: list[str], expected: list[str]) -> None:
    assert R.targets(ids, seen) == expected


COMMANDS = {
    "all": ([], [". --workspace --tests"]),
    "file": (["tests/it.rs"], [". --test it"]),
    "tests": (["tests/it.rs::a::b", "tests/it.rs::c"], [". --test it -- --exact a::b c"]),
    "member": (["crates/a/tests/it.rs"], ["crates/a --test it"]),
    "folder with a main.rs": (["tests/it/main.rs::a"], [". --test it -- --exact a"]),
    "module of a program": (["tests/it/parse.rs"], [". --test '*'"]),
    "unit tests": (["src/lib.rs::tests::a"], [". --lib -- --exact tests::a"]),
    "unit tests in a file of their own": (["src/money/tests.rs"], [". --tests"]),
    "whole and single": (["tests/a.rs", "tests/b.rs::x"], [". --test a", ". --test b -- --exact x"]),
    "hostile": (["tests/a b';x.rs"], [""". --test 'a b'"'"';x'"""]),
}


@pytest.mark.parametrize(("targets", "expected"), COMMANDS.values(), ids=COMMANDS.keys())
def test_commands_name_programs_and_tests(targets: list[str], expected: list[str]) -> None:
    assert R.command(targets) == ["cargo-tests", "{results}", *expected]


def test_a_plain_command_takes_whatever_the_manifest_calls_its_programs() -> None:
    assert R.command(["tests/it.rs::x"], plain=True)[2:] == [". --tests -- --exact x"]


LISTINGS = {
    "results": ("running 4 tests\ntest a ... ok\ntest m::b ... FAILED\ntest c ... ignored, why\ntest d - should panic ... ok\n",
                {"a": PASSED, "m::b": FAILED, "c": SKIPPED, "d": PASSED}),
    "timed": ("running 1 test\ntest a ... ok <0.001s>\n", {"a": PASSED}),
    "before the list": ("test a ... ok\nrunning 0 tests\n", {}),
    "quoted after the list": ("running 1 test\ntest a ... FAILED\n\nfailures:\n\n---- a stdout ----\ntest b ... ok\n", {"a": FAILED}),
    "worst of two programs' runs": ("running 1 test\ntest a ... FAILED\n\ntest result: FAILED.\nrunning 1 test\ntest a ... ok\n",
                                    {"a": FAILED}),
    "noise": ("running 2 tests\nhello\n\nx test a ... ok\ntest b has been running for over 60 seconds\ntest b ... ok\n", {"b": PASSED}),
    "cut off": ("running 2 tests\ntest a ... ok\ntest b ...", {"a": PASSED}),
    "another harness": ("1..2\nok 1\n", {}),
}  # fmt: skip


@pytest.mark.parametrize(("output", "expected"), LISTINGS.values(), ids=LISTINGS.keys())
def test_libtest_is_read(output: str, expected: dict[str, Result]) -> None:
    assert read_libtest(output) == expected


def test_packages_of_the_tree_are_those_without_a_registry() -> None:
    packages = [{"name": "a", "source": None}, {"name": "b", "source": "registry+x"}]
    assert own_packages(json.dumps({"packages": packages})) == ["a"]
    with pytest.raises(EnvironmentFailed):
        own_packages('{"packages": [{}]}')


def test_programs_are_known_by_their_root_file() -> None:
    def message(source: str, executable: str | None, is_test: bool) -> str:
        return json.dumps(
            {"target": {"src_path": source}, "executable": executable, "profile": {"test": is_test}}
        )

    lines = [message("/tree/tests/it.rs", "/tmp/target/debug/deps/it-1", True), "warning: x", '{"reason": "x"}',
             message("/tree/src/main.rs", "/tmp/target/debug/a", False), message("/tree/src/lib.rs", None, True)]  # fmt: skip
    assert list(programs("\n".join(lines), "/tree")) == [("tests/it.rs", "it-1")]


@needs_rust
@pytest.mark.parametrize(
    ("text", "message"), [(f'{MANIFEST}rust-version = "9.5"\n', r"asks for Rust 9\.5, installed: "), (MANIFEST, None)]
)
def test_a_newer_rust_than_is_installed_is_asked_for_by_name(project: Callable, text: str, message: str | None) -> None:
    if message is None:
        assert "-" not in R.toolchains(project({"Cargo.toml": text}))[0].version  # a release, no nightly
        return
    with pytest.raises(EnvironmentFailed, match=message):
        R.toolchains(project({"Cargo.toml": text}))


@needs_rust
def test_a_workspace_is_tested_from_end_to_end(try_recipe: Callable) -> None:
    member = '[package]\nname = "m"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\na-b = {path = "../.."}\n'
    tried = try_recipe({
        "Cargo.toml": f'{MANIFEST}[workspace]\nmembers = ["crates/m"]\n', "tests/it.rs": IT,
        "src/lib.rs": "pub fn two() -> i32 { 2 }\n#[cfg(test)] mod tests { #[test] fn inner() {} }\n",
        "crates/m/Cargo.toml": member, "crates/m/src/lib.rs": "", "crates/m/tests/it.rs": "#[test] fn good() { a_b::two(); }\n",
    })  # fmt: skip
    assert (tried.record.recipe, tried.record.undated) == ("rust-cargo", False)
    root = {"deep::good": PASSED, "deep::bad": FAILED, "deep::later": SKIPPED, "deep::panics": PASSED}
    assert tried.run("tests/it.rs")[1] == {f"tests/it.rs::{name}": result for name, result in root.items()}
    single = ("crates/m/tests/it.rs::good", "tests/it.rs::deep::good")
    assert tried.run(*single)[1] == dict.fromkeys(single, PASSED)
    # What was built before is believed by cargo where files are older: the tree of a run is always built itself.
    (tried.tree / "src/lib.rs").write_text("pub fn two() -> i32 { 3 }\n")
    os.utime(tried.tree / "src/lib.rs", (0, 0))
    assert tried.run("tests/it.rs::deep::good")[1] == {"tests/it.rs::deep::good": FAILED}


@pytest.fixture(params=["dated", "undated"])
def registry(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, bool]]:
    """A sparse registry of crates on loopback with two versions of one crate, of 2020 and of this year.

    Yields cargo's configuration for it, and whether its index carries the dates.
    """
    dated = request.param == "dated"
    crates, lines = {}, []
    for version, published in (("1.0.0", "2020-01-01T00:00:00Z"), ("1.1.0", "2026-06-01T00:00:00Z")):
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w:gz") as archive:
            files = {"Cargo.toml": f'[package]\nname = "depd"\nversion = "{version}"\nedition = "2021"\n',
                     "src/lib.rs": f'pub fn version() -> &\'static str {{ "{version}" }}\n'}  # fmt: skip
            for name, text in files.items():
                info = tarfile.TarInfo(f"depd-{version}/{name}")
                info.size = len(text)
                archive.addfile(info, io.BytesIO(text.encode()))
        crates[f"/dl/depd/{version}"] = packed.getvalue()
        lines.append({"name": "depd", "vers": version, "deps": [], "features": {}, "yanked": False,
                      "cksum": hashlib.sha256(packed.getvalue()).hexdigest(),
                      **({"pubtime": published} if dated else {})})  # fmt: skip

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            content = answers.get(self.path)
            self.send_response(200 if content else 404)
            self.end_headers()
            self.wfile.write(content or b"")

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    address = f"127.0.0.1:{server.server_port}"
    answers = crates | {
        "/index/config.json": json.dumps({"dl": f"http://{address}/dl/{{crate}}/{{version}}"}).encode(),
        "/index/de/pd/depd": "\n".join(map(json.dumps, lines)).encode(),
    }
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("MINER_BUILD_HOSTS", address)
    source = f'[source.here]\nregistry = "sparse+http://{address}/index/"\n'
    yield f'[source.crates-io]\nreplace-with = "here"\n{source}', dated
    server.shutdown()
    server.server_close()


@needs_rust
def test_crates_of_a_registry_are_locked_as_of_the_date_and_there_without_a_network(
    try_recipe: Callable, registry: tuple[str, bool]
) -> None:
    configuration, dated = registry
    tried = try_recipe({
        "Cargo.toml": f'{MANIFEST}[dependencies]\ndepd = "1"\n', "src/lib.rs": "", ".cargo/config.toml": configuration,
        "tests/it.rs": '#[test] fn old() { assert_eq!(depd::version(), "1.0.0") }\n',
    })  # fmt: skip
    knows_dates = dated and version_of(tried.ready.toolchain) >= (1, 95)  # older ones have not the option
    assert tried.record.undated is not knows_dates
    assert tried.record.fallbacks == ([] if knows_dates else ["no Cargo.lock and no dates: today's versions"])
    assert f'name = "depd"\nversion = "{"1.0.0" if knows_dates else "1.1.0"}"' in tried.lock
    assert tried.run("tests/it.rs")[1] == {"tests/it.rs::old": PASSED if knows_dates else FAILED}
