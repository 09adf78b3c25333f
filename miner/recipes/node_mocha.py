"""The project's own mocha configuration, without what would run other tests than those asked for, or fewer."""

import json
from typing import Any

import yaml

from miner.recipes.model import Project
from miner.recipes.node_scripts import manifest

_NAMES = (".mocharc.cjs", ".mocharc.js", ".mocharc.yaml", ".mocharc.yml", ".mocharc.jsonc", ".mocharc.json")
# mocha adds `spec` to the files of its command line; the others hide results, or who they are of.
_OURS = ("spec", "bail", "parallel", "jobs", "grep", "fgrep", "invert", "watch", "reporter", "reporter-option",
         "reporter-options", "reporterOptions", "reporterOption", "retries")  # fmt: skip


def configuration(project: Project) -> tuple[str, str] | None:
    """A file's name and text that stands for the project's configuration; None where it can stay as it is.

    A configuration that is code is read when mocha starts. mocha.opts (before mocha 8) stays as it is.
    """
    name = next((name for name in _NAMES if name in project.paths), None)
    if name and name.endswith("js"):
        return "mocharc.cjs", _CODE.format(path=json.dumps(f"{project.folder}/{name}"), ours=json.dumps(_OURS))
    found = manifest(project).get("mocha") or {}
    try:
        found = {**found, **(yaml.safe_load(_plain(project.text(name))) if name else {})}
    except (TypeError, ValueError, yaml.YAMLError):
        return None
    if not any(key in found for key in _OURS):
        return None
    return "mocharc.json", json.dumps({key: _kept(value, project) for key, value in found.items() if key not in _OURS})


_CODE = """\
'use strict'
const all = require({path})
module.exports = Object.fromEntries(Object.entries(all.default ?? all).filter(([key]) => !{ours}.includes(key)))
"""


def _plain(text: str) -> str:
    """JSON with whole lines of comments, as YAML reads it."""
    return "\n".join("" if line.lstrip().startswith("//") else line for line in text.replace("\t", " ").splitlines())


def _kept(value: Any, project: Project) -> Any:
    """A value of the configuration; files that it extends are named from where it was."""
    return f"{project.folder}/{value[2:]}" if isinstance(value, str) and value.startswith("./") else value
