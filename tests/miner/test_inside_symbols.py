"""Which symbols of a source file are tests."""

import pytest

from miner import inside
from miner.symbols.languages.python import PYTHON
from miner.symbols.languages.rust import RUST
from tests.miner.symbol_cases import read

RUST_ITEMS = {
    "nothing": ("fn f() {}", False),
    "a test": ("#[test]\nfn f() {}", True),
    "a test with spaces": ("# [ test ]\nfn f() {}", True),
    "an asynchronous test": ("#[tokio::test]\nasync fn f() {}", True),
    "an asynchronous test with arguments": ('#[tokio::test(flavor = "current_thread")]\nasync fn f() {}', True),
    "a parametrized test": ("#[rstest]\nfn f() {}", True),
    "a case": ("#[test_case(1, 2; \"one\")]\nfn f() {}", True),
    "a benchmark": ("#[bench]\nfn f(b: &mut Bencher) {}", True),
    "a test below docs and others": ("/// Doc.\n// why\n#[ignore]\n/* a /* b */ c */ #[test]\nfn f() {}", True),
    "a test behind a blank line": ("#[test]\n\nfn f() {}", True),
    "an attribute behind the name": ("fn f() {\n    #[test]\n    fn g() {}\n}", False),
    "a module of tests": ("#[cfg(test)]\nmod tests {}", True),
    "a module of tests elsewhere": ("#[cfg(test)]\nmod tests;", True),
    "an import for tests": ("#[cfg(test)]\nuse a::b;", True),
    "not in tests": ("#[cfg(not(test))]\nfn f() {}", False),
    "not not in tests": ("#[cfg(not(not(test)))]\nfn f() {}", True),
    "in tests and more": ('#[cfg(all(test, feature = "a"))]\nmod tests {}', True),
    "more and in tests": ('#[cfg(all(unix, any(test)))]\nmod tests {}', True),
    "in tests or else": ('#[cfg(any(test, feature = "a"))]\nmod helpers {}', False),
    "in tests of two kinds": ("#[cfg(any(all(test, unix), all(test, windows)))]\nmod tests {}", True),
    "not out of tests": ("#[cfg(not(any(not(test), unix)))]\nmod tests {}", True),
    "all but tests": ("#[cfg(all(not(test), unix))]\nfn f() {}", False),
    "never": ("#[cfg(any())]\nfn f() {}", False),
    "a feature of that name": ('#[cfg(feature = "test")]\nfn f() {}', False),
    "a setting that begins so": ("#[cfg(test_helpers)]\nfn f() {}", False),
    "an attribute for tests only": ("#[cfg_attr(test, derive(Debug))]\nstruct A;", False),
    "text in a comment": ("// #[test]\n/* #[cfg(test)] */\nfn f() {}", False),
    "text in a doc": ("/// #[test]\n/** #[test] */\nfn f() {}", False),
    "text in a string": ('#[doc = "#[test]"]\nfn f() {}', False),
    "a bracket in a string": ('#[doc = "]#[test]"]\nfn f() {}', False),
    "a bracket in a raw string": ('#[doc = r#"] "#]\n#[test]\nfn f() {}', True),
    "a bracket in a comment": ("#[allow(/* ] */ dead_code)]\n#[test]\nfn f() {}", True),
    "an escaped quote": ('#[doc = "\\"]\\""]\n#[test]\nfn f() {}', True),
    "a lifetime in an attribute": ("#[bound('a, T: 'a)]\n#[test]\nfn f() {}", True),
    "an attribute with an argument of that name": ("#[allow(test)]\nfn f() {}", False),
    "a name that begins so": ("#[tested]\nfn f() {}", False),
    "an attribute without end": ("#[test", False),
    "a comment without end": ("/* #[test]\nfn f() {}", False),
    "conditions without end": ("#[cfg(" + "not(" * 5000 + "test" + ")" * 5000 + ")]\nfn f() {}", False),
}  # fmt: skip

FILE = """\
use a::b;
#[cfg(test)]
use c::d;

fn f() {}

mod inner {
    fn g() {}

    #[test]
    fn checks_g() {}
}

impl A {
    #[cfg(test)]
    fn faked() -> A {}
}

#[cfg(test)]
mod tests {
    #[test]
    fn checks_f() {}
}
"""


@pytest.mark.parametrize(("text", "expected"), RUST_ITEMS.values(), ids=RUST_ITEMS.keys())
def test_rust_item_is_a_test(text: str, expected: bool) -> None:
    assert RUST.tests is not None
    assert RUST.tests(text.encode()) is expected
    assert RUST.tests(b"\r\n " + text.replace("\n", "\r\n").encode()) is expected


def test_bytes_that_are_no_text_are_no_test() -> None:
    assert RUST.tests is not None
    assert not RUST.tests(b"\xff#[test]")


def test_outermost_tests_of_a_file_in_order() -> None:
    found = inside.test_symbols(read("rust", FILE), RUST)
    assert [FILE[s.start : s.end].split("\n")[1].strip() for s in found] == [
        "use c::d;", "fn checks_g() {}", "fn faked() -> A {}", "mod tests {",
    ]  # fmt: skip
    assert [s.name for s in found] == ["<module imports>", "inner.checks_g", "impl A.faked", "tests.<body>"]


def test_a_file_of_a_language_without_tests_in_its_source_has_none() -> None:
    assert inside.test_symbols(read("python", "def test_a(): pass\n"), PYTHON) == ()
