# ruff: noqa: E501
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from miner.symbols.languages import javascript_imports as imports
from tests.miner.symbol_cases import Case, check, check_partition, read

CLASS = """class A extends B {
  static count = 0;
  #secret = 1;

  // about m
  m(a) {
    return a;
  }

  get v() { return this.#secret; }
  set v(x) { this.#secret = x; }

  static of() {}

  handler = () => {
    function inner() { return 1; }
    return inner;
  };
}
"""
OBJECT = """module.exports = {
  name: 'x',
  first(a) {
    return a;
  },
  second: function () { return 2; },
  third: (a) => a,
  nested: {
    deep() {},
  },
};
"""
APP = """const app = exports = module.exports = {};

app.use = function use(fn) {
  return fn;
};

/**
 * Finds.
 */

app.find = (a) => a;

Foo.prototype.bar = function () {
  this.done = function () { return 1; };
};
"""
IMPORTS = """import a from 'a';
import { b, c as d } from 'b';
import * as e from 'e';
import 'side';
export { f } from 'f';

run();
"""
REQUIRES = """'use strict';

const fs = require('fs');
const { join, sep: s } = require('path');
var emitter = require('events').EventEmitter;
const debug = require('debug')('app');
"""

# What all three grammars read alike.
SHARED: dict[str, Case] = {
    "nothing": ("", "", []),
    "a function is edited": ("function f() { return 1; }\n\nfunction g() {}\n", "function f() { return 2; }\n\nfunction g() {}\n", ["modified f"]),
    "a function between others": ("function f() {}\n\nfunction g() {}\n", "function f() {}\n\nfunction h() {}\n\nfunction g() {}\n", ["added h"]),
    "a function at the end": ("function f() {}\n", "function f() {}\n\nasync function* g() {}\n", ["added g"]),
    "a function is removed": ("function f() {}\n\nfunction g() {}\n\nfunction h() {}\n", "function f() {}\n\nfunction h() {}\n", ["removed g"]),
    "a method is edited": (CLASS, CLASS.replace("return a;", "return a + 1;"), ["modified A.m"]),
    "a method between others": (CLASS, CLASS.replace("  get v()", "  n() {}\n\n  get v()"), ["added A.n"]),
    "a method at the end": (CLASS, CLASS.replace("  };\n}\n", "  };\n\n  n() {}\n}\n"), ["added A.n"]),
    "a method is removed": (CLASS, CLASS.replace("  // about m\n  m(a) {\n    return a;\n  }\n\n", ""), ["removed A.m"]),
    "a method moves within its class": (
        "class A {\n  a() { return 1; }\n\n  b() { return 2; }\n}\n", "class A {\n  b() { return 2; }\n\n  a() { return 1; }\n}\n",
        ["reordered A.<body>"]),
    "a method moves to another class": (
        "class A {\n  a() {}\n\n  b() {}\n}\n\nclass B {\n  c() {}\n}\n", "class A {\n  b() {}\n}\n\nclass B {\n  a() {}\n\n  c() {}\n}\n",
        ["added B.a", "removed A.a"]),
    "a getter, not its setter": (CLASS, CLASS.replace("return this.#secret;", "return 2;"), ["modified A.v(get)"]),
    "a setter is removed": (CLASS, CLASS.replace("  set v(x) { this.#secret = x; }\n", ""), ["removed A.v(set)"]),
    "a static namesake": ("class A {\n  m() {}\n  static m() {}\n}\n", "class A {\n  m() {}\n  static m() { run(); }\n}\n", ["modified A.m(static)"]),
    "fields": (CLASS, CLASS.replace("count = 0", "count = 1").replace("#secret = 1", "#secret = 2"), ["modified A.#secret", "modified A.count"]),
    "a private method": ("class A {\n  #p() {}\n}\n", "class A {\n  #p() { return 1; }\n}\n", ["modified A.#p"]),
    "a function in a field": (CLASS, CLASS.replace("return 1;", "return 2;"), ["modified A.handler.inner"]),
    "a field of functions": (CLASS, CLASS.replace("return inner;", "return 1;"), ["modified A.handler"]),
    "a base class": (CLASS, CLASS.replace("extends B", "extends C"), ["modified A.<body>"]),
    "a static block": ("class A {\n  static { init(); }\n\n  m() {}\n}\n", "class A {\n  static { stop(); }\n\n  m() {}\n}\n", ["modified A.<body>"]),
    "a computed name": ("class A {\n  [Symbol.iterator]() {}\n}\n", "class A {\n  [Symbol.iterator]() { return 1; }\n}\n", ["modified A.[Symbol.iterator]"]),
    "a comment above a method": (CLASS, CLASS.replace("// about m", "// about it"), ["modified A.m"]),
    "a blank line within a method": (CLASS, CLASS.replace("return a;\n", "return a;\n\n"), ["modified A.m"]),
    "a blank line below a method": ("class A {\n  a() {}\n\n  b() {}\n}\n", "class A {\n  a() {}\n\n\n  b() {}\n}\n", ["modified A.a"]),
    "a class expression": ("const D = class Named {\n  m() {}\n};\n", "const D = class Named {\n  m() { return 1; }\n};\n", ["modified D.m"]),
    "a local class": ("function f() {\n  class L { m() {} }\n}\n", "function f() {\n  class L { m() { return 1; } }\n}\n", ["modified f.L.m"]),
    "a nested function": ("function f() {\n  function g() { return 1; }\n  return g;\n}\n", "function f() {\n  function g() { return 2; }\n  return g;\n}\n", ["modified f.g"]),
    "a nested function appears": ("function f() {\n  return 1;\n}\n", "function f() {\n  const g = (a) => a;\n  return 1;\n}\n", ["added f.g"]),
    "an anonymous callback is text": ("function f(xs) {\n  return xs.map((x) => x.a);\n}\n", "function f(xs) {\n  return xs.map((x) => x.b);\n}\n", ["modified f"]),
    "a named callback": ("on('end', function done() { return 1; });\n", "on('end', function done() { return 2; });\n", ["modified done"]),
    "a method of an object": (OBJECT, OBJECT.replace("return a;", "return -a;"), ["modified module.exports.first"]),
    "a method of an object between others": (OBJECT, OBJECT.replace("  third:", "  more() {},\n  third:"), ["added module.exports.more"]),
    "a method of an object at the end": (OBJECT, OBJECT.replace("  },\n};", "  },\n  more() {},\n};"), ["added module.exports.more"]),
    "a function in an object is removed": (OBJECT, OBJECT.replace("  second: function () { return 2; },\n", ""), ["removed module.exports.second"]),
    "another kind of quotes": ("m.x = { 'a-b': () => 1 };\n", 'm.x = { "a-b": () => 1 };\n', ["modified m.x.'a-b'"]),
    "a plain pair of an object": (OBJECT, OBJECT.replace("'x'", "'y'"), ["modified module.exports"]),
    "a function deep in an object": (OBJECT, OBJECT.replace("deep() {}", "deep() { return 1; }"), ["modified module.exports.nested.deep"]),
    "functions of an object change places": (
        OBJECT, OBJECT.replace("  third: (a) => a,\n", "").replace("  second:", "  third: (a) => a,\n  second:"), ["reordered module.exports"]),
    "accessors of an object": ("const o = {\n  get a() { return 1; },\n  set a(v) {},\n};\n", "const o = {\n  get a() { return 2; },\n  set a(v) {},\n};\n", ["modified o.a(get)"]),
    "an object in a function": ("function f() {\n  const o = { a() { return 1; } };\n  const p = { b: 1 };\n}\n", "function f() {\n  const o = { a() { return 2; } };\n  const p = { b: 2 };\n}\n", ["modified f", "modified f.o.a"]),
    "objects that are passed": ("use({\n  ok() { return 1; },\n});\n\nuse({\n  ok() { return 1; },\n});\n", "use({\n  ok() { return 1; },\n});\n\nuse({\n  ok() { return 2; },\n});\n", ["modified ok#2"]),
    "an assigned function": (APP, APP.replace("return fn;", "return fn();"), ["modified app.use"]),
    "an assigned arrow function": (APP, APP.replace("=> a;", "=> -a;"), ["modified app.find"]),
    "a prototype's method": (APP, APP.replace("function () {\n", "function (a) {\n"), ["modified Foo.prototype.bar"]),
    "a function assigned in a function": (APP, APP.replace("return 1", "return 2"), ["modified Foo.prototype.bar.this.done"]),
    "a chain of assignments": (APP, APP.replace("= {};", "= { a: 1 };"), ["modified app"]),
    "an assigned function at the end": (APP, APP + "\napp.last = function () {};\n", ["added app.last"]),
    "an assigned function is removed": (APP, APP.replace("app.use = function use(fn) {\n  return fn;\n};\n\n", ""), ["removed app.use"]),
    "a doc comment apart from what it documents": (APP, APP.replace("Finds.", "Finds it."), ["modified app.find"]),
    "exports": ("exports.a = 1;\nexports.b = function () {};\n", "exports.a = 2;\nexports.b = function () {};\n", ["modified exports.a"]),
    "constants": ("const A = 1;\nlet b = 2;\nvar c;\n", "const A = 1;\nlet b = 3;\nvar c;\n", ["modified b"]),
    "a constant between others": ("const A = 1;\nconst C = 3;\n", "const A = 1;\nconst B = 2;\nconst C = 3;\n", ["added B"]),
    "one of several in a declaration": ("const a = 1, b = 2;\n", "const a = 1, b = 3;\n", ["modified b"]),
    "a pattern is a statement": ("const { a, b } = f();\nconst [c] = g();\n", "const { a, b } = f(1);\nconst [c] = g();\n", ["modified <module>"]),
    "a statement": ("run(1);\n\nfunction f() {}\n", "run(2);\n\nfunction f() {}\n", ["modified <module>"]),
    "exported things": ("export const K = 1;\nexport function f() {}\nexport class A {}\n", "export const K = 2;\nexport function f() { return 1; }\nexport class A {}\n", ["modified K", "modified f"]),
    "a default function": ("export default function () { return 1; }\n", "export default function () { return 2; }\n", ["modified default"]),
    "a default function with a name": ("export default function main() { return 1; }\n", "export default function main() { return 2; }\n", ["modified main"]),
    "a default class": ("export default class extends B {\n  m() {}\n}\n", "export default class extends B {\n  m() {}\n\n  n() {}\n}\n", ["added default.n"]),
    "a default object": ("export default {\n  data() { return 1; },\n  methods: {\n    go() {},\n  },\n};\n", "export default {\n  data() { return 1; },\n  methods: {\n    go() { run(); },\n  },\n};\n", ["modified default.methods.go"]),
    "a list of exports": ("const a = 1;\nexport { a };\n", "const a = 1;\nexport { a, a as b };\n", ["modified <module>"]),
    "IIFE": ("(function () {\n  function f() { return 1; }\n})();\n", "(function () {\n  function f() { return 2; }\n})();\n", ["modified f"]),
    "a helper in a callback": ("describe('x', function () {\n  function helper() { return 1; }\n\n  it('y', () => {});\n});\n", "describe('x', function () {\n  function helper() { return 2; }\n\n  it('y', () => {});\n});\n", ["modified helper"]),
    "a statement in a callback": ("describe('x', function () {\n  function helper() {}\n\n  it('y', () => {});\n});\n", "describe('x', function () {\n  function helper() {}\n\n  it('z', () => {});\n});\n", ["modified <module>"]),
    "a top-level block": ("if (a) {\n  function f() { return 1; }\n} else {\n  var b = 1;\n}\n", "if (a) {\n  function f() { return 2; }\n} else {\n  var b = 2;\n}\n", ["modified b", "modified f"]),
    "a top-level try": ("try {\n  var x = f();\n} catch (e) {\n  var y = 1;\n}\n", "try {\n  var x = f();\n} catch (e) {\n  var y = 2;\n}\n", ["modified y"]),
    "a loop is a statement": ("for (let i = 0; i < 3; i++) {\n  run(i);\n}\n", "for (let i = 0; i < 4; i++) {\n  run(i);\n}\n", ["modified <module>"]),
    "namesakes": ("function f() { return 1; }\nfunction f() { return 2; }\n", "function f() { return 1; }\nfunction f() { return 3; }\n", ["modified f#2"]),
    "a namesake in front": ("var f = function () { return 1; };\n", "var f = function () { return 0; };\nvar f = function () { return 1; };\n", ["added f#2"]),
    "closures": ("function f() {\n  return function g(a) {\n    return () => a;\n  };\n}\n", "function f() {\n  return function g(a) {\n    return () => -a;\n  };\n}\n", ["modified f.g"]),
    "no semicolons": ("const a = 1\nconst b = () => 2\napp.x = function () {}\n", "const a = 1\nconst b = () => 3\napp.x = function () {}\n", ["modified b"]),
    "CRLF": ("class A {\r\n  a() {}\r\n\r\n  b() {}\r\n}\r\n", "class A {\r\n  a() {}\r\n\r\n  c() {}\r\n\r\n  b() {}\r\n}\r\n", ["added A.c"]),
    "line endings": ("function f() {}\n\nfunction g() {}\n", "function f() {}\r\n\nfunction g() {}\n", ["modified f"]),
    "an import is added": (IMPORTS, IMPORTS.replace("import 'side';", "import g from 'g';\nimport 'side';"), ["modified <module imports>"]),
    "an import is removed": (IMPORTS, IMPORTS.replace("import * as e from 'e';\n", ""), ["modified <module imports>"]),
    "an imported name is added": (IMPORTS, IMPORTS.replace("{ b,", "{ b, g,"), ["modified <module imports>"]),
    "imports in another order": (IMPORTS, IMPORTS.replace("import * as e from 'e';\nimport 'side';", "import 'side';\nimport * as e from 'e';"), ["reordered <module imports>"]),
    "another name is passed on": (IMPORTS, IMPORTS.replace("export { f }", "export { f, g }"), ["modified <module imports>"]),
    "a required module is added": (REQUIRES, REQUIRES.replace("var emitter", "const os = require('os');\nvar emitter"), ["modified <module imports>"]),
    "a required name is removed": (REQUIRES, REQUIRES.replace(", sep: s", ""), ["modified <module imports>"]),
    "what a required module makes": (REQUIRES, REQUIRES.replace("('app')", "('lib')"), ["modified debug"]),
    "require in a function": ("function f() {\n  const a = require('a');\n}\n", "function f() {\n  const a = require('b');\n}\n", ["modified f"]),
}  # fmt: skip
CASES: dict[str, Case] = {
    "a decorated method": ("class A {\n  @d() m() {}\n\n  n() {}\n}\n", "class A {\n  @e() m() {}\n\n  n() {}\n}\n", ["modified A.m"]),
    "a hash bang": ("#!/usr/bin/env node\nrun();\n", "#!/usr/bin/node\nrun();\n", ["modified <module>"]),
    "import attributes": ("import a from './a.json' with { type: 'json' };\n", "import a from './a.json';\n", ["modified <module imports>"]),
}  # fmt: skip


