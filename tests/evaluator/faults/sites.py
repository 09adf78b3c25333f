"""Small made-up tasks in other languages than the checked-in ones, and what tests that see everything say."""

import ast
from collections.abc import Callable
from dataclasses import replace

from evaluator.faults.model import Site
from evaluator.formats.model import Tree
from evaluator.scoring import Tests
from miner.fixtures import Task
from miner.symbols.files import Files, allowed_by

JAVASCRIPT = """'use strict';

var http = require('http');
var path = require('path');
var zlib = require('zlib');

var LIMIT = 100;

/**
 * Adds.
 */
exports.add = function add(a, b) {
  var sum = a - b;
  return sum;
};

function inner(list, most) {
  if (list.length > most) {
    return path.join('a', 'b');
  }
  return zlib.crc32([
    list,
    most,
    3
  ]);
}

function other(a) {
  var twice = a + a;
  return inner(twice, LIMIT);
}

class Box {
  open(key) {
    if (key === 7) {
      return http.get('x');
    }
    return "shut";
  }

  close(key) {
    return key + 1;
  }
}

function last(a, b) {
  var all = [a, b, 5];
  return all;
}
"""
GO = """package money

import (
\t"fmt"
\t"os"
)

const Limit = 100

// Add adds.
func Add(a int, b int) int {
\tsum := a - b
\treturn sum
}

// Fee is what it costs.
func Fee(a int) int {
\tif a > Limit {
\t\tfmt.Println("much", a)
\t\treturn 7
\t}
\treturn a + 1
}

func Twice(a int) int {
\tlist := []int{
\t\ta,
\t\ta,
\t\t12,
\t}
\treturn len(list) + Fee(a)
}

func Last(a int) string {
\treturn os.Getenv("x")
}
"""
TEMPLATE = "<html>\n<body>\n<p>one</p>\n<p>two</p>\n</body>\n</html>\n"
_OTHERS = {
    "lib/page.html": TEMPLATE.encode(), "README.md": b"# Money\n\nAdds.\n",
    "tests/test_old.py": b"def test():\n    pass\n",
    "pyproject.toml": b"[project]\nname = 'm'\n",
}  # fmt: skip


def made_up(model: Task, tree_of: Callable[..., Tree]) -> list[Site]:
    """A site in each of these languages, and one whose task changes a file without symbols."""
    return [
        _site(model, tree_of, "lib/money.js", JAVASCRIPT, JAVASCRIPT.replace("a - b", "a + b")),
        _site(model, tree_of, "money.go", GO, GO.replace("a - b", "a + b")),
        _site(model, tree_of, "lib/other.html", TEMPLATE * 3, TEMPLATE * 2 + TEMPLATE.replace("one", "three")),
    ]


def _site(model: Task, tree_of: Callable[..., Tree], path: str, before: str, after: str) -> Site:
    old: Files = {path: before.encode()}
    new: Files = {path: after.encode()}
    record = {"source_files": [path], "test_files": [], "dropped_files": []}
    task = replace(model, fixture=model.fixture.model_copy(update=record))
    vars(task).update(before=old, after=new, allowed=allowed_by(old, new))
    return seeing(task, tree_of({**_OTHERS, **old}))


def seeing(task: Task, tree: Tree) -> Site:
    """A site whose tests see every change of source, and never end where a loop was put in."""

    def run(changed: Files) -> Tests:
        files = {**task.before, **changed}
        if any(
            _loops(content) > max(_loops(task.after.get(path)), _loops(tree.read(path)))
            for path, content in files.items()
        ):
            return Tests.TIMEOUT
        right = all(_meaning(p, task.after.get(p, tree.read(p))) == _meaning(p, c) for p, c in files.items())
        return Tests.PASS if right else Tests.FAIL

    return Site(task, tree, run, lambda fmt: frozenset(t.name for t in fmt.tolerances))


def _meaning(path: str, content: bytes | None) -> object:
    """What tests could see of a file: not its white space, nor how Python's imports are written."""
    if content is None or not path.endswith(".py"):
        return content and content.split()
    try:
        module = ast.parse(content)
    except SyntaxError:
        return content
    imports = [node for node in module.body if isinstance(node, ast.Import | ast.ImportFrom)]
    rest = [ast.dump(node) for node in module.body if node not in imports]
    bound = {(getattr(node, "module", ""), alias.name, alias.asname) for node in imports for alias in node.names}
    return rest, bound


def _loops(content: bytes | None) -> int:
    return sum((content or b"").count(loop) for loop in (b"while True:", b"while (true)", b"for {}"))
