# ruff: noqa: E501
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from miner.symbols.languages.csharp import CSHARP
from tests.miner.symbol_cases import Case, changes, check, check_partition, read

SAMPLE = """// Licence.

using System;
using static System.Math;
using Json = System.Text.Json;

namespace A.B;

#region Hello
/// <summary>Doc</summary>
[Serializable, Obsolete("größe")]
public partial class Foo<T> : Bar where T : new()
{
    private const int A = 1, B = 2;
    [F] int[]? xs = {1}; // why
    public event EventHandler E1;
    public int Prop { get; set; } = 3;
    public int this[int i, string s] { get => 1; set { } }
    static Foo() { }
    public Foo(int a, params string[] b) : base(a) { }
    public static Foo operator +(Foo a, Foo b) => a;
    void IBaz.Run(ref int x, out Dictionary<string, int> y) { }

    public void M<U>(in T t) where U : class
    {
        int Local(int a) { return a; }
        static async Task<int> L2<V>(V v) => 1;
        Action x = () => { void In() { } };
        var s = $"🦜 {x} {{ }}";
    }

    enum E { A = 1, [X] B }
    record R(int X, int Y) { public int Z => 1; }
#if DEBUG
    void Dbg() { }
#else
    void Dbg() { }
#endif
}
#endregion
"""

