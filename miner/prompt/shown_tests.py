"""The tests that must pass, as a prompt shows them (`miner stratify --show-tests`)."""

import re

from miner.patches import FilePatch, file_patches

_PLACE = re.compile(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@ ?(.*)")


def shown_tests(tests_patch: bytes) -> str:
    """What the tests' patch adds, with the lines around it, as they will stand: Markdown, a block of code a hunk.

    It is no diff on purpose: one format of answers would see an example of its own grammar, the others not.
    """
    return "\n".join(text for file in file_patches(tests_patch) for text in _shown(file))


def _shown(file: FilePatch) -> list[str]:
    blocks: list[str] = []
    for hunk in file.hunks:
        place, *rows = hunk.decode("utf-8", "replace").split("\n")
        lines = [row[1:] for row in rows if row[:1] in ("+", " ")]
        match = _PLACE.match(place)
        if match and any(row.startswith("+") for row in rows):
            first = int(match[1])
            inside = f", in `{match[3].strip()}`" if match[3].strip() else ""
            fence = "`" * max(3, 1 + max((len(run) for line in lines for run in re.findall("`+", line)), default=0))
            text = "\n".join(lines)
            blocks.append(f"{file.path}, lines {first}-{first + len(lines) - 1}{inside}:\n{fence}\n{text}\n{fence}\n")
    return blocks
