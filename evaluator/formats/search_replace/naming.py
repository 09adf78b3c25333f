"""Which file a block is for: the path on the line above it, above the fence that holds it, or first in that fence."""

import re

from evaluator.formats.model import Leniency, Tolerance
from evaluator.formats.paths import LIKE_A_PATH, normal_path
from evaluator.formats.recovery import PATH_DECORATION
from evaluator.formats.search_replace.markers import marker, stray

PATH_CARRIED = Tolerance("path_carried", "a block without a path is for the file of the block before (Aider)")
FENCE_NOISE = Tolerance(
    "fence_noise", "blank lines, or a fence's lines of its own, between a path and its block (Aider)"
)  # fmt: skip

_FENCE = re.compile(r"(?:`{3,}|~{3,})[\w.+#-]*[ \t]*\r?\Z")
_FENCE_WITH_PATH = re.compile(r"(?:`{3,}|~{3,})(?:[\w+#-]+[ :])?(\S+)[ \t]*\r?\Z")
_NAME = re.compile(r"[\w.+-]*\w\Z")
_LEAD = re.compile(
    r"(?:#{1,6}|[-*+]|\d{1,3}[.)])[ \t]+|(?:file ?name|file ?path|file|path)[ \t]*:[ \t]*", re.IGNORECASE
)
_WRAPS = (("**", "**"), ("__", "__"), ("`", "`"), ('"', '"'), ("'", "'"), ("<", ">"), ("[", "]"), ("*", "*"))
# Names of languages that stand above code, which are no files; one of that name is written `./name`.
_LANGUAGES = frozenset(
    ["bash", "c", "cpp", "csharp", "css", "diff", "go", "golang", "html", "java", "javascript", "js", "json", "jsx",
     "kotlin", "lua", "markdown", "md", "perl", "php", "plaintext", "powershell", "py", "python", "ruby", "rust",
     "scala", "sh", "shell", "sql", "swift", "text", "toml", "ts", "tsx", "txt", "typescript", "xml", "yaml", "yml",
     "zsh"]
)  # fmt: skip


def path_above(lines: list[str], at: int, floor: int, leniency: Leniency) -> tuple[str, tuple[str, ...]] | None:
    """The path of the block whose first marker is on line `at`, looked for from line `floor` on; and the tolerances."""
    place, noisy = at - 1, False
    fences = 0
    while place >= floor and at - place <= 5:
        line = lines[place]
        if _FENCE.match(line):
            fences += 1
            noisy = noisy or fences > 1
        elif not line.strip():
            noisy = True
        else:
            break
        place -= 1
    if place < floor or at - place > 5 or (noisy and FENCE_NOISE.name not in leniency):
        return None
    noise = (FENCE_NOISE.name,) if noisy else ()
    if (path := path_of(lines[place])) is not None:
        return path, noise
    if PATH_DECORATION.name in leniency and (path := undecorated(lines[place])) is not None:
        return path, (PATH_DECORATION.name, *noise)
    return None


def path_of(line: str) -> str | None:
    """The path that is alone on a line, verbatim or in backticks; None for prose, fences, markers and languages."""
    name = line.removesuffix("\r")
    if len(name) > 2 and name[0] == name[-1] == "`" and not _FENCE.match(name):
        return normal_path(name[1:-1])
    if not name or re.search(r"\s", name) or name[0] in "`*~#" or name[-1] in "`*:" or marker(name) or stray(name):
        return None
    if not LIKE_A_PATH.search(name) and (not _NAME.match(name) or name in _LANGUAGES):
        return None
    return normal_path(name)


def undecorated(line: str) -> str | None:
    """The path that a line shows with something around it; None for prose."""
    name = line.strip()
    if match := _FENCE_WITH_PATH.match(name):
        name = match[1]
        return normal_path(name) if LIKE_A_PATH.search(name) and "`" not in name else None
    wrapped = False
    for _ in range(8):
        bare = _LEAD.sub("", name, count=1) if _LEAD.match(name) else name.rstrip(":").strip()
        for opening, closing in _WRAPS:
            if len(bare) > len(opening + closing) and bare.startswith(opening) and bare.endswith(closing):
                bare, wrapped = bare[len(opening) : -len(closing)].strip(), True
                break
        if bare == name:
            break
        name = bare
    if not name or marker(name) or stray(name) or name[0] in "`~" or name in _LANGUAGES:
        return None
    if re.search(r"\s", name):
        # With blanks it is prose, but where it is in quotes or looks like a path from its first word to its last.
        return normal_path(name) if wrapped or re.fullmatch(r"[^\s:]+/[^:]*\w\.\w{1,10}", name) else None
    colon = line.rstrip().endswith(":") and not wrapped
    return normal_path(name) if LIKE_A_PATH.search(name) or (_NAME.match(name) and not colon) else None


def line_of(path: str) -> str | None:
    """The line that names a path, so that `path_of` reads it again; None where there is none."""
    plain = path if LIKE_A_PATH.search(path) else f"./{path}"
    lines = [line for line in (plain, f"`{path}`") if "\n" not in line and path_of(line) == path]
    return lines[0] if lines else None
