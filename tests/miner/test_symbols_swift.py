# ruff: noqa: E501
"""Swift: what a reader calls a symbol, and which of them an edit changes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from miner.symbols.languages.swift import SWIFT
from tests.miner.symbol_cases import Case, check, check_partition, read

SAMPLE = '''// A file.

import Foundation
@testable import App

/// Serves.
@objc public final class Server: NSObject {
    static let shared = Server()
    var name: String = "x" {
        didSet { print(1) }
    }
    var pair: Int {
        get { 1 }
        set { other = newValue }
    }
    let low = 1, high = 2

    /// Runs.
    @discardableResult
    func serve(on port: Int, _ path: String = "a") throws -> Int {
        func inner() {}
        let doubled = { (y: Int) in y + y }
        return 0
    }

    func serve(_ path: String) {}

    init(name: String) {
        self.name = name
    }

    deinit {}

    subscript(i: Int) -> Int { i }

    enum State {
        case idle, busy(Int)
        func next() {}
    }
}

extension Server: Codable {
    func encode() {}
}

extension Server where T: Equatable {
    func same() {}
}

protocol Store {
    associatedtype Key
    var size: Int { get }
    func get(_ key: Key)
}

let limit = 3

#if DEBUG
func log() { print(1) }
#else
func log() { print(2) }
#endif

print("ready")
'''


def edited(*edits: tuple[str, str], text: str = SAMPLE) -> tuple[str, str]:
    """A text before and after some replacements, each of which must fit once."""
    after = text
    for old, new in edits:
        assert after.count(old) == 1, old
        after = after.replace(old, new)
    return text, after


PATH = "    func serve(_ path: String) {}\n\n"

CASES: dict[str, Case] = {
    "a method among overloads": (*edited(("return 0", "return 1")), ["modified Server.serve(on: Int, String)"]),
    "another overload": (*edited(("func serve(_ path: String) {}", "func serve(_ path: String) { stop() }")), ["modified Server.serve(String)"]),
    "an overload is added": (*edited((PATH, PATH + "    func serve(now: Bool) {}\n\n")), ["added Server.serve(now: Bool)"]),
    "an overload goes": (*edited((PATH, "")), ["removed Server.serve(String)"]),
    "a method moves within its class": (
        *edited((PATH, ""), ("    deinit {}\n\n", "    deinit {}\n\n" + PATH)), ["reordered Server.<body>"],
    ),
    "a method moves to an extension": (
        *edited((PATH, ""), ("Codable {\n", "Codable {\n" + PATH)),
        ["added extension Server(Codable).serve", "removed Server.serve(String)"],
    ),
    "a nested function": (*edited(("func inner() {}", "func inner() { stop() }")), ["modified Server.serve(on: Int, String).inner"]),
    "a closure is its method's": (*edited(("y + y", "y * y")), ["modified Server.serve(on: Int, String)"]),
    "an attribute": (*edited(("    @discardableResult\n", "")), ["modified Server.serve(on: Int, String)"]),
    "a method's comment": (*edited(("/// Runs.", "/// Goes.")), ["modified Server.serve(on: Int, String)"]),
    "an initializer": (*edited(("self.name = name", "self.name = name + name")), ["modified Server.init"]),
    "a subscript": (*edited(("Int { i }", "Int { i + 1 }")), ["modified Server.subscript"]),
    "a static constant": (*edited(("shared = Server()", "shared = Server(1)")), ["modified Server.shared"]),
    "an observer of a property": (*edited(("didSet { print(1) }", "didSet { print(2) }")), ["modified Server.name"]),
    "a setter": (*edited(("other = newValue", "another = newValue")), ["modified Server.pair"]),
    "two constants at once": (*edited(("high = 2", "high = 3")), ["modified Server.low, high"]),
    "a class's comment": (*edited(("/// Serves.", "/// Waits.")), ["modified Server.<body>"]),
    "a case": (*edited(("busy(Int)", "busy(Int, Int)")), ["modified Server.State.<body>"]),
    "an enumeration's method": (*edited(("func next() {}", "func next() { stop() }")), ["modified Server.State.next"]),
    "an extension": (*edited(("func encode() {}", "func encode() { stop() }")), ["modified extension Server(Codable).encode"]),
    "an extension with a condition": (
        *edited(("func same() {}", "func same() { stop() }")), ["modified extension Server(where T: Equatable).same"],
    ),
    "a protocol's method": (*edited(("get(_ key: Key)", "get(_ key: Key?)")), ["modified Store.get"]),
    "a protocol's property": (*edited(("size: Int { get }", "size: Int { get set }")), ["modified Store.size"]),
    "a constant": (*edited(("limit = 3", "limit = 4")), ["modified limit"]),
    "a twin": (*edited(("print(2) }\n#endif", "print(3) }\n#endif")), ["modified log#2"]),
    "a condition": (*edited(("#if DEBUG", "#if RELEASE")), ["modified <module>"]),
    "a statement": (*edited(('print("ready")', 'print("done")')), ["modified <module>"]),
    "an import is added": (*edited(("import Foundation\n", "import Foundation\nimport os\n")), ["modified <module imports>"]),
    "imports are sorted": ("import B\nimport A\n", "import A\nimport B\n", ["reordered <module imports>"]),
    "a blank line between members": (*edited((PATH, PATH + "\n")), ["modified Server.serve(String)"]),
    "CRLF": ("func a() {}\r\n\r\nfunc b() {}\r\n", "func a() { b() }\r\n\r\nfunc b() {}\r\n", ["modified a"]),
}  # fmt: skip

TABLE = {
    "operators": ("infix operator +++\nprecedencegroup P { associativity: left }\nfunc +++ (a: A, b: A) -> A { a }\n", ["+++", "P", "+++(a: A, b: A)"]),
    "types": ("struct A {}\nactor B {}\nindirect enum C {}\ntypealias D = A\n", ["A.<body>", "B.<body>", "C.<body>", "D"]),
    "a pattern": ("let (p, q) = (1, 2)\n", ["(p, q)"]),
    "a local variable": ("func f() {\n    var a = 1\n    struct L {}\n}\n", ["f", "f.L.<body>", "f"]),
}  # fmt: skip

ENTRIES = [
    ("import Foundation", ["import Foundation"], [None]),
    ("import struct A.B", ["import struct A.B"], ["B"]),
    ("@testable  import App", ["@testable import App"], [None]),
    ("import A.Sub", ["import A.Sub"], [None]),
]


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_an_edit_changes_the_symbols_that_a_reader_would_name(case: Case) -> None:
    check("swift", case)


@pytest.mark.parametrize(("text", "expected"), TABLE.values(), ids=TABLE.keys())
def test_symbols_of_a_text_in_order(text: str, expected: list[str]) -> None:
    assert [segment.name for segment in read("swift", text).segments] == expected


@pytest.mark.parametrize(("text", "entries", "names"), ENTRIES, ids=[row[0] for row in ENTRIES])
def test_import_is_one_entry_and_its_name(text: str, entries: list[str], names: list[str | None]) -> None:
    (segment,) = read("swift", f"{text}\n").segments
    assert list(segment.entries) == entries
    assert [SWIFT.binds(entry) for entry in segment.entries] == names


@given(st.integers(0, len(SAMPLE)), st.integers(0, 40),
       st.sampled_from(["", "\n", "\r\n", "(", ")", "{", "}", '"', "//", "/*", "func f(", "class ", "#if A\n", "@", "é", "\udcff"]))  # fmt: skip
@settings(max_examples=80, deadline=None)
def test_segments_partition_any_edit_of_a_sample(at: int, length: int, new: str) -> None:
    check_partition(read("swift", SAMPLE[:at] + new + SAMPLE[at + length :]))
