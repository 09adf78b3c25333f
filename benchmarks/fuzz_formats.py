"""Coverage-guided fuzzing of every edit format: no reply may crash it, hang it, or lead out of the tree.

    python -m benchmarks.fuzz_formats CORPUS [libFuzzer options, such as -max_total_time=900]

Needs atheris (PyPI), which is no dependency of the project. CORPUS is a folder that is filled with replies that every
format writes, and then with what the fuzzer finds. The first byte of an input chooses format and leniency.
"""

import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["evaluator.formats"]):
    from evaluator.formats import FORMATS
    from evaluator.formats.model import STRICT, Applied, CannotExpress, NotApplied, Tree, Unreadable
    from evaluator.formats.paths import forbidden

FILES = {
    "a.py": b"import os\n\n\ndef f(x):\n    return x\n\n\ndef g(x):\n    return x\n",
    "crlf.txt": b"one\r\ntwo\r\nthree\r\n",
    "docs/read me.md": b"# T\n\n```python\nx = 1\n```\n",
    "no_newline.js": b"var x = 1;\nfoo()",
    "empty": b"",
    "latin.txt": b"caf\xe9\n",
    "tabs.c": b"int f() {\n\treturn 1;\n}\n",
    "link": b"a.py",
}
TREE = Tree({path: "120000" if path == "link" else "100644" for path in FILES}, FILES.__getitem__)
NAMES = list(FORMATS)
CHANGES: tuple[tuple[dict[str, bytes | None], dict[str, bytes | None]], ...] = (
    ({"a.py": FILES["a.py"]}, {"a.py": FILES["a.py"].replace(b"return x\n\n", b"return x + 1\n\n")}),
    ({"crlf.txt": FILES["crlf.txt"]}, {"crlf.txt": b"one\r\n2\r\nthree"}),
    ({"docs/read me.md": FILES["docs/read me.md"], "empty": b""}, {"docs/read me.md": None, "empty": b"x\n"}),
    ({"no_newline.js": FILES["no_newline.js"], "n.py": None}, {"no_newline.js": b"foo()\n", "n.py": b"y = 1\n"}),
)


def one(data: bytes) -> None:
    """Read and apply one reply; an assertion fails where what comes out is not what a format may give."""
    if not data:
        return
    fmt = FORMATS[NAMES[data[0] % len(NAMES)]]
    leniency = frozenset(t.name for t in fmt.tolerances) if data[0] & 0x80 else STRICT
    reply = data[1:].decode("utf-8", "surrogateescape")
    edits = fmt.parse(reply, leniency)
    if isinstance(edits, Unreadable):
        return
    assert edits
    applied = fmt.apply(edits, TREE, leniency)
    assert isinstance(applied, Applied | NotApplied)
    if isinstance(applied, NotApplied):
        assert applied.message
        assert 0 <= applied.fitted <= len(reply) + 1
        return
    for path, content in applied.files.items():
        assert forbidden(path, TREE, 0) is None, path
        assert content is None or isinstance(content, bytes)
    for place in applied.placements:
        lines = FILES.get(place.path, b"").count(b"\n") + 1
        for first, last in (place.chosen, *place.others):
            assert 0 <= first <= last <= lines, place


def seed(corpus: Path) -> None:
    """Fill the folder with replies that every format writes."""
    corpus.mkdir(parents=True, exist_ok=True)
    for number, name in enumerate(NAMES):
        for n, (before, after) in enumerate(CHANGES):
            reply = FORMATS[name].encode(before, after)
            if not isinstance(reply, CannotExpress):
                text = reply.encode("utf-8", "surrogateescape")
                for flag in (0, 0x80):
                    choice = next(b for b in range(flag, flag + 0x80) if b % len(NAMES) == number)
                    (corpus / f"{name}-{n}-{flag}").write_bytes(bytes([choice]) + text)


if __name__ == "__main__":
    seed(Path(sys.argv[1]))
    atheris.Setup(sys.argv, one)
    atheris.Fuzz()
