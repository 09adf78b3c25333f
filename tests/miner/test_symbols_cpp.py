# ruff: noqa: E501
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from miner.symbols.languages.cpp import CPP
from miner.symbols.languages.macros import masked
from tests.miner.symbol_cases import Case, changes, check, check_partition, read

SAMPLE = """#include <vector>
using namespace std;
using std::string;

namespace a::b {
using Names = std::vector<string>;
template <typename T> concept Addable = requires(T a) { a + a; };
inline constexpr int LIMIT = 3;
enum class Color { Red, Green };

/// A shape.
class API Shape : public Base {
 public:
  Shape();
  explicit Shape(int n) : n_(n) {}
  virtual ~Shape() = default;
  virtual double area() const = 0;
  double area(double scale) const { return scale; }
  bool operator==(const Shape& other) const { return true; }
  operator bool() const { return true; }
  template <typename T> void visit(T&& visitor) { visitor(); }
  friend void swap(Shape& a, Shape& b) {}
  static int count;
  struct Inner { int z; void im(); };
 private:
  int n_ = 0;
};

namespace {
int hidden() { return 1; }
}
}  // namespace a::b

int a::b::Shape::count = 0;
double a::b::Shape::area() const { struct Local { void lm() {} }; return 1; }

template <typename T> struct traits {};
template <> struct traits<int> { static const bool value = true; };

#ifdef X
auto twice = [](int x) { return x * 2; };
#else
auto twice = [](int x) { return x + x; };
#endif
"""

CLASS = "class A {\n public:\n  int m(int a) { return a; }\n  int m(const char* a) { return 0; }\n  int m() const { return 1; }\n\n private:\n  int x_ = 0;\n};\n"

