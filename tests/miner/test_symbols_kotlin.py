# ruff: noqa: E501
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from miner.symbols.languages.kotlin import KOTLIN
from tests.miner.symbol_cases import Case, check, check_partition, read

SAMPLE = """// Licence.
@file:JvmName("größe")

package a.b

import a.C
import a.D as E // why
import a.*

// apart

/** Doc. */
@Ann
data class A(val x: Int) : B(), C by d {
    val y: Int
        // about the getter
        get() = 1

    var z = 1 // why
        private set

    constructor(a: String, vararg b: Int) : this(1) { }

    init { print("🦜 ${x}") }

    companion object {
        fun make() = A(1)
    }
}

enum class E(val v: Int) {
    X(1) {
        override fun x() { }
    },
    Y(2);

    fun m() { }
}

fun String.shout(x: (Int) -> Int): String {
    fun local(i: Int) = 1
    val o = object : Runnable {
        override fun run() { }
    }
    return this
}
"""

SYMBOLS = {
    "nothing": ("", []),
    "package and imports": ("package a\n\nimport b.C\nimport b.*\n\nval x = 1\n", ["<module>", "<module imports>", "<module imports>", "x"]),
    "documentation below the imports": ("import b.C\n\n// apart\n\n/** Doc. */\nclass A\n", ["<module imports>", "<module>", "A.<body>"]),
    "documentation below the package": ("package a\n\n/** Doc. */\nclass A\n", ["<module>", "A.<body>"]),
    "comments beside imports": ("package a // p\n\nimport b.C // c\nimport b.D // d\nclass A\n", ["<module>", "<module imports>", "<module imports>", "A.<body>"]),
    "functions and properties": ("const val X = 1\nfun f() = 1\ntypealias T = Int\n", ["X", "f", "T"]),
    "extensions": ("fun String.f() = 1\nfun List<Int>.f() = 1\nfun Int?.g() = 1\nval String.x: Int\n    get() = 1\n", ["String.f", "List<Int>.f", "Int?.g", "String.x"]),
    "overloads": ("fun f() = 1\nfun f(a: Int, b: (Int) -> Int = g) = 1\nfun f(vararg a: Map<String, Int>?) = 1\n",
                  ["f", "f(Int, (Int) -> Int)", "f(vararg Map<String, Int>?)"]),
    "accessors": ("class A {\n    var x: Int\n        get() = 1\n        // set\n        set(v) { f() }\n    var y = 1\n        private set\n    val z: Int get() = 1\n}\n",
                  ["A.<body>", "A.x", "A.y", "A.z", "A.<body>"]),
    "several names": ("val (a, b) = f()\n", ["a, b"]),
    "companions": ("class A {\n    companion object {\n        val x = 1\n    }\n}\nclass B {\n    companion object N\n}\n",
                   ["A.<body>", "A.Companion.<body>", "A.Companion.x", "A.Companion.<body>", "A.<body>", "B.<body>", "B.N.<body>", "B.<body>"]),
    "constructors": ("class A(val x: Int) {\n    init { f() }\n    constructor() : this(1)\n    constructor(s: String) : this(2)\n}\n",
                     ["A.<body>", "A.constructor", "A.constructor(String)", "A.<body>"]),
    "objects and interfaces": ("object A {\n    fun f() { }\n}\ninterface I {\n    fun g()\n}\n", ["A.<body>", "A.f", "A.<body>", "I.<body>", "I.g", "I.<body>"]),
    "an enum": ("enum class E {\n    A,\n    B {\n        override fun f() { }\n    };\n\n    abstract fun f()\n}\n",
                ["E.<body>", "E.B.<body>", "E.B.f", "E.B.<body>", "E.f", "E.<body>"]),
    "a local function and an object": ("fun f() {\n    fun g() = 1\n    val o = object : R {\n        override fun run() { }\n    }\n}\n", ["f", "f.g", "f", "f.run", "f"]),
    "a script": ("plugins { id(\"x\") }\nval x = 1\n", ["<module>", "x"]),
}  # fmt: skip

ENTRIES = {
    "a class": ("import a.b.C", "import a.b.C", "C"),
    "another name": ("import  a.b.C  as  D", "import a.b.C as D", "D"),
    "a package": ("import a.b.*", "import a.b.*", None),
    "a comment": ("import a.b.C // c", "import a.b.C", "C"),
}


def of(body: str) -> str:
    return f"package p\n\nimport q.R\nimport q.S\n\n/** Doc. */\nclass A {{\n{body}}}\n"


F = "    fun f(a: Int): Int {\n        return a\n    }\n"
G = "    /** G. */\n    @Ann\n    fun f(a: String) = a\n"
H = "    fun h() { }\n"
P = "    var p: Int = 1\n        get() = field\n        set(v) { field = v }\n"

