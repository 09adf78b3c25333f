"""How many fixtures of each cell (size x repository x change) a set takes: an integer programme (pure)."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from miner.programme import Programme, Sum, value_of
from miner.strata import Definition, Stratum, seeded


@dataclass(frozen=True)
class Member:
    """A fixture as far as drawing needs it; `author` is empty where it is not known."""

    id: str
    stratum: Stratum
    large: bool
    author: str = ""

    @property
    def repository(self) -> str:
        """The repository it comes from."""
        return self.id.split("/")[0]

    @property
    def cell(self) -> "Cell":
        """Its cell."""
        return Cell(self.stratum, self.repository, self.large)


@dataclass(frozen=True, order=True)
class Cell:
    """What a count is of."""

    stratum: Stratum
    repository: str
    large: bool


Wanted = Mapping[Stratum, int]
_Group = tuple[Cell, str]  # those of one cell and author; without a cap on authors they are all alike


def counts(
    pool: Collection[Member], kept: Collection[Member], definition: Definition, wanted: Wanted
) -> dict[Cell, int]:
    """How many of each cell, none of which is fewer than are `kept` of it.

    In this order, each as far as those before it leave it open: the fewest missing from the size quotas, in all, then
    as evenly as can be; quotas exceeded within the tolerance for what is missing; the share of large changes; that
    share in each size; repositories as even as can be, then within each size; lastly whatever a seeded order prefers.
    """
    plan = _Plan(pool, kept, definition, wanted)
    plan.sizes()
    plan.changes()
    if definition.balance:
        plan.repositories()
    return plan.ended()


def balanced_quotas(
    pool: Collection[Member], kept: Collection[Member], definition: Definition, wanted: Wanted
) -> dict[Stratum, int]:
    """The quotas cut to the greatest fill that every one of them reaches."""
    fills = sorted({Fraction(n, wanted[s]) for s in Stratum for n in range(wanted[s] + 1) if wanted[s]} | {Fraction(0)})

    def is_too_much(fill: Fraction) -> bool:
        least = {s: ceil(wanted[s] * fill) for s in Stratum}
        return not _Plan(pool, kept, definition, least).reaches_all()

    greatest = fills[bisect_right(fills, False, key=is_too_much) - 1]
    return {s: int(wanted[s] * greatest) for s in Stratum}


class _Plan:
    """The programme while it is built: a variable for each group, and what was minimised so far."""

    def __init__(
        self, pool: Collection[Member], kept: Collection[Member], definition: Definition, wanted: Wanted
    ) -> None:
        self.definition, self.wanted = definition, wanted
        self.size = max(sum(wanted.values()), len(kept))
        self.programme = Programme()
        by_author = definition.per_author is not None

        def group_of(member: Member) -> _Group:
            return member.cell, member.author if by_author else ""

        there, self.held = Counter(map(group_of, pool)), Counter(map(group_of, kept))
        self.of = {group: self.programme.variable(self.held[group], there[group]) for group in sorted(there)}
        self.having: dict[tuple[str, object], set[int]] = {}
        for group, variable in self.of.items():
            for facet in _facets(group):
                self.having.setdefault(facet, set()).add(variable)
        self.values: list[int] = []
        self._limit()

    def _limit(self) -> None:
        """Quotas with their tolerance, the set's size, and caps. What is kept was drawn by them, and stays."""
        definition, limit = self.definition, self.programme.limit
        for stratum in Stratum:
            most = self.wanted[stratum] + definition.tolerated(self.wanted[stratum])
            limit(self._sum(stratum=stratum), most=max(most, self._kept(stratum=stratum)))
        limit(self._sum(), most=self.size)
        if definition.per_repository is not None:
            for name in self._repositories():
                limit(self._sum(repository=name), most=max(definition.per_repository, self._kept(repository=name)))
        if definition.per_author is not None:
            for author in {author for _, author in self.of if author}:
                limit(self._sum(author=author), most=max(definition.per_author, self._kept(author=author)))

    def sizes(self) -> None:
        """The fewest missing from the quotas, then evenly; then what the tolerance lets others take."""
        missing = {s: self.programme.shortfall(self._sum(stratum=s), self.wanted[s]) for s in Stratum}
        self._minimise(dict.fromkeys(missing.values(), 1))
        self._minimise(self._squares(({variable: 1}, self.wanted[s]) for s, variable in missing.items()))
        if self.definition.tolerance:
            self._minimise(dict.fromkeys(self._sum(), -1))

    def changes(self) -> None:
        """The share of large changes in the set, then in each size."""
        share = self.definition.large_quota
        large = self._sum(large=True)
        wanted = self.programme.variable(goal := round(value_of(self._sum(), self.values) * share), goal)
        self._minimise(self.programme.distance({**large, wanted: -1}))
        each: dict[int, int] = {}
        for stratum in Stratum:
            off = Counter(dict.fromkeys(self._sum(stratum=stratum, large=True), share.denominator))
            off.subtract(dict.fromkeys(self._sum(stratum=stratum), share.numerator))
            each |= self.programme.distance(off)
        self._minimise(each)

    def repositories(self) -> None:
        """As many of one repository as of another, then within each size."""
        names = self._repositories()
        self._minimise(self._squares((terms, self.size) for name in names if (terms := self._sum(repository=name))))
        within = [self._sum(stratum=stratum, repository=name) for stratum in Stratum for name in names]
        self._minimise(self._squares((terms, self.size) for terms in within if terms))

    def ended(self) -> dict[Cell, int]:
        """The counts; which of equally good ones, the seed says."""
        cells = sorted({cell for cell, _ in self.of}, key=lambda c: seeded(self.definition.seed, str(c)))
        rank = {cell: n for n, cell in enumerate(cells)}
        self._minimise({variable: rank[cell] for (cell, _), variable in self.of.items()})
        found: Counter[Cell] = Counter()
        for (cell, _), variable in self.of.items():
            found[cell] += self.values[variable]
        return dict(found)

    def reaches_all(self) -> bool:
        """Whether every quota can be met."""
        for stratum in Stratum:
            self.programme.limit(self._sum(stratum=stratum), least=self.wanted[stratum])
        return self.programme.solve({}) is not None

    def _minimise(self, objective: Sum) -> None:
        self.values = self.programme.minimise(objective)

    def _squares(self, sums: Iterable[tuple[Sum, int]]) -> Sum:
        """The sum of squares of sums, none of which is above what is there, or its bound."""
        found: dict[int, int] = {}
        for terms, bound in sums:
            found |= self.programme.square(terms, bound)
        return found

    def _sum(self, **facets: object) -> dict[int, int]:
        """The sum of the groups that have all of these facets (`_facets`); without any, of all groups."""
        having = [self.having.get(facet, set()) for facet in facets.items()]
        return dict.fromkeys(sorted(set.intersection(*having) if having else self.of.values()), 1)

    def _kept(self, **facets: object) -> int:
        """How many are kept of these groups."""
        asked = set(facets.items())
        return sum(count for group, count in self.held.items() if asked <= _facets(group))

    def _repositories(self) -> list[str]:
        return sorted({cell.repository for cell, _ in self.of})


def _facets(group: _Group) -> set[tuple[str, object]]:
    """What groups are summed by."""
    cell, author = group
    said = {"stratum": cell.stratum, "repository": cell.repository, "large": cell.large, "author": author}
    return set(said.items())