CASES: dict[str, Case] = {
    "a method between others": (CLASS, CLASS.replace("  int m(const", "  void n();\n  int m(const"), ["added A.n"]),
    "a method at the end": (CLASS, CLASS.replace("x_ = 0;\n", "x_ = 0;\n  void n() {}\n"), ["added A.n"]),
    "one overload of several": (CLASS, CLASS.replace("return 0", "return 2"), ["modified A.m(const char*)"]),
    "the overload that is const": (CLASS, CLASS.replace("return 1", "return 2"), ["modified A.m(const)"]),
    "an overload removed": (CLASS, CLASS.replace("  int m(int a) { return a; }\n", ""), ["removed A.m(int)"]),
    "an overload added": (CLASS, CLASS.replace("\n private", "  int m(long a);\n\n private"), ["added A.m(long)"]),
    "a field": (CLASS, CLASS.replace("x_ = 0", "x_ = 1"), ["modified A.x_"]),
    "an access specifier": (CLASS, CLASS.replace("private", "protected"), ["modified A.<body>"]),
    "a base class": (CLASS, CLASS.replace("class A", "class A : public B"), ["modified A.<body>"]),
    "methods in another order": (
        "struct A {\n  void f() {}\n  void g() {}\n};\n", "struct A {\n  void g() {}\n  void f() {}\n};\n", ["reordered A.<body>"]),
    "a method behind another access specifier": (
        "class A {\n  void f();\n public:\n  void g();\n};\n", "class A {\n public:\n  void f();\n  void g();\n};\n", ["reordered A.<body>"]),
    "a method in another class": (
        "struct A {\n  void f() {}\n  int a;\n};\n\nstruct B {\n  int b;\n};\n", "struct A {\n  int a;\n};\n\nstruct B {\n  void f() {}\n  int b;\n};\n",
        ["added B.f", "removed A.f"]),
    "a definition outside its class": ("void A::f() { g(); }\n", "void A::f() { h(); }\n", ["modified A.f"]),
    "an overload outside its class": (
        "int A::f(int a) { return a; }\nint A::f(long a) { return a; }\n", "int A::f(int a) { return a; }\nint A::f(long a) { return 0; }\n",
        ["modified A.f(long)"]),
    "a definition outside, beside the declaration inside": (
        "struct A {\n  void f(int a);\n};\nvoid A::f(int a) { g(); }\n", "struct A {\n  void f(int a);\n};\nvoid A::f(int a) { h(); }\n",
        ["modified A.f(int)#2"]),
    "the declaration inside, beside the definition outside": (
        "struct A {\n  void f(int a);\n};\nvoid A::f(int a) { g(); }\n", "struct A {\n  void f(int a) noexcept;\n};\nvoid A::f(int a) { g(); }\n",
        ["modified A.f(int)"]),
    "a definition outside added and its declaration changed": (
        "struct A {\n  void f();\n};\nint x;\n", "struct A {\n  void f() noexcept;\n};\nint x;\nvoid A::f() {}\n", ["added A.f#2", "modified A.f"]),
    "a constructor's initializers": (
        "struct A {\n  A() : a(1) {}\n  A(int b) : a(b) {}\n  int a;\n};\n", "struct A {\n  A() : a(1) {}\n  A(int b) : a(b + 1) {}\n  int a;\n};\n",
        ["modified A.A(int)"]),
    "a destructor": ("struct A {\n  A();\n  ~A();\n};\n", "struct A {\n  A();\n  virtual ~A();\n};\n", ["modified A.~A"]),
    "= default": ("struct A {\n  A() = default;\n  int x;\n};\n", "struct A {\n  A() = delete;\n  int x;\n};\n", ["modified A.A"]),
    "an operator": (
        "struct A {\n  bool operator==(A b) { return 1; }\n  bool operator<(A b) { return 1; }\n};\n",
        "struct A {\n  bool operator==(A b) { return 0; }\n  bool operator<(A b) { return 1; }\n};\n", ["modified A.operator=="]),
    "a conversion": (
        "struct A {\n  operator bool() const { return 1; }\n  operator int() const { return 1; }\n};\n",
        "struct A {\n  operator bool() const { return 1; }\n  operator int() const { return 2; }\n};\n", ["modified A.operator int"]),
    "a friend": (
        "class A {\n  friend void swap(A& a, A& b) {}\n  int x;\n};\n", "class A {\n  friend void swap(A& a, A& b) { f(); }\n  int x;\n};\n", ["modified A.swap"]),
    "a friend class": ("class A {\n  friend class B;\n  int x;\n};\n", "class A {\n  friend class C;\n  int x;\n};\n", ["modified A.<body>"]),
    "a template's parameters": (
        "template <class T>\nT f(T a) { return a; }\n", "template <class T, class U>\nT f(T a) { return a; }\n", ["modified f"]),
    "a specialisation": (
        "template <class T> struct hash {};\ntemplate <> struct hash<int> {\n  int m() { return 1; }\n};\n",
        "template <class T> struct hash {};\ntemplate <> struct hash<int> {\n  int m() { return 2; }\n};\n", ["modified hash<int>.m"]),
    "a specialised function": (
        "template <class T> T f(T a) { return a; }\ntemplate <> int f<int>(int a) { return a; }\n",
        "template <class T> T f(T a) { return a; }\ntemplate <> int f<int>(int a) { return 1; }\n", ["modified f<int>"]),
    "a method of a template outside": (
        "template <class T> void A<T>::f() { g(); }\n", "template <class T> void A<T>::f() { h(); }\n", ["modified A<T>.f"]),
    "a function in a namespace": (
        "namespace a { namespace b {\nint f() { return 1; }\n} }\n", "namespace a { namespace b {\nint f() { return 2; }\n} }\n", ["modified a.b.f"]),
    "a nested namespace": ("namespace a::b {\nint f();\n}\n", "namespace a::b {\nint f();\nint g();\n}\n", ["added a.b.g"]),
    "a namespace without a name": ("namespace {\nint f() { return 1; }\n}\n", "namespace {\nint f() { return 2; }\n}\n", ["modified f"]),
    "a namespace opened twice": (
        "namespace a {\nint f() { return 1; }\n}\nnamespace a {\nint g() { return 1; }\n}\n",
        "namespace a {\nint f() { return 1; }\n}\nnamespace a {\nint g() { return 2; }\n}\n", ["modified a#2.g"]),
    "overloads over two parts of a namespace": (
        "namespace a {\nint f(int x) { return 1; }\n}\nnamespace a {\nint f(long x) { return 1; }\n}\n",
        "namespace a {\nint f(int x) { return 2; }\n}\nnamespace a {\nint f(long x) { return 1; }\n}\n", ["modified a.f(int)"]),
    "a function into another namespace": (
        "namespace a {\nint f();\nint x;\n}\nnamespace b {\nint y;\n}\n", "namespace a {\nint x;\n}\nnamespace b {\nint f();\nint y;\n}\n",
        ["added b.f", "removed a.f"]),
    "an alias": ("using A = int;\nint x;\n", "using A = long;\nint x;\n", ["modified A"]),
    "a concept": ("template <class T> concept C = true;\nint x;\n", "template <class T> concept C = false;\nint x;\n", ["modified C"]),
    "an enum class": ("enum class C { A };\nint x;\n", "enum class C { A, B };\nint x;\n", ["modified C"]),
    "a lambda": ("auto f = [](int a) { return a; };\nint x;\n", "auto f = [](int a) { return 0; };\nint x;\n", ["modified f"]),
    "a local class": (
        "int f() {\n  struct L { void m() { g(); } };\n  return 1;\n}\n", "int f() {\n  struct L { void m() { h(); } };\n  return 1;\n}\n", ["modified f.L.m"]),
    "a class in a lambda": (
        "auto f = [] {\n  struct L { void m() { g(); } };\n};\n", "auto f = [] {\n  struct L { void m() { h(); } };\n};\n", ["modified f.L.m"]),
    "a nested class": (
        "struct A {\n  struct B {\n    int x;\n  };\n  int x;\n};\n", "struct A {\n  struct B {\n    long x;\n  };\n  int x;\n};\n", ["modified A.B.x"]),
    "a nested class with a variable": (
        "struct A {\n  struct B { int x; } b;\n};\n", "struct A {\n  struct B { int x; } c;\n};\n", ["modified A.B.<body>"]),
    "a static member outside": ("int A::n = 0;\nint x;\n", "int A::n = 1;\nint x;\n", ["modified A.n"]),
    "an inline variable": ("inline constexpr int N = 3;\nint x;\n", "inline constexpr int N = 4;\nint x;\n", ["modified N"]),
    "a default argument": ("int f(int a = 1);\nint f(long a);\n", "int f(int a = 2);\nint f(long a);\n", ["modified f(int; declaration)"]),
    "a prototype beside its definition": (
        "int f(int a);\nint f(int a) { return a; }\n", "int f(int a);\nint f(int a) { return 0; }\n", ["modified f(int)"]),
    "a forward declaration removed": ("class A;\nclass A {\n  int x;\n};\n", "class A {\n  int x;\n};\n", ["removed A(declaration)"]),
    "extern C around one": ('extern "C" int f() { return 1; }\nint x;\n', 'extern "C++" int f() { return 1; }\nint x;\n', ["modified f"]),
    "extern C around several": (
        'extern "C" {\nint f();\nint g();\n}\n', 'extern "C" {\nint f();\nlong g();\n}\n', ["modified g"]),
    "twins in a class": (
        "struct A {\n#ifdef X\n  int f() { return 1; }\n#else\n  int f() { return 2; }\n#endif\n};\n",
        "struct A {\n#ifdef X\n  int f() { return 1; }\n#else\n  int f() { return 3; }\n#endif\n};\n", ["modified A.f#2"]),
    "a doc comment": ("/// Old.\n/// More.\nint f();\nint x;\n", "/// Old.\n/// Less.\nint f();\nint x;\n", ["modified f"]),
    "an attribute": ("[[nodiscard]] int f();\nint x;\n", "int f();\nint x;\n", ["modified f"]),
    "an attribute on a line of its own": ("[[nodiscard]]\nint f();\nint x;\n", "[[deprecated]]\nint f();\nint x;\n", ["modified f"]),
    "a blank line": (CLASS, CLASS.replace("\n\n private", "\n\n\n private"), ["modified A.m(const)"]),
    "a using directive added": ("using namespace a;\nint x;\n", "using namespace a;\nusing b::c;\nint x;\n", ["modified <module imports>"]),
    "usings sorted": ("using b::c;\nusing a::b;\nint x;\n", "using a::b;\nusing b::c;\nint x;\n", ["reordered <module imports>"]),
    "a statement that stays": ("static_assert(true);\nint x;\n", "static_assert(false);\nint x;\n", ["modified <module>"]),
    "a test of a framework": (
        "TEST(a, b) { f(); }\nTEST(a, c) { f(); }\n", "TEST(a, b) { f(); }\nTEST(a, c) { g(); }\n", ["modified TEST(a, c)"]),
    "CRLF": (CLASS.replace("\n", "\r\n"), CLASS.replace("return 0", "return 2").replace("\n", "\r\n"), ["modified A.m(const char*)"]),
    "a class behind a macro": (
        "class API A final : public B {\n  int f() { return 1; }\n};\n", "class API A final : public B {\n  int f() { return 2; }\n};\n", ["modified A.f"]),
    "that macro itself": ("class API A {\n  int x;\n};\n", "class LOCAL A {\n  int x;\n};\n", ["modified A.<body>"]),
    "a namespace behind a macro": (
        "BEGIN_NAMESPACE\n\nclass A {\n  int x;\n};\n\nEND_NAMESPACE\n", "BEGIN_NAMESPACE\n\nclass A {\n  int y;\n};\n\nEND_NAMESPACE\n",
        ["added A.y", "removed A.x"]),
    "a template parameter that is a macro": (
        "template <typename T, ENABLE_IF(is_integral<T>::value)>\nCONSTEXPR auto f(T x) -> int { return 1; }\nint y;\n",
        "template <typename T, ENABLE_IF(!is_integral<T>::value)>\nCONSTEXPR auto f(T x) -> int { return 1; }\nint y;\n", ["modified f"]),
}  # fmt: skip

