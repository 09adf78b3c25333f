# ruff: noqa: E501
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from miner.symbols.languages import BY_SUFFIX
from tests.miner.symbol_cases import Case, check, check_partition, read

COMPONENT = """import React, { useState } from 'react';

const LIMIT = 3;

// A button.
export function Button({ label }) {
  const [on, setOn] = useState(false);
  const toggle = () => setOn(!on);
  function render() {
    return <b>{label}</b>;
  }
  return <div className="x" onClick={() => setOn(true)}>{render()}</div>;
}

export const List = ({ items }) => (
  <ul>{items.map((item) => <li key={item}>{item}</li>)}</ul>
);

export default class App extends React.Component {
  state = { open: false };

  handle = () => {
    this.setState({ open: true });
  };

  render() {
    return <><Button label="a" {...this.props} /></>;
  }
}
"""
TYPED = """import React, { type FC, type ReactNode } from 'react';

interface Props<T> {
  items: T[];
  render: (item: T) => ReactNode;
}

export const Box: FC<{ a?: string }> = ({ a = 'x' }) => <div>{a}</div>;

export const Memo = React.memo(function Inner({ a }: { a: string }) {
  const ref = useRef<HTMLDivElement>(null);
  const onClick = async (e: Event): Promise<void> => { e.stop(); };
  return <div ref={ref} onClick={onClick}>{a as string}</div>;
});

export function Table<T,>(props: Props<T>): ReactNode;
export function Table<T,>(props: Props<T>, extra: number): ReactNode;
export function Table<T,>(props: any): ReactNode {
  return <table>{props.items.map(props.render)}</table>;
}

const Context = React.createContext<{ go(): void } | null>(null);

export const useStore = create<State>()((set) => ({
  count: 0,
  add: () => set((s) => ({ count: s.count + 1 })),
  reset() { set({ count: 0 }); },
}));

declare module 'react' {
  interface Extra { a: 1 }
}

export default Box;
"""

