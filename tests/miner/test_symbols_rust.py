# ruff: noqa: E501
"""Rust: what a reader calls a symbol, and which of them an edit changes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from miner.symbols.languages.rust import RUST
from tests.miner.symbol_cases import Case, changes, check, check_partition, read

SAMPLE = '''//! A crate.
#![deny(missing_docs)]

use std::{
    fmt::{self, Display as Show},
    io::*, // all
};
use crate::a::b;
#[macro_use]
extern crate log;
mod other;

/// The limit.
/// More of it.
pub const LIMIT: usize = 3; // tail
static mut COUNT: u32 = 0;

/// A point.
#[derive(Debug)]
pub struct Point<T> {
    /// Left to right.
    x: T,
    y: T,
}

enum Kind {
    Small,
    Big(u32),
}

impl<T: Copy> Point<T> {
    //! Of points.
    const ORIGIN: u32 = 0;

    /// Makes one.
    #[inline]
    pub fn new(x: T, y: T) -> Self {
        fn check() {}
        let f = |a| a + 1;
        Point { x, y }
    }

    fn x(&self) -> T {
        self.x
    }
}

impl<T: Ord> Point<T> {
    fn top(&self) -> T {
        self.y
    }
}

impl<T> fmt::Display for Point<T> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "()")
    }
}

trait Shape: Sized {
    type Unit;
    fn area(&self) -> f64;
    fn twice(&self) -> f64 {
        2.0 * self.area()
    }
}

macro_rules! square {
    ($x:expr) => { $x * $x };
}

thread_local! {
    static SLOT: u32 = 1;
}

#[cfg(unix)]
fn home() -> u32 {
    1
}

#[cfg(not(unix))]
fn home() -> u32 {
    2
}

extern "C" {
    fn abs(x: i32) -> i32;
}

mod inner {
    pub fn deep() {}
    pub mod deeper {
        pub fn deepest() {}
    }
}

async fn run() {
    struct Local;
    impl Local {
        fn go() {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds() {
        assert_eq!(2, 1 + 1);
    }
}
'''


def edited(*edits: tuple[str, str], text: str = SAMPLE) -> tuple[str, str]:
    """A text before and after some replacements, each of which must fit once."""
    after = text
    for old, new in edits:
        assert after.count(old) == 1, old
        after = after.replace(old, new)
    return text, after


X = "    fn x(&self) -> T {\n        self.x\n    }\n"
NEW = SAMPLE[SAMPLE.index("    /// Makes one.") : SAMPLE.index(X)]

CASES: dict[str, Case] = {
    "a method": (*edited(("        self.x\n", "        self.x.clone()\n")), ["modified impl Point<T>(T: Copy).x"]),
    "a method of a second block": (*edited(("        self.y\n", "        self.x\n")), ["modified impl Point<T>(T: Ord).top"]),
    "a method of a trait's implementation": (*edited(('"()"', '"(,)"')), ["modified impl fmt::Display for Point<T>.fmt"]),
    "a method is added between others": (
        *edited((X, "    fn both(&self) {}\n\n" + X)), ["added impl Point<T>(T: Copy).both"],
    ),
    "a method is added at the end": (*edited((X, X + "\n    fn both(&self) {}\n")), ["added impl Point<T>(T: Copy).both"]),
    "a method goes": (*edited((NEW, "")), ["removed impl Point<T>(T: Copy).new", "removed impl Point<T>(T: Copy).new.check"]),
    "a method moves within its block": (*edited((NEW, ""), (X, X + "\n" + NEW.rstrip("\n") + "\n")), ["reordered impl Point<T>(T: Copy).<body>"]),
    "a method moves to another block": (
        *edited(("\n" + X, ""), ("impl<T: Ord> Point<T> {\n", "impl<T: Ord> Point<T> {\n" + X + "\n")),
        ["added impl Point<T>(T: Ord).x", "removed impl Point<T>(T: Copy).x"],
    ),
    "a method's doc": (*edited(("/// Makes one.", "/// Makes it.")), ["modified impl Point<T>(T: Copy).new"]),
    "a method's attribute": (*edited(("    #[inline]\n", "")), ["modified impl Point<T>(T: Copy).new"]),
    "a nested function": (*edited(("fn check() {}", "fn check() { stop() }")), ["modified impl Point<T>(T: Copy).new.check"]),
    "a closure is its function's": (*edited(("|a| a + 1", "|a| a + 2")), ["modified impl Point<T>(T: Copy).new"]),
    "what an impl block says of itself": (*edited(("//! Of points.", "//! On points.")), ["modified impl Point<T>(T: Copy).<body>"]),
    "an associated constant": (*edited(("ORIGIN: u32 = 0", "ORIGIN: u32 = 1")), ["modified impl Point<T>(T: Copy).ORIGIN"]),
    "an impl block is added": (
        *edited(("trait Shape", "impl Point<u8> {\n    fn b() {}\n}\n\ntrait Shape")), ["added impl Point<u8>.<body>", "added impl Point<u8>.b"],
    ),
    "an impl block of one type among several goes": (
        "struct W;\n\nimpl W {\n    fn a() {}\n}\n\nimpl W {\n    fn b() {}\n}\n", "struct W;\n\nimpl W {\n    fn b() {}\n}\n",
        ["removed impl W.<body>", "removed impl W.a"],
    ),
    "the second of two equal impl blocks": (
        "struct W;\n\nimpl W {\n    fn a() {}\n}\n\nimpl W {\n    fn b() {}\n}\n", "struct W;\n\nimpl W {\n    fn a() {}\n}\n\nimpl W {\n    fn b() { c() }\n}\n",
        ["modified impl W#2.b"],
    ),
    "a negative implementation": ("impl Sync for W {}\n", "impl !Sync for W {}\n", ["added impl !Sync for W.<body>", "removed impl Sync for W.<body>"]),
    "a field": (*edited(("    y: T,\n}", "    z: T,\n}")), ["modified Point"]),
    "a field's doc": (*edited(("Left to right", "Right to left")), ["modified Point"]),
    "a derive": (*edited(("derive(Debug)", "derive(Clone)")), ["modified Point"]),
    "a variant": (*edited(("    Small,\n", "    Small,\n    Middle,\n")), ["modified Kind"]),
    "a constant": (*edited(("usize = 3", "usize = 4")), ["modified LIMIT"]),
    "a constant's doc": (*edited(("/// More of it.", "/// Less of it.")), ["modified LIMIT"]),
    "a line of doc is added": (*edited(("/// More of it.\n", "/// More of it.\n/// Yet more.\n")), ["modified LIMIT"]),
    "a comment behind a constant": (*edited(("// tail", "// behind")), ["modified LIMIT"]),
    "a static": (*edited(("COUNT: u32 = 0", "COUNT: u32 = 1")), ["modified COUNT"]),
    "a function is added at the end": (SAMPLE, SAMPLE + "\nfn last() {}\n", ["added last"]),
    "a provided method of a trait": (*edited(("2.0 *", "3.0 *")), ["modified Shape.twice"]),
    "a required method of a trait": (*edited(("fn area(&self)", "fn area(self)")), ["modified Shape.area"]),
    "a method is added to a trait": (*edited(("    type Unit;\n", "    type Unit;\n    fn name(&self);\n")), ["added Shape.name"]),
    "an associated type": (*edited(("type Unit;", "type Unit: Copy;")), ["modified Shape.Unit"]),
    "a trait's bound": (*edited(("Shape: Sized", "Shape: Copy")), ["modified Shape.<body>"]),
    "a macro": (*edited(("$x * $x", "$x + $x")), ["modified square"]),
    "a macro's call": (*edited(("SLOT: u32 = 1", "SLOT: u32 = 2")), ["modified thread_local!"]),
    "one of many calls of a macro": (
        "my_test!(a, 1);\n// b\nmy_test!(b, 2);\nmy_test!(c, 3);\n", "my_test!(a, 1);\n// b\nmy_test!(b, 4);\nmy_test!(c, 3);\n", ["modified my_test!(b)"],
    ),
    "a twin for another platform": (*edited(("    2\n", "    3\n")), ["modified home#2"]),
    "the condition of a twin": (*edited(("cfg(unix)", "cfg(linux)")), ["modified home"]),
    "a foreign function": (*edited(("fn abs(x: i32)", "fn abs(x: i64)")), ["modified abs"]),
    "a function of a module": (*edited(("fn deep() {}", "fn deep() { a() }")), ["modified inner.deep"]),
    "a function of a module's module": (*edited(("fn deepest() {}", "fn deepest() { a() }")), ["modified inner.deeper.deepest"]),
    "a module of another file": (*edited(("mod other;", "mod another;")), ["added another", "removed other"]),
    "a local type's method": (*edited(("fn go() {}", "fn go() { a() }")), ["modified run.impl Local.go"]),
    "a test": (*edited(("1 + 1", "1 + 2")), ["modified tests.adds"]),
    "an import of a tree is added": (*edited(("    io::*, // all\n", "    io::*, // all\n    mem,\n")), ["modified <module imports>"]),
    "an import goes": (*edited(("use crate::a::b;\n", "")), ["modified <module imports>"]),
    "imports are sorted": ("use b;\nuse a;\n", "use a;\nuse b;\n", ["reordered <module imports>"]),
    "an import becomes public": ("use a::b;\n", "pub use a::b;\n", ["modified <module imports>"]),
    "an import moves into a module": (
        "use a;\nmod t {\n    use b;\n}\n", "mod t {\n    use a;\n    use b;\n}\n", ["modified <module imports>"],
    ),
    "an import moves to the next module": (
        "mod s {\n    use a;\n}\nmod t {\n    use b;\n}\n", "mod s {\n}\nmod t {\n    use a;\n    use b;\n}\n",
        ["reordered <module imports>"],
    ),
    "an attribute of an import": (*edited(("#[macro_use]\n", "")), ["modified <module imports>"]),
    "an import inside a function": ("fn f() {\n    use a::b;\n}\n", "fn f() {\n    use a::c;\n}\n", ["modified f"]),
    "the crate's doc": (*edited(("//! A crate.", "//! The crate.")), ["modified <module>"]),
    "the crate's doc right above a function": ("//! A crate.\nfn f() {}\n", "//! The crate.\nfn f() {}\n", ["modified <module>"]),
    "the crate's attribute": (*edited(("deny(missing_docs)", "warn(missing_docs)")), ["modified <module>"]),
    "an attribute apart from its function": ("#[test]\n\nfn f() {}\n", "#[ignore]\n\nfn f() {}\n", ["modified f"]),
    "a blank line between functions": (*edited(("    1\n}\n\n", "    1\n}\n\n\n")), ["modified home"]),
    "a comment behind an opening brace": (
        "impl W { // of W\n    fn a() {}\n}\n", "impl W { // of W\n    fn b() {}\n    fn a() {}\n}\n", ["added impl W.b"],
    ),
    "CRLF": ("/// A.\r\nfn a() {\r\n    b()\r\n}\r\n\r\nfn c() {}\r\n", "/// B.\r\nfn a() {\r\n    b()\r\n}\r\n\r\nfn c() {}\r\n", ["modified a"]),
}  # fmt: skip

TABLE = {
    "docs above and behind": ("/// a\n/// b\nfn f() {} // c\n// d\n\nfn g() {}\n", ["f", "<module>", "g"]),
    "a doc of another item below a blank line": ("fn f() {}\n/// a\n\n/// b\nfn g() {}\n", ["f", "<module>", "g"]),
    "modules": ("mod a;\nmod b {\n    mod c {}\n}\n", ["a", "b.<body>", "b.c.<body>", "b.<body>"]),
    "types": ("struct A;\nstruct B(u8);\nenum C {}\nunion D { a: u8 }\ntype E = A;\n", ["A", "B", "C", "D", "E"]),
    "a constant inside a function": ("fn f() {\n    const A: u8 = 1;\n    g!(a);\n}\n", ["f"]),
    "a macro inside a function": ("fn f() {\n    macro_rules! m { () => {} }\n}\n", ["f", "f.m", "f"]),
    "a foreign block": ('extern "C" {\n    static A: u8;\n}\n', ["<module>", "A", "<module>"]),
    "macros that stand alone": ("a!(b);\na! { c }\nd::e![f];\n", ["a!(b)", "a!(c)", "d::e!"]),
    "conditions of an impl": ("impl<T> W<T> where T: A {}\nimpl<T> W<T> where T: B {}\n",
                              ["impl W<T>(T where T: A).<body>", "impl W<T>(T where T: B).<body>"]),
}  # fmt: skip

ENTRIES = [
    ("use a;", ["use a"], ["a"]),
    ("use a::b;", ["use a::b"], ["b"]),
    ("use a::{b, c as d, e::*};", ["use a::b", "use a::c as d", "use a::e::*"], ["b", "d", None]),
    ("use a::{self, b::{self as c, d}};", ["use a", "use a::b as c", "use a::b::d"], ["a", "c", "d"]),
    ("use {a, b::c};", ["use a", "use b::c"], ["a", "c"]),
    ("use ::a::{\n    b, // why\n    c,\n};", ["use ::a::b", "use ::a::c"], ["b", "c"]),
    ("use a::B as _;", ["use a::B as _"], [None]),
    ("pub(crate) use self::a;", ["pub(crate) use self::a"], ["a"]),
    ("use super::*;", ["use super::*"], [None]),
    ("use a :: b;", ["use a::b"], ["b"]),
    ("use a::{};", [], []),
    ("extern crate a;", ["extern crate a"], ["a"]),
    ("pub extern crate a as b;", ["pub extern crate a as b"], ["b"]),
]


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_an_edit_changes_the_symbols_that_a_reader_would_name(case: Case) -> None:
    check("rust", case)


@pytest.mark.parametrize(("text", "expected"), TABLE.values(), ids=TABLE.keys())
def test_symbols_of_a_text_in_order(text: str, expected: list[str]) -> None:
    assert [segment.name for segment in read("rust", text).segments] == expected


@pytest.mark.parametrize(("text", "entries", "names"), ENTRIES, ids=[row[0] for row in ENTRIES])
def test_import_is_read_as_single_paths_and_their_names(text: str, entries: list[str], names: list[str | None]) -> None:
    (segment,) = read("rust", f"{text}\n").segments
    assert segment.name == "<module imports>"
    assert list(segment.entries) == entries
    assert [RUST.binds(entry) for entry in segment.entries] == names


def test_allowing_one_path_of_a_tree_frees_no_other() -> None:
    before, after = edited(("    io::*, // all\n", "    io::*, // all\n    mem,\n"))
    assert changes("rust", before, after, ["use std::mem"]) == []
    assert changes("rust", before, after.replace("mem,", "mem, ptr,"), ["use std::mem"]) == ["modified <module imports>"]


def test_use_trees_without_end_are_read() -> None:
    depth = 3000
    text = "use " + "a::{" * depth + "b" + "}" * depth + ";\n"
    (segment,) = read("rust", text).segments
    assert len(segment.entries) == 1


@given(st.integers(0, len(SAMPLE)), st.integers(0, 40),
       st.sampled_from(["", "\n", "\r\n", "(", ")", "{", "}", '"', "//!", "/*", "fn f() {\n", "impl ", "use {", "#[", "'", "é", "\udcff"]))  # fmt: skip
@settings(max_examples=80, deadline=None)
def test_segments_partition_any_edit_of_a_sample(at: int, length: int, new: str) -> None:
    check_partition(read("rust", SAMPLE[:at] + new + SAMPLE[at + length :]))
