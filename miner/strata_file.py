"""strata.yaml: how sets are drawn."""

from fractions import Fraction
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, model_validator

from miner.record import Record, load_yaml
from miner.strata import Definition, Stratum

DEFAULT_STRATA = Path("strata.yaml")


def _fraction(value: object) -> Fraction:
    try:
        return Fraction(str(value))
    except ZeroDivisionError:
        raise ValueError(f"{value} divides by 0") from None


Share = Annotated[Fraction, BeforeValidator(_fraction), Field(ge=0, le=1)]


class Bounds(Record):
    """Where the strata begin and end."""

    inside_below: float = Field(gt=0)
    past_above: float = Field(gt=0)
    large_above: float = Field(ge=0, le=1)

    @model_validator(mode="after")
    def _in_order(self) -> "Bounds":
        if self.inside_below > self.past_above:
            raise ValueError(f"inside_below {self.inside_below:g} is above past_above {self.past_above:g}")
        return self


class Quotas(Record):
    """The share of the set that each stratum is to have."""

    inside: Share
    near: Share
    past: Share
    large: Share

    @model_validator(mode="after")
    def _of_one_set(self) -> "Quotas":
        whole = self.inside + self.near + self.past
        if not 0 < whole <= 1:
            raise ValueError(f"inside, near and past are {float(whole):g} of the set together, and can be 1 at most")
        return self


class Limits(Record):
    """How many fixtures of one repository, and of one author, a set may have; none given: any number."""

    per_repository: int | None = Field(default=None, ge=1)
    per_author: int | None = Field(default=None, ge=1)


class StrataFile(Record):
    """strata.yaml."""

    schema_: Literal[1] = Field(default=1, alias="schema")
    bounds: Bounds
    quotas: Quotas
    tolerance: Share = Fraction(0)
    set_size: int = Field(ge=1)
    balance: bool = True
    at_most: Limits = Limits()
    min_strength: float = Field(default=0, ge=0, le=1)
    seed: int
    impossible: int = Field(default=0, ge=0)

    def definition(self) -> Definition:
        """The file as the definition that drawing uses."""
        return Definition(
            inside_below=self.bounds.inside_below, past_above=self.bounds.past_above,
            large_above=self.bounds.large_above, size_quota={s: getattr(self.quotas, s.value) for s in Stratum},
            large_quota=self.quotas.large, set_size=self.set_size, seed=self.seed, impossible=self.impossible,
            tolerance=self.tolerance, balance=self.balance, per_repository=self.at_most.per_repository,
            per_author=self.at_most.per_author, min_strength=self.min_strength,
        )  # fmt: skip


def definition_of(strata: Path) -> Definition:
    """What strata.yaml says; where the default one is not there, the same values as ours has."""
    if strata == DEFAULT_STRATA and not strata.exists():
        return Definition()
    return load_yaml(strata, StrataFile, "Copy the project's own strata.yaml and edit that.").definition()


def bounds_of(definition: Definition) -> Bounds:
    """The bounds of a definition, as they are written."""
    return Bounds(
        inside_below=definition.inside_below, past_above=definition.past_above, large_above=definition.large_above
    )
