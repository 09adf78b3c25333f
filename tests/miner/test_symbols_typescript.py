# ruff: noqa: E501
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.miner.symbol_cases import Case, check, check_partition, read

OVERLOADS = """function f(a: string): void;
function f(a: number, ...b: string[]): void;
function f(a: any): void {
  run(a);
}
"""
CLASS = """@Component({ tag: 'x' })
export abstract class Store<T> extends Base<T> implements I {
  private readonly size: number = 1;
  static last?: string;

  constructor(private name: string) {
    super();
  }

  get(a: string): T;
  get(a: number): T;
  get(a: any): T {
    return this.find(a);
  }

  /** Finds. */
  abstract find(a: any): T;

  @Log()
  protected async run(): Promise<void> {
    await stop();
  }

  get one(): T { return this.get(1); }
  set one(v: T) { this.put(v); }

  [key: string]: unknown;
}
"""
TYPES = """export interface Shape {
  side: number;
  area(): number;
}

export type Size = { width: number; scale(by: number): void };

export enum Colour {
  Red,
  Green = 2,
}

const enum Flag { A }
"""
SPACE = """namespace A.B {
  export const k = 1;

  export function f(): void {}

  export namespace Inner {
    export class C {}
  }
}
"""
AMBIENT = """declare const version: string;

declare function load(path: string): void;
declare function load(path: string[]): void;

declare class Thing {
  size: number;
  get(a: string): void;
}

declare module 'lib' {
  export function go(): void;
}

declare global {
  interface Window { a: 1 }
}
"""
IMPORTS = """import type { A, B } from 'a';
import { type C, d } from 'c';
import fs = require('fs');
export type { E } from 'e';

run();
"""

