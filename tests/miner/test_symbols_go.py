# ruff: noqa: E501
"""Go: what a reader calls a symbol, and which of them an edit changes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from miner.symbols.excuse import excused
from miner.symbols.languages.go import GO
from tests.miner.symbol_cases import Case, changes, check, check_partition, read

SAMPLE = '''//go:build linux

// Package web serves.
package web

import (
	"fmt" // prints

	y "gopkg.in/yaml.v3"
)

// Levels.
const (
	// Low is low.
	Low Level = iota // tail
	Middle
	High
)

var a, b = 1, 2

var (
	_ fmt.Stringer = (*Server)(nil)
	_ error        = Fault(0)
)

// Server serves.
type Server struct {
	sync.Mutex
	Name string // its name
}

type Store interface {
	// Get gets.
	Get(key string) (string, error)
	io.Closer
}

// Serve runs.
func (s *Server) Serve(port int) error {
	type request struct{ path string }
	go func() { s.handle(request{}) }()
	return nil
}

func (s Server) String() string { return s.Name }

func (l *List[T]) Push(x T) { l.items = append(l.items, x) }

func init() {
	a++
}

func init() {
	b++
}

func Map[T, U any](of []T, f func(T) U) []U {
	return nil
}
'''  # fmt: skip


def edited(*edits: tuple[str, str], text: str = SAMPLE) -> tuple[str, str]:
    """A text before and after some replacements, each of which must fit once."""
    after = text
    for old, new in edits:
        assert after.count(old) == 1, old
        after = after.replace(old, new)
    return text, after


SERVE = SAMPLE[SAMPLE.index("// Serve runs.") : SAMPLE.index("func (s Server)")]
STRING = "func (s Server) String() string { return s.Name }\n\n"

CASES: dict[str, Case] = {
    "a method body": (*edited(("return nil\n}\n\nfunc (s S", "return fail\n}\n\nfunc (s S")), ["modified (*Server).Serve"]),
    "a local type": (*edited(("path string }", "url string }")), ["modified (*Server).Serve.request"]),
    "a local type goes": (*edited(("\ttype request struct{ path string }\n", "")), ["removed (*Server).Serve.request"]),
    "a closure is its function's": (*edited(("go func() {", "defer func() {")), ["modified (*Server).Serve"]),
    "a pointer receiver becomes a value": (
        *edited(("(s *Server) Serve", "(s Server) Serve")),
        ["added (Server).Serve", "added (Server).Serve.request", "removed (*Server).Serve", "removed (*Server).Serve.request"],
    ),
    "a method of another type": (*edited(("(s Server) S", "(s Store) S")), ["added (Store).String", "removed (Server).String"]),
    "a generic receiver's parameter": (*edited(("(l *List[T]) Push(x T)", "(l *List[E]) Push(x E)")), ["modified (*List).Push"]),
    "a method is added between others": (
        *edited((STRING, STRING + "func (s *Server) Close() {}\n\n")), ["added (*Server).Close"],
    ),
    "a function is added at the end": (SAMPLE, SAMPLE + "\nfunc Last() {}\n", ["added Last"]),
    "a method is moved": (*edited((SERVE, ""), (STRING, STRING + SERVE)), ["reordered <module>"]),
    "a method goes": (*edited((STRING, "")), ["removed (Server).String"]),
    "the first init": (*edited(("a++", "a--")), ["modified init"]),
    "the second init": (*edited(("b++", "b--")), ["modified init#2"]),
    "a third init between": (
        *edited(("\ta++\n}\n", "\ta++\n}\n\nfunc init() {\n\tprepare()\n}\n")), ["added init#3"],
    ),
    "the first init goes": (*edited(("func init() {\n\ta++\n}\n\n", "")), ["removed init"]),
    "a constant of a group": (*edited(("\tMiddle\n", "\tMiddle = 7\n")), ["modified Middle"]),
    "a constant is added inside a group": (*edited(("\tMiddle\n", "\tMiddle\n\tUpper\n")), ["added Upper"]),
    "a constant is added at a group's end": (*edited(("\tHigh\n", "\tHigh\n\tTop\n")), ["added Top"]),
    "a constant is added at a group's start": (*edited(("const (\n", "const (\n\tNone = -1\n")), ["added None"]),
    "a constant goes": (*edited(("\tMiddle\n", "")), ["removed Middle"]),
    "constants of a group change places": (
        *edited(("\tMiddle\n\tHigh\n", "\tHigh\n\tMiddle\n")), ["reordered <module>"],
    ),
    "the comment of a constant": (*edited(("Low is low", "Low is not high")), ["modified Low"]),
    "the comment behind a constant": (*edited(("// tail", "// behind")), ["modified Low"]),
    "the comment of a group": (*edited(("// Levels.", "// Grades.")), ["modified <module>"]),
    "a group of one grows": (
        "package p\n\nconst (\n\tA = 1\n)\n", "package p\n\nconst (\n\tA = 1\n\tB = 2\n)\n", ["added B"],
    ),
    "a single constant becomes a group": (
        "package p\n\nconst A = 1\n", "package p\n\nconst (\n\tA = 1\n)\n", ["modified <module>", "modified A"],
    ),
    "two names at once": (*edited(("a, b = 1, 2", "a, b = 1, 3")), ["modified a, b"]),
    "one of two names goes": (*edited(("var a, b = 1, 2", "var a = 1")), ["added a", "removed a, b"]),
    "an interface check": (*edited(("= Fault(0)", "= Fault(1)")), ["modified _(error)"]),
    "an interface check is added": (
        *edited(("\t_ error  ", "\t_ io.Closer = (*Server)(nil)\n\t_ error  ")), ["added _(io.Closer)"],
    ),
    "an embedded struct": (*edited(("\tsync.Mutex\n", "\tsync.RWMutex\n")), ["modified Server"]),
    "a field": (*edited(("Name string //", "Name []byte //")), ["modified Server"]),
    "a type's comment": (*edited(("// Server serves.", "// Server waits.")), ["modified Server"]),
    "a method of an interface": (*edited(("Get(key string)", "Get(key []byte)")), ["modified Store.Get"]),
    "a method is added to an interface": (
        *edited(("\tio.Closer\n", "\tio.Closer\n\tPut(key string)\n")), ["added Store.Put"],
    ),
    "an embedded interface": (*edited(("\tio.Closer\n", "\tio.Writer\n")), ["modified Store.<body>"]),
    "a struct becomes an interface": (
        "package p\n\ntype T struct{}\n", "package p\n\ntype T interface{ M() }\n", ["added T.M", "modified T"],
    ),
    "a type parameter": (*edited(("Map[T, U any]", "Map[T, U comparable]")), ["modified Map"]),
    "an import is added": (*edited(('\t"fmt" // prints\n', '\t"fmt" // prints\n\t"os"\n')), ["modified <module imports>"]),
    "an import's alias": (*edited(("\ty \"", "\tyaml \"")), ["modified <module imports>"]),
    "imports are sorted": (
        'package p\n\nimport (\n\t"b"\n\t"a"\n)\n', 'package p\n\nimport (\n\t"a"\n\t"b"\n)\n',
        ["reordered <module imports>"],
    ),
    "import statements are sorted": (
        'package p\n\nimport "b"\nimport "a"\n', 'package p\n\nimport "a"\nimport "b"\n', ["reordered <module imports>"],
    ),
    "imports become a group": (
        'package p\n\nimport "a"\n', 'package p\n\nimport (\n\t"a"\n\t"b"\n)\n', ["modified <module imports>"],
    ),
    "the comment above import C": (
        'package p\n\n// #include <a.h>\nimport "C"\n', 'package p\n\n// #include <b.h>\nimport "C"\n',
        ["modified <module imports>"],
    ),
    "a build tag": (*edited(("go:build linux", "go:build darwin")), ["modified <module>"]),
    "the package": (*edited(("package web", "package net")), ["modified <module>"]),
    "the package's comment": (*edited(("// Package web serves.", "// Package web waits.")), ["modified <module>"]),
    "a blank line between functions": (*edited((STRING, STRING + "\n")), ["modified (Server).String"]),
    "a blank line inside a function": (*edited(("}()\n\treturn", "}()\n\n\treturn")), ["modified (*Server).Serve"]),
    "a directive above a variable": (
        "package p\n\n//go:embed a.txt\nvar text string\n", "package p\n\n//go:embed b.txt\nvar text string\n", ["modified text"],
    ),
    "a type inside a closure": (
        "package p\n\nvar f = func() {\n\ttype Q struct{}\n}\n", "package p\n\nvar f = func() {\n\ttype Q struct{ a int }\n}\n",
        ["modified f.Q"],
    ),
    "a function without a body": (
        "package p\n\nfunc add(a int) int\n", "package p\n\nfunc add(a, b int) int\n", ["modified add"],
    ),
    "a comment behind an open parenthesis": (
        "package p\n\nconst ( // some\n\tA = 1\n)\n", "package p\n\nconst ( // some\n\tB = 2\n\tA = 1\n)\n", ["added B"],
    ),
    "CRLF": ("package p\r\n\r\nfunc f() {\r\n\ta()\r\n}\r\n\r\nfunc g() {}\r\n",
             "package p\r\n\r\nfunc f() {\r\n\tb()\r\n}\r\n\r\nfunc g() {}\r\n", ["modified f"]),
    "one line loses its CR": ("package p\r\n\r\nfunc f() {}\r\nfunc g() {}\r\n",
                              "package p\r\n\r\nfunc f() {}\nfunc g() {}\r\n", ["modified f"]),
}  # fmt: skip

TABLE = {
    "methods": ("package p\nfunc (*T) A() {}\nfunc (t T) B() {}\nfunc (t (*T)) C() {}\nfunc (t G[K, V]) D() {}\n",
                ["<module>", "(*T).A", "(T).B", "(*T).C", "(G).D"]),
    "groups": ("package p\nconst (\n\tA = 1\n)\nvar (\n\tb int\n)\ntype (\n\tC = int\n\tD int\n)\n",
               ["<module>", "A", "<module>", "b", "<module>", "C", "D", "<module>"]),
    "a group on one line": ("package p\nconst (A = 1; B = 2)\n", ["<module>", "A", "B", "<module>"]),
    "names of a function are its own": ("package p\nfunc f() {\n\tconst a = 1\n\tvar (\n\t\tb int\n\t)\n\tc := 1\n}\n",
                                        ["<module>", "f"]),
    "an interface in a signature": ("package p\nfunc f(x interface{ M() }) { type T int }\n", ["<module>", "f", "f.T", "f"]),
    "an import far down": ('package p\nimport "a"\nfunc f() {}\n', ["<module>", "<module imports>", "f"]),
}  # fmt: skip

ENTRIES = [
    ('import "fmt"', ['import "fmt"'], ["fmt"]),
    ('import f "a/fmt"', ['import f "a/fmt"'], ["f"]),
    ('import . "strings"', ['import . "strings"'], [None]),
    ('import (\n\t_ "embed"\n\t"a/b" // why\n)', ['import _ "embed"', 'import "a/b"'], [None, "b"]),
    ("import `a/b`", ['import "a/b"'], ["b"]),
    ('import "gopkg.in/yaml.v3"', ['import "gopkg.in/yaml.v3"'], ["yaml"]),
    ('import "a/go-b/v2"', ['import "a/go-b/v2"'], ["b"]),
    ('import "v2"', ['import "v2"'], ["v2"]),
    ("import ()", [], []),
]


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_an_edit_changes_the_symbols_that_a_reader_would_name(case: Case) -> None:
    check("go", case)


@pytest.mark.parametrize(("text", "expected"), TABLE.values(), ids=TABLE.keys())
def test_symbols_of_a_text_in_order(text: str, expected: list[str]) -> None:
    assert [segment.name for segment in read("go", text).segments] == expected


@pytest.mark.parametrize(("text", "entries", "names"), ENTRIES, ids=[row[0] for row in ENTRIES])
def test_import_is_read_as_single_packages_and_their_names(text: str, entries: list[str], names: list[str | None]) -> None:
    (segment,) = read("go", f"package p\n{text}\n").named("<module imports>")
    assert list(segment.entries) == entries
    assert [GO.binds(entry) for entry in segment.entries] == names


def test_allowing_one_package_frees_no_other() -> None:
    before, after = edited(('\t"fmt" // prints\n', '\t"fmt" // prints\n\t"os"\n'))
    assert changes("go", before, after, ['import "os"']) == []
    assert changes("go", before, after.replace('"os"', '"os"\n\t"io"'), ['import "os"']) == ["modified <module imports>"]


def test_a_method_is_excused_by_its_own_name_and_not_by_its_receiver() -> None:
    before = "package p\n\nfunc run(s *Server) {\n}\n"
    after = before.replace("{\n", "{\n\ts.Serve()\n") + "\nfunc (s *Server) Serve() {}\n\nfunc (s *Server) Stop() {}\n"
    assert excused({"a.go": before.encode()}, {"a.go": after.encode()}, {"a.go": ["run"]}) == {"a.go": {"(*Server).Serve"}}


@given(st.integers(0, len(SAMPLE)), st.integers(0, 40),
       st.sampled_from(["", "\n", "\r\n", "(", ")", "{", "}", '"', "`", "//", "/*", "func f() {\n", "type T ", "var (\n", "é", "\udcff"]))  # fmt: skip
@settings(max_examples=80, deadline=None)
def test_segments_partition_any_edit_of_a_sample(at: int, length: int, new: str) -> None:
    check_partition(read("go", SAMPLE[:at] + new + SAMPLE[at + length :]))
