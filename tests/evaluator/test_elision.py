"""What stands for text that a reply left out, in many words and languages, and what only looks like it."""

import pytest

from evaluator.formats.elision import elided

BEFORE = "".join(f"line_{n} = {n}\n" for n in range(30))
KEPT = "".join(f"line_{n} = {n}\n" for n in range(3))
LAST = "line_29 = 29\n"


def marker(path: str, line: str, before: str = BEFORE) -> tuple[int, ...]:
    """The elided lines where `line` stands for most of a file."""
    return elided(path, before, KEPT + line + "\n" + LAST)


SAYS = """... rest unchanged ...
... rest of code unchanged ...
rest of the code remains the same
rest of the file
... (rest of the implementation)
(rest of methods ...)
[rest of file unchanged]
<rest of file>
--- rest of file ---
… rest of function …
... existing code ...
...existing code...
existing imports
... existing methods remain unchanged ...
... keep existing code
keep the rest of the file as is
Keep all existing methods
Keep other functions the same
remaining code unchanged
remaining methods omitted for brevity
Other methods remain unchanged
other methods...
... other imports ...
previous code ...
code omitted for brevity
... code omitted ...
omitted for brevity
for brevity
snip
... snip ...
Lines 1-50 remain unchanged
lines 10 to 40 unchanged
everything else stays the same
All other methods remain unchanged
No changes here
no changes needed
no changes to the rest of the class
... same as before ...
same as above
Same imports as before
unchanged
... unchanged ...
(code unchanged)
unchanged methods
the rest of your code goes here
your existing code here
Rest of the class implementation...
The rest of the code stays exactly the same
existing code remains unchanged
Existing code continues
function body unchanged
implementation remains the same
previous content remains exactly the same
... the remaining tests are unchanged ...
... additional methods ...
... truncated ...
The remaining lines are identical
... rest of `process` unchanged
... all other handlers unchanged
original implementation here
...
..."""


@pytest.mark.parametrize("words", sorted(set(SAYS.splitlines())))
def test_words_that_stand_for_text(words: str) -> None:
    assert marker("x.py", f"# {words}") == (4,)
    assert marker("x.py", f"    #{words.upper()}") == (4,)
    assert marker("x.ts", f"// {words}", BEFORE) == (4,)
    assert marker("x.yaml", f"# {words}") == (4,)


LANGUAGES = {
    "x.py": "# {}", "x.pyi": "    # {}", "x.rb": "# {}", "x.js": "// {}", "x.ts": "/* {} */", "x.tsx": "  {{/* {} */}}",
    "x.go": "// {}", "x.java": "/* {} */", "x.c": "// {}", "x.cpp": "/* {} */", "x.cs": "// {}", "x.rs": "// {}",
    "x.kt": "// {}", "x.swift": "// {}", "x.scala": "// {}", "x.sh": "# {}", "x.toml": "# {}", "Makefile": "# {}",
    "Dockerfile": "# {}", "x.sql": "-- {}", "x.lua": "-- {}", "x.hs": "{{- {} -}}", "x.css": "/* {} */",
    "x.scss": "// {}", "x.html": "<!-- {} -->", "x.xml": "  <!-- {} -->", "x.md": "<!-- {} -->", "x.vue": "<!-- {} -->",
    "x.ini": "; {}", "x.cfg": "# {}", "x.tex": "% {}", "x.ml": "(* {} *)", "x.json": "// {}",
}  # fmt: skip


@pytest.mark.parametrize(("path", "comment"), LANGUAGES.items(), ids=LANGUAGES.keys())
def test_a_comment_is_one_of_the_files_language(path: str, comment: str) -> None:
    before = "<?php\n" + BEFORE if path.endswith("php") else BEFORE
    assert marker(path, comment.format("... rest of the code unchanged ..."), before) == (4,)


OTHERS = {"x.py": "// {}", "x.js": "# {}", "x.go": "-- {}", "x.json": "# {}", "x.css": "// {}", "x.txt": "# {}",
          "x": "... {}", "x.rb": "// {}", "x.html": "// {}"}  # fmt: skip


@pytest.mark.parametrize(("path", "line"), OTHERS.items(), ids=OTHERS.keys())
def test_a_line_that_is_no_comment_there_is_none(path: str, line: str) -> None:
    assert marker(path, line.format("... rest of the code unchanged ...")) == ()


def test_a_php_comment_has_either_mark() -> None:
    before = "<?php\n" + "".join(f"$a{n} = {n};\n" for n in range(9))
    for mark in ("//", "#"):
        assert elided("x.php", before, f"<?php\n$a0 = 0;\n{mark} ... rest of the code ...\n") == (3,)


NO_MARKER = """return the value unchanged if it is falsy
the other thread holds the lock
rest of the world uses metric
TODO: handle the rest
existing users are migrated
keep the connection alive
skip the rest of the header
same type as the input
previous value, used to compute the delta
the remaining budget in cents
see the previous section
original author: Jane
for example: a, b, ...
1, 2, 3, ...
loading...
Wait for the rest to finish
other is a Point
existing tests rely on this order
below is the slow path
removed in 2.0
helper for tests
no changes are made when dry_run is set
-----
"""