@pytest.mark.parametrize("case", (SHARED | CASES).values(), ids=(SHARED | CASES).keys())
def test_changes(case: Case) -> None:
    check("javascript", case)


@pytest.mark.parametrize("language", ["typescript", "tsx"])
@pytest.mark.parametrize("case", SHARED.values(), ids=SHARED.keys())
def test_typescript_agrees_on_what_is_javascript(case: Case, language: str) -> None:
    check(language, case)


ORDER = {
    "an assigned function": ("app.use = function use() {};\n", ["app.use"]),
    "a subscript": ("Foo.prototype['baz'] = () => 1;\n", ["Foo.prototype['baz']"]),
    "an assigned object": ("exports = module.exports = { a: 1 };\n", ["module.exports"]),
    "an object": ("const o = {\n  a: 1,\n  b() {},\n  'c': () => 1,\n  'd-e': class {},\n};\n", ["o", "o.b", "o.c", "o.'d-e'.<body>", "o"]),
    "a class": ("class A {\n  a;\n  static b = 1\n  m() {}\n}\n", ["A.<body>", "A.a", "A.b", "A.m", "A.<body>"]),
    "several in a declaration": ("const a = 1,\n  b = 2;\n", ["<module>", "a", "b"]),
    "a chain of functions": ("exports.a = exports.b = function () {};\n", ["exports.a"]),
    "what is called at once": ("const x = (() => {\n  function f() {}\n})();\n", ["x", "x.f", "x"]),
    "what is wrapped": ("export const B = memo((props) => {\n  const on = () => 1;\n});\n", ["B", "B.on", "B"]),
    "a cast function": ("const f = /** @type {T} */ ((a) => a);\n", ["f"]),
    "a doc comment at the top": ("/** About the file. */\n\nconst a = 1;\n", ["<module>", "a"]),
    "an expression too long for a name": (f"f({'a' * 80}).b = function () {{}};\n", ["<module>"]),
    "a name that looks like a part of the file": ("f({ '<module imports>': () => 1 });\n", ["<module>", "'<module imports>'", "<module>"]),
    "several required modules": ("var a = require('a')\n  , b = require('b');\n", ["<module imports>"]),
    "required among others": ("var a = require('a'),\n  b = 1;\n", ["<module>", "<module imports>", "b"]),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), ORDER.values(), ids=ORDER.keys())