CASES: dict[str, Case] = {
    "one overload of several": (OVERLOADS, OVERLOADS.replace("f(a: string): void", "f(a: string): number"), ["modified f(string)"]),
    "another overload": (OVERLOADS, OVERLOADS.replace("...b: string[]): void", "...b: string[]): number"), ["modified f(number, ...string[])"]),
    "what implements overloads": (OVERLOADS, OVERLOADS.replace("run(a)", "run()"), ["modified f(any)"]),
    "an overload is added": (OVERLOADS, OVERLOADS.replace("function f(a: any)", "function f(a?: Date): void;\nfunction f(a: any)"), ["added f(Date?)"]),
    "an overload is removed": (OVERLOADS, OVERLOADS.replace("function f(a: string): void;\n", ""), ["removed f(string)"]),
    "an overload's parameter gets another type": (OVERLOADS, OVERLOADS.replace("a: string)", "a: Date)"), ["modified f(string)"]),
    "an overload of a method": (CLASS, CLASS.replace("get(a: number): T;", "get(a: number): T[];"), ["modified Store.get(number)"]),
    "an overload of a method is added": (CLASS, CLASS.replace("  get(a: any)", "  get(a: Date): T;\n  get(a: any)"), ["added Store.get(Date)"]),
    "the body of an overloaded method": (CLASS, CLASS.replace("this.find(a)", "this.find(a, 1)"), ["modified Store.get(any)"]),
    "an abstract method": (CLASS, CLASS.replace("abstract find(a: any): T", "abstract find(a: any): T[]"), ["modified Store.find"]),
    "an abstract method is added": (CLASS, CLASS.replace("  @Log()", "  abstract more(): void;\n\n  @Log()"), ["added Store.more"]),
    "a method's doc comment": (CLASS, CLASS.replace("Finds.", "Finds it."), ["modified Store.find"]),
    "a method's decorator": (CLASS, CLASS.replace("@Log()", "@Trace()"), ["modified Store.run"]),
    "a class's decorator": (CLASS, CLASS.replace("tag: 'x'", "tag: 'y'"), ["modified Store.<body>"]),
    "what a class implements": (CLASS, CLASS.replace("implements I", "implements I, J"), ["modified Store.<body>"]),
    "an index signature": (CLASS, CLASS.replace("unknown", "number"), ["modified Store.<body>"]),
    "a constructor's parameter property": (CLASS, CLASS.replace("private name", "public name"), ["modified Store.constructor"]),
    "fields": (CLASS, CLASS.replace("= 1;", "= 2;").replace("last?: string", "last?: number"), ["modified Store.last", "modified Store.size"]),
    "a field between others": (CLASS, CLASS.replace("  static last", "  declare more: string;\n  static last"), ["added Store.more"]),
    "a setter": (CLASS, CLASS.replace("this.put(v)", "this.put(v, 1)"), ["modified Store.one(set)"]),
    "a getter is removed": (CLASS, CLASS.replace("  get one(): T { return this.get(1); }\n", ""), ["removed Store.one(get)"]),
    "a static overload": (
        "class A {\n  static of(a: string): A;\n  static of(a: any): A { return a; }\n  of(): void {}\n}\n",
        "class A {\n  static of(a: string): B;\n  static of(a: any): A { return a; }\n  of(): void {}\n}\n", ["modified A.of(static string)"]),
    "a private static getter": (
        "class A {\n  private static get a() { return 1; }\n  private static set a(v) {}\n}\n",
        "class A {\n  private static get a() { return 2; }\n  private static set a(v) {}\n}\n", ["modified A.a(static get)"]),
    "a method moves within its class": (
        "class A {\n  a(): void {}\n\n  b(): void {}\n}\n", "class A {\n  b(): void {}\n\n  a(): void {}\n}\n", ["reordered A.<body>"]),
    "an interface's member": (TYPES, TYPES.replace("side: number", "side: string"), ["modified Shape"]),
    "an interface's method": (TYPES, TYPES.replace("area(): number", "area(a: number): number"), ["modified Shape"]),
    "a type alias": (TYPES, TYPES.replace("by: number", "by: string"), ["modified Size"]),
    "an enum's member": (TYPES, TYPES.replace("Green = 2", "Green = 3"), ["modified Colour"]),
    "a constant enum": (TYPES, TYPES.replace("{ A }", "{ A, B }"), ["modified Flag"]),
    "an interface between others": (TYPES, TYPES.replace("export enum", "interface More {}\n\nexport enum"), ["added More"]),
    "a type is removed": (TYPES, TYPES.replace("const enum Flag { A }\n", ""), ["removed Flag"]),
    "a type and a value of one name": ("export const A = z.object();\nexport type A = z.infer<typeof A>;\n", "export const A = z.object();\nexport type A = z.input<typeof A>;\n", ["modified A(type)"]),
    "an interface in two parts": ("interface A { a: 1 }\ninterface A { b: 1 }\n", "interface A { a: 1 }\ninterface A { b: 2 }\n", ["modified A(interface)#2"]),
    "a namespace's function": (SPACE, SPACE.replace("void {}", "void { run(); }"), ["modified A.B.f"]),
    "a namespace's constant": (SPACE, SPACE.replace("k = 1", "k = 2"), ["modified A.B.k"]),
    "a class of a namespace in a namespace": (SPACE, SPACE.replace("class C {}", "class C { a = 1 }"), ["added A.B.Inner.C.a", "modified A.B.Inner.C.<body>"]),
    "a function and its namespace": (
        "function f() {}\nnamespace f { export const a = 1; }\n", "function f() {}\nnamespace f { export const a = 2; }\n", ["modified f(namespace).a"]),
    "declared things": (AMBIENT, AMBIENT.replace("version: string", "version: number").replace("size: number", "size: string"), ["modified Thing.size", "modified version"]),
    "a declared overload": (AMBIENT, AMBIENT.replace("(path: string[]): void", "(path: string[]): number"), ["modified load(string[])"]),
    "a declared module in other quotes": (AMBIENT, AMBIENT.replace("'lib'", '"lib"'), ["modified 'lib'.<body>"]),
    "a declared module": (AMBIENT, AMBIENT.replace("  export function go", "  export const a: 1;\n  export function go"), ["added 'lib'.a"]),
    "a declared global": (AMBIENT, AMBIENT.replace("{ a: 1 }", "{ a: 2 }"), ["modified Window"]),
    "a typed function of a constant": ("const f = <T,>(a: T): T => a;\n", "const f = <T,>(a: T): T => b;\n", ["modified f"]),
    "an object with a type": ("const o = {\n  a(): T {},\n} satisfies O;\n", "const o = {\n  a(): T { return 1; },\n} satisfies O;\n", ["modified o.a"]),
    "an object with a type in a function": ("function f(): O {\n  const o = { a(): T {} } as O;\n}\n", "function f(): O {\n  const o = { a(): T { return 1; } } as O;\n}\n", ["modified f.o.a"]),
    "a type in a function": ("function f() {\n  type A = { g(): void };\n}\n", "function f() {\n  type A = { g(): number };\n}\n", ["modified f"]),
    "a cast is a statement's": ("(window as any).x = 1;\n", "(window as any).x = 2;\n", ["modified (window as any).x"]),
    "CRLF": (OVERLOADS.replace("\n", "\r\n"), OVERLOADS.replace("run(a)", "run()").replace("\n", "\r\n"), ["modified f(any)"]),
    "an imported type is added": (IMPORTS, IMPORTS.replace("A, B", "A, B, F"), ["modified <module imports>"]),
    "an import becomes a type's": (IMPORTS, IMPORTS.replace("{ type C, d }", "{ type C, type d }"), ["modified <module imports>"]),
    "imports in another order": (IMPORTS, IMPORTS.replace("import fs = require('fs');\n", "").replace("import { type", "import fs = require('fs');\nimport { type"), ["reordered <module imports>"]),
    "a type is passed on no more": (IMPORTS, IMPORTS.replace("export type { E } from 'e';\n", ""), ["modified <module imports>"]),
}  # fmt: skip


