# ruff: noqa: E501
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from miner.symbols.languages.java import JAVA
from tests.miner.symbol_cases import Case, changes, check, check_partition, read

SAMPLE = """/* Licence. */
package a.b;

import java.util.List;
import static a.b.C.max;

/** Doc. */
@Ann("größe")
public class Foo<T> extends Bar {
    private static final int A = 1, B = 2;
    int[] xs[] = {1}; // why

    static { A = 2; }

    public Foo(int a, List<String>... b) { super(); }

    // about gen
    @Override
    <U> void gen(final Map<String, U> m, @Nullable String s) {
        Runnable r = new Runnable() {
            public void run() { class L { void q() {} } }
        };
        list.forEach(x -> { print("🦜"); });
    }

    enum E implements I {
        X(1) { void x() {} },
        Y;

        int f;
        void m() {}
    }

    record P(int x, int y) {
        P { check(); }
        P(int q) { this(q, q); }
    }

    @interface An { int value() default 1; }
}
"""

SYMBOLS = {
    "nothing": ("", []),
    "package and imports": ("package a;\nimport b.C;\n", ["<module>", "<module imports>"]),
    "a class": ("class A {\n  int x;\n  void m() {}\n}\n", ["A.<body>", "A.x", "A.m", "A.<body>"]),
    "a class without members": ("class A {}\n", ["A.<body>"]),
    "a comment above the package": ("/* Licence. */\npackage a;\n\nclass A {}\n", ["<module>", "A.<body>"]),
    "documentation and annotation": ("/** Doc. */\n@Ann(1)\nclass A {}\n", ["A.<body>"]),
    "overloads": ("class A {\n  void f() {}\n  void f(int a) {}\n  void f(final int a, @N String b) {}\n}\n",
                  ["A.<body>", "A.f", "A.f(int)", "A.f(int, String)", "A.<body>"]),
    "generic overloads": ("class A {\n  <T> void f(Map<String, ? extends T> m) {}\n  void f(List<int[]> m) {}\n}\n",
                          ["A.<body>", "A.f(Map<String, ? extends T>)", "A.f(List<int[]>)", "A.<body>"]),
    "variable arguments": ("class A {\n  void f(int... a) {}\n  void f(final List<String>... a) {}\n}\n",
                           ["A.<body>", "A.f(int...)", "A.f(List<String>...)", "A.<body>"]),
    "arrays": ("class A {\n  void f(int[][] a) {}\n  void f(long a[]) {}\n}\n",
               ["A.<body>", "A.f(int[][])", "A.f(long[])", "A.<body>"]),
    "a receiver": ("class A {\n  void f(A this, int a) {}\n  void f(A this) {}\n}\n",
                   ["A.<body>", "A.f(int)", "A.f", "A.<body>"]),
    "a comment between parameters": ("class A {\n  void f(int a, // one\n  b.C c) {}\n  void f() {}\n}\n",
                                     ["A.<body>", "A.f(int, b.C)", "A.f", "A.<body>"]),
    "constructors": ("class A {\n  A() {}\n  A(int a) {}\n}\n", ["A.<body>", "A.A", "A.A(int)", "A.<body>"]),
    "initialisers": ("class A {\n  static { f(); }\n  { g(); }\n}\n", ["A.<body>"]),
    "several declarators": ("class A {\n  int a, b[] = {1};\n}\n", ["A.<body>", "A.a, b", "A.<body>"]),
    "a field and a method of one name": ("class A {\n  int x;\n  int x() { return x; }\n}\n",
                                         ["A.<body>", "A.x(field)", "A.x", "A.<body>"]),
    "an enum": ("enum E {\n  A, B;\n\n  int f;\n  void m() {}\n}\n", ["E.<body>", "E.f", "E.m", "E.<body>"]),
    "a constant with a body": ("enum E {\n  A { void m() {} }\n}\n", ["E.<body>"]),
    "a record": ("record P(int x) {\n  static int z;\n  P { f(); }\n  P() { this(1); }\n}\n",
                 ["P.<body>", "P.z", "P.P", "P.P#2", "P.<body>"]),
    "an interface": ("interface I {\n  int C = 1;\n  void a();\n  default void b() {}\n}\n",
                     ["I.<body>", "I.C", "I.a", "I.b", "I.<body>"]),
    "an annotation type": ("@interface N {\n  int value() default 1;\n  String K = \"a\";\n}\n",
                           ["N.<body>", "N.value", "N.K", "N.<body>"]),
    "nested classes": ("class A {\n  static class B {\n    interface C { void d(); }\n  }\n}\n",
                       ["A.<body>", "A.B.<body>", "A.B.C.<body>", "A.B.C.d", "A.B.C.<body>", "A.B.<body>", "A.<body>"]),
    "a local class": ("class A {\n  void m() {\n    class L { void q() {} }\n  }\n}\n",
                      ["A.<body>", "A.m", "A.m.L.<body>", "A.m.L.q", "A.m.L.<body>", "A.m", "A.<body>"]),
    "an anonymous class": ("class A {\n  R r = new R() { public void run() {} };\n  void m() { new R() { void a() {} }; }\n}\n",
                           ["A.<body>", "A.r", "A.m", "A.<body>"]),
    "a class inside an anonymous class": ("class A {\n  void m() {\n    new R() { void a() {}\n      class L {}\n  }; }\n}\n",
                                          ["A.<body>", "A.m", "A.m.L.<body>", "A.m", "A.<body>"]),
    "the word class in a lambda": ("class A {\n  F f = x -> { g(); /* a class */ };\n}\n", ["A.<body>", "A.f", "A.<body>"]),
    "a module declaration": ("module m {\n  requires x;\n}\n", ["<module>"]),
    "a package's documentation": ("/** Doc. */\n@N\npackage a;\n", ["<module>"]),
    "a comment at the end of a line": ("class A {\n  int a; // why\n  int b;\n}\n",
                                       ["A.<body>", "A.a", "A.b", "A.<body>"]),
    "no final newline": ("class A { }", ["A.<body>"]),
}  # fmt: skip

