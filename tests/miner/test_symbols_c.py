# ruff: noqa: E501
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from miner.symbols.languages.c import C
from tests.miner.symbol_cases import Case, changes, check, check_partition, read

SAMPLE = """/* licence */
#include <stdio.h>
#include "own.h"

#define LIMIT 3
#define MAX(a, b) \\
    ((a) > (b) ? (a) : (b))

struct node;
typedef struct node node;
struct node { int value; node *next; };
enum color { RED, GREEN };
typedef int (*callback)(void *);

static int counter = 0, total;
static const char *names[] = { "a", "b" };
extern int elsewhere;

static int add(int a, int b); /* prototype */

// adds
static int add(int a, int b)
{
    return a + b;
}

#ifdef _WIN32
int fast(void) { return 1; }
#else
int fast(void) { return 2; }
#endif

static inline char *name_of(enum color c)
{
    struct local { int x; } l = { 1 };
    return names[c];
}
"""

CASES: dict[str, Case] = {
    "a body": ("int f(void)\n{\n    return 1;\n}\n", "int f(void)\n{\n    return 2;\n}\n", ["modified f"]),
    "a return type through a pointer": ("char *f(void) { return 0; }\n", "const char **f(void) { return 0; }\n", ["modified f"]),
    "a function that returns a pointer to a function": (
        "int (*pick(int k))(char) { return 0; }\n", "int (*pick(int k))(char) { return one; }\n", ["modified pick"]),
    "a prototype": ("int f(int a);\n\nint f(int a) { return a; }\n", "int f(long a);\n\nint f(int a) { return a; }\n", ["modified f(declaration)"]),
    "a definition beside its prototype": ("int f(int);\nint f(int a) { return a; }\n", "int f(int);\nint f(int a) { return 0; }\n", ["modified f"]),
    "a prototype removed": ("int f(int);\nint f(int a) { return a; }\n", "int f(int a) { return a; }\n", ["removed f(declaration)"]),
    "static added": ("int f(void) { return 1; }\n", "static int f(void) { return 1; }\n", ["modified f"]),
    "an attribute": ("void die(void);\n", "__attribute__((noreturn)) void die(void);\n", ["modified die"]),
    "a function between others": (
        "int f(void) { return 1; }\n\nint g(void) { return 2; }\n",
        "int f(void) { return 1; }\n\nint h(void) { return 3; }\n\nint g(void) { return 2; }\n", ["added h"]),
    "a function at the end": ("int f(void) { return 1; }\n", "int f(void) { return 1; }\n\nint h(void) { return 3; }\n", ["added h"]),
    "a function removed": ("int f(void) { return 1; }\n\nint g(void) { return 2; }\n", "int g(void) { return 2; }\n", ["removed f"]),
    "functions in another order": (
        "int f(void) { return 1; }\n\nint g(void) { return 2; }\n", "int g(void) { return 2; }\n\nint f(void) { return 1; }\n", ["reordered <module>"]),
    "a comment above": ("/* old */\nint f(void) { return 1; }\n", "/* new */\nint f(void) { return 1; }\n", ["modified f"]),
    "a comment apart": ("/* old */\n\nint f(void) { return 1; }\n", "/* new */\n\nint f(void) { return 1; }\n", ["modified <module>"]),
    "a comment behind": ("int x; // old\nint y;\n", "int x; // new\nint y;\n", ["modified x"]),
    "a blank line": ("int x;\n\nint y;\n", "int x;\n\n\nint y;\n", ["modified x"]),
    "one of the twins of a conditional": (
        "#ifdef A\nint f(void) { return 1; }\n#else\nint f(void) { return 2; }\n#endif\n",
        "#ifdef A\nint f(void) { return 1; }\n#else\nint f(void) { return 3; }\n#endif\n", ["modified f#2"]),
    "a condition": ("#if A\nint f(void) { return 1; }\n#endif\n", "#if B\nint f(void) { return 1; }\n#endif\n", ["modified <module>"]),
    "a branch added": (
        "#if A\nint f(void) { return 1; }\n#endif\n", "#if A\nint f(void) { return 1; }\n#elif B\nint f(void) { return 2; }\n#endif\n",
        ["added f#2", "modified <module>"]),
    "a macro's value": ("#define LIMIT 3\n\nint x;\n", "#define LIMIT 4\n\nint x;\n", ["modified LIMIT"]),
    "a macro over lines": (
        "#define MAX(a, b) \\\n    ((a) > (b) ? (a) : (b))\nint x;\n", "#define MAX(a, b) \\\n    ((a) < (b) ? (b) : (a))\nint x;\n", ["modified MAX"]),
    "a macro and the function it hides": (
        "int f(int a) { return a; }\n#define f(a) (f)(a)\n", "int f(int a) { return a; }\n#define f(a) (f)(a + 0)\n", ["modified f(macro)"]),
    "#undef": ("#define A 1\n#undef A\n", "#define A 1\n#undef B\n", ["modified <module>"]),
    "a field of a struct": ("struct p { int x; };\nint y;\n", "struct p { int x, z; };\nint y;\n", ["modified p"]),
    "the semicolon of a struct": ("struct p { int x; };\n", "struct p { int x; } ;\n", ["modified p"]),
    "a tag and a typedef of one name": (
        "typedef struct p p;\nstruct p { int x; };\n", "typedef struct p p;\nstruct p { long x; };\n", ["modified p(struct)"]),
    "a forward declaration removed": ("struct p;\nstruct p { int x; };\n", "struct p { int x; };\n", ["removed p(struct declaration)"]),
    "a typedef of a struct without a tag": ("typedef struct { int x; } p;\n", "typedef struct { int y; } p;\n", ["modified p"]),
    "an enumerator": ("enum c { A, B };\n", "enum c { A, B, D };\n", ["modified c"]),
    "a union": ("union u { int a; };\n", "union u { long a; };\n", ["modified u"]),
    "an array": ("static int table[3] = { 1, 2, 3 };\nint x;\n", "static int table[3] = { 1, 2, 4 };\nint x;\n", ["modified table"]),
    "a pointer to a function": ("static int (*hook)(int) = 0;\n", "static int (*hook)(int) = f;\n", ["modified hook"]),
    "an array of pointers to functions": ("int (*ops[2])(int) = { f, g };\n", "int (*ops[2])(int) = { g, f };\n", ["modified ops"]),
    "one of several declarators": ("int a = 1, *b;\n", "int a = 2, *b;\n", ["modified a, b"]),
    "a declarator added": ("int a, b;\n", "int a, b, c;\n", ["added a, b, c", "removed a, b"]),
    "extern and its definition": ("extern int x;\nint x = 1;\n", "extern int x;\nint x = 2;\n", ["modified x"]),
    "a function in the style of K&R": ("int f(a, b) int a; char *b; { return 1; }\n", "int f(a, b) int a; char *b; { return 2; }\n", ["modified f"]),
    "a local struct is the function's": ("int f(void) { struct s { int a; } x; return 0; }\n", "int f(void) { struct s { int b; } x; return 0; }\n", ["modified f"]),
    "a static local is the function's": ("int f(void) { static int n = 1; return n; }\n", "int f(void) { static int n = 2; return n; }\n", ["modified f"]),
    "an include added": ("#include <a.h>\n#include <b.h>\n\nint x;\n", "#include <a.h>\n#include <c.h>\n#include <b.h>\n\nint x;\n", ["modified <module imports>"]),
    "includes sorted": ("#include <b.h>\n#include <a.h>\n\nint x;\n", "#include <a.h>\n#include <b.h>\n\nint x;\n", ["reordered <module imports>"]),
    "a conditional include": (
        "#ifdef A\n#include <a.h>\n#endif\nint x;\n", "#ifdef A\n#include <b.h>\n#endif\nint x;\n", ["modified <module imports>"]),
    "a statement of macros": ("REGISTER(f);\nint x;\n", "REGISTER(g);\nint x;\n", ["modified <module>"]),
    "an enum without a name": ("enum { A = 1 };\nint x;\n", "enum { A = 2 };\nint x;\n", ["modified <module>"]),
    "CRLF": ("int x;\r\n\r\nint f(void)\r\n{\r\n    return 1;\r\n}\r\n", "int x;\r\n\r\nint f(void)\r\n{\r\n    return 2;\r\n}\r\n", ["modified f"]),
    "a line ending": ("int x;\r\nint y;\r\n", "int x;\nint y;\r\n", ["modified x"]),
    "a macro before a definition": ("API int f(int a) { return a; }\nint x;\n", "API int f(int a) { return 0; }\nint x;\n", ["modified f"]),
    "that macro itself": ("API int f(int a);\nint x;\n", "LOCAL int f(int a);\nint x;\n", ["modified f"]),
    "that macro on a line of its own": ("NORETURN\nvoid f(int a);\nint x;\n", "INLINE\nvoid f(int a);\nint x;\n", ["modified f"]),
    "a type in capitals on a line of its own": ("VALUE\nf(VALUE a)\n{\n}\nint x;\n", "WORD\nf(VALUE a)\n{\n}\nint x;\n", ["modified f"]),
    "a macro alone on its line": ("BEGIN_DECLS\n\nint f(int a);\n\nEND_DECLS\n", "BEGIN_DECLS\n\nint f(long a);\n\nEND_DECLS\n", ["modified f"]),
    "a macro behind": ("int f(const char *, ...) PRINTF_LIKE(1, 2);\nint x;\n", "int f(const char *, ...) PRINTF_LIKE(1, 3);\nint x;\n", ["modified f"]),
}  # fmt: skip

