"""Any change, written in any format, comes out byte for byte; git agrees about the diffs."""

import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evaluator.formats import FORMATS
from evaluator.formats.model import Applied, Tree, Unreadable
from evaluator.formats.unified_diff import FileDiff
from miner.fixtures import Task
from miner.symbols.files import Files

MARKERS = ["=======", "========", "<<<<<<< SEARCH", "<<<<<<<< SEARCH", ">>>>>>> REPLACE", ">>>>>>>> REPLACE", "```",
           "````", "```python", "~~~", "--- a", "--- a/x", "-- a/x", "+++ b/x", "++ b/x", "@@ -1 +1 @@",
           "@@ -1,2 +1,2 @@", "DELETE FILE: p/x.py", "p/x.py", "diff --git a/x b/x", "\\ ", "-", "+", " "]  # fmt: skip
LINE = st.sampled_from(["a", "b", "", "  x", "\tt", "c\r", "\r", "\f", "\u2028", "é", *MARKERS])
PATHS = ["p/x.py", "p/sub/y.txt", "z.cfg"]


@st.composite
def contents(draw: st.DrawFn) -> bytes:
    lines, ending = draw(st.lists(LINE, max_size=14)), draw(st.sampled_from(["\n", "\r\n"]))
    return (ending.join(lines) + draw(st.sampled_from([ending, ""]))).encode()


@st.composite
def edited(draw: st.DrawFn, text: bytes) -> bytes:
    """The text with some lines dropped, doubled or replaced: what changes look like."""
    result = []
    for line in text.split(b"\n"):
        kind = draw(st.sampled_from(["keep"] * 6 + ["drop", "double", "replace"]))
        new = draw(LINE).encode() if kind == "replace" else line
        result += {"drop": [], "double": [line, line]}.get(kind, [new])
    return b"\n".join(result)


@st.composite
def changes(draw: st.DrawFn) -> tuple[dict[str, bytes | None], dict[str, bytes | None]]:
    before: dict[str, bytes | None] = {}
    after: dict[str, bytes | None] = {}
    for path in PATHS:
        before[path] = draw(st.none() | contents())
        near = edited(before[path] or b"")
        after[path] = draw(near if before[path] else st.none() | contents())
        if draw(st.integers(0, 9)) == 0:
            after[path] = None
    return before, after


def tree(files: Files) -> Tree:
    known = {path: "100644" for path, content in files.items() if content is not None}
    return Tree(known, lambda path: files[path] or b"")


def differing(before: Files, after: Files) -> dict[str, bytes | None]:
    return {path: after[path] for path in after if before[path] != after[path]}


@pytest.mark.parametrize("name", list(FORMATS))
@settings(max_examples=200, deadline=None)
@given(change=changes())
def test_a_change_of_several_files_survives_every_format(
    name: str, change: tuple[dict[str, bytes | None], dict[str, bytes | None]]
) -> None:
    before, after = change
    wanted = differing(before, after)
    if not wanted:
        return
    parsed = FORMATS[name].parse(FORMATS[name].encode(before, after))
    assert not isinstance(parsed, Unreadable), parsed
    outcome = FORMATS[name].apply(parsed, tree(before))
    assert isinstance(outcome, Applied), outcome
    assert outcome.files == wanted


@pytest.mark.parametrize("name", list(FORMATS))
def test_the_true_change_of_every_fixture_survives_every_format(checked_in: list[Task], name: str) -> None:
    for task in checked_in:
        parsed = FORMATS[name].parse(FORMATS[name].encode(task.before, task.after))
        assert not isinstance(parsed, Unreadable), (task.id, parsed)
        outcome = FORMATS[name].apply(parsed, tree(task.before))
        assert isinstance(outcome, Applied), (task.id, outcome)
        assert outcome.files == differing(task.before, task.after)


@pytest.mark.parametrize("name", list(FORMATS))
@pytest.mark.parametrize("other", list(FORMATS))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(change=changes(), cut=st.integers(0, 400), junk=st.text(max_size=30))
def test_a_damaged_reply_of_any_format_is_read_and_applied_or_refused(
    name: str, other: str, change: tuple[dict[str, bytes | None], dict[str, bytes | None]], cut: int, junk: str
) -> None:
    before, after = change
    reply = FORMATS[other].encode(before, after)
    reply = reply[:cut] + junk + reply[cut + len(junk) :]
    parsed = FORMATS[name].parse(reply)
    if isinstance(parsed, Unreadable):
        assert parsed.message
        return
    outcome = FORMATS[name].apply(parsed, tree(before))
    assert isinstance(outcome, Applied) or (outcome.message and outcome.fitted >= 0)