# What the JavaScript grammar reads as well.
JSX: dict[str, Case] = {
    "text of an element": (COMPONENT, COMPONENT.replace("<b>{label}</b>", "<i>{label}</i>"), ["modified Button.render"]),
    "an attribute": (COMPONENT, COMPONENT.replace('className="x"', 'className="y"'), ["modified Button"]),
    "a handler in an element is text": (COMPONENT, COMPONENT.replace("setOn(true)", "setOn(false)"), ["modified Button"]),
    "a local handler": (COMPONENT, COMPONENT.replace("setOn(!on)", "setOn(on)"), ["modified Button.toggle"]),
    "a local handler is added": (COMPONENT, COMPONENT.replace("  function render", "  const stop = () => 1;\n  function render"), ["added Button.stop"]),
    "a local handler is removed": (COMPONENT, COMPONENT.replace("  const toggle = () => setOn(!on);\n", ""), ["removed Button.toggle"]),
    "state is text": (COMPONENT, COMPONENT.replace("useState(false)", "useState(true)"), ["modified Button"]),
    "a component's comment": (COMPONENT, COMPONENT.replace("// A button.", "// The button."), ["modified Button"]),
    "a component of one expression": (COMPONENT, COMPONENT.replace("<li key={item}>", "<li>"), ["modified List"]),
    "a component between others": (COMPONENT, COMPONENT.replace("export const List", "const More = () => <hr />;\n\nexport const List"), ["added More"]),
    "a component at the end": (COMPONENT, COMPONENT + "\nfunction Last() {\n  return <App />;\n}\n", ["added Last"]),
    "a component of a class": (COMPONENT, COMPONENT.replace('label="a"', 'label="b"'), ["modified App.render"]),
    "a handler in a field": (COMPONENT, COMPONENT.replace("this.setState({ open: true })", "this.setState({})"), ["modified App.handle"]),
    "a field": (COMPONENT, COMPONENT.replace("open: false", "open: null"), ["modified App.state"]),
    "a method between others": (COMPONENT, COMPONENT.replace("  render()", "  more() {}\n\n  render()"), ["added App.more"]),
    "a comment in an element": (COMPONENT, COMPONENT.replace("<ul>", "<ul>{/* all */}"), ["modified List"]),
    "an import": (COMPONENT, COMPONENT.replace("{ useState }", "{ useRef, useState }"), ["modified <module imports>"]),
    "an element at the top": ("root.render(<App a={1} />);\n", "root.render(<App a={2} />);\n", ["modified <module>"]),
    "a function in an element": ("const A = () => <B c={function d() { return 1; }} />;\n", "const A = () => <B c={function d() { return 2; }} />;\n", ["modified A.d"]),
    "CRLF": (COMPONENT.replace("\n", "\r\n"), COMPONENT.replace("!on", "on").replace("\n", "\r\n"), ["modified Button.toggle"]),
}  # fmt: skip
CASES: dict[str, Case] = {
    "an interface of props": (TYPED, TYPED.replace("items: T[]", "items: T[] | null"), ["modified Props"]),
    "a typed component": (TYPED, TYPED.replace("<div>{a}</div>", "<p>{a}</p>"), ["modified Box"]),
    "a component's type": (TYPED, TYPED.replace("a?: string", "a?: number"), ["modified Box"]),
    "a wrapped component with a name": (TYPED, TYPED.replace("ref={ref} ", ""), ["modified Memo.Inner"]),
    "a typed handler": (TYPED, TYPED.replace("e.stop()", "e.go()"), ["modified Memo.Inner.onClick"]),
    "an overload of a component": (TYPED, TYPED.replace("extra: number): ReactNode", "extra: number): null"), ["modified Table(Props<T>, number)"]),
    "what implements it": (TYPED, TYPED.replace("<table>{", "<table>{1}{"), ["modified Table(any)"]),
    "a context": (TYPED, TYPED.replace("go(): void", "go(): number"), ["modified Context"]),
    "a store's function": (TYPED, TYPED.replace("s.count + 1", "s.count + 2"), ["modified useStore.add"]),
    "a store's method": (TYPED, TYPED.replace("set({ count: 0 })", "set({ count: 1 })"), ["modified useStore.reset"]),
    "a store's value": (TYPED, TYPED.replace("  count: 0,", "  count: 1,"), ["modified useStore"]),
    "a module's interface": (TYPED, TYPED.replace("{ a: 1 }", "{ a: 2 }"), ["modified 'react'.Extra"]),
    "the default": (TYPED, TYPED.replace("default Box", "default Memo"), ["modified default"]),
    "an imported type": (TYPED, TYPED.replace("type FC, ", ""), ["modified <module imports>"]),
}  # fmt: skip


@pytest.mark.parametrize("case", (JSX | CASES).values(), ids=(JSX | CASES).keys())
def test_changes(case: Case) -> None:
    check("tsx", case)


@pytest.mark.parametrize("case", JSX.values(), ids=JSX.keys())
def test_javascript_agrees_on_elements_without_types(case: Case) -> None:
    check("javascript", case)


def test_symbols_of_components_in_order() -> None:
    expected = [
        "<module imports>", "LIMIT", "Button", "Button.toggle", "Button.render", "Button", "List", "App.<body>", "App.state",
        "App.handle", "App.render", "App.<body>",
    ]  # fmt: skip
    for language in ("javascript", "tsx"):
        assert [segment.name for segment in read(language, COMPONENT).segments] == expected


@pytest.mark.parametrize(
    ("suffix", "grammar"),
    [(".js", "javascript"), (".jsx", "javascript"), (".mjs", "javascript"), (".cjs", "javascript"), (".ts", "typescript"),
     (".mts", "typescript"), (".cts", "typescript"), (".tsx", "tsx")],
)  # fmt: skip
def test_suffixes(suffix: str, grammar: str) -> None:
    assert BY_SUFFIX[suffix].grammar == grammar


PIECES = st.sampled_from(
    ["", " ", "\n", "(", ")", "{", "}", "<", ">", "/>", "</", "<A>", "'", "/*", "*/", "=>", "= () => ", ",", ";", "é", "\udcff", "\x00"]
)


@given(st.integers(0, len(TYPED)), st.integers(0, 60), PIECES, st.integers(0, len(TYPED)), PIECES)
@settings(max_examples=80, deadline=None)
def test_segments_partition_any_edit_of_a_sample(at: int, length: int, new: str, other: int, more: str) -> None:
    text = TYPED[:at] + new + TYPED[at + length :]
    check_partition(read("tsx", text[:other] + more + text[other:]))
