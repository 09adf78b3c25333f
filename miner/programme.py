"""Integer programmes whose objectives are ranked: each is minimised, then held while the next is (scipy's HiGHS)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf

import numpy as np
import scipy

Sum = Mapping[int, int]  # variable -> its whole factor


@dataclass
class Programme:
    """Whole-numbered variables, limits on sums of them, and what was minimised so far.

    Factors are whole, so that an optimum is too, and holding it exactly is no matter of rounding.
    """

    _least: list[int] = field(default_factory=list)
    _most: list[int] = field(default_factory=list)
    _whole: list[bool] = field(default_factory=list)
    _limits: list[tuple[Sum, float, float]] = field(default_factory=list)

    def variable(self, least: int = 0, most: int = 1, whole: bool = True) -> int:
        """A new variable between two bounds, both included.

        Every one is bounded: with open bounds HiGHS 1.12 never ended on a dozen of them, or crashed.
        """
        self._least.append(least)
        self._most.append(most)
        self._whole.append(whole)
        return len(self._least) - 1

    def limit(self, terms: Sum, least: float = -inf, most: float = inf) -> None:
        """Keep a sum between two bounds, both included."""
        counted = {variable: factor for variable, factor in terms.items() if factor}
        self._limits.append((counted, least, most))

    def shortfall(self, terms: Sum, wanted: int) -> int:
        """A variable that is at least what a sum lacks of a number: where it is minimised, just that."""
        lacking = self.variable(most=max(wanted, 0))
        self.limit({**terms, lacking: terms.get(lacking, 0) + 1}, least=wanted)
        return lacking

    def distance(self, terms: Sum) -> Sum:
        """A sum that is at least a sum's distance from nought: where it is minimised, just that."""
        farthest = sum(abs(factor) * max(abs(self._least[v]), abs(self._most[v])) for v, factor in terms.items())
        above, below = (self.variable(most=farthest, whole=False) for _ in range(2))
        self.limit({**terms, above: -1, below: 1}, least=0, most=0)
        return {above: 1, below: 1}

    def square(self, terms: Sum, most: int) -> Sum:
        """A sum that is at least the square of a sum between nought and `most`: where it is minimised, just that.

        No factor is below nought. The square is 1 + 3 + 5 ... for as many steps as the sum is high: the cheap ones
        are taken first, so no step need be whole.
        """
        reached = min(most, sum(self._most[variable] * factor for variable, factor in terms.items()))
        steps = [self.variable(most=1, whole=False) for _ in range(reached)]
        self.limit({**terms, **dict.fromkeys(steps, -1)}, least=0, most=0)
        return {step: 2 * n + 1 for n, step in enumerate(steps)}

    def solve(self, objective: Sum) -> list[int] | None:
        """The variables' values where the objective is least, None where the limits contradict each other.

        Without presolving: that of HiGHS 1.12 found contradictions where there were none, and is no gain here.
        """
        if not self._least:  # scipy wants a variable; limits on none hold where they allow nought
            return [] if all(least <= 0 <= most for _, least, most in self._limits) else None
        costs = np.zeros(len(self._least))
        costs[list(objective)] = list(objective.values())
        found = scipy.optimize.milp(
            costs, integrality=np.array(self._whole, dtype=int), bounds=scipy.optimize.Bounds(self._least, self._most),
            constraints=self._constraints(), options={"mip_rel_gap": 0, "presolve": False},
        )  # fmt: skip
        return None if found.x is None else [round(value) for value in found.x]

    def minimise(self, objective: Sum) -> list[int]:
        """The variables' values where the objective is least; all that is minimised later keeps it so.

        Raises `ValueError` where the limits contradict each other.
        """
        values = self.solve(objective)
        if values is None:
            raise ValueError("the limits contradict each other")
        self.limit(objective, most=value_of(objective, values))
        return values

    def _constraints(self) -> "scipy.optimize.LinearConstraint | tuple[()]":
        if not self._limits:
            return ()
        rows = [row for row, (terms, _, _) in enumerate(self._limits) for _ in terms]
        columns = [variable for terms, _, _ in self._limits for variable in terms]
        factors = [factor for terms, _, _ in self._limits for factor in terms.values()]
        shape = (len(self._limits), len(self._least))
        matrix = scipy.sparse.csr_array((np.array(factors, dtype=float), (rows, columns)), shape=shape)
        least, most = [low for _, low, _ in self._limits], [high for *_, high in self._limits]
        return scipy.optimize.LinearConstraint(matrix, least, most)


def value_of(terms: Sum, values: Sequence[int]) -> int:
    """What a sum comes to."""
    return sum(factor * values[variable] for variable, factor in terms.items())
