# ruff: noqa: E501
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from miner.symbols.languages.scala import SCALA
from tests.miner.symbol_cases import Case, check, check_partition, read

SAMPLE = """// Licence.
package a.b

import a.C
import a.{D, E => F, G => _}
import x._, y.z

/** Doc. */
@ann("größe") class A(val x: Int)(implicit y: Int) extends B with C {
  val a = 1 // why
  var b, c = 2
  type T = Int
  def this(x: String) = this(1)
  def f(x: Int, ys: String*): Int = {
    def g(z: Int) = 1
    class L { def q = 1 }
    g(1)
  }
  def f[A](x: => A)(implicit o: Ord[A]): A = x
  val anon = new Runnable { def run() = () }
  println(s"🦜 ${x}")
}

object A {
  def apply(x: Int) = new A(x)
}

trait Tr { def a: Int; val b: String }

extension (s: String)
  def p(i: Int) = 1
  def q = 2

given z: Ord[Int] with
  def c = 1
"""

SYMBOLS = {
    "nothing": ("", []),
    "package and imports": ("package a\npackage b\n\nimport c.D\n\nclass A\n", ["<module>", "<module imports>", "A.<body>"]),
    "a package with a block": ("package a {\n  class B\n}\n", ["<module>", "B.<body>", "<module>"]),
    "a package object": ("package object p {\n  val x = 1\n}\n", ["p.<body>", "p.x", "p.<body>"]),
    "a class and its companion": ("class A {\n  def f = 1\n}\nobject A {\n  def f = 2\n}\n",
                                  ["A.<body>", "A.f", "A.<body>", "A(object).<body>", "A(object).f", "A(object).<body>"]),
    "an object alone": ("object A {\n  def f = 2\n}\n", ["A.<body>", "A.f", "A.<body>"]),
    "a trait": ("trait A {\n  def f: Int\n  val x, y: Int\n}\n", ["A.<body>", "A.f", "A.x, y", "A.<body>"]),
    "values": ("object A {\n  val a = 1\n  var b, c = 2\n  lazy val d = 3\n  val (e, f) = g\n  type T = Int\n}\n",
               ["A.<body>", "A.a", "A.b, c", "A.d", "A.<body>", "A.T", "A.<body>"]),
    "overloads": ("class A {\n  def f = 1\n  def f(x: Int)(implicit y: List[Int]) = 1\n  def f(x: => Int, ys: String*) = 1\n  def +(x: Int) = 1\n}\n",
                  ["A.<body>", "A.f", "A.f(Int)(List[Int])", "A.f(=> Int, String*)", "A.+", "A.<body>"]),
    "nested definitions": ("def f = {\n  def g = 1\n  class L { def h = 2 }\n  g\n}\n", ["f", "f.g", "f.L.<body>", "f.L.h", "f.L.<body>", "f"]),
    "extensions": ("extension (s: String) def f = 1\nextension (s: Int) def f(x: Int) = 1\n", ["f(String)", "f(Int)(Int)"]),
    "a group of extensions": ("extension (s: String)\n  def f = 1\n  def g = 2\n", ["<module>", "f", "g"]),
    "givens": ("given a: Ord[Int] = x\ngiven Ord[String] = y\ngiven b: Ord[A] with\n  def c = 1\n", ["a", "given Ord[String]", "b.<body>", "b.c"]),
    "an enum": ("enum E {\n  case A, B\n  def m = 1\n}\n", ["E.<body>", "E.m", "E.<body>"]),
    "by indentation": ("class A:\n  def f = 1\n\n  def g = 2\n\ndef h = 3\n", ["A.<body>", "A.f", "A.g", "h"]),
    "a statement": ("println(1)\nval x = 1\n", ["<module>", "x"]),
}  # fmt: skip

ENTRIES = {
    "a class": ("import a.b.C", ["import a.b.C"], ["C"]),
    "several": ("import a.{B, C => D, E => _, _}", ["import a.B", "import a.C => D", "import a.E => _", "import a._"], ["B", "D", None, None]),
    "two packages": ("import a.B, c.{d, e}, f._", ["import a.B", "import c.d", "import c.e", "import f._"], ["B", "d", "e", None]),
    "of version 3": ("import a.{B as C, given, *}", ["import a.B as C", "import a.given", "import a.*"], ["C", None, None]),
    "another name": ("import a.b as c", ["import a.b as c"], ["c"]),
}


def of(body: str) -> str:
    return f"package p\n\nimport q.R\nimport q.S\n\n/** Doc. */\nclass A {{\n{body}}}\n"


F = "  def f(a: Int): Int = {\n    a\n  }\n"
G = "  /** G. */\n  @ann\n  def f(a: String) = a\n"
H = "  def h() = ()\n"