@pytest.mark.parametrize("language", ["javascript", "typescript", "tsx"])
def test_symbols_of_a_text_in_order(language: str, text: str, expected: list[str]) -> None:
    assert [segment.name for segment in read(language, text).segments] == expected


ENTRIES = {
    "import a from 'x'": ["import a from 'x'"],
    "import a, { b as c, default as d } from \"x\";": ["import a from 'x'", "import { b as c } from 'x'", "import { default as d } from 'x'"],
    "import a, * as b from 'x'": ["import a from 'x'", "import * as b from 'x'"],
    "import {\n  a,\n  b,\n} from 'x'": ["import { a } from 'x'", "import { b } from 'x'"],
    "import 'side'": ["import 'side'"],
    "import {} from 'x'": ["import {} from 'x'"],
    "export * from 'x'": ["export * from 'x'"],
    "export * as a from 'x'": ["export * as a from 'x'"],
    "export { a as b, c } from 'x'": ["export { a as b } from 'x'", "export { c } from 'x'"],
    "const x = require('y')": ["const x = require('y')"],
    "var x = require(\"y\").z, w = require('w');": ["var x = require('y').z", "var w = require('w')"],
    "const { a, b: c, d = 1, ...e } = require('y')": [
        "const { a } = require('y')", "const { b: c } = require('y')", "const { d = 1 } = require('y')", "const { ...e } = require('y')"],
    "const [a] = require('y')": ["const [a] = require('y')"],
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), ENTRIES.items(), ids=ENTRIES.keys())
@pytest.mark.parametrize("language", ["javascript", "typescript", "tsx"])
def test_import_statement_is_read_as_single_bindings(language: str, text: str, expected: list[str]) -> None:
    (segment,) = read(language, text + "\n").segments
    assert list(segment.entries) == expected