SYMBOLS = {
    "nothing": ("", []),
    "usings and a class": ("using System;\nclass A { }\n", ["<module imports>", "A.<body>"]),
    "a namespace for the file": ("namespace A.B;\n\nclass C\n{\n    int x;\n}\n", ["<module>", "C.<body>", "C.x", "C.<body>"]),
    "a namespace with a block": ("namespace A.B\n{\n    using X;\n    class C { }\n}\n",
                                 ["<module>", "<module imports>", "C.<body>", "<module>"]),
    "nested namespaces": ("namespace A\n{\n    namespace B\n    {\n        class C { }\n    }\n}\n",
                          ["<module>", "C.<body>", "<module>"]),
    "statements and a local function at the top": ("using X;\nWrite(1);\nint F(int a) { return a; }\nvar x = F(1);\nconst int Y = 2;\n",
                                                   ["<module imports>", "<module>", "F", "x", "Y"]),
    "documentation and attributes": ("/// <summary>D</summary>\n/// more\n[A(1)]\n[B]\nclass C { }\n", ["C.<body>"]),
    "an attribute of the assembly": ("[assembly: A]\nclass C { }\n", ["<module>", "C.<body>"]),
    "fields": ("class A\n{\n    const int a = 1, b = 2;\n    int[] c;\n}\n", ["A.<body>", "A.a, b", "A.c", "A.<body>"]),
    "properties": ("class A\n{\n    int a { get; set; } = 1;\n    int b => 1;\n    int c { get { return 1; } }\n}\n",
                   ["A.<body>", "A.a", "A.b", "A.c", "A.<body>"]),
    "indexers": ("class A\n{\n    int this[int i] => 1;\n    int this[string s] { get; set; }\n    int I.this[int i] => 1;\n}\n",
                 ["A.<body>", "A.this(int)", "A.this(string)", "A.I.this", "A.<body>"]),
    "events": ("class A\n{\n    event H a, b;\n    event H c { add { } remove { } }\n}\n", ["A.<body>", "A.a, b", "A.c", "A.<body>"]),
    "constructors": ("class A\n{\n    static A() { }\n    A() { }\n    A(int a) { }\n    ~A() { }\n}\n",
                     ["A.<body>", "A.A(static)", "A.A", "A.A(int)", "A.~A", "A.<body>"]),
    "operators": ("class A\n{\n    public static A operator +(A a, A b) => a;\n    public static A operator +(A a) => a;\n    public static bool operator true(A a) => true;\n}\n",
                  ["A.<body>", "A.operator +(A, A)", "A.operator +(A)", "A.operator true", "A.<body>"]),
    "conversion operators": ("class A\n{\n    public static implicit operator int(A a) => 1;\n    public static explicit operator B<int>(A a) => 1;\n}\n",
                             ["A.<body>", "A.implicit operator int", "A.explicit operator B<int>", "A.<body>"]),
    "overloads": ("class A\n{\n    void F() { }\n    void F(ref int a, [N] string? b = null) { }\n    void F(this A a, params int[] b) { }\n    void F(Dictionary<string, (int, int)> a) { }\n}\n",
                  ["A.<body>", "A.F", "A.F(ref int, string?)", "A.F(A, int[])", "A.F(Dictionary<string, (int, int)>)", "A.<body>"]),
    "interfaces implemented explicitly": ("class A\n{\n    void I.F() { }\n    void J<int>.F() { }\n    int I.P => 1;\n    void F() { }\n}\n",
                                          ["A.<body>", "A.I.F", "A.J<int>.F", "A.I.P", "A.F", "A.<body>"]),
    "local functions": ("class A\n{\n    void M()\n    {\n        int F(int a) => a;\n        F(1);\n        static async Task<int> G<T>(T a) { return 1; }\n    }\n}\n",
                        ["A.<body>", "A.M", "A.M.F", "A.M", "A.M.G", "A.M", "A.<body>"]),
    "a local function in a lambda": ("class A\n{\n    Action a = () => { void F() { } };\n}\n", ["A.<body>", "A.a", "A.a.F", "A.a", "A.<body>"]),
    "calls are no local functions": ("class A\n{\n    int M()\n    {\n        F(1);\n        return F(2) + new G(1).H<int>(2);\n    }\n}\n", ["A.<body>", "A.M", "A.<body>"]),
    "partial classes": ("partial class A { int x; }\npartial class A { int y; }\n",
                        ["A.<body>", "A.x", "A.<body>", "A#2.<body>", "A#2.y", "A#2.<body>"]),
    "generic namesakes": ("class A { }\nclass A<T> { }\nclass A<in T, U> { }\n", ["A.<body>", "A(T).<body>", "A(in T, U).<body>"]),
    "records and structs": ("record R(int X);\nrecord struct S(int X) { int y; }\nstruct T { int z; }\n",
                            ["R.<body>", "S.<body>", "S.y", "S.<body>", "T.<body>", "T.z", "T.<body>"]),
    "an enum": ("enum E\n{\n    A = 1,\n    [X] B,\n}\n", ["E.<body>"]),
    "an interface": ("interface I\n{\n    void A();\n    int P { get; }\n}\n", ["I.<body>", "I.A", "I.P", "I.<body>"]),
    "delegates": ("delegate void D(int a);\nclass A\n{\n    delegate int E();\n}\n", ["D", "A.<body>", "A.E", "A.<body>"]),
    "regions": ("class A\n{\n    #region R\n    int x;\n    #endregion\n    int y;\n}\n",
                ["A.<body>", "A.x", "A.<body>", "A.y", "A.<body>"]),
    "conditional members": ("class A\n{\n#if X\n    void F() { }\n#elif Y\n    void G() { }\n#else\n    void F() { }\n#endif\n}\n",
                            ["A.<body>", "A.F", "A.<body>", "A.G", "A.<body>", "A.F#2", "A.<body>"]),
    "conditional usings": ("#if X\nusing Y;\n#endif\nclass A { }\n", ["<module>", "<module imports>", "<module>", "A.<body>"]),
}  # fmt: skip

ENTRIES = {
    "a namespace": ("using System.Linq;", "using System.Linq", None),
    "everywhere": ("global using System;", "global using System", None),
    "static": ("using  static System.Math ;", "using static System.Math", None),
    "an alias": ("using J = System.Text . Json;", "using J = System.Text.Json", "J"),
    "an alias everywhere": ("global using J = System.Text.Json;", "global using J = System.Text.Json", "J"),
    "an alias of a generic type": ("using L = List<int>;", "using L = List<int>", "L"),
    "an alias of a pointer": ("using unsafe P = int*;", "using unsafe P = int*", "P"),
    "an assembly": ("extern alias Q;", "extern alias Q", "Q"),
}


