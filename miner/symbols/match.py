"""Which symbol of the text before is which of the text after: by name, and namesakes by content."""

import re
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import product

from miner.symbols.model import Outline, Shape, Symbol, core_end

_WORD = re.compile(rb"\w+")
_LONG = 10_000  # pairs of lines
_MANY = 400  # pairs of namesakes; above it they are paired in order instead of by likeness


def match_children(before: Outline, old: Symbol, after: Outline, new: Symbol) -> dict[Symbol, Symbol]:
    """The pairs of symbols directly inside `old` and `new` that are the same symbol, by the new one.

    A symbol whose name is alone on both sides is itself whatever it contains. Among namesakes those of
    the same content come first (of twins, those at the same end of the row, or the wrong one would be said
    to have changed), then those of the same words, those told apart alike, and the most alike.
    """
    pairs: dict[Symbol, Symbol] = {}
    groups = _by_base(new.children)
    for base, olds in _by_base(old.children).items():
        news = groups.get(base, [])
        if len(olds) == len(news) == 1 and olds[0].shape is not Shape.IMPORT:
            pairs[news[0]] = olds[0]
        elif news:
            pairs.update(_namesakes(before, olds, after, news))
    return pairs


def core_of(outline: Outline, symbol: Symbol) -> bytes:
    """The bytes of a symbol without the blank lines that separate it from the next."""
    return outline.source[symbol.start : core_end(outline.source, symbol.start, symbol.end)]


def _by_base(symbols: Iterable[Symbol]) -> dict[str, list[Symbol]]:
    groups: dict[str, list[Symbol]] = defaultdict(list)
    for symbol in symbols:
        groups[symbol.base].append(symbol)
    return groups


def _namesakes(
    before: Outline, olds: list[Symbol], after: Outline, news: list[Symbol]
) -> dict[Symbol, Symbol]:  # fmt: skip
    old_cores = {symbol: core_of(before, symbol) for symbol in olds}
    new_cores = {symbol: core_of(after, symbol) for symbol in news}
    pairs: dict[Symbol, Symbol] = {}

    def pair_by(old_key: Callable[[Symbol], object], new_key: Callable[[Symbol], object]) -> None:
        waiting: dict[object, deque[Symbol]] = defaultdict(deque)
        taken = set(pairs.values())
        for old in olds:
            if old not in taken:
                waiting[old_key(old)].append(old)
        for new in news:
            if new not in pairs and waiting.get(key := new_key(new)):
                pairs[new] = waiting[key].popleft()

    pairs.update(_at_ends(olds, news, lambda o, n: o.apart == n.apart and old_cores[o] == new_cores[n]))
    pair_by(lambda s: (s.apart, old_cores[s]), lambda s: (s.apart, new_cores[s]))
    pair_by(old_cores.__getitem__, new_cores.__getitem__)
    if olds[0].shape is Shape.IMPORT:
        return pairs | _sharing_entries(olds, news, pairs)
    # A formatter leaves hardly a line as it was, and yet every word.
    pair_by(lambda s: tuple(_WORD.findall(old_cores[s])), lambda s: tuple(_WORD.findall(new_cores[s])))
    if len({s.apart for s in olds}) > 1 or len({s.apart for s in news}) > 1:
        pair_by(_single(olds), _single(news))
    taken = set(pairs.values())
    _pair_alike([s for s in olds if s not in taken], old_cores, [s for s in news if s not in pairs], new_cores, pairs)
    return pairs


def _at_ends(
    olds: list[Symbol], news: list[Symbol], same: Callable[[Symbol, Symbol], bool]
) -> Iterator[tuple[Symbol, Symbol]]:  # fmt: skip
    """The (new, old) pairs that are the same from the first namesake on, and from the last one back."""
    size, head, tail = min(len(olds), len(news)), 0, 1
    while head < size and same(olds[head], news[head]):
        yield news[head], olds[head]
        head += 1
    while head + tail <= size and same(olds[-tail], news[-tail]):
        yield news[-tail], olds[-tail]
        tail += 1


def _sharing_entries(olds: list[Symbol], news: list[Symbol], pairs: dict[Symbol, Symbol]) -> dict[Symbol, Symbol]:
    """Import statements that bind something in common, of those not paired yet."""
    taken = set(pairs.values())
    having = {entry: old for old in olds if old not in taken for entry in old.entries}
    found: dict[Symbol, Symbol] = {}
    for new in news:
        if new not in pairs:
            old = next((having[entry] for entry in new.entries if entry in having), None)
            if old is not None and old not in found.values():
                found[new] = old
    return found


def _single(symbols: Sequence[Symbol]) -> Callable[[Symbol], object]:
    """The key `apart`, where it is one symbol's alone."""
    aparts = [s.apart for s in symbols]
    return lambda s: s.apart if aparts.count(s.apart) == 1 else s


def _pair_alike(
    olds: list[Symbol], old_cores: dict[Symbol, bytes], news: list[Symbol], new_cores: dict[Symbol, bytes],
    pairs: dict[Symbol, Symbol],
) -> None:  # fmt: skip
    if not olds or not news:
        return
    if len(olds) == len(news) == 1:
        pairs[news[0]] = olds[0]
        return
    if len(olds) * len(news) > _MANY:
        pairs.update(zip(news, olds, strict=False))
        return
    likeness = {(o, n): _alike(old_cores[olds[o]], new_cores[news[n]])
                for o, n in product(range(len(olds)), range(len(news)))}  # fmt: skip
    free_old, free_new = set(range(len(olds))), set(range(len(news)))
    for o, n in sorted(likeness, key=lambda pair: (-likeness[pair], pair)):
        if o in free_old and n in free_new:
            pairs[news[n]] = olds[o]
            free_old.remove(o)
            free_new.remove(n)


def _alike(old: bytes, new: bytes) -> float:
    olds, news = old.split(b"\n"), new.split(b"\n")
    matcher = SequenceMatcher(None, olds, news, autojunk=False)
    # The exact measure takes quadratic time and more: of long texts the lines they share are counted.
    return matcher.ratio() if len(olds) * len(news) <= _LONG else matcher.quick_ratio()
