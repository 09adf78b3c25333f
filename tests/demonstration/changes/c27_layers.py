"""A rewrite of a small module: most lines change."""

from tests.demonstration.history import TOMAS, Change, Commit, Replace, Shape, Write, at

SOURCE = '''"""Settings by dotted name, from layers: the first layer that has a name decides.

The usual layers are the environment, a file, and the defaults.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

PREFIX = "BILLING_"

DEFAULTS: dict[str, object] = {
    "dunning.enabled": True,
    "invoices.prefix": "",
    "settlement.backoff": 0.5,
    "settlement.page_size": 50,
    "settlement.retries": 2,
    "settlement.timeout": 30,
}

TRUE = frozenset({"1", "true", "yes", "on"})
FALSE = frozenset({"0", "false", "no", "off"})


class BadSetting(ValueError):
    """A setting has a value that cannot be read."""


@dataclass(frozen=True)
class Layer:
    """Some settings and where they come from."""

    source: str
    values: Mapping[str, object]


def variable(name: str) -> str:
    """'settlement.timeout' is BILLING_SETTLEMENT__TIMEOUT."""
    return PREFIX + name.replace(".", "__").upper()


def setting(variable: str) -> str:
    """The way back."""
    return variable.removeprefix(PREFIX).lower().replace("__", ".")


def from_environment(environ: Mapping[str, str]) -> Layer:
    """The settings among the environment variables, as text."""
    values = {setting(name): text for name, text in environ.items() if name.startswith(PREFIX)}
    return Layer("environment", values)


def from_file(path: Path) -> Layer:
    """The settings in a JSON file, whose objects are nested as the names are dotted."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise BadSetting(f"{path}: {error}") from None
    if not isinstance(data, dict):
        raise BadSetting(f"{path}: not an object")
    return Layer(str(path), dict(_flat(data, "")))


def _flat(data: Mapping[str, object], prefix: str) -> Iterator[tuple[str, object]]:
    for name, value in data.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


def convert(name: str, value: object, like: object) -> object:
    """A value as the type of the default; text is read, everything else is left alone."""
    if not isinstance(value, str) or like is None or isinstance(like, str):
        return value
    if isinstance(like, bool):
        if value.lower() in TRUE | FALSE:
            return value.lower() in TRUE
        raise BadSetting(f"{name} is yes or no, not {value!r}")
    try:
        return type(like)(value)
    except ValueError:
        raise BadSetting(f"{name} is a number, not {value!r}") from None


class Settings:
    """A lookup of settings in layers."""

    def __init__(self, values: Mapping | None = None, environ: Mapping | None = None) -> None:
        self.layers = [
            from_environment(os.environ if environ is None else environ),
            Layer("values", dict(values or {})),
            Layer("defaults", DEFAULTS),
        ]

    def add(self, layer: Layer) -> None:
        """Put a layer just above the defaults."""
        self.layers.insert(-1, layer)

    def get(self, name: str, default: object = None) -> object:
        """The value of a setting, or the default."""
        for layer in self.layers:
            if name in layer.values:
                return convert(name, layer.values[name], DEFAULTS.get(name, default))
        return default

    def origin(self, name: str) -> str | None:
        """Where the value of a setting comes from."""
        for layer in self.layers:
            if name in layer.values:
                return layer.source
        return None

    def names(self) -> list[str]:
        """All the names there are values for."""
        return sorted({name for layer in self.layers for name in layer.values})

    def explain(self) -> str:
        """All the settings, a line each, with where they come from."""
        lines = [f"{name} = {self.get(name)!r} ({self.origin(name)})" for name in self.names()]
        return "\\n".join(lines) + "\\n"


def load(path: Path | None = None) -> Settings:
    """The settings of this process, with a file where one is given."""
    settings = Settings()
    if path is not None:
        settings.add(from_file(path))
    return settings
'''