def of(body: str) -> str:
    return f"using System;\n\nnamespace N;\n\npublic class A\n{{\n{body}}}\n"


F = "    int F(int a)\n    {\n        return a;\n    }\n"
G = "    /// <summary>G</summary>\n    [Pure]\n    string F(string a) => a;\n"
H = "    void H() { }\n"
L = "    void M()\n    {\n        int F(int a) => a;\n        int G() { return 1; }\n        F(G());\n    }\n"
USINGS = "using A;\nusing B;\nusing static C.D;\n\nnamespace N;\n\nclass E { }\n"

CASES: dict[str, Case] = {
    "a method is inserted between others": (of(F + "\n" + H), of(F + "\n    int N() => 1;\n\n" + H), ["added A.N"]),
    "a method is added at the end": (of(F), of(F + "\n" + H), ["added A.H"]),
    "a method is added at the start": (of(F), of(H + "\n" + F), ["added A.H"]),
    "a method is removed": (of(F + "\n" + H), of(F), ["removed A.H"]),
    "a method is edited": (of(F + H), of(F.replace("return a", "return -a") + H), ["modified A.F"]),
    "one overload is edited": (of(F + G), of(F + G.replace("=> a", "=> b")), ["modified A.F(string)"]),
    "an overload is added": (of(F), of(F + G), ["added A.F(string)"]),
    "one overload is removed": (of(F + G), of(G), ["removed A.F(int)"]),
    "overloads by how they are passed": (of("    void F(int a) { }\n    void F(ref int a) { }\n"), of("    void F(int a) { }\n    void F(ref int a) { G(); }\n"),
                                         ["modified A.F(ref int)"]),
    "overloads change places": (of(F + G), of(G + F), ["reordered A.<body>"]),
    "documentation is edited": (of(F + G), of(F + G.replace(">G<", ">H<")), ["modified A.F(string)"]),
    "an attribute is edited": (of(F + G), of(F + G.replace("[Pure]", "[Pure, X]")), ["modified A.F(string)"]),
    "an attribute is added": (of(F + H), of(F + "    [X]\n" + H), ["modified A.H"]),
    "a class's attribute": ("[A]\nclass B { int x; }\n", "[C]\nclass B { int x; }\n", ["modified B.<body>"]),
    "a blank line between methods": (of(F + H), of(F + "\n" + H), ["modified A.F"]),
    "a blank line inside a method": (of(F + H), of(F.replace("return", "\n        return") + H), ["modified A.F"]),
    "a method moves within its class": (of(F + H + "    int z;\n"), of("    int z;\n" + F + H), ["reordered A.<body>"]),
    "a method moves to another class": (of(F + H) + "class B\n{\n    int x;\n}\n", of(H) + "class B\n{\n    int x;\n" + F + "}\n",
                                        ["added B.F", "removed A.F"]),
    "a using is added": (USINGS, USINGS.replace("using B;\n", "using B;\nusing B.C;\n"), ["modified <module imports>"]),
    "a using is removed": (USINGS, USINGS.replace("using static C.D;\n", ""), ["modified <module imports>"]),
    "usings are sorted again": (USINGS, USINGS.replace("using A;\nusing B;\n", "using B;\nusing A;\n"), ["reordered <module imports>"]),
    "a using becomes global": (USINGS, "global " + USINGS, ["modified <module imports>"]),
    "the namespace": (USINGS, USINGS.replace("namespace N", "namespace M"), ["modified <module>"]),
    "a method in a namespace with a block": ("namespace N\n{\n    class A\n    {\n        int F() => 1;\n    }\n}\n",
                                             "namespace N\n{\n    class A\n    {\n        int F() => 2;\n    }\n}\n", ["modified A.F"]),
    "a class is added to a namespace with a block": ("namespace N\n{\n    class A { }\n}\n", "namespace N\n{\n    class A { }\n\n    class B { int x; }\n}\n",
                                                     ["added B.<body>", "added B.x"]),
    "namesakes in two namespaces": ("namespace N\n{\n    class A { int x; }\n}\nnamespace M\n{\n    class A { int x; }\n}\n",
                                    "namespace N\n{\n    class A { int x; }\n}\nnamespace M\n{\n    class A { long x; }\n}\n", ["modified A#2.x"]),
    "a constant's value": (of("    const int X = 1;\n" + F), of("    const int X = 2;\n" + F), ["modified A.X"]),
    "a field is added": (of("    int x;\n" + F), of("    int x;\n    int y;\n" + F), ["added A.y"]),
    "a property's accessor": (of("    int P { get; set; }\n" + F), of("    int P { get; private set; }\n" + F), ["modified A.P"]),
    "an indexer": (of("    int this[int i] => i;\n    int this[string s] => 1;\n"), of("    int this[int i] => i;\n    int this[string s] => 2;\n"),
                   ["modified A.this(string)"]),
    "an event": (of("    event H E { add { } remove { } }\n" + H), of("    event H E { add { X(); } remove { } }\n" + H), ["modified A.E"]),
    "an operator": (of("    public static A operator -(A a) => a;\n    public static A operator -(A a, A b) => a;\n"),
                    of("    public static A operator -(A a) => a;\n    public static A operator -(A a, A b) => b;\n"), ["modified A.operator -(A, A)"]),
    "a conversion operator": (of("    public static implicit operator int(A a) => 1;\n" + H), of("    public static explicit operator int(A a) => 1;\n" + H),
                              ["added A.explicit operator int", "removed A.implicit operator int"]),
    "the static constructor": (of("    static A() { }\n    A() { }\n"), of("    static A() { X(); }\n    A() { }\n"), ["modified A.A(static)"]),
    "an interface implemented explicitly": (of("    void F() { }\n    void I.F() { }\n"), of("    void F() { }\n    void I.F() { F(); }\n"), ["modified A.I.F"]),
    "a local function is edited": (of(L), of(L.replace("=> a", "=> -a")), ["modified A.M.F"]),
    "a local function is added": (of(L), of(L.replace("        F(G", "        int K() => 3;\n        F(G")), ["added A.M.K"]),
    "statements beside local functions": (of(L), of(L.replace("F(G())", "F(1)")), ["modified A.M"]),
    "a lambda": (of("    void M() { Each(x => F(x)); }\n" + F), of("    void M() { Each(x => { F(x); }); }\n" + F), ["modified A.M"]),
    "an anonymous method": (of("    H h = delegate (int a) { return 1; };\n" + F), of("    H h = delegate (int a) { return 2; };\n" + F), ["modified A.h"]),
    "one part of a partial class": ("partial class A { int x; }\npartial class A { int y; }\n", "partial class A { int x; }\npartial class A { long y; }\n",
                                    ["modified A#2.y"]),
    "a generic namesake": ("class A { int x; }\nclass A<T> { int x; }\n", "class A { int x; }\nclass A<T> { long x; }\n", ["modified A(T).x"]),
    "the base class": (of(F), of(F).replace("class A", "class A : B"), ["modified A.<body>"]),
    "a nested class's method": (of(F + "    class B\n    {\n    " + H + "    }\n"), of(F + "    class B\n    {\n    " + H.replace("{ }", "{ X(); }") + "    }\n"),
                                ["modified A.B.H"]),
    "a record's parameters": ("record R(int X)\n{\n    int Z => 1;\n}\n", "record R(int X, int Y)\n{\n    int Z => 1;\n}\n", ["modified R.<body>"]),
    "an enum member": ("enum E\n{\n    A,\n    B,\n}\n", "enum E\n{\n    A,\n    C,\n    B,\n}\n", ["modified E.<body>"]),
    "a delegate": ("delegate void D(int a);\nclass A { }\n", "delegate void D(long a);\nclass A { }\n", ["modified D"]),
    "a method in a conditional": (of("#if X\n" + F + "#else\n" + H + "#endif\n"), of("#if X\n" + F + "#else\n" + H.replace("{ }", "{ F(1); }") + "#endif\n"),
                                  ["modified A.H"]),
    "a condition": (of("#if X\n" + F + "#endif\n" + H), of("#if Y\n" + F + "#endif\n" + H), ["modified A.<body>"]),
    "a region is drawn around a method": (of(F + H), of(F + "    #region R\n" + H + "    #endregion\n"), ["modified A.<body>"]),
    "a statement at the top": ("using X;\nWrite(1);\nint F() => 1;\n", "using X;\nWrite(2);\nint F() => 1;\n", ["modified <module>"]),
    "a local function at the top": ("Write(1);\nint F() => 1;\n", "Write(1);\nint F() => 2;\n", ["modified F"]),
    "a variable at the top": ("var x = 1;\nWrite(x);\n", "var x = 2;\nWrite(x);\n", ["modified x"]),
    "an attribute of the assembly": ("using X;\n\n[assembly: A]\nclass B { }\n", "using X;\n\n[assembly: C]\nclass B { }\n", ["modified <module>"]),
    "a method of CRLF": (of(F + H).replace("\n", "\r\n"), of(F.replace("return a", "return 1") + H).replace("\n", "\r\n"), ["modified A.F"]),
    "line endings of one method": (of(F + H), of(F.replace("\n", "\r\n") + H), ["modified A.F"]),
    "a comment apart from members": (of(F + "\n    // one\n\n" + H), of(F + "\n    // two\n\n" + H), ["modified A.<body>"]),
    "a comment at the end of a line": (of("    int x; // one\n" + H), of("    int x; // two\n" + H), ["modified A.x"]),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_changes_are_named(case: Case) -> None:
    check("csharp", case)


@pytest.mark.parametrize(("text", "expected"), SYMBOLS.values(), ids=SYMBOLS.keys())
def test_symbols_of_a_text_in_order(text: str, expected: list[str]) -> None:
    assert [segment.name for segment in read("csharp", text).segments] == expected


@pytest.mark.parametrize(("text", "expected", "bound"), ENTRIES.values(), ids=ENTRIES.keys())
def test_using_is_read_as_what_it_binds(text: str, expected: str, bound: str | None) -> None:
    (segment,) = read("csharp", text + "\n").segments
    assert list(segment.entries) == [expected]
    assert CSHARP.binds(expected) == bound


def test_a_file_with_a_syntax_error_still_has_its_members() -> None:
    assert read("csharp", of(F.replace("return a", "return (a"))).errors
    assert changes("csharp", of(F + H), of(F.replace("return a", "return (a") + H)) == ["modified A.F"]


PIECES = st.sampled_from(
    ["", " ", "\n", "\t", "\r\n", "(", ")", "{", "}", "/*", "*/", "//", '"', '$"', '"""', "'", ";", ",", "[", "[N]\n", "class B {\n", "void G() {}\n",
     "using Q.R;\n", "#if X\n", "#endif\n", "#region\n", "=>", " F(", "é", "🦜", "\udcff", "\x00", "int x = 1;", "namespace N\n{\n"]
)  # fmt: skip


@given(st.integers(0, len(SAMPLE)), st.integers(0, 60), PIECES, st.integers(0, len(SAMPLE)), PIECES)
@settings(max_examples=60, deadline=None)
def test_segments_partition_any_edit_of_a_sample(at: int, length: int, new: str, other: int, more: str) -> None:
    text = SAMPLE[:at] + new + SAMPLE[at + length :]
    check_partition(read("csharp", text[:other] + more + text[other:]))