BINDS = {
    "import a from 'x'": "a",
    "import * as a from 'x'": "a",
    "import { a } from 'x'": "a",
    "import { a as b } from 'x'": "b",
    "import { default as $b } from 'x'": "$b",
    "import a from './a.json' with { type: 'json' }": "a",
    "import type { A } from 'x'": "A",
    "import { type A as B } from 'x'": "B",
    "import a = require('x')": "a",
    "import a = B.c": "a",
    "const a = require('x')": "a",
    "const a: T.U = require('x').y": "a",
    "var { a } = require('x')": "a",
    "const { a: b } = require('x')": "b",
    "const { a: b = 1 } = require('x')": "b",
    "const { ...a } = require('x')": "a",
    "const { a: { b, c } } = require('x')": None,
    "const [a] = require('x')": None,
    "import 'side'": None,
    "import {} from 'x'": None,
    "export * from 'x'": None,
    "export { a } from 'x'": None,
}


@pytest.mark.parametrize(("entry", "name"), BINDS.items(), ids=BINDS.keys())
def test_entry_binds_a_local_name(entry: str, name: str | None) -> None:
    assert imports.binds(entry) == name


SAMPLE = IMPORTS + REQUIRES + CLASS + OBJECT + APP + "on('x', function y() { const z = { a() {} }; }, 1);\n// größe 🦜\n"
PIECES = st.sampled_from(
    ["", " ", "\n", "\t", "\r\n", "(", ")", "{", "}", "`", "'", '"', "/*", "*/", "//", "/**", ":", ",", ";", "=>", "function g() {",
     "class B {", "@d ", "export ", "import q from 'q'\n", "var r = require('r'), ", "static ", "get ", "= {", "é", "\udcff", "\x00"]
)  # fmt: skip


@pytest.mark.parametrize("language", ["javascript", "typescript", "tsx"])
@given(st.integers(0, len(SAMPLE)), st.integers(0, 60), PIECES, st.integers(0, len(SAMPLE)), PIECES)
@settings(max_examples=60, deadline=None)
def test_segments_partition_any_edit_of_a_sample(
    language: str, at: int, length: int, new: str, other: int, more: str
) -> None:
    text = SAMPLE[:at] + new + SAMPLE[at + length :]
    check_partition(read(language, text[:other] + more + text[other:]))
