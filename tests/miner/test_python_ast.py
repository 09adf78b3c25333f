"""Trees are built by one thread at a time: up to Python 3.12 the interpreter cannot do otherwise."""

import ast
import gc
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from miner import python_ast

SOURCE = "def f(a, b={'k': [1]}): return [c + (a,) for c in b]\n" * 100
Parse = Callable[[str], ast.Module]


@pytest.fixture
def restless() -> Iterator[None]:
    """Threads take turns while trees are built, as they do where the collector finds something to tell of."""

    def turn(*_: object) -> None:
        time.sleep(0)

    before = gc.get_threshold()
    gc.set_threshold(50)
    gc.callbacks.append(turn)
    yield
    gc.callbacks.remove(turn)
    gc.set_threshold(*before)


def _deeper(parse: Parse, depth: int) -> ast.Module:
    return _deeper(parse, depth - 1) if depth else parse(SOURCE)


def _built(parse: Parse) -> list[int]:
    with ThreadPoolExecutor(4) as pool:
        return [len(tree.body) for tree in pool.map(lambda n: _deeper(parse, n), range(40))]


@pytest.mark.usefixtures("restless")
def test_many_threads_build_their_trees() -> None:
    assert _built(python_ast.parse) == [100] * 40


def test_what_python_rejects_is_raised_as_it_says() -> None:
    with pytest.raises(IndentationError):
        python_ast.parse("def f():\nreturn 1\n")


@pytest.mark.parametrize(
    ("source", "error"),
    [
        ("def f():\nreturn 1\n", IndentationError),
        (b"if x:\n    y\n  z\n", IndentationError),
        ("if x:\n        y\n\tz\n", TabError),
        ("def f(:\n", SyntaxError),
        ("def f():\n    x = 1\n    global x\n", SyntaxError),  # good grammar, which only `check` rejects
    ],
)
def test_a_check_raises_what_python_does(source: str | bytes, error: type[SyntaxError]) -> None:
    with pytest.raises(error):
        python_ast.check(source)


def test_a_check_of_a_sound_file_says_nothing() -> None:
    python_ast.check(b"\xef\xbb\xbfdef f():\n\tif x:\n\t\treturn '''\n  y'''\n")