@pytest.mark.parametrize("words", NO_MARKER.splitlines())
def test_a_real_comment_says_something_else(words: str) -> None:
    assert marker("x.py", f"# {words}") == ()
    assert marker("x.go", f"// {words}") == ()


def python(body: str) -> str:
    return f"def f():\n{body}\n\n\ndef g():\n    return 1\n"


LONG = "".join(f"    x{n} = {n}\n" for n in range(9)) + "    return x0"
NEAR: dict[str, tuple[str, str, str]] = {
    "the same comment stood there": ("x.py", python("    # ... rest unchanged\n" + LONG),
                                     python("    # ... rest unchanged\n    return 1")),
    "indented otherwise it stood there": (
        "x.py", python("    # unchanged\n" + LONG), python("  # unchanged\n    return 1")),
    "nothing is missing": ("x.py", python(LONG), python("    # ... rest unchanged\n" + LONG)),
    "missing elsewhere": (
        "x.py", python(LONG),
        "# ... existing code ...\n" + python(LONG).replace("\n\ndef g():\n    return 1", "")),
    "one line for one, and words that may mean it": (
        "x.py", python("    a = 1\n" + LONG), python("    # the value is unchanged\n    a = 2\n" + LONG)),
    "only blank lines went": ("x.py", python("    a = 1\n\n\n\n    b = 2"), python("    a = 1\n    # ...\n    b = 2")),
    "Python's ellipsis": ("x.py", python(LONG), python("    ...")),
    "pass": ("x.py", python(LONG), python("    pass")),
    "a docstring": ("x.py", python(LONG), python('    """Keep.\n\n    # ... rest of the code unchanged ...\n    """')),
    "a string": ("x.js", "function f() {\n" + "  a();\n" * 9 + "}\n",
                 "function f() {\n  return `\n// ... rest of the code ...\n`\n}\n"),
    "a comment behind code": ("x.py", python(LONG), python("    return 1  # rest of the code unchanged")),
    "a new file": ("x.py", "", "# ... rest of the code ...\n"),
    "an emptied file": ("x.py", "a = 1\n", ""),
    "the same file": ("x.py", "# ... rest of the code ...\n", "# ... rest of the code ...\n"),
}  # fmt: skip


@pytest.mark.parametrize(("path", "before", "after"), NEAR.values(), ids=NEAR.keys())
def test_near_misses(path: str, before: str, after: str) -> None:
    assert elided(path, before, after) == ()


FOUND: dict[str, tuple[str, str, str, tuple[int, ...]]] = {
    "in a function": ("x.py", python(LONG), python("    # ... rest unchanged\n    return 2"), (2,)),
    "behind Python's ellipsis": ("x.py", python(LONG), python("    ...  # existing code"), (2,)),
    "behind pass": ("x.py", python(LONG), python("    pass  # unchanged"), (2,)),
    "a block over lines": ("x.js", "function f() {\n" + "".join(f"  a({n});\n" for n in range(9)) + "}\n",
                           "function f() {\n  /*\n   * ... rest of the function ...\n   */\n}\n", (3,)),
    "beside new lines": (
        "x.py", python(LONG), python("    a = 1\n    b = 2\n    # ... existing code ...\n    return 3"), (4,)),
    "twice": ("x.py", python(LONG) + python(LONG).replace("def ", "def h"),
              "# ... existing code ...\ndef g():\n    return 1\n# ... existing code ...\n", (1, 4)),
    "the syntax is broken": (
        "x.py", python(LONG), "def f(:\n    # ... existing code ...\n\n\ndef g():\n    return 1\n", (2,)),
    "CRLF": (
        "x.py", python(LONG).replace("\n", "\r\n"), python("    # ... existing code ...").replace("\n", "\r\n"),
        (2,)),
    "bytes that are no UTF-8": (
        "x.py", python(LONG) + "# \udcff\n", python("    # ... existing code ...") + "# \udcff\n", (2,)),
}  # fmt: skip


@pytest.mark.parametrize(("path", "before", "after", "lines"), FOUND.values(), ids=FOUND.keys())
def test_lines_that_stand_for_text_are_told_from_1(
    path: str, before: str, after: str, lines: tuple[int, ...]
) -> None:
    assert elided(path, before, after) == lines


def test_long_comments_and_files_take_linear_time() -> None:
    before = "".join(f"line({n})\n" for n in range(20_000))
    assert elided("x.py", before, "# " + "existing " * 50_000 + "\n") == ()
    assert elided("x.py", before, "#" + "." * 100_000 + "\n") == (1,)
    assert len(elided("x.py", before, "# ... existing code ...\nf()\n" * 2_000)) == 2_000
    third = "".join(f"line({n})\n# ... existing code ...\n" for n in range(0, 20_000, 3))
    assert len(elided("x.py", before, third)) == len(third.splitlines()) // 2
