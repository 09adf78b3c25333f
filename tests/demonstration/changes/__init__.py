"""The merged changes, oldest first: one module each, named for its place in the history."""

from __future__ import annotations

import importlib
import pkgutil

from tests.demonstration.history import Change


def _load() -> tuple[Change, ...]:
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    return tuple(_change(name) for name in names)


def _change(name: str) -> Change:
    change = importlib.import_module(f"{__name__}.{name}").CHANGE
    if not isinstance(change, Change):
        raise TypeError(f"{name}.CHANGE is no Change")
    return change


CHANGES = _load()