TESTS = """import pytest

from billing.settings import BadSetting, Settings, from_file, variable


def test_defaults():
    assert Settings(environ={}).get("settlement.timeout", 5) == 30


def test_unknown_names_have_the_default_that_is_asked_for():
    assert Settings(environ={}).get("settlement.key", "none") == "none"


def test_values_win_over_defaults():
    assert Settings({"settlement.timeout": 9}, environ={}).get("settlement.timeout") == 9


def test_the_environment_wins_over_values():
    environ = {"BILLING_SETTLEMENT__TIMEOUT": "10", "BILLING_DUNNING__ENABLED": "no", "HOME": "/"}
    settings = Settings({"settlement.timeout": 9}, environ=environ)
    assert settings.get("settlement.timeout") == 10
    assert settings.get("dunning.enabled") is False
    assert "home" not in settings.names()


def test_a_file_wins_over_defaults_only(tmp_path):
    path = tmp_path / "billing.json"
    path.write_text('{"settlement": {"timeout": 7, "retries": 0}}')
    settings = Settings({"settlement.retries": 5}, environ={})
    settings.add(from_file(path))
    assert settings.get("settlement.timeout") == 7
    assert settings.get("settlement.retries") == 5
    assert settings.origin("settlement.timeout") == str(path)


def test_origins():
    settings = Settings({"a.b": 1}, environ={"BILLING_C": "2"})
    names = ("a.b", "c", "settlement.timeout", "unknown")
    assert [settings.origin(name) for name in names] == ["values", "environment", "defaults", None]
    assert "c = '2' (environment)\\n" in settings.explain()


@pytest.mark.parametrize(
    "name, text, message",
    [
        ("settlement.timeout", "soon", "settlement.timeout is a number, not 'soon'"),
        ("dunning.enabled", "maybe", "dunning.enabled is yes or no, not 'maybe'"),
    ],
)
def test_bad_values_are_named(name, text, message):
    with pytest.raises(BadSetting, match=message):
        Settings(environ={variable(name): text}).get(name)


@pytest.mark.parametrize("text", ["{", "[]"])
def test_bad_files_are_named(tmp_path, text):
    path = tmp_path / "billing.json"
    path.write_text(text)
    with pytest.raises(BadSetting, match="billing.json: "):
        from_file(path)


def test_names_of_variables():
    assert variable("settlement.page_size") == "BILLING_SETTLEMENT__PAGE_SIZE"
"""

CHANGE = Change(
    number=158,
    shape=Shape.SQUASH,
    author=TOMAS,
    merged=at("2026-04-21 10:10"),
    title="Read settings from a file too",
    body="""
Some machines have a file of settings, and nobody knows which value wins. Keep settings in layers: the
environment, then the values given in code, then files, then the defaults; the first that has a name
decides.

A layer is a frozen dataclass `Layer(source, values)`, with values by dotted name. `from_file(path)` reads a
JSON file whose objects are nested as names are dotted (source: the path), `from_environment(environ)` takes
the variables that begin with `BILLING_` (source: "environment"). `Settings(values, environ)` has its layers
"environment", "values" and "defaults"; `Settings.add(layer)` puts one just above the defaults.
`Settings.origin(name)` says which source decides, or `None`, and `Settings.explain()` has a line `name =
value (source)` for each setting, the value by `repr`. `load(path=None)` adds the file.

Text is read as the type of the default. What cannot be read raises `BadSetting` (a `ValueError`): "<name>
is a number, not '<text>'", "<name> is yes or no, not '<text>'" (yes and no are 1, true, yes, on and 0,
false, no, off), or for a file that is no JSON or no object, a message that begins with its path and a
colon.
""",
    commits=(
        Commit(
            "Read settings from a file too",
            (
                Write("src/billing/settings.py", SOURCE),
                Write("tests/test_settings.py", TESTS),
                Replace(
                    "docs/settings.md",
                    "An environment variable wins over the defaults",
                    "A JSON file wins over the defaults, and an environment variable over both",
                ),
            ),
        ),
    ),
)
