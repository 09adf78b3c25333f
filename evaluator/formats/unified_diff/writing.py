"""Writing a known change as a unified diff with three lines of context, as git writes it."""

from collections.abc import Sequence

from evaluator.formats.differing import differing
from evaluator.formats.model import NO_NEWLINE, CannotExpress
from evaluator.formats.paths import normal_path, unspellable
from evaluator.formats.unified_diff.names import common_name, header_name, plain_name
from miner.symbols.files import text_of
from miner.text import split_lines

_CONTEXT = 3
Block = tuple[int, int, int, int]  # half-open line ranges of the old and of the new side


def file_diff(path: str, before: bytes | None, after: bytes | None) -> str | CannotExpress:
    """The diff of one file that differs."""
    header = header_of(path, before, after)
    if isinstance(header, CannotExpress):
        return header
    old, new = split_lines(text_of(before)), split_lines(text_of(after))
    groups: list[list[Block]] = []
    for block in differing(text_of(before), text_of(after)):
        if groups and block[0] - groups[-1][-1][1] <= 2 * _CONTEXT:
            groups[-1].append(block)
        else:
            groups.append([block])
    return header + "".join(hunk(group, old, new) for group in groups)


def header_of(path: str, before: bytes | None, after: bytes | None) -> str | CannotExpress:
    """The header of a file's diff; an empty file that comes or goes has git's header, for it has no hunks."""
    # As git, a tab ends a name with blanks, which would else be cut there by GNU patch.
    name = f"{path}\t" if " " in path else path
    if "\n" in path or path != path.strip() or normal_path(path) != path or not _reads_back(name, path):
        return unspellable(path)
    if before == b"" and after is None:
        return f"diff --git a/{path} b/{path}\ndeleted file mode 100644\n"
    if before is None and after == b"":
        return f"diff --git a/{path} b/{path}\nnew file mode 100644\n"
    sides = "/dev/null" if before is None else f"a/{name}", "/dev/null" if after is None else f"b/{name}"
    return f"--- {sides[0]}\n+++ {sides[1]}\n"


def _reads_back(name: str, path: str) -> bool:
    read = header_name(f"a/{name}")
    return read is not None and plain_name(read) == path == common_name(f"a/{path} b/{path}")


def hunk(group: Sequence[Block], old: Sequence[str], new: Sequence[str]) -> str:
    """One hunk for changed blocks that are near each other."""
    above = min(_CONTEXT, group[0][0])
    below = min(_CONTEXT, len(old) - group[-1][1])
    i, j = group[0][0] - above, group[0][2] - above
    old_count, new_count = group[-1][1] + below - i, group[-1][3] + below - j
    body, at = [], i
    for i1, i2, j1, j2 in group:
        body += [_line(" ", line) for line in old[at:i1]]
        body += [_line("-", line) for line in old[i1:i2]] + [_line("+", line) for line in new[j1:j2]]
        at = i2
    body += [_line(" ", line) for line in old[at : at + below]]
    starts = (i + 1 if old_count else i), (j + 1 if new_count else j)
    return f"@@ -{starts[0]},{old_count} +{starts[1]},{new_count} @@\n" + "".join(body)


def _line(mark: str, line: str) -> str:
    return mark + line if line.endswith("\n") else f"{mark}{line}\n{NO_NEWLINE}\n"
