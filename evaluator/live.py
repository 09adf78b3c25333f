"""How a run stands while it runs: a table that is drawn anew on a terminal, plain lines elsewhere.

What is shown of pairs may be looked at after every block: stop early only where E reaches 20 (docs/statistics.md).
"""

import sys
import time
from collections.abc import Callable, Iterable
from types import TracebackType

from rich.console import Console, Group, RenderableType
from rich.live import Live as RichLive
from rich.table import Table
from rich.text import Text

from evaluator.amounts import money
from evaluator.journal import AttemptLine, RunFile
from evaluator.report.wording import ends, percent
from evaluator.statistics.sequential import STOP_AT
from evaluator.tally import Disagreements, Standing, Tally
from miner.errors import printable
from miner.wording import duration

_DRAW = 0.5  # seconds between drawings
_EVERY, _SHARE = 25, 100  # plain lines: after so many attempts, in a large run after a hundredth of its trials
_AT_LEAST = 60.0  # or seconds
_MEAN = "mean over tasks"  # with repeats the rate is not the fraction of trials beside it
_REASON = 100  # characters of why trials are discarded
_E_NOTE = f"so far; stop early only at E >= {STOP_AT:g}"


class Live:
    """Shows a run on standard error. Not for several threads: the driver's alone."""

    def __init__(
        self, settings: RunFile, done_lines: Iterable[AttemptLine] = (), clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.tally = Tally(settings, done_lines)
        self._clock, self._before = clock, (self.tally.attempts, self.tally.ended)
        self._began = self._shown = clock()
        self._every = max(_EVERY, self.tally.planned // _SHARE)
        self._unsaid = 0
        self._discards = self.tally.commonest_discard is not None
        self._live: RichLive | None = None

    def __enter__(self) -> "Live":
        self._began = self._shown = self._clock()
        console = Console(stderr=True, highlight=False)
        if console.is_terminal and not console.is_dumb_terminal:
            self._live = RichLive(self._table(console.height), console=console, auto_refresh=False)
            self._live.start(refresh=True)
        return self

    def show(self, line: AttemptLine) -> None:
        """One more attempt was made."""
        self.tally.add(line)
        self._unsaid += 1
        now = self._clock()
        if self._live is not None:
            if now - self._shown >= _DRAW:
                self._draw(self._live)
        elif self._unsaid >= self._every or now - self._shown > _AT_LEAST or self._is_first_discard():
            self._say()

    def _is_first_discard(self) -> bool:
        """Whether what was just shown is the first that was discarded: a wrong address is told before many are."""
        told, self._discards = self._discards, self._discards or self.tally.commonest_discard is not None
        return self._discards and not told

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._draw(self._live)
            self._live.stop()
        elif self._unsaid:
            self._say()

    def _draw(self, live: RichLive) -> None:
        live.update(self._table(live.console.height), refresh=True)
        self._shown = self._clock()

    def _say(self) -> None:
        print(self.line(), file=sys.stderr, flush=True)
        self._shown, self._unsaid = self._clock(), 0

    @property
    def _several(self) -> bool:
        return self.tally.settings.repeats > 1

    def line(self) -> str:
        """How the run stands, on one line."""
        several = self._several
        formats = [f"{name} {_resolved(standing, several)}" for name, standing in self.tally.formats.items()]
        if several:
            formats[0] = f"resolved of trials, {_MEAN} [95%]: {formats[0]}"
        # Only what may end a run early: a reader of plain lines has no use for a pair's E on its way there.
        told = [pair for pair in _by_evidence(self.tally.pairs) if pair.e >= STOP_AT][:3]
        pairs = [f"E {_e_note(told)}"] if told else []
        why = self._discarded()
        return printable("; ".join([self.head(), *formats, *([why] if why else []), *pairs]))

    def _discarded(self) -> str:
        """Why most of the discarded trials are, in short; empty where none is."""
        if (found := self.tally.commonest_discard) is None:
            return ""
        reason, count, total = found
        short = reason if len(reason) <= _REASON else f"{reason[:_REASON]}..."
        return f"discarded{'' if count == total else f', {count:,} of {total:,}'}: {short}"

    def head(self) -> str:
        """Attempts, trials, rate, time left and money."""
        tally, seconds = self.tally, self._clock() - self._began
        attempts, ended = tally.attempts - self._before[0], tally.ended - self._before[1]
        said = [f"{tally.attempts:,} attempts, {tally.ended:,} of {tally.planned:,} trials ended"]
        if tally.planned_impossible:
            said[0] += f" (impossible: {tally.ended_impossible:,} of {tally.planned_impossible:,})"
        if seconds > 0 and attempts:
            said.append(f"{attempts / seconds:.3g} attempts/s")
        if seconds > 0 and ended > 0 and tally.ended < tally.planned:
            said.append(f"about {duration((tally.planned - tally.ended) * seconds / ended)} left")
        return ", ".join([*said, f"{money(tally.paid)} paid" if tally.paid is not None else "unpriced"])

    def _table(self, height: int) -> Group:
        priced = self.tally.settings.price is not None
        resolved = ("resolved", _MEAN) if self._several else ("resolved",)
        heads = ("so far", *resolved, "95%", "failed", "discarded", "attempts", "paid")
        formats = Table(*heads, box=None, pad_edge=False)
        for name, standing in self.tally.formats.items():
            value, low_high = _interval(standing)
            found = (_fraction(standing), value) if self._several else (f"{_fraction(standing)} {value}".strip(),)
            formats.add_row(
                Text(printable(name)), *found, low_high, str(standing.failed), str(standing.discarded),
                str(standing.attempts), money(standing.paid if priced else None),
            )  # fmt: skip
        head = Text(printable(f"{self.tally.settings.model}: {self.head()}"), no_wrap=True, overflow="ellipsis")
        rows: list[RenderableType] = [head, formats]
        if why := self._discarded():
            rows.append(Text(printable(why), no_wrap=True, overflow="ellipsis"))
        if self.tally.pairs:
            pairs = Table("pairs", "only the first, only the second", f"E ({_E_NOTE})", box=None, pad_edge=False)
            for pair in _by_evidence(self.tally.pairs)[: max(height - len(self.tally.formats) - 7, 1)]:
                split = f"{pair.only_first} v {pair.only_second}"
                pairs.add_row(Text(printable(f"{pair.first}, {pair.second}")), split, f"{pair.e:.3g}")
            rows.append(pairs)
        return Group(*rows)


def _by_evidence(pairs: Iterable[Disagreements]) -> list[Disagreements]:
    return sorted(pairs, key=lambda pair: -pair.e)


def _e_note(pairs: Iterable[Disagreements]) -> str:
    told = (f"{p.first} {p.only_first} v {p.only_second} {p.second}: {p.e:.3g}" for p in pairs)
    return f"({_E_NOTE}) {', '.join(told)}"


def _interval(standing: Standing) -> tuple[str, str]:
    found = standing.interval
    if found is None:
        return "", "no evidence"
    return percent(found.value), f"[{ends(found.low, found.high, '%, ')}%]"


def _fraction(standing: Standing) -> str:
    return f"{standing.resolved}/{standing.resolved + standing.failed}"


def _resolved(standing: Standing, several: bool) -> str:
    discarded = f", {standing.discarded} discarded" if standing.discarded else ""
    said = " ".join(_interval(standing)).strip()
    return f"{_fraction(standing)}{',' * several} {said}{discarded}"
