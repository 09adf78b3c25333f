"""How many edits a second `search_replace` applies to a 5,000-line file, as a multiple of Aider's editblock coder.

    python -m benchmarks.format_speed --aider SITE_PACKAGES [--lines 5000] [--seconds 5]

SITE_PACKAGES is a folder where `pip install --no-deps --target SITE_PACKAGES aider-chat` put it. Only the functions of
`aider/coders/editblock_coder.py` that read and replace are used: the file is loaded by itself, without the package.

Both sides get the same replies, one block each, and the file's text, and give the new text or a refusal: ours from
parsing and applying with all tolerances, theirs from `find_original_update_blocks` and `do_replace`. They are measured
in turn, round by round, so that other work on the machine weighs on both alike. Aider's search for similar lines, by
which it words a refusal, is left out of the misses; ours is in.
"""

import argparse
import importlib.util
import random
import sys
import time
import types
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from evaluator.formats.model import Applied, Tree, Unreadable
from evaluator.formats.search_replace import SearchReplace

Edit = Callable[[str], str | None]  # a reply -> the file as it is then, or None where it does not fit
_ROUND = 20  # replies that one side applies before the other has its turn
_BLOCK = "x.py\n```python\n<<<<<<< SEARCH\n{}=======\n{}>>>>>>> REPLACE\n```\n"


def source(lines: int) -> list[str]:
    """Lines like those of a Python module: functions of ten lines, some lines in all of them."""
    body = ["def function_{n}(value, other=None):", '    """Do the {n}th thing."""', "    if other is None:",
            "        other = value * {n}", "    total = value + other", "    for step in range({n}):",
            "        total += step", "    return total", "", ""]  # fmt: skip
    return [body[n % 10].format(n=n // 10) + "\n" for n in range(lines)]


def replies(text: list[str], kind: str, count: int) -> list[str]:
    """Blocks of five lines each, all over the file: the file's own lines, or ones of which the last is not."""
    chance = random.Random(1)
    made = []
    for _ in range(count):
        first = chance.randrange(len(text) // 10) * 10
        search = text[first : first + 5]
        search = search if kind == "exact edits" else [*search[:4], "    total = value - another\n"]
        made.append(_BLOCK.format("".join(search), "".join(search).replace("other", "second")))
    return made


def ours(text: str) -> Edit:
    """This project's format over one file, with its whole ladder."""
    fmt, content = SearchReplace(), text.encode()
    leniency = frozenset(tolerance.name for tolerance in fmt.tolerances)
    tree = Tree({"x.py": "100644"}, lambda _: content)

    def apply(reply: str) -> str | None:
        parsed = fmt.parse(reply, leniency)
        assert not isinstance(parsed, Unreadable)
        found = fmt.apply(parsed, tree, leniency)
        return (found.files["x.py"] or b"").decode() if isinstance(found, Applied) else None

    return apply


def aiders(text: str, site_packages: Path, folder: Path) -> Edit:
    """Aider's functions over the same file; it looks on the disk for whether the file exists."""
    module = _editblock(site_packages / "aider" / "coders" / "editblock_coder.py")
    (folder / "x.py").write_text(text)

    def apply(reply: str) -> str | None:
        ((_, search, replace),) = module.find_original_update_blocks(reply, valid_fnames=["x.py"])
        new: str | None = module.do_replace(str(folder / "x.py"), text, search, replace, module.DEFAULT_FENCE)
        return new or None

    return apply


def _editblock(path: Path) -> types.ModuleType:
    """The module of that file, with nothing of its package but the names it imports on its top."""
    for name, entries in (("aider", {"utils": None}), ("aider.dump", {"dump": None}), ("aider.coders", {}),
                          ("aider.coders.base_coder", {"Coder": object}),
                          ("aider.coders.editblock_prompts", {"EditBlockPrompts": object})):  # fmt: skip
        stand_in = types.ModuleType(name)
        stand_in.__dict__.update(entries, __path__=[])
        sys.modules[name] = stand_in
    spec = importlib.util.spec_from_file_location("aider.coders.editblock_coder", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def rates(sides: dict[str, Edit], texts: list[str], seconds: float) -> dict[str, float]:
    """Replies a second of each side, measured in turn for about so many seconds."""
    spent, done, at = dict.fromkeys(sides, 0.0), 0, 0
    while sum(spent.values()) < seconds:
        batch = [texts[(at + n) % len(texts)] for n in range(_ROUND)]
        for name, apply in sides.items():
            started = time.perf_counter()
            for reply in batch:
                apply(reply)
            spent[name] += time.perf_counter() - started
        done, at = done + _ROUND, at + _ROUND
    return {name: done / spent[name] for name in sides}


def main() -> None:
    """Print both rates and their ratio, for exact edits and for misses; exit with 1 where ours is the slower."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--aider", type=Path, required=True)
    options.add_argument("--lines", type=int, default=5000)
    options.add_argument("--seconds", type=float, default=5)
    asked = options.parse_args()
    text = source(asked.lines)
    slower = False
    with TemporaryDirectory() as folder:
        sides = {"ours": ours("".join(text)), "aider": aiders("".join(text), asked.aider, Path(folder))}
        for kind in ("exact edits", "misses"):
            texts = replies(text, kind, 200)
            given = [{name: apply(reply) for name, apply in sides.items()} for reply in texts[:20]]
            assert all(one["ours"] == one["aider"] for one in given), "both sides must do the same"
            assert all((one["ours"] is None) == (kind == "misses") for one in given)
            found = rates(sides, texts, asked.seconds)
            ratio = found["ours"] / found["aider"]
            slower = slower or ratio < 1
            print(f"{kind:12} ours {found['ours']:7.0f}/s  aider {found['aider']:7.0f}/s  ours / aider {ratio:.2f}")
    sys.exit(slower)


if __name__ == "__main__":
    main()
