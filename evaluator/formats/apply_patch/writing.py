"""Writing a known change as a patch: three lines of context, scopes where those are not enough, and no more."""

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from evaluator.formats.apply_patch.body import Body
from evaluator.formats.apply_patch.patch import BEGIN, END, END_OF_FILE, MOVE, Hunk
from evaluator.formats.apply_patch.placing import spot
from evaluator.formats.apply_patch.sections import header_path
from evaluator.formats.differing import differing
from evaluator.formats.model import STRICT, CannotExpress
from evaluator.formats.paths import unspellable
from evaluator.formats.reply import changed_paths, joined
from miner.symbols.files import Files, text_of

_CONTEXT = 3  # as the format's own instructions ask for
_SCOPES = 3
_ALIKE = 0.5  # the share of common lines from which a file that goes and one that comes are one that moves

Block = tuple[int, int, int, int]  # half-open line indexes in the lines before and after


def write(before: Files, after: Files) -> str | CannotExpress:
    """The patch that turns `before` into `after`."""
    moves = _moves(before, after)
    parts: list[tuple[str, str | CannotExpress]] = []
    for path in changed_paths(before, after):
        if path in moves.values():
            continue
        target = moves.get(path)
        parts.append((path, _section(path, before.get(path), after.get(target or path), target)))
    return _enveloped(parts)


def restate(path: str, text: str) -> str | CannotExpress:
    """A patch that takes away the first line of a file and puts it there again."""
    lines = text.split("\n")
    body = Body(lines, STRICT)
    hunks = _hunks(body, lines, [(0, 1, 0, 1)])
    return _enveloped([(path, _update(path, None, hunks))])


def _enveloped(parts: list[tuple[str, str | CannotExpress]]) -> str | CannotExpress:
    inner = joined(parts, "")
    return inner if isinstance(inner, CannotExpress) else f"{BEGIN}\n{inner}{END}\n"


def _moves(before: Files, after: Files) -> dict[str, str]:
    """Which files go and come again elsewhere: with the same contents, or with half the lines and the same name."""
    changed = changed_paths(before, after)
    gone = [path for path in changed if before.get(path) and after.get(path) is None]
    come = [path for path in changed if before.get(path) is None and after.get(path)]
    by_content = {after[path]: path for path in reversed(come)}
    by_name = {PurePosixPath(path).name: path for path in reversed(come)}
    moves: dict[str, str] = {}
    for path in gone:
        target = by_content.get(before[path])
        if target is None:
            target = by_name.get(PurePosixPath(path).name)
            if target is not None and not _alike(text_of(before[path]), text_of(after[target])):
                target = None
        if target is not None and target not in moves.values():
            moves[path] = target
    return moves


def _alike(old: str, new: str) -> bool:
    ours, theirs = Counter(old.split("\n")), Counter(new.split("\n"))
    return (ours & theirs).total() > _ALIKE * max(ours.total(), theirs.total())


def _section(path: str, old: bytes | None, new: bytes | None, target: str | None) -> str | CannotExpress:
    if not (_spelled(path) and (target is None or _spelled(target))):
        return unspellable(path)
    if new is None:
        return f"*** Delete File: {path}\n"
    if old is None:
        return _added(path, text_of(new))
    before, after = text_of(old), text_of(new)
    lines = before.split("\n")
    # A line feed more makes the text after a final newline a line of the comparison, as it is one of a hunk.
    blocks = differing(before + "\n", after + "\n")
    return _update(path, target, _hunks(Body(lines, STRICT), after.split("\n"), blocks))


def _spelled(path: str) -> bool:
    return "\n" not in path and header_path(f"*** Add File: {path}") == path


def _added(path: str, text: str) -> str:
    """A new file: every line of it ends with a newline, so that a last one without is made so afterwards."""
    lines = text.split("\n")
    if lines[-1] == "":
        return f"*** Add File: {path}\n" + "".join(f"+{line}\n" for line in lines[:-1])
    whole = f"*** Add File: {path}\n" + "".join(f"+{line}\n" for line in lines)
    return whole + f"*** Update File: {path}\n@@\n {lines[-1]}\n-\n{END_OF_FILE}\n"


def _update(path: str, target: str | None, hunks: Sequence[Hunk]) -> str | CannotExpress:
    if not _spelled(path):
        return unspellable(path)
    move = "" if target is None else f"{MOVE}{target}\n"
    return f"*** Update File: {path}\n{move}" + "".join(map(_written, hunks))


def _written(hunk: Hunk) -> str:
    head = "".join(f"@@ {scope}\n" for scope in hunk.scopes) or "@@\n"
    return head + "".join(f"{line}\n" for line in hunk.lines) + (f"{END_OF_FILE}\n" if hunk.at_end else "")


def _hunks(body: Body, new: list[str], blocks: list[Block]) -> list[Hunk]:
    """Hunks that go where they should, each the smallest of those that a skilful author would try in turn."""
    context = _CONTEXT
    while context < len(body.lines):
        hunks = _with_context(body, new, _grouped(blocks, context), context)
        if hunks is not None:
            return hunks
        context *= 2
    return [_hunk(body, new, blocks, 0, len(body.lines), ())]


def _grouped(blocks: list[Block], context: int) -> list[list[Block]]:
    groups: list[list[Block]] = []
    for block in blocks:
        if groups and block[0] - groups[-1][-1][1] <= 2 * context:
            groups[-1].append(block)
        else:
            groups.append([block])
    return groups


def _with_context(body: Body, new: list[str], groups: list[list[Block]], context: int) -> list[Hunk] | None:
    """A hunk for every group, placed as it must be; None where one of them would go elsewhere."""
    hunks: list[Hunk] = []
    position = 0
    for group in groups:
        first, last = max(group[0][0] - context, 0), min(group[-1][1] + context, len(body.lines))
        last = min(last, body.end) if group[-1][1] <= body.end and group[-1][3] < len(new) else last
        for scopes in itertools.chain([()], _scopes(body.lines, group[0][0], position)):
            hunk = _hunk(body, new, group, first, last, scopes)
            place = spot(hunk, body, position, STRICT)
            if place is not None and place.line == first and (scopes or not place.others):
                hunks.append(hunk)
                break
        else:
            return None
        position = last
    return hunks


def _hunk(
    body: Body, new: list[str], group: list[Block], first: int, last: int, scopes: tuple[str, ...]
) -> Hunk:  # fmt: skip
    lines: list[str] = []
    at = first
    for i1, i2, j1, j2 in group:
        lines += [f" {line}" for line in body.lines[at:i1]]
        lines += [f"-{line}" for line in body.lines[i1:i2]] + [f"+{line}" for line in new[j1:j2]]
        at = i2
    lines += [f" {line}" for line in body.lines[at:last]]
    return Hunk(scopes, tuple(lines), at_end=last > body.end)


def _scopes(lines: list[str], changed: int, position: int) -> Iterator[tuple[str, ...]]:
    """Lines above a change that are indented less and less, as the class and the method around it."""
    chain: list[str] = []
    depth = None
    for n in range(min(changed, len(lines)) - 1, position - 1, -1):
        line = lines[n]
        indent = len(line) - len(line.lstrip())
        if line.strip() and (depth is None or indent < depth):
            if depth is not None or indent == 0:
                chain.insert(0, line)
            depth = indent
        if depth == 0 or len(chain) == _SCOPES:
            break
    for size in range(1, len(chain) + 1):
        yield tuple(chain[-size:])