TABLE = {
    "nothing": ("", []),
    "declarators": ("int *a, b[2], (*c)(int), d = 1;\n", ["a, b, c, d"]),
    "functions": ("int f(void) {}\nint *g(void) {}\nint (h)(void) {}\nint (*i(int a))(int) {}\n", ["f", "g", "h", "i"]),
    "prototypes alone": ("int f(void);\nint *g(int a);\n", ["f", "g"]),
    "typedefs": ("typedef int a;\ntypedef int (*b)(void);\ntypedef struct { int x; } c, *d;\n", ["a", "b", "c, d"]),
    "a struct with a variable": ("static struct s { int a; } x;\n", ["x"]),
    "a header": (
        "#ifndef A_H\n#define A_H\n#include <a.h>\nint f(void);\nstatic inline int g(void) { return 1; }\n#endif\n",
        ["<module>", "A_H", "<module imports>", "f", "g", "<module>"]),
    "elif": ("#if A\nint x;\n#elif B\nint x;\n#endif\n", ["<module>", "x", "<module>", "x#2", "<module>"]),
    "a comment at the end": ("int x;\n/* end */\n", ["x", "<module>"]),
    "no final newline": ("int x;\n\nint y;", ["x", "y"]),
    "two on a line": ("int x; int y;\n", ["x", "y"]),
    "a macro with arguments instead of a type": ("DECLARE(x)\n\nint f(void) { return 1; }\n", ["<module>", "f"]),
    "a broken function": ("int f(void) { if (x) { return 1;\n}\nint g(void) { return 2; }\n", ["f"]),
    "a broken declaration": ("int = 3;\nint g(void) { return 2; }\n", ["<module>", "g"]),
}  # fmt: skip

