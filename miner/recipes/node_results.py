"""Results of JavaScript's test runners: our reporters' lines, and the JSON of jest and vitest."""

import json
from collections.abc import Sequence

from miner.recipes.model import Result, Results

_SEVERITY = [None, Result.PASSED, Result.SKIPPED, Result.FAILED]
_SAID = {"passed": Result.PASSED, "failed": Result.FAILED, "skipped": Result.SKIPPED, "pending": Result.SKIPPED,
         "todo": Result.SKIPPED, "disabled": Result.SKIPPED}  # fmt: skip


def read_lines(content: bytes) -> Results:
    """Results from one JSON object a line (`file`, `name`, `result`); lines that are none are left out."""
    rows = []
    for line in content.splitlines():
        try:
            row = json.loads(line)
            rows.append((row["file"], row["name"], row["result"]))
        except (ValueError, KeyError, TypeError):  # cut short, or not ours
            continue
    return _worst(rows)


def read_jest(content: bytes, folder: str) -> Results | None:
    """Results from the JSON of `jest --json` and vitest's `json` reporter; files are relative to `folder`."""
    try:
        files = json.loads(content)["testResults"]
        rows = [
            (str(file["name"]).removeprefix(f"{folder}/"), " ".join([*test["ancestorTitles"], test["title"]]).strip(),
             test["status"])
            for file in files for test in file["assertionResults"]
        ]  # fmt: skip
    except (ValueError, KeyError, TypeError):
        return None
    return _worst(rows)


def _worst(rows: Sequence[tuple[object, object, object]]) -> Results:
    found: dict[str, Result] = {}
    for file, title, said in rows:
        result = _SAID.get(str(said), Result.FAILED)
        test_id = f"{file}::{title}"
        if _SEVERITY.index(result) >= _SEVERITY.index(found.get(test_id)):
            found[test_id] = result
    return found