ENTRIES = {
    "a class": ("import a.b.C;", ["import a.b.C"], "C"),
    "a nested class": ("import a.b.C.D;", ["import a.b.C.D"], "D"),
    "a package": ("import a.b.*;", ["import a.b.*"], None),
    "a static member": ("import static a.B.max;", ["import static a.B.max"], "max"),
    "all static members": ("import  static a.B.* ;", ["import static a.B.*"], None),
    "no package": ("import C;", ["import C"], "C"),
    "broken": ("import a . b\n  . C;", ["import a.b.C"], "C"),
}


def of(body: str) -> str:
    return f"class A {{\n{body}}}\n"


F = "    int f(int a) {\n        return a;\n    }\n"
G = "    /** G. */\n    @Override\n    String f(String a) {\n        return a;\n    }\n"
H = "    void h() { }\n"
IMPORTS = "package p;\n\nimport a.B;\nimport a.C;\n\nclass A { }\n"

CASES: dict[str, Case] = {
    "a method is inserted between others": (of(F + "\n" + H), of(F + "\n    int n() { return 1; }\n\n" + H), ["added A.n"]),
    "a method is added at the end": (of(F), of(F + "\n" + H), ["added A.h"]),
    "a method is added at the start": (of(F), of(H + "\n" + F), ["added A.h"]),
    "a method is removed": (of(F + "\n" + H), of(F), ["removed A.h"]),
    "a method is edited": (of(F + H), of(F.replace("return a", "return -a") + H), ["modified A.f"]),
    "one overload is edited": (of(F + G), of(F + G.replace("return a", "return b")), ["modified A.f(String)"]),
    "an overload is added": (of(F), of(F + G), ["added A.f(String)"]),
    "one overload is removed": (of(F + G), of(G), ["removed A.f(int)"]),
    "an overload's parameter is renamed": (of(F + G), of(F.replace("int a", "int b") + G), ["modified A.f(int)"]),
    "overloads change places": (of(F + G), of(G + F), ["reordered A.<body>"]),
    "documentation is edited": (of(F + G), of(F + G.replace("G.", "H.")), ["modified A.f(String)"]),
    "an annotation is edited": (of(G), of(G.replace("@Override", "@Override @Nullable")), ["modified A.f"]),
    "an annotation is removed": (of(F + G), of(F + G.replace("    @Override\n", "")), ["modified A.f(String)"]),
    "a class's annotation is edited": ("@N(1)\n" + of(F), "@N(2)\n" + of(F), ["modified A.<body>"]),
    "a blank line between methods": (of(F + H), of(F + "\n" + H), ["modified A.f"]),
    "a blank line inside a method": (of(F + H), of(F.replace("{\n", "{\n\n") + H), ["modified A.f"]),
    "a method moves within its class": (of(F + H + "    int z;\n"), of("    int z;\n" + F + H), ["reordered A.<body>"]),
    "a method moves to another class": (of(F + H) + "class B {\n    int x;\n}\n", of(H) + "class B {\n    int x;\n" + F + "}\n",
                                        ["added B.f", "removed A.f"]),
    "a class moves": ("class A { }\nclass B { int x; }\n", "class B { int x; }\nclass A { }\n", ["reordered <module>"]),
    "an import is added": (IMPORTS, IMPORTS.replace("import a.C;\n", "import a.C;\nimport a.D;\n"), ["modified <module imports>"]),
    "an import is removed": (IMPORTS, IMPORTS.replace("import a.B;\n", ""), ["modified <module imports>"]),
    "imports are sorted again": (IMPORTS, IMPORTS.replace("import a.B;\nimport a.C;\n", "import a.C;\nimport a.B;\n"),
                                 ["reordered <module imports>"]),
    "the package": (IMPORTS, IMPORTS.replace("package p", "package q"), ["modified <module>"]),
    "a constant's value": (of("    static final int X = 1;\n" + F), of("    static final int X = 2;\n" + F), ["modified A.X"]),
    "a field is added": (of("    int x;\n" + F), of("    int x;\n    int y;\n" + F), ["added A.y"]),
    "a declarator is added": (of("    int x;\n"), of("    int x, y;\n"), ["added A.x, y", "removed A.x"]),
    "a field beside a method of its name": (of("    int f;\n" + F), of("    long f;\n" + F), ["modified A.f(field)"]),
    "an initialiser": (of("    static { g(); }\n" + F), of("    static { h(); }\n" + F), ["modified A.<body>"]),
    "the superclass": (of(F), "class A extends B {\n" + F + "}\n", ["modified A.<body>"]),
    "a constructor is edited": (of("    A() { }\n    A(int a) { }\n"), of("    A() { }\n    A(int a) { b(); }\n"), ["modified A.A(int)"]),
    "a nested class's method": (of(F + "    class B {\n    " + F + "    }\n"), of(F + "    class B {\n    " + F.replace("return a", "return b") + "    }\n"),
                                ["modified A.B.f"]),
    "a local class's method": (of("    void m() {\n        class L { int q() { return 1; } }\n    }\n"),
                               of("    void m() {\n        class L { int q() { return 2; } }\n    }\n"), ["modified A.m.L.q"]),
    "an anonymous class's method": (of("    R r = new R() { void q() { } };\n" + F), of("    R r = new R() { void q() { x(); } };\n" + F), ["modified A.r"]),
    "a lambda": (of("    void m() { l.each(x -> f(x)); }\n" + F), of("    void m() { l.each(x -> { f(x); }); }\n" + F), ["modified A.m"]),
    "a local class becomes anonymous": (of("    void m() {\n        class L { int q() { return 1; } }\n    }\n"),
                                        of("    void m() {\n        new L() { int q() { return 1; } };\n    }\n"),
                                        ["modified A.m", "removed A.m.L.<body>", "removed A.m.L.q"]),
    "an enum constant is added": ("enum E {\n    A,\n    B;\n\n    int x;\n}\n", "enum E {\n    A,\n    C,\n    B;\n\n    int x;\n}\n", ["modified E.<body>"]),
    "an enum's method": ("enum E {\n    A;\n\n    int x() { return 1; }\n}\n", "enum E {\n    A;\n\n    int x() { return 2; }\n}\n", ["modified E.x"]),
    "a record's component": ("record P(int x) {\n    int y() { return 1; }\n}\n", "record P(int x, int z) {\n    int y() { return 1; }\n}\n",
                             ["modified P.<body>"]),
    "a record's compact constructor": ("record P(int x) {\n    P { a(); }\n}\n", "record P(int x) {\n    P { b(); }\n}\n", ["modified P.P"]),
    "an annotation's element": ("@interface N {\n    int a() default 1;\n}\n", "@interface N {\n    int a() default 2;\n}\n", ["modified N.a"]),
    "an interface's method": ("interface I {\n    void a();\n    void b();\n}\n", "interface I {\n    void a();\n    int b();\n}\n", ["modified I.b"]),
    "namesakes in two classes": (of(F) + "class B {\n" + F + "}\n", of(F) + "class B {\n" + F.replace("return a", "return 0") + "}\n",
                                 ["modified B.f"]),
    "a method of CRLF": (of(F + H).replace("\n", "\r\n"), of(F.replace("return a", "return 1") + H).replace("\n", "\r\n"), ["modified A.f"]),
    "line endings of one method": (of(F + H), of(F.replace("\n", "\r\n") + H), ["modified A.f"]),
    "a comment apart from members": (of(F + "\n    // one\n\n" + H), of(F + "\n    // two\n\n" + H), ["modified A.<body>"]),
    "a comment at the end of a line": (of("    int x; // one\n" + H), of("    int x; // two\n" + H), ["modified A.x"]),
    "a method is commented out": (of(F + H), of(F + "    // void h() { }\n"), ["modified A.<body>", "removed A.h"]),
    "a method without a class": ("void main() {\n    f();\n}\n", "void main() {\n    g();\n}\n", ["modified main"]),
    "a statement of no class": ("import a.B;\nf();\nclass A { }\n", "import a.B;\ng();\nclass A { }\n", ["modified <module>"]),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_changes_are_named(case: Case) -> None:
    check("java", case)


@pytest.mark.parametrize(("text", "expected"), SYMBOLS.values(), ids=SYMBOLS.keys())
def test_symbols_of_a_text_in_order(text: str, expected: list[str]) -> None:
    assert [segment.name for segment in read("java", text).segments] == expected


@pytest.mark.parametrize(("text", "expected", "bound"), ENTRIES.values(), ids=ENTRIES.keys())
def test_import_is_read_as_what_it_binds(text: str, expected: list[str], bound: str | None) -> None:
    (segment,) = read("java", text + "\n").segments
    assert list(segment.entries) == expected
    assert [JAVA.binds(entry) for entry in segment.entries] == [bound]


def test_a_file_with_a_syntax_error_still_has_its_members() -> None:
    broken = of(F + "    void ( {\n" + H)
    assert read("java", broken).errors
    assert changes("java", of(F), of(F.replace("return a", "return (a"))) == ["modified A.f"]


PIECES = st.sampled_from(
    ["", " ", "\n", "\t", "\r\n", "(", ")", "{", "}", "/*", "*/", "//", '"', '"""', "'", ";", ",", "@", "@N\n", "class B {\n", "void g() {}\n",
     "import q.R;\n", "enum ", "record ", "->", "é", "🦜", "\udcff", "\x00", "int x = 1;"]
)  # fmt: skip


@given(st.integers(0, len(SAMPLE)), st.integers(0, 60), PIECES, st.integers(0, len(SAMPLE)), PIECES)
@settings(max_examples=60, deadline=None)
def test_segments_partition_any_edit_of_a_sample(at: int, length: int, new: str, other: int, more: str) -> None:
    text = SAMPLE[:at] + new + SAMPLE[at + length :]
    check_partition(read("java", text[:other] + more + text[other:]))