TABLE = {
    "nothing": ("", []),
    "names of functions": ("int& f();\nauto g() -> int { }\nint A::h() { }\nA::operator bool() { }\nint a::A<T>::i() { }\n",
                           ["f", "g", "A.h", "A.operator bool", "a.A<T>.i"]),
    "operators": ("A operator+(A a, A b);\nint operator\"\"_x(int);\nvoid* operator new(size_t n);\n", ["operator+", 'operator""_x', "operator new"]),
    "parameters": ("void f(int a, const std::string& b = \"x\", char* c[], void (*d)(int x), ...);\nvoid f(void);\n",
                   ["f(int, const std::string&, char*[], void (*)(int x), ...; declaration)", "f(declaration)"]),
    "parameters of a template": ("template <class... T> void f(T&&... a);\nvoid f(std::pair<int, long> p, int*);\n",
                                 ["f(T&&...; declaration)", "f(std::pair<int, long>, int*; declaration)"]),
    "references": ("struct A { void f() &; void f() &&; void f() const; };\n", ["A.<body>", "A.f(&)", "A.f(&&)", "A.f(const)", "A.<body>"]),
    "aliases": ("using A = int;\nnamespace fs = std::filesystem;\ntypedef int B;\n", ["A", "fs", "B"]),
    "variables": ("int x{1};\nA y(1);\nauto [a, b] = f();\nextern int z;\n", ["x", "y", "[a, b]", "z"]),
    "an instantiation": ("template class A<int>;\ntemplate int f<int>(int);\n", ["<module>", "f<int>"]),
    "a template of a class": ("template <class T>\nclass A {\n  T x;\n};\n", ["A.<body>", "A.x", "A.<body>"]),
    "a struct without a name": ("struct { int a; } x;\n", ["x"]),
    "a union in a struct": ("struct A {\n  union { int a; };\n  union { int b; } u;\n};\n", ["A.<body>", "A.u", "A.<body>"]),
    "a module": ("import std;\nexport int f();\n", ["<module imports>", "f"]),
    "an error in a class": ("class A {\n  int f() { return 1; }\n  int g( { }\n};\nint x;\n", ["A.<body>", "A.f", "A.g", "A.<body>", "x"]),
}  # fmt: skip

