"""Settings by dotted name: defaults, and environment variables over them."""

from __future__ import annotations

import os

PREFIX = "BILLING_"

DEFAULTS = {
    "dunning.enabled": True,
    "invoices.prefix": "",
    "settlement.backoff": 0.5,
    "settlement.page_size": 50,
    "settlement.retries": 2,
    "settlement.timeout": 30,
}


def variable(name: str) -> str:
    """'settlement.timeout' is BILLING_SETTLEMENT__TIMEOUT."""
    return PREFIX + name.replace(".", "__").upper()


def convert(text: str, like: object) -> object:
    """Text as the type of the default."""
    if isinstance(like, bool):
        return text.lower() in {"1", "true", "yes", "on"}
    if isinstance(like, int):
        return int(text)
    if isinstance(like, float):
        return float(text)
    return text


class Settings:
    """A lookup of settings."""

    def __init__(self, values: dict | None = None, environ: dict | None = None) -> None:
        self.values = dict(DEFAULTS)
        self.values.update(values or {})
        self.environ = dict(os.environ) if environ is None else environ

    def get(self, name: str, default: object = None) -> object:
        """The value of a setting, or the default."""
        value = self.values.get(name, default)
        text = self.environ.get(variable(name))
        if text is None:
            return value
        return convert(text, value)

    def names(self) -> list[str]:
        """All the names there are values for."""
        return sorted(self.values)


def load() -> Settings:
    """The settings of this process."""
    return Settings()