def git_applies(folder: Path, files: Files, patch: str) -> dict[str, bytes | None] | None:
    """What `git apply` makes of a patch over files, or None where it refuses."""
    for path, content in files.items():
        if content is not None:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(content)
    command = ["git", "apply", "--whitespace=nowarn", "--unidiff-zero", "-"]
    environment = {"PATH": "/usr/bin:/bin:/usr/local/bin", "GIT_CEILING_DIRECTORIES": str(folder.parent)}
    done = subprocess.run(command, cwd=folder, input=patch.encode(), env=environment, capture_output=True)
    if done.returncode:
        return None
    return {path: (folder / path).read_bytes() if (folder / path).exists() else None for path in files}


def diff_of(reply: str) -> str:
    return reply.removeprefix("```diff\n").removesuffix("```\n")


def test_git_applies_the_diff_of_every_fixture_to_the_same_bytes(checked_in: list[Task], tmp_path: Path) -> None:
    for number, task in enumerate(checked_in):
        folder = tmp_path / str(number)
        folder.mkdir()
        reply = FORMATS["unified_diff"].encode(task.before, task.after)
        assert git_applies(folder, task.before, diff_of(reply)) == task.after, task.id


ODD_DIFFS: dict[str, tuple[bytes | None, bytes | None]] = {
    "no final newline, added": (b"a\nb", b"a\nb\n"),
    "no final newline, dropped": (b"a\nb\n", b"a\nb"),
    "no final newline, kept": (b"a\nb\nc\nd\ne\nf", b"x\nb\nc\nd\ne\nf"),
    "line endings": (b"a\r\nb\r\n", b"a\nb\r\n"),
    "header-like lines": (b"-- a/x\nk\n", b"++ b/x\nk\n"),
    "all lines go": (b"a\nb\n", b""),
    "lines come": (b"", b"a\nb\n"),
    "created": (None, b"a\nb"),
    "deleted": (b"a\nb", None),
    "far apart": (b"".join(b"%d\n" % n for n in range(40)), b"".join(b"%d\n" % n for n in range(40) if n % 19)),
}


@pytest.mark.parametrize(("before", "after"), ODD_DIFFS.values(), ids=ODD_DIFFS.keys())
def test_git_and_this_project_apply_an_odd_diff_alike(
    tmp_path: Path, before: bytes | None, after: bytes | None
) -> None:
    reply = FORMATS["unified_diff"].encode({"x.py": before}, {"x.py": after})
    assert git_applies(tmp_path, {"x.py": before}, diff_of(reply)) == {"x.py": after}
    parsed = FORMATS["unified_diff"].parse(reply)
    assert not isinstance(parsed, Unreadable)
    assert FORMATS["unified_diff"].apply(parsed, tree({"x.py": before})).files == {"x.py": after}  # type: ignore


def test_the_encoded_diff_has_hunks_with_three_lines_of_context() -> None:
    before, after = ODD_DIFFS["far apart"]
    parsed = FORMATS["unified_diff"].parse(FORMATS["unified_diff"].encode({"x": before}, {"x": after}))
    assert isinstance(parsed[0], FileDiff)  # type: ignore[index]
    assert [(h.line, h.lead, h.trail) for h in parsed[0].hunks] == [(1, 0, 3), (17, 3, 3), (36, 3, 1)]


def test_search_replace_blocks_stay_small_in_a_long_file(checked_in: list[Task]) -> None:
    task = max(checked_in, key=lambda t: t.fixture.rewrite_tokens)
    lengths: dict[str, int] = {name: len(fmt.encode(task.before, task.after)) for name, fmt in FORMATS.items()}
    assert lengths["search_replace"] < lengths["whole_file"]
    assert lengths["unified_diff"] < lengths["whole_file"]


def test_formats_are_registered_under_their_names() -> None:
    assert {name: fmt.name for name, fmt in FORMATS.items()} == dict(zip(FORMATS, FORMATS, strict=True))
