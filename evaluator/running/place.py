"""The folder of a run: made when it begins, and removed where it ends by an error before anything was stored."""

import contextlib
from datetime import UTC, datetime
from pathlib import Path

from evaluator.journal.writing import cannot_write

_SETTINGS = {"run.yaml", ".lock"}
_ROWS = {"attempts.jsonl", "calls.jsonl"}  # made empty


def folder_part(model: str) -> str:
    """A model's name as part of a folder's: `command:./answer.sh` is `command-answer.sh`."""
    kept = "".join(c if c.isalnum() or c in "._" else "-" for c in model)[-60:]
    return "-".join(part for part in (part.strip(".") for part in kept.split("-")) if part) or "model"


def new_folder(runs: Path, model: str) -> Path:
    """A folder that no other run has, made at once: another may begin in the same second."""
    name, number = f"{datetime.now(UTC).strftime('%Y%m%d-%H%M%S')}-{folder_part(model)}", 1
    try:
        runs.mkdir(parents=True, exist_ok=True)
        while True:
            place = runs / (name if number == 1 else f"{name}-{number}")
            with contextlib.suppress(FileExistsError):
                place.mkdir()
                return place
            number += 1
    except OSError as error:
        raise cannot_write(runs, error) from None


def remove_if_unused(place: Path) -> bool:
    """Remove a run's folder that holds settings and nothing else; whether it is gone."""
    try:
        found = {path.name: path for path in place.iterdir()}
        if found.keys() - _SETTINGS - _ROWS or any(found[name].stat().st_size for name in _ROWS & found.keys()):
            return False
        for path in found.values():
            path.unlink()
        place.rmdir()
    except OSError:  # it stays, which is no harm
        return False
    return True