ENTRIES = [
    ("#include <stdio.h>", "#include <stdio.h>"),
    ('#  include   "a/b.h"', '#include "a/b.h"'),
    ("#include MACRO", "#include MACRO"),
]


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_every_change_is_named(case: Case) -> None:
    check("c", case)


@pytest.mark.parametrize(("text", "expected"), TABLE.values(), ids=TABLE.keys())
def test_symbols_of_a_text_in_order(text: str, expected: list[str]) -> None:
    assert [segment.name for segment in read("c", text).segments] == expected


@pytest.mark.parametrize(("text", "entry"), ENTRIES, ids=[row[0] for row in ENTRIES])
def test_include_is_one_entry_that_binds_nothing_known(text: str, entry: str) -> None:
    (segment,) = read("c", text + "\n").segments
    assert segment.entries == (entry,)
    assert C.binds(entry) is None


def test_conditional_inside_a_function_leaves_the_functions_around_it_alone() -> None:
    text = "int a;\nint f(void) {\n#ifdef X\n  if (x) {\n#else\n  if (y) {\n#endif\n    g();\n  }\n}\nint b;\n"
    assert read("c", text).errors > 0
    assert changes("c", text, text.replace("int a", "long a")) == ["modified a"]


def test_sample_has_the_symbols_a_reader_sees() -> None:
    assert set(read("c", SAMPLE).names()) == {
        "<module>", "<module imports>", "LIMIT", "MAX", "node(struct declaration)", "node(typedef)", "node(struct)",
        "color", "callback", "counter, total", "names", "elsewhere", "add(declaration)", "add", "fast", "fast#2", "name_of",
    }  # fmt: skip


PIECES = st.sampled_from(
    ["", " ", "\n", "\r\n", "(", ")", "{", "}", ";", ",", "*", "#", "#if X\n", "#endif\n", "/*", "*/", '"', "'", "\\",
     "struct s {", "int f(", "typedef ", "API ", "BEGIN_X\n", "é", "\udcff", "\x00"]
)  # fmt: skip


@given(st.integers(0, len(SAMPLE)), st.integers(0, 60), PIECES, st.integers(0, len(SAMPLE)), PIECES)
@settings(max_examples=100, deadline=None)
def test_segments_partition_any_edit_of_a_sample(at: int, length: int, new: str, other: int, more: str) -> None:
    text = SAMPLE[:at] + new + SAMPLE[at + length :]
    check_partition(read("c", text[:other] + more + text[other:]))
