"""Inside allowed symbols: what is right there is for the tests (docs/taxonomy.md, R5)."""

from collections.abc import Iterator, Sequence
from functools import partial
from random import Random

from evaluator.faults.additions import NEW_FILE
from evaluator.faults.answer import Answer, Edit, is_readable, parses
from evaluator.faults.made import TESTS_FAIL, Fixed, Tried
from evaluator.faults.neighbours import Change, comment, literal, logic
from evaluator.faults.places import allowed_functions, body_of
from evaluator.scoring import Tests
from miner.symbols.files import has_symbols, language_of, outline_of, text_of
from miner.symbols.lines import changed_blocks
from miner.symbols.model import IMPORTS
from miner.text import split_lines, to_bytes

_LOOP = {
    "python": "while True:\n{indent}    pass\n{indent}", "go": " for {}", "rust": " loop {}",
    **dict.fromkeys(("javascript", "typescript", "tsx", "java"), " while (true) {}"),
    **dict.fromkeys(("c", "cpp"), " while (1) {}"),
}  # fmt: skip


def inside(change: Change, answer: Answer, random: Random) -> Iterator[Answer]:
    """A change in a function of the ground truth's files that may change."""
    for place in allowed_functions(answer, random):
        if place.symbol.children or place.path not in answer.site.truth:
            continue
        for content in change(place, random):
            if parses(place.path, content):
                yield answer.edited(place.path, content)


def hunk_left_out(answer: Answer, random: Random) -> Iterator[Answer]:
    """One of two or more hunks of the ground truth left out, where that leaves changes of allowed symbols alone."""
    hunks = [(path, n) for path in sorted(answer.site.truth) for n in range(len(_hunks(answer, path)))]
    for path, number in random.sample(hunks, len(hunks)) if len(hunks) > 1 else ():
        before = answer.before(path)
        assert before is not None
        chosen = [hunk for n, hunk in enumerate(_hunks(answer, path)) if n != number]
        content = _with_hunks(before, answer.site.truth[path] or b"", chosen)
        allowed = answer.site.task.allowed.get(path, ())
        if not has_symbols(path) or (parses(path, content) and _only_allowed(path, before, content, allowed)):
            yield answer.edited(path, content)


def _hunks(answer: Answer, path: str) -> list[tuple[int, int, int, int]]:
    old, new = answer.before(path), answer.site.truth[path]
    return list(changed_blocks(text_of(old), text_of(new))) if is_readable(old) and is_readable(new) else []


def _with_hunks(before: bytes, after: bytes, hunks: Sequence[tuple[int, int, int, int]]) -> bytes:
    old, new = split_lines(text_of(before)), split_lines(text_of(after))
    lines, at = [], 0
    for i1, i2, j1, j2 in hunks:
        lines += old[at:i1] + new[j1:j2]
        at = i2
    return to_bytes("".join(lines + old[at:]))


def _only_allowed(path: str, before: bytes, content: bytes, allowed: Sequence[str]) -> bool:
    """Whether every symbol whose text differs may change, and the others are in their order."""
    old, new = outline_of(path, before), outline_of(path, content)
    mine, theirs = ({n: [s.core for s in o.named(n)] for n in o.names() if n != IMPORTS} for o in (old, new))
    entries = [{e for s in o.named(IMPORTS) for e in s.entries} for o in (old, new)]
    differing = {name for name in {*mine, *theirs} if mine.get(name) != theirs.get(name)}
    common = [[name for name in side if name in mine and name in theirs] for side in (mine, theirs)]
    return {*differing, *(entries[0] ^ entries[1])} <= {*allowed} and common[0] == common[1]


def endless(answer: Answer, random: Random) -> Iterator[Answer]:
    """A loop without end at the start of a function that may change."""
    for place in allowed_functions(answer, random):
        body, loop = body_of(place), _LOOP.get(place.language.grammar)
        if place.path not in answer.site.truth or body is None or loop is None or place.newline != b"\n":
            continue
        at = body.start_byte
        indent = place.content[place.content.rfind(b"\n", 0, at) + 1 : at]
        at += place.content[at : at + 1] == b"{"
        content = place.replaced(at, at, loop.replace("{indent}", indent.decode()).encode())
        if parses(place.path, content):
            yield answer.edited(place.path, content)


def remark_instead(answer: Answer, random: Random) -> Iterator[Answer]:
    """A comment where the change belongs: in an allowed function, else in a file of the truth, else anywhere new."""
    for place in allowed_functions(answer, random):
        if place.path in answer.site.truth:
            for content in comment(place, random):
                if not place.symbol.children and parses(place.path, content):
                    yield answer.edited(place.path, content)
    for path in sorted(answer.site.truth):
        before, truth = answer.before(path), answer.site.truth[path]
        language = language_of(path)
        mark = "#" if language is None else language.line_comment
        if truth is not None and before is None:
            yield answer.edited(path, f"{mark} to do\n".encode())
        elif before is not None and is_readable(before) and before.endswith(b"\n") and language is not None:
            content = before + f"{mark} left as it is\n".encode()
            if parses(path, content):
                yield answer.edited(path, content)
    yield from NEW_FILE(answer, random)


LOGIC: Edit = partial(inside, logic)

FAULTS = (
    Tried("inside_logic", (LOGIC,)),
    Tried("inside_literal", (partial(inside, literal),)),
    Tried("inside_comment", (partial(inside, comment),)),
    Tried("inside_hunk_left_out", (hunk_left_out,)),
    Tried("inside_logic_failing", (LOGIC,), (Tests.FAIL,)),
    Tried("inside_endless", (endless,), (Tests.TIMEOUT,), slow=True),
    Fixed("undone", TESTS_FAIL, (remark_instead,), from_nothing=True),
)
