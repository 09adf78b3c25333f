# ruff: noqa: E501
from pathlib import Path

import pytest

from miner.symbols.differences import Kind, compare
from miner.symbols.extent import Extent, extents
from miner.symbols.language import Language
from miner.symbols.languages.python import PYTHON
from miner.symbols.outline import outline

FORMATTING, COMMENT, CODE = Extent.FORMATTING, Extent.COMMENT, Extent.CODE

# Rows without rules: a file is one symbol, and what its tokens and structure say is seen all the same.
_COMMENTS = frozenset({"comment", "line_comment", "block_comment"})
BARE = {
    grammar: Language(grammar, (), {}, comments=_COMMENTS)
    for grammar in (
        "javascript", "typescript", "tsx", "go", "java", "c", "cpp", "rust", "ruby", "php", "kotlin", "scala", "swift", "csharp",
    )
}  # fmt: skip


def found(before: str | bytes, after: str | bytes, language: Language = PYTHON) -> dict[str, Extent]:
    old, new = (outline(t.encode() if isinstance(t, str) else t, language) for t in (before, after))
    return extents(old, new, compare(old, new), language)


def whole(grammar: str, before: str, after: str) -> Extent:
    old, new = (outline(text.encode(), BARE[grammar]) for text in (before, after))
    assert old.errors == new.errors == 0, "a row must be what the language's grammar accepts"
    result = found(before, after, BARE[grammar])
    assert result == found(after, before, BARE[grammar])
    return result["<module>"]


