"""Excusing across languages: what is used is excused, and nothing passes because of a name that is not its own."""

# ruff: noqa: E501
import pytest

from miner.symbols.excuse import excused
from miner.symbols.files import allowed_by

# path, before, truth, reply, what is excused
ROWS = {
    "a module with an import inside": (
        "a.rs", "fn f() -> u8 {\n    1\n}\n", "fn f() -> u8 {\n    2\n}\n",
        "fn f() -> u8 {\n    helper::g()\n}\n\nmod helper {\n    use std::io;\n    pub fn g() -> u8 {\n        2\n    }\n}\n",
        {"helper.<body>", "helper.g", "use std::io"}),
    "a block inserted instead of replaced": (
        "a.py", "def f(x):\n    return 1\n\n\ndef g():\n    return f(1)\n", "def f(x):\n    return 2\n\n\ndef g():\n    return f(1)\n",
        "def f(x):\n    return 2\n\n\ndef f(x):\n    return 2\n\n\ndef g():\n    return f(1)\n", set()),
    "a redefinition of what the allowed one calls": (
        "a.py", "def g():\n    return 1\n\n\ndef f():\n    return g()\n", "def g():\n    return 1\n\n\ndef f():\n    return g() + 1\n",
        "def g():\n    return 1\n\n\ndef f():\n    return g() + 1\n\n\ndef g():\n    return 99\n", set()),
    "a method of another class called as the allowed one": (
        "a.py", "class A:\n    def __init__(self):\n        self.x = 1\n\n\nclass B:\n    y = 2\n",
        "class A:\n    def __init__(self):\n        self.x = 2\n\n\nclass B:\n    y = 2\n",
        "class A:\n    def __init__(self):\n        self.x = 2\n\n\nclass B:\n    y = 2\n\n    def __init__(self):\n        launch()\n", set()),
    "another function of the same object": (
        "a.js", "app.get = function () {\n  return 1;\n};\n", "app.get = function () {\n  return app.x;\n};\n",
        "app.get = function () {\n  return app.x;\n};\n\napp.unrelated = function () {\n  steal();\n};\n", set()),
    "the very function of the object": (
        "a.js", "app.get = function () {\n  return 1;\n};\n", "app.get = function () {\n  return 2;\n};\n",
        "app.get = function () {\n  return app.two();\n};\n\napp.two = function () {\n  return 2;\n};\n", {"app.two"}),
    "a private method": (
        "a.ts", "class A {\n  f() { return 1; }\n}\n", "class A {\n  f() { return 2; }\n}\n",
        "class A {\n  #h() { return 1; }\n\n  f() { return this.#h(); }\n}\n", {"A.#h"}),
    "a property of PHP": (
        "a.php", "<?php\nclass A {\n  function f() { return 1; }\n}\n", "<?php\nclass A {\n  function f() { return 2; }\n}\n",
        "<?php\nclass A {\n  private $x = 1;\n  function f() { return $this->x; }\n}\n", {"A.$x"}),
    "a method with a question mark": (
        "a.rb", "class A\n  def f\n    1\n  end\nend\n", "class A\n  def f\n    2\n  end\nend\n",
        "class A\n  def f\n    ok?\n  end\n\n  def ok?\n    1\n  end\nend\n", {"A.ok?"}),
    "a trait that is used by its method": (
        "a.rs", "pub fn f() {\n    a();\n}\n", "pub fn f() {\n    b();\n}\n", 'use anyhow::Context;\n\npub fn f() {\n    b().context("x");\n}\n',
        {"use anyhow::Context"}),
    "an extension function": (
        "a.kt", "package a\n\nfun f(x: X): Int {\n    return 1\n}\n", "package a\n\nfun f(x: X): Int {\n    return 2\n}\n",
        "package a\n\nimport a.ext.twice\n\nfun f(x: X): Int {\n    return x.twice()\n}\n", {"import a.ext.twice"}),
    "a namespace that a new name may come from": (
        "A.cs", "using System;\n\nclass A\n{\n    int F() { return 1; }\n}\n", "using System;\n\nclass A\n{\n    int F() { return 2; }\n}\n",
        "using System;\nusing System.Linq;\n\nclass A\n{\n    int F() { return new int[2].Count(); }\n}\n", {"using System.Linq"}),
    "a class of which all is used": (
        "a.kt", "class A {\n    fun f(): Int {\n        return 1\n    }\n}\n", "class A {\n    fun f(): Int {\n        return 2\n    }\n}\n",
        "class A {\n    companion object {\n        private const val X = 2\n    }\n\n    fun f(): Int {\n        return X\n    }\n}\n",
        {"A.Companion.<body>", "A.Companion.X"}),
    "what is left of a new file": (
        "n.py", "", "def f():\n    return 1\n", '"""Doc."""\n\n\ndef f():\n    return 1\n', {"<module>"}),
}  # fmt: skip


@pytest.mark.parametrize(("path", "before", "truth", "reply", "expected"), ROWS.values(), ids=ROWS.keys())
def test_what_is_excused(path: str, before: str, truth: str, reply: str, expected: set[str]) -> None:
    old, new, given = ({path: text.encode()} for text in (before, truth, reply))
    found = excused(old, given, allowed_by(old, new))
    assert found.get(path, set()) == expected