ENTRIES = [
    ("#include <vector>", "#include <vector>", None),
    ("using  namespace a::b;", "using namespace a::b", None),
    ("using a::b;", "using a::b", "b"),
    ("using ::a;", "using ::a", "a"),
    ("import std;", "import std", None),
]

MASKED = [
    ("API int f();", "    int f();"),
    ("static API A<int> f();", "static     A<int> f();"),
    ("FILE *f;", "FILE *f;"),
    ("BOOL f(int a);", "BOOL f(int a);"),
    ("A(TAG, MAX(1, 2));", "A(TAG, MAX(1, 2));"),
    ("#define API int f", "#define API int f"),
    ("#ifdef API\nint x;", "#ifdef API\nint x;"),
    ("int x = LIMIT;", "int x = LIMIT;"),
    ("if CONSTEXPR (x) {}", "if           (x) {}"),
    ("CONSTEXPR A(int x) : a(x) {}", "          A(int x) : a(x) {}"),
    ("int f() NOEXCEPT;", "int f()         ;"),
    ("enum a {\n  ONE,\n  TWO\n};", "enum a {\n  ONE,\n  TWO\n};"),
]


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_every_change_is_named(case: Case) -> None:
    check("cpp", case)


@pytest.mark.parametrize(("text", "expected"), TABLE.values(), ids=TABLE.keys())
def test_symbols_of_a_text_in_order(text: str, expected: list[str]) -> None:
    assert [segment.name for segment in read("cpp", text).segments] == expected