@pytest.mark.parametrize("language", ["typescript", "tsx"])
@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_changes(case: Case, language: str) -> None:
    check(language, case)


ORDER = {
    "overloads": (OVERLOADS, ["f(string)", "f(number, ...string[])", "f(any)"]),
    "parameters of all kinds": (
        "declare function f(this: T, { a }: { a: 1 }, b?: string, c = 1): void;\ndeclare function f(): void;\n",
        ["f(T, { a: 1 }, string?, any)", "f"]),
    "a class": (
        CLASS, ["Store.<body>", "Store.size", "Store.last", "Store.constructor", "Store.get(string)", "Store.get(number)", "Store.get(any)",
                "Store.find", "Store.run", "Store.one(get)", "Store.one(set)", "Store.<body>"]),
    "types": (TYPES, ["Shape", "Size", "Colour", "Flag"]),
    "ambient things": (
        AMBIENT, ["version", "load(string)", "load(string[])", "Thing.<body>", "Thing.size", "Thing.get", "Thing.<body>",
                  "'lib'.<body>", "'lib'.go", "'lib'.<body>", "<module>", "Window", "<module>"]),
    "namespaces": (SPACE, ["A.B.<body>", "A.B.k", "A.B.f", "A.B.Inner.<body>", "A.B.Inner.C.<body>", "A.B.Inner.<body>", "A.B.<body>"]),
    "an exported assignment": ("export = f;\n", ["<module>"]),
    "a default interface": ("export default interface A {}\n", ["A"]),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), ORDER.values(), ids=ORDER.keys())
@pytest.mark.parametrize("language", ["typescript", "tsx"])
def test_symbols_of_a_text_in_order(language: str, text: str, expected: list[str]) -> None:
    assert [segment.name for segment in read(language, text).segments] == expected


ENTRIES = {
    "import type { A, B as C } from 'x'": ["import type { A } from 'x'", "import type { B as C } from 'x'"],
    "import type A from 'x'": ["import type A from 'x'"],
    "import { type A, b } from 'x'": ["import { type A } from 'x'", "import { b } from 'x'"],
    "import a = require(\"x\");": ["import a = require('x')"],
    "import a = B.c;": ["import a = B.c"],
    "export type { A } from 'x'": ["export type { A } from 'x'"],
    "export type * from 'x'": ["export type * from 'x'"],
    "const a: T.U = require('x')": ["const a: T.U = require('x')"],
}


@pytest.mark.parametrize(("text", "expected"), ENTRIES.items(), ids=ENTRIES.keys())
@pytest.mark.parametrize("language", ["typescript", "tsx"])
def test_import_statement_is_read_as_single_bindings(language: str, text: str, expected: list[str]) -> None:
    (segment,) = read(language, text + "\n").segments
    assert list(segment.entries) == expected


SAMPLE = IMPORTS + OVERLOADS + CLASS + TYPES + SPACE + AMBIENT
PIECES = st.sampled_from(
    ["", " ", "\n", "\r\n", "(", ")", "{", "}", "<", ">", "'", "/*", "*/", "//", ":", ",", ";", "=>", "function g(a: string);\n",
     "abstract ", "@d ", "declare ", "export ", "namespace N {", "type T = ", "interface I {", "static ", "get ", "é", "\udcff", "\x00"]
)  # fmt: skip


@pytest.mark.parametrize("language", ["typescript", "tsx"])
@given(st.integers(0, len(SAMPLE)), st.integers(0, 60), PIECES, st.integers(0, len(SAMPLE)), PIECES)
@settings(max_examples=60, deadline=None)
def test_segments_partition_any_edit_of_a_sample(
    language: str, at: int, length: int, new: str, other: int, more: str
) -> None:
    text = SAMPLE[:at] + new + SAMPLE[at + length :]
    check_partition(read(language, text[:other] + more + text[other:]))
