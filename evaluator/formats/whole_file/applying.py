"""Writing the files of a reply over those of the tree, with the line endings that they have there."""

from collections.abc import Iterator, Sequence

from evaluator.formats.gaps import gaps
from evaluator.formats.ladder import LINE_ENDINGS, dressed
from evaluator.formats.model import Applied, Leniency, NotApplied, Tolerance, Tree
from evaluator.formats.paths import forbidden, unknown
from evaluator.formats.plain_paths import Recovery
from evaluator.formats.whole_file.foreign import is_edit_of
from evaluator.formats.whole_file.reading import Rewrite
from evaluator.taxonomy import Detail
from miner.symbols.files import text_of
from miner.symbols.lines import changed_blocks
from miner.text import to_bytes

BYTE_ORDER_MARK = Tolerance(
    "byte_order_mark", "a file that begins with a byte order mark keeps it (editors, which write into open documents)"
)
_BOM = "\ufeff"
_EXACT = 250_000


def apply(edits: Sequence[Rewrite], tree: Tree, leniency: Leniency) -> Applied | NotApplied:
    """Every file rewritten; the last wins where a file is written twice."""
    files: dict[str, bytes | None] = {}
    befores: dict[str, str] = {}
    steps: list[tuple[str, ...]] = []
    recovery = Recovery(tree, leniency)

    def exists(path: str) -> bool:
        return files[path] is not None if path in files else path in tree.modes

    for fitted, edit in enumerate(edits):
        path, taken = recovery.path(edit.path, exists, new=edit.content is not None, bare=True)
        if (refusal := forbidden(path, tree, fitted)) is not None:
            return refusal
        if path not in befores:
            befores[path] = text_of(tree.read(path))
        before = befores[path]
        if edit.content is None:
            if not exists(path):
                return unknown(path, fitted)
            files[path] = None
        else:
            if is_edit_of(path, before, edit.content):
                message = f"What is written out for {path} is an edit of it, not its contents. Write the whole file."
                return NotApplied(Detail.OTHER_FORMAT, message, fitted)
            text, more = _as_before(before, edit.content, leniency)
            files[path] = to_bytes(text)
            taken = (*taken, *more)
        steps.append((*edit.steps, *taken))
    return Applied(files, steps=tuple(steps))


def _as_before(before: str, content: str, leniency: Leniency) -> tuple[str, tuple[str, ...]]:
    """New contents as an editor would save them over the file before, and the tolerances that it took."""
    steps: tuple[str, ...] = ()
    if LINE_ENDINGS.name in leniency and (ended := _ended_alike(before, content)) != content:
        content, steps = ended, (LINE_ENDINGS.name,)
    if BYTE_ORDER_MARK.name in leniency and before.startswith(_BOM) and not content.startswith(_BOM):
        content, steps = _BOM + content, (*steps, BYTE_ORDER_MARK.name)
    return content, steps


def _ended_alike(before: str, content: str) -> str:
    """Contents that are all LF or all CRLF with the line endings of the file before: line by line where it has both.

    Contents that have both themselves mean what they say.
    """
    if "\r" not in before and "\r" not in content:
        return content
    carriages, feeds = content.count("\r\n"), content.count("\n")
    theirs, all_of_theirs = before.count("\r\n"), before.count("\n")
    if carriages not in (0, feeds) or not all_of_theirs or (theirs, all_of_theirs) == (carriages, feeds):
        return content
    plain = content.replace("\r\n", "\n")
    if theirs == 0:
        return plain
    if theirs == all_of_theirs:
        return plain.replace("\n", "\r\n")
    return _ended_by_line(before, plain)


def _ended_by_line(before: str, plain: str) -> str:
    """LF contents in which the lines that a file with both line endings has keep theirs."""
    old, new = before.split("\n"), plain.split("\n")
    result: list[str] = []
    at = 0
    for i1, i2, j1, j2 in _blocks([line.removesuffix("\r") for line in old], new):
        result += old[at:i1]
        last = j2 == len(new)  # what follows the last line feed has no end
        result += dressed(new[j1 : j2 - last], old[i1:i2], old[max(i1 - 1, 0) : i1 + 1]) + new[j2 - last : j2]
        at = i2
    return "\n".join(result + old[at:])


def _blocks(old: list[str], new: list[str]) -> Iterator[tuple[int, int, int, int]]:
    """The differing blocks, as half-open line indexes: exact where there are few."""
    for i1, i2, j1, j2 in gaps(old, new):
        if (i2 - i1) * (j2 - j1) > _EXACT:
            yield i1, i2, j1, j2
        else:
            there, here = ("".join(f"{line}\n" for line in lines) for lines in (old[i1:i2], new[j1:j2]))
            for k1, k2, l1, l2 in changed_blocks(there, here):
                yield i1 + k1, i1 + k2, j1 + l1, j1 + l2