@pytest.mark.parametrize(("text", "entry", "bound"), ENTRIES, ids=[row[0] for row in ENTRIES])
def test_import_is_one_entry(text: str, entry: str, bound: str | None) -> None:
    (segment,) = read("cpp", text + "\n").segments
    assert segment.entries == (entry,)
    assert CPP.binds(entry) == bound


@pytest.mark.parametrize(("text", "expected"), MASKED, ids=[row[0] for row in MASKED])
def test_only_macros_are_blank_for_the_parser(text: str, expected: str) -> None:
    assert masked(text.encode()).decode() == expected


@pytest.mark.parametrize("piece", ["FOO A<", "FOO(a, (b), ", "FOO (", "FOO\n", "FOO   ", "class FOO ", ", FOO("])
def test_repeated_beginnings_of_macros_are_read_in_one_go(piece: str) -> None:
    text = (piece * 20_000).encode()  # where each beginning is followed to the end, this takes minutes
    assert len(masked(text)) == len(text)


def test_sample_has_the_symbols_a_reader_sees() -> None:
    assert set(read("cpp", SAMPLE).names()) == {
        "<module>", "<module imports>", "a.b.<body>", "a.b.Names", "a.b.Addable", "a.b.LIMIT", "a.b.Color",
        "a.b.Shape.<body>", "a.b.Shape.Shape", "a.b.Shape.Shape(int)", "a.b.Shape.~Shape", "a.b.Shape.area(const)",
        "a.b.Shape.area(double; const)", "a.b.Shape.operator==", "a.b.Shape.operator bool", "a.b.Shape.visit",
        "a.b.Shape.swap", "a.b.Shape.count", "a.b.Shape.Inner.<body>", "a.b.Shape.Inner.z", "a.b.Shape.Inner.im",
        "a.b.Shape.n_", "a.b.hidden", "a.b.Shape.count#2", "a.b.Shape.area(const)#2", "a.b.Shape.area(const)#2.Local.<body>",
        "a.b.Shape.area(const)#2.Local.lm", "traits.<body>", "traits<int>.<body>", "traits<int>.value", "twice", "twice#2",
    }  # fmt: skip


def test_name_of_a_definition_outside_hides_no_change_inside() -> None:
    before = "struct B {\n  int y;\n};\nvoid A::f() { g(); }\n"
    after = "struct B {\n  int y;\n};\nstruct A {\n  void f();\n};\nvoid A::f() { h(); }\n"
    assert changes("cpp", before, after) == ["added A.<body>", "added A.f#2", "modified A.f"]


PIECES = st.sampled_from(
    ["", " ", "\n", "\r\n", "(", ")", "{", "}", ";", "::", "<", ">", "#if X\n", "#endif\n", "/*", "*/", '"', "R\"(",
     "class A {", "template <", "operator", "namespace x {", "API ", "BEGIN_X\n", "é", "\udcff", "\x00"]
)  # fmt: skip


@given(st.integers(0, len(SAMPLE)), st.integers(0, 60), PIECES, st.integers(0, len(SAMPLE)), PIECES)
@settings(max_examples=100, deadline=None)
def test_segments_partition_any_edit_of_a_sample(at: int, length: int, new: str, other: int, more: str) -> None:
    text = SAMPLE[:at] + new + SAMPLE[at + length :]
    check_partition(read("cpp", text[:other] + more + text[other:]))
