"""A long history of small merged changes, quickly made, in a bare repository that gives parts of itself."""

import subprocess
from pathlib import Path

from tests.miner.conftest import CLEAN

FILES = 25


def _source(place: int, change: int) -> str:
    rows = "".join(f"# line {row} of module {place}, {place * 7919 + row}\n" for row in range(40))
    return f"{rows}def value():\n    return {change}\n"


def build_long_history(path: Path, changes: int, allow_filter: bool = True) -> Path:
    """A bare repository of `changes` squashed pull requests; change n gives two files of place n new contents."""
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = ["reset refs/heads/main\n"]
    for number in range(changes + 1):
        message = f"Change the value (#{number})" if number else "Start"
        places = [number % FILES] if number else range(FILES)
        when = f"Ann <ann@example.org> {1_760_000_000 + 60 * number} +0000"
        rows.append(f"commit refs/heads/main\nauthor {when}\ncommitter {when}\ndata {len(message)}\n{message}\n")
        for place in places:
            test = f"def test_value():\n    from pkg.m{place} import value\n\n    assert value() == {number}\n"
            for name, text in ((f"pkg/m{place}.py", _source(place, number)), (f"tests/test_m{place}.py", test)):
                rows.append(f"M 100644 inline {name}\ndata {len(text)}\n{text}\n")
    git(path.parent, "init", "--quiet", "--bare", "--template=", "--initial-branch=main", str(path))
    subprocess.run(
        ["git", f"--git-dir={path}", "fast-import", "--quiet"], input="".join(rows).encode(), env=CLEAN, check=True
    )
    git(path, "config", "uploadpack.allowFilter", str(allow_filter).lower())
    return path


def git(folder: Path, *arguments: str) -> str:
    """What git says in a folder."""
    done = subprocess.run(["git", *arguments], cwd=folder, env=CLEAN, check=True, capture_output=True, text=True)
    return done.stdout.strip()
