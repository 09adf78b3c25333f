"""How long the symbols of real files take, parse included, as a multiple of the tree-sitter parse alone.

    python -m benchmarks.symbols_speed REPO_OR_FILES... [--files 40]

A repository gives the largest of its source files at HEAD, up to 200 kB each. Both times are the best of several in one
run, so that other work on the machine weighs on both alike.
"""

import argparse
import subprocess
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

from miner.symbols.files import language_of
from miner.symbols.language import Language
from miner.symbols.outline import outline
from miner.symbols.parse import parse

_LARGEST = 200_000  # bytes
_ROUNDS = 7


def best(action: Callable[[], object]) -> float:
    """The shortest of several times, in seconds."""
    times = []
    for _ in range(_ROUNDS):
        started = time.perf_counter()
        action()
        times.append(time.perf_counter() - started)
    return min(times)


def sources(path: Path, files: int) -> Iterator[tuple[Language, bytes]]:
    """The files of languages with symbols that a path names."""
    if path.is_file():
        if (language := language_of(path.name)) is not None:
            yield language, path.read_bytes()
        return
    listing = subprocess.run(
        ["git", "-C", str(path), "ls-tree", "-r", "-l", "-z", "HEAD"], capture_output=True, check=True
    ).stdout.split(b"\0")
    rows = [row.decode("utf-8", "replace").partition("\t") for row in listing if row]
    sized = [(int(meta.split()[3]), meta.split()[2], name) for meta, _, name in rows if meta.split()[1] == "blob"]
    fitting = [row for row in sized if row[0] <= _LARGEST and language_of(row[2]) is not None]
    for _, blob, name in sorted(fitting, reverse=True)[:files]:
        language = language_of(name)
        assert language is not None
        yield language, subprocess.run(
            ["git", "-C", str(path), "cat-file", "blob", blob], capture_output=True, check=True
        ).stdout  # fmt: skip


def main() -> None:
    """Print one line per language."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("paths", nargs="+", type=Path)
    options.add_argument("--files", type=int, default=40)
    asked = options.parse_args()
    total: dict[str, list[float]] = defaultdict(lambda: [0, 0, 0, 0])
    for path in asked.paths:
        for language, source in sources(path, asked.files):
            row = total[language.grammar]
            parsing = best(lambda: parse(source, language))  # noqa: B023
            whole = best(lambda: outline.__wrapped__(source, language))  # noqa: B023
            for place, value in enumerate((1, len(source), parsing, whole)):
                row[place] += value
    for name, (count, size, parsing, whole) in sorted(total.items()):
        print(f"{name:12} {count:4.0f} files {size / 1e6:6.2f} MB: symbols / parse {whole / parsing:.2f}")


if __name__ == "__main__":
    main()