CASES: dict[str, Case] = {
    "a method is inserted": (of(F + "\n" + H), of(F + "\n    fun n() = 1\n\n" + H), ["added A.n"]),
    "a method is added at the end": (of(F), of(F + "\n" + H), ["added A.h"]),
    "a method is removed": (of(F + "\n" + H), of(F), ["removed A.h"]),
    "one overload is edited": (of(F + G), of(F + G.replace("= a", "= b")), ["modified A.f(String)"]),
    "an annotation": (of(F + G), of(F + G.replace("@Ann", "@Other")), ["modified A.f(String)"]),
    "documentation": (of(F + G), of(F + G.replace("G.", "H.")), ["modified A.f(String)"]),
    "documentation below the imports": (of(F), of(F).replace("Doc", "Other"), ["modified A.<body>"]),
    "a method moves within its class": (of(F + H + P), of(P + F + H), ["reordered A.<body>"]),
    "a method moves to another class": (of(F + H) + "class B {\n}\n", of(H) + "class B {\n" + F + "}\n", ["added B.f", "removed A.f"]),
    "an import is added": (of(F), of(F).replace("import q.S\n", "import q.S\nimport q.T\n"), ["modified <module imports>"]),
    "imports are sorted again": (of(F), of(F).replace("import q.R\nimport q.S\n", "import q.S\nimport q.R\n"), ["reordered <module imports>"]),
    "an accessor": (of(P + H), of(P.replace("= v", "= 2") + H), ["modified A.p"]),
    "an accessor is added": (of("    var p = 1\n" + H), of("    var p = 1\n        private set\n" + H), ["modified A.p"]),
    "a local function in an accessor": ("val x: Int\n    get() {\n        fun f() = 1\n        return f()\n    }\n", "val x: Int\n    get() {\n        fun f() = 2\n        return f()\n    }\n",
                                        ["modified x.f"]),
    "an extension's namesake": ("fun Int.f() = 1\nfun String.f() = 1\n", "fun Int.f() = 1\nfun String.f() = 2\n", ["modified String.f"]),
    "a companion's member": (of("    companion object {\n        val x = 1\n    }\n" + F), of("    companion object {\n        val x = 2\n    }\n" + F), ["modified A.Companion.x"]),
    "a primary constructor": ("class A(val x: Int) {\n" + F + "}\n", "class A(val y: Int) {\n" + F + "}\n", ["modified A.<body>"]),
    "a secondary constructor": (of("    constructor() : this(1)\n    constructor(a: Int) : this(2)\n"), of("    constructor() : this(1)\n    constructor(a: Int) : this(3)\n"),
                                ["modified A.constructor(Int)"]),
    "an initialiser": (of("    init { f() }\n" + F), of("    init { g() }\n" + F), ["modified A.<body>"]),
    "an entry of an enum": ("enum class E {\n    A,\n    B;\n\n    fun m() { }\n}\n", "enum class E {\n    A,\n    C;\n\n    fun m() { }\n}\n", ["modified E.<body>"]),
    "a lambda": (of("    val l = lazy { f() }\n" + F), of("    val l = lazy { g() }\n" + F), ["modified A.l"]),
    "a constant": ("const val X = 1\nfun f() = X\n", "const val X = 2\nfun f() = X\n", ["modified X"]),
    "CRLF": (of(F + H).replace("\n", "\r\n"), of(F.replace("return a", "return 1") + H).replace("\n", "\r\n"), ["modified A.f"]),
    "a statement of a script": ("plugins { a() }\nval x = 1\n", "plugins { b() }\nval x = 1\n", ["modified <module>"]),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_changes_are_named(case: Case) -> None:
    check("kotlin", case)


@pytest.mark.parametrize(("text", "expected"), SYMBOLS.values(), ids=SYMBOLS.keys())
def test_symbols_of_a_text_in_order(text: str, expected: list[str]) -> None:
    assert [segment.name for segment in read("kotlin", text).segments] == expected


@pytest.mark.parametrize(("text", "expected", "bound"), ENTRIES.values(), ids=ENTRIES.keys())
def test_import_is_read_as_what_it_binds(text: str, expected: str, bound: str | None) -> None:
    (segment,) = read("kotlin", text + "\n").segments
    assert list(segment.entries) == [expected]
    assert KOTLIN.binds(expected) == bound


PIECES = st.sampled_from(
    ["", " ", "\n", "\r\n", "(", ")", "{", "}", "/*", "*/", "// c\n", '"', '"""', "'", ";", ",", "@N\n", "class B {\n", "fun g() {}\n",
     "import q.R\n", "get() = 1\n", "->", "é", "🦜", "\udcff", "\x00", "val x = 1"]
)  # fmt: skip


@given(st.integers(0, len(SAMPLE)), st.integers(0, 60), PIECES, st.integers(0, len(SAMPLE)), PIECES)
@settings(max_examples=60, deadline=None)
def test_segments_partition_any_edit_of_a_sample(at: int, length: int, new: str, other: int, more: str) -> None:
    text = SAMPLE[:at] + new + SAMPLE[at + length :]
    check_partition(read("kotlin", text[:other] + more + text[other:]))