CASES: dict[str, Case] = {
    "a method is inserted": (of(F + "\n" + H), of(F + "\n  def n = 1\n\n" + H), ["added A.n"]),
    "a method is added at the end": (of(F), of(F + "\n" + H), ["added A.h"]),
    "a method is removed": (of(F + "\n" + H), of(F), ["removed A.h"]),
    "one overload is edited": (of(F + G), of(F + G.replace("= a", "= b")), ["modified A.f(String)"]),
    "an annotation": (of(F + G), of(F + G.replace("@ann", "@other")), ["modified A.f(String)"]),
    "documentation": (of(F + G), of(F + G.replace("G.", "H.")), ["modified A.f(String)"]),
    "a class's documentation": (of(F), of(F).replace("Doc", "Other"), ["modified A.<body>"]),
    "a method moves within its class": (of(F + H + "  val z = 1\n"), of("  val z = 1\n" + F + H), ["reordered A.<body>"]),
    "a method moves to the companion": (of(F + H) + "object A {\n}\n", of(H) + "object A {\n" + F + "}\n", ["added A(object).f", "removed A.f"]),
    "a companion's method": (of(F) + "object A {\n" + F + "}\n", of(F) + "object A {\n" + F.replace("    a\n", "    b\n") + "}\n", ["modified A(object).f"]),
    "a companion is added": (of(F), of(F) + "\nobject A {\n" + H + "}\n", ["added A(object).<body>", "added A(object).h"]),
    "an import is added": (of(F), of(F).replace("import q.S\n", "import q.{S, T}\n"), ["modified <module imports>"]),
    "imports are sorted again": (of(F), of(F).replace("import q.R\nimport q.S\n", "import q.S\nimport q.R\n"), ["reordered <module imports>"]),
    "a value": (of("  val x = 1\n" + F), of("  val x = 2\n" + F), ["modified A.x"]),
    "a value that is taken apart": (of("  val (x, y) = f\n" + F), of("  val (x, y) = g\n" + F), ["modified A.<body>"]),
    "a nested function": (of("  def m = {\n    def n = 1\n    n\n  }\n"), of("  def m = {\n    def n = 2\n    n\n  }\n"), ["modified A.m.n"]),
    "a lambda": (of("  val l = xs.map { x => x }\n" + F), of("  val l = xs.map { x => 1 }\n" + F), ["modified A.l"]),
    "a case of an enum": ("enum E {\n  case A\n  def m = 1\n}\n", "enum E {\n  case B\n  def m = 1\n}\n", ["modified E.<body>"]),
    "by indentation": ("class A:\n  def f = 1\n\n  def g = 2\n", "class A:\n  def f = 1\n\n  def n = 3\n\n  def g = 2\n", ["added A.n"]),
    "an extension": ("extension (s: String)\n  def f = 1\n  def g = 2\n", "extension (s: String)\n  def f = 1\n  def g = 3\n", ["modified g"]),
    "CRLF": (of(F + H).replace("\n", "\r\n"), of(F.replace("    a\n", "    1\n") + H).replace("\n", "\r\n"), ["modified A.f"]),
    "a statement": ("println(1)\nval x = 1\n", "println(2)\nval x = 1\n", ["modified <module>"]),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_changes_are_named(case: Case) -> None:
    check("scala", case)


@pytest.mark.parametrize(("text", "expected"), SYMBOLS.values(), ids=SYMBOLS.keys())
def test_symbols_of_a_text_in_order(text: str, expected: list[str]) -> None:
    assert [segment.name for segment in read("scala", text).segments] == expected


@pytest.mark.parametrize(("text", "expected", "bound"), ENTRIES.values(), ids=ENTRIES.keys())
def test_import_is_read_as_what_it_binds(text: str, expected: list[str], bound: list[str | None]) -> None:
    (segment,) = read("scala", text + "\n").segments
    assert list(segment.entries) == expected
    assert [SCALA.binds(entry) for entry in segment.entries] == bound


PIECES = st.sampled_from(
    ["", " ", "\n", "\r\n", "(", ")", "{", "}", "/*", "*/", "// c\n", '"', '"""', "'", ";", ",", "@N\n", "class B {\n", "def g = 1\n",
     "import q.R\n", "object ", "=>", "é", "🦜", "\udcff", "\x00", "val x = 1", "given a: B with\n"]
)  # fmt: skip


@given(st.integers(0, len(SAMPLE)), st.integers(0, 60), PIECES, st.integers(0, len(SAMPLE)), PIECES)
@settings(max_examples=60, deadline=None)
def test_segments_partition_any_edit_of_a_sample(at: int, length: int, new: str, other: int, more: str) -> None:
    text = SAMPLE[:at] + new + SAMPLE[at + length :]
    check_partition(read("scala", text[:other] + more + text[other:]))