# Each in a function of its own, so that names are found as well. The second text is a formatter's where it has one.
PYTHON_ALIKE = {
    "line breaks": ("    return g(a, b)\n", "    return g(\n        a,\n        b,\n    )\n"),
    "blanks": ("    x=1+ 2\n", "    x = 1 + 2\n"),
    "blank lines": ("    x = 1\n    y = 2\n", "    x = 1\n\n    y = 2\n"),
    "indentation": ("  x = 1\n  return x\n", "    x = 1\n    return x\n"),
    "tabs": ("\tif x:\n\t\treturn x\n", "    if x:\n        return x\n"),
    "one line": ("    if x: return y\n", "    if x:\n        return y\n"),
    "quotes": ("    x = 'a'\n", '    x = "a"\n'),
    "quotes of a long string": ("    x = '''a\n b'''\n", '    x = """a\n b"""\n'),
    "escaped quotes": ("    x = 'it\\'s'\n", '    x = "it\'s"\n'),
    "a redundant escape": ("    x = 'say \\\"no\\\"'\n", "    x = 'say \"no\"'\n"),
    "quotes around braces": ("    x = f'a {b!r:>{c}} d'\n", '    x = f"a {b!r:>{c}} d"\n'),
    "an adjacent string": ("    x = 'a' 'b'\n", '    x = (\n        "a"\n        "b"\n    )\n'),
    "a string prefix": ("    x = U'a' + B'b' + F'c'\n", '    x = "a" + b"b" + f"c"\n'),
    "numbers": ("    x = 0XFF + 1E5 + 1J\n", "    x = 0xff + 1e5 + 1j\n"),
    "a backslash": ("    x = 1 + \\\n        2\n", "    x = 1 + 2\n"),
    "a semicolon": ("    x = 1;\n", "    x = 1\n"),
    "two statements on a line": ("    x = 1; y = 2\n", "    x = 1\n    y = 2\n"),
    "redundant parentheses": ("    return (not (a))\n", "    return not a\n"),
    "parentheses to break a line": ("    return a and b\n", "    return (\n        a\n        and b\n    )\n"),
    "parentheses around a tuple": ("    for (a, b) in c: pass\n", "    for a, b in c:\n        pass\n"),
    "parentheses around a target": ("    for (a) in c: pass\n", "    for a in c:\n        pass\n"),
    "parentheses in del": ("    del (a, b)\n", "    del a, b\n"),
    "parentheses in with": ("    with a as b, c as d: pass\n", "    with (\n        a as b,\n        c as d,\n    ):\n        pass\n"),
    "parentheses around an annotation": ("    x: A | None = y\n", "    x: (\n        A | None\n    ) = y\n"),
    "a comma in a subscript of two": ("    x = a[b, c]\n", "    x = a[\n        b,\n        c,\n    ]\n"),
    "a comment's blanks": ("    x = 1 #why\n", "    x = 1  # why\n"),
    "a comment past punctuation": ("    x = f(  # why\n        a)\n", "    x = f(\n        # why\n        a\n    )\n"),
}
PYTHON_COMMENTS = {
    "a comment more": ("    x = 1\n", "    x = 1  # why\n"),
    "another word": ("    # one\n    x = 1\n", "    # two\n    x = 1\n"),
    "further down": ("    # why\n    x = 1\n    y = 2\n", "    x = 1\n    # why\n    y = 2\n"),
    "and reformatted": ("    x = f(a)\n", "    x = f(\n        a,  # why\n    )\n"),
}
PYTHON_CODE = {
    "another number": ("    x = 1\n", "    x = 2\n"),
    "out of its if": ("    if a:\n        b()\n        c()\n", "    if a:\n        b()\n    c()\n"),
    "into the else": ("    if a:\n        b()\n    else:\n        c()\n    d()\n", "    if a:\n        b()\n    else:\n        c()\n        d()\n"),
    "else of another if": ("    if a:\n        if b:\n            c()\n        else:\n            d()\n", "    if a:\n        if b:\n            c()\n    else:\n        d()\n"),
    "an indent that is wrong": ("    a()\n    b()\n", "    a()\n      b()\n"),
    "grouping": ("    x = a * b + c\n", "    x = a * (b + c)\n"),
    "a comma that makes a tuple": ("    x = (1)\n", "    x = (1,)\n"),
    "a bare tuple": ("    return 1\n", "    return 1,\n"),
    "a tuple as a target": ("    for (a) in b: pass\n", "    for (a,) in b: pass\n"),
    "a tuple as an index": ("    x = a[1]\n", "    x = a[1,]\n"),
    "a tuple pattern": ("    match a:\n        case (b): pass\n", "    match a:\n        case (b,): pass\n"),
    "an empty tuple": ("    return\n", "    return ()\n"),
    "a call": ("    x = f\n", "    x = f()\n"),
    "white space in a string": ("    x = 'a b'\n", "    x = 'a  b'\n"),
    "white space in a long string": ('    x = """a\n    b"""\n', '    x = """a\n  b"""\n'),
    "white space in braces": ("    x = f'{a=}'\n", "    x = f'{a = }'\n"),
    "a docstring's white space": ('    """Doc.\n      More."""\n', '    """Doc.\n    More."""\n'),
    "quotes in a raw string": (r"    x = r'\''" + "\n", "    x = r\"'\"\n"),
    "a raw string": (r"    x = r'\n'" + "\n", r"    x = '\n'" + "\n"),
    "bytes": ("    x = 'a'\n", "    x = b'a'\n"),
    "an escape": (r"    x = '\\n'" + "\n", r"    x = '\n'" + "\n"),
    "one string of two": ("    x = ['a', 'b']\n", "    x = ['a' 'b']\n"),
    "a statement in a string": ("    x = 1\n", "    'x = 1'\n"),
    "order": ("    a()\n    b()\n", "    b()\n    a()\n"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("row", "extent"),
    [
        *((row, FORMATTING) for row in PYTHON_ALIKE.items()),
        *((row, COMMENT) for row in PYTHON_COMMENTS.items()),
        *((row, CODE) for row in PYTHON_CODE.items()),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else value,
)
def test_a_python_body_that_differs_so_has_this_extent(row, extent):
    _, (before, after) = row
    before, after = f"def f(a, b, c):\n{before}", f"def f(a, b, c):\n{after}"
    assert found(before, after) == {"f": extent}
    assert found(after, before) == {"f": extent}


CLASS = '''class A(B):
    """Doc."""

    limit = 1

    def m(self):
        return 'm'

    def n(self):
        return 'n'
'''
WHOLE = {
    "only the method": (CLASS, CLASS.replace("'m'", '"m"'), {"A.m": FORMATTING}),
    "method and class": (CLASS, CLASS.replace("'m'", '"m"').replace("A(B)", "A( B )"), {"A.m": FORMATTING, "A.<body>": FORMATTING}),
    "empty brackets of a class": ("class A():\n    x = 1\n", "class A:\n    x = 1\n", {"A.<body>": FORMATTING}),
    "a base class": (CLASS, CLASS.replace("A(B)", "A( B, C )"), {"A.<body>": CODE}),
    "a docstring is a string": (CLASS, CLASS.replace('"Doc."', '" Doc."'), {"A.<body>": CODE}),
    "a docstring's quotes": (CLASS, CLASS.replace('"""', "'''"), {"A.<body>": FORMATTING}),
    "a method more, and formatting": (CLASS, CLASS.replace("A(B)", "A( B )") + "\n    def o(self):\n        pass\n", {"A.<body>": FORMATTING}),
    "a method less, and formatting": (CLASS, CLASS.replace("A(B)", "A( B )").partition("    def n")[0], {"A.<body>": FORMATTING}),
    "a field before the first method": ("class A:\n    def m(self): return 1\n", "class A:\n    x = 1\n\n    def m(self):\n        return 1\n", {"A.m": FORMATTING}),
    "methods in another order, and formatting": (
        CLASS,
        'class A( B ):\n    """Doc."""\n\n    limit = 1\n\n    def n(self):\n        return \'n\'\n\n    def m(self):\n        return \'m\'\n',
        {"A.<body>": CODE},
    ),
    "a definition out of its if": ("if a:\n    x()\n    def f():\n        return 1\n", "if a:\n    x()\ndef f():\n    return 1\n", {"f": CODE}),
    "a definition into the else": ("if a:\n    def f(): return 1\nelse:\n    def g(): return 2\n", "if a:\n    def f():\n        return 1\nelse:\n    def g():\n        return 2\n", {"f": FORMATTING, "g": FORMATTING}),
    "one import from several lines": ("from a import b, c\n\nx = 1\n", "from a import (\n    b,\n    c,\n)\n\nx = 1\n", {"<module imports>": FORMATTING}),
    "a comment at an import": ("import a\n\nx = 1\n", "import a  # why\n\nx = 1\n", {"<module imports>": COMMENT}),
    "blank lines below imports": ("import a\nimport b\n\nx = 1\n", "import a\n\nimport b\n\nx = 1\n", {"<module imports>": FORMATTING}),
    "another import": ("from a import b, c\n\nx = 1\n", "from a import (b, d)\n\nx = 1\n", {"<module imports>": CODE}),
    "a constant": ("x = {'a': 1, 'b': 2}\n", 'x = {\n    "a": 1,\n    "b": 2,\n}\n', {"x": FORMATTING}),
    "statements of a module": ("if a: b('x')\n", 'if a:\n    b("x")\n', {"<module>": FORMATTING}),
    "namesakes, one of them new": (
        "def f():\n    a('x')\n\n\ndef f():\n    b('x')\n    return 1\n",
        'def f():\n    return 1\n\n\ndef f():\n    a("x")\n\n\ndef f():\n    b("x")\n    return (1)\n',
        {"f": FORMATTING, "f#2": FORMATTING},
    ),
    "a comment in an empty file": ("", "# why\n", {"<module>": COMMENT}),
    "line endings": ("x = 1\r\ny = '''a\r\nb'''\r\n", "x = 1\ny = '''a\nb'''\n", {"x": FORMATTING, "y": FORMATTING}),
    "line endings, and formatting": ("y=('''a\r\nb''')\r\n", "y = '''a\nb'''\n", {"y": FORMATTING}),
}  # fmt: skip


@pytest.mark.parametrize(("before", "after", "expected"), WHOLE.values(), ids=WHOLE)
def test_each_modified_symbol_has_an_extent_of_its_own(before, after, expected):
    assert found(before, after) == expected


SCRIPT_ALIKE = {
    "quotes": ("f('a')", 'f("a");'),
    "escaped quotes": ("f('it\\'s')", 'f("it\'s");'),
    "semicolons": ("a()\nb()", "a();\nb();\n"),
    "semicolons of declarations": ("let a = 1\nconst b = 2\nreturnless()", "let a = 1;\nconst b = 2;\nreturnless();"),
    "an empty statement": ("a();;", "a();"),
    "trailing commas": ("f(a, b); x = [1, 2]; y = {a: 1}", "f(\n  a,\n  b,\n); x = [1, 2,]; y = {a: 1,}"),
    "brackets of a parameter": ("f(x => x)", "f((x) => x)"),
    "brackets of an async parameter": ("f(async x => { await x })", "f(async (x) => {\n  await x;\n});"),
    "quoted keys": ("x = {'a': 1, 'b-c': 2, 'd'() {}}", 'x = { a: 1, "b-c": 2, d() {} };'),
    "redundant brackets": ("x = (a.b).c + (d)", "x = a.b.c + d;"),
    "brackets for readers": ("x = a && b || c", "x = (a && b) || c;"),
    "brackets of new": ("x = new Foo", "x = new Foo();"),
    "numbers": ("x = [0XAB, 1.50, .5, 1., 1.0E+05]", "x = [0xab, 1.5, 0.5, 1, 1e5];"),
    "members of a class": ("class A { a = 1; ; b() {} }", "class A {\n  a = 1\n  b() {}\n}"),
    "blanks in a template's code": ("x = `a ${ b } c`", "x = `a ${b} c`;"),
    "a body on a line of its own": ("if (a) b()", "if (a)\n  b();"),
    "a block comment's margin": ("/** One\n * two. */\na()", "  /**\n   * One\n   * two.\n   */\na();"),
}
SCRIPT_CODE = {
    "a line break that ends a statement": ("function f() { return a }", "function f() { return\na }"),
    "white space in a template": ("x = `a b`", "x = `a  b`"),
    "white space before a template's code": ("x = `a ${b}`", "x = `a  ${b}`"),
    "white space in a string": ("x = 'a b'", "x = 'a  b'"),
    "white space in a regular expression": ("x = /a b/", "x = /a  b/"),
    "a hole": ("x = [1,,]", "x = [1,]"),
    "only a hole": ("x = [,]", "x = []"),
    "the end of an optional chain": ("x = (a?.b).c", "x = a?.b.c"),
    "a directive": ("('use strict')", "'use strict'"),
    "a key or its value": ("x = {a}", "x = {'a': a}"),
    "a string or a name": ("x = 'a'", "x = a"),
    "an object or a block": ("f(() => ({}))", "f(() => {})"),
    "parameters": ("f((a, b) => c)", "f(a, b => c)"),
    "part of a for": ("for (;a;) b()", "for (a;;) b()"),
    "the body of a loop": ("while (a); b()", "while (a) b()"),
    "grouping": ("x = a - (b - c)", "x = a - b - c"),
    "a template or a string": ("x = 'a'", "x = `a`"),
}
TYPED_ALIKE = {
    "separators of members": ("interface A { a: string, b: number }", "interface A {\n  a: string;\n  b: number;\n}"),
    "a leading bar": ("type A = 'a' | 'b'", 'type A =\n  | "a"\n  | "b";'),
    "brackets of a type": ("let a: (A)", "let a: A;"),
    "brackets before as": ("x = await a as B", "x = (await a) as B;"),
    "brackets of a parameter": ("f(x => x)", "f((x) => x)"),
    "an enum's keys": ("enum A {'b' = 1, c}", "enum A {\n  b = 1,\n  c,\n}"),
}
TYPED_CODE = {
    "grouping of types": ("let a: (A | B)[]", "let a: A | B[]"),
    "an optional member": ("interface A { a: string }", "interface A { a?: string }"),
    "a module or a namespace": ("declare module 'a' {}", "declare module a {}"),
}
GO_ALIKE = {
    "alignment": ("type A struct {\na int\nbcd string\n}", "type A struct {\n\ta   int\n\tbcd string\n}"),
    "semicolons": ("func f() { a(); b() }", "func f() {\n\ta()\n\tb()\n}"),
    "brackets of a condition": ("func f() { if (a) { b() } }", "func f() {\n\tif a {\n\t\tb()\n\t}\n}"),
    "a trailing comma": ("var a = []int{1, 2}", "var a = []int{\n\t1,\n\t2,\n}"),
    "numbers": ("var a = 0XFF + 1E3", "var a = 0xFF + 1e3"),
}
GO_CODE = {
    "white space in a string": ('var a = "b c"', 'var a = "b  c"'),
    "white space in a raw string": ("var a = `b c`", "var a = `b\tc`"),
    "white space in a rune": ("var a = ' '", "var a = '\\t'"),
    "quotes": ('var a = "b"', "var a = `b`"),
    "a value or a statement": ("func f() { switch x { } }", "func f() { switch x; { } }"),
    "a result": ("func f() { return a }", "func f() { return\na }"),
}
JAVA_ALIKE = {
    "braces": ("class A { void f() { if (a) b(); } }", "class A\n{\n    void f()\n    {\n        if (a)\n            b();\n    }\n}"),
    "empty statements": ("class A { ; void f() { a();; } }", "class A { void f() { a(); } }"),
    "redundant brackets": ("class A { int a = (1) + (b); }", "class A { int a = 1 + b; }"),
    "brackets of a parameter": ("class A { B b = x -> x; }", "class A { B b = (x) -> x; }"),
    "a trailing comma": ("enum A { B, C }", "enum A {\n    B,\n    C,\n    ;\n}"),
    "a comment's margin": ("/** One\n * two. */\nclass A {}", "/**\n * One\n * two.\n */\nclass A {\n}"),
}
JAVA_CODE = {
    "white space in a string": ('class A { String a = "b c"; }', 'class A { String a = "b  c"; }'),
    "white space in a text block": ('class A { String a = """\n  b"""; }', 'class A { String a = """\n    b"""; }'),
    "the body of a loop": ("class A { void f() { while (a); b(); } }", "class A { void f() { while (a) b(); } }"),
    "a number's fraction": ("class A { double a = 1.0; }", "class A { double a = 1; }"),
    "a character": ("class A { char a = 'b'; }", 'class A { String a = "b"; }'),
    "a body": ("abstract class A { abstract void f(); }", "abstract class A { abstract void f() {} }"),
}
MORE = [
    ("tsx", "jsx in brackets", "const f = () => <a b='c'>\n  d\n</a>", 'const f = () => (\n  <a b="c">\n    d\n  </a>\n);', FORMATTING),
    ("tsx", "white space between tags", "x = <a>b <c /></a>", "x = <a>b<c /></a>", CODE),
    ("c", "a macro's margin", "#define A(x) do { x; } while (0)\n", "#  define A(x) \\\n  do { x; }    \\\n  while (0)\n", FORMATTING),
    ("c", "a string in a macro", '#define A "b c"\n', '#define A "b  c"\n', CODE),
    ("c", "operators in a macro", "#define A(x) x + +1\n", "#define A(x) x ++1\n", CODE),
    ("c", "brackets may be for a macro", "int a = (f)(1);\n", "int a = f(1);\n", CODE),
    ("c", "a line that goes on", "int a = 1 + \\\n  2;\n", "int a = 1 + 2;\n", FORMATTING),
    ("rust", "a value or a statement", "fn f() { if a { b } else { c } }", "fn f() { if a { b } else { c }; }", CODE),
    ("rust", "a tuple of one", "fn f() -> (A) { a }", "fn f() -> (A,) { a }", CODE),
    ("rust", "arguments", "fn f() { g(a, b) }", "fn f() {\n    g(\n        a,\n        b,\n    )\n}", FORMATTING),
    ("rust", "white space in a raw string", 'fn f() { r#"a b"# }', 'fn f() { r#"a  b"# }', CODE),
]  # fmt: skip
OTHERS = [
    *MORE,
    *(
        (grammar, name, before, after, extent)
        for grammar, extent, rows in [
            ("javascript", FORMATTING, SCRIPT_ALIKE), ("javascript", CODE, SCRIPT_CODE),
            ("typescript", FORMATTING, SCRIPT_ALIKE | TYPED_ALIKE), ("typescript", CODE, SCRIPT_CODE | TYPED_CODE),
            ("java", FORMATTING, JAVA_ALIKE), ("java", CODE, JAVA_CODE),
        ]
        for name, (before, after) in rows.items()
    ),
    *(("go", name, f"package a\n{before}\n", f"package a\n\n{after}\n", FORMATTING) for name, (before, after) in GO_ALIKE.items()),
    *(("go", name, f"package a\n{before}\n", f"package a\n\n{after}\n", CODE) for name, (before, after) in GO_CODE.items()),
]  # fmt: skip


@pytest.mark.parametrize(
    ("grammar", "before", "after", "extent"),
    [(grammar, before, after, extent) for grammar, _, before, after, extent in OTHERS],
    ids=[f"{grammar}: {name}" for grammar, name, *_ in OTHERS],
)
def test_other_languages_need_no_more_than_a_row(grammar, before, after, extent):
    assert whole(grammar, before, after) is extent


STRINGS = [
    ("c", 'char *x = "a b";'), ("cpp", 'auto x = R"(a b)";'), ("csharp", 'class A { string x = @"a b"; }'),
    ("csharp", 'class A { string x = $"a b {c} d"; }'), ("go", "package p\nvar x = `a b`"), ("java", 'class A { String x = "a b"; }'),
    ("javascript", "let x = `a b`"), ("kotlin", 'val x = "a b $c"'), ("kotlin", 'val x = """a b"""'),
    ("php", "<?php $x = 'a b';"), ("php", "<?php $x = <<<T\na b\nT;\n"), ("php", "<?php $x = <<<'T'\na b\nT;\n"),
    ("ruby", "x = 'a b'"), ("ruby", 'x = "#{c} a b"'), ("ruby", "x = <<~T\n  a b\nT\n"), ("ruby", "x = /a b/"),
    ("ruby", "x = `a b`"), ("ruby", 'x = :"a b"'), ("ruby", "x = %q(a b)"), ("rust", 'const X: &str = "a b";'),
    ("scala", 'val x = s"a b $c"'), ("swift", 'let x = "a b"'), ("swift", 'let x = """\n  a b\n  """'),
]  # fmt: skip


@pytest.mark.parametrize(("grammar", "text"), STRINGS)
def test_white_space_is_formatting_outside_strings_and_code_inside(grammar, text):
    assert whole(grammar, text, text.replace("a b", "a  b")) is CODE
    assert whole(grammar, text, text.replace(" = ", "  =  ")) is FORMATTING


def test_code_that_does_not_parse_is_not_called_formatting():
    assert found("def f(:\n    a\n    b\n", "def f(:\n    a\n      b\n") == {"f": CODE}
    assert CODE in found("x = (1 +\ny = 2\n", "x =  (1 +\n  y = 2\n").values()


def test_only_what_changed_has_an_extent():
    text = "".join(f"def f{n}():\n    return {n}\n\n\n" for n in range(100))
    assert found(text, text.replace("return 50\n", "return (50)\n")) == {"f50": FORMATTING}


def test_deep_nesting_is_read_without_recursion():
    deep = "(" * 3000 + "1" + ")" * 3000
    assert found(f"x = [{deep}]\n", f"x = [ {deep} ]\n") == {"x": FORMATTING}
    nested = "[" * 3000 + "]" * 3000
    assert found(f"x = {nested}\n", f"x =  {nested}\n") == {"x": FORMATTING}


def test_this_repository_taken_apart_and_put_together_is_formatting():
    """Every line break inside brackets goes, which no formatter would do and which changes nothing."""
    sources = sorted(Path(__file__).parents[2].glob("miner/symbols/*.py"))
    assert len(sources) > 10
    for source in sources:
        text = source.read_text()
        old = outline(text.encode(), PYTHON)
        squeezed = text.replace(",\n        ", ",         ").replace("(\n        ", "(         ")
        new = outline(squeezed.encode(), PYTHON)
        result = compare(old, new)
        assert {c.kind for c in result.changes} <= {Kind.MODIFIED}
        assert set(extents(old, new, result, PYTHON).values()) <= {FORMATTING}, source.name
