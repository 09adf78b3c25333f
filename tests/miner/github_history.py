"""A repository with many pull requests, merged in every way GitHub has, and what each is expected to resolve to."""

import subprocess
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.miner.conftest import CLEAN

FILES, LINES = 7, 60
_START = datetime(2025, 1, 1, tzinfo=UTC)
WAYS = ("merge", "squash", "rebase")


def iso(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


@dataclass(frozen=True)
class Issue:
    number: int
    title: str
    body: str


@dataclass(frozen=True)
class Posted:
    """A closed pull request as the server knows it; `merged` is None where it was closed without a merge."""

    number: int
    title: str
    body: str
    author: str
    created: str
    updated: str
    merged: str | None
    merge_commit: str | None
    base: str
    base_id: str
    head: str
    head_id: str
    commits: int
    labels: tuple[str, ...] = ()
    head_owner: str | None = "someone"
    bot: bool = False
    closes: tuple[Issue, ...] = ()


@dataclass(frozen=True)
class Expected:
    """What a merged pull request resolves to."""

    way: str
    base: str
    merged: str
    commits: int


@dataclass
class History:
    """A bare repository at `path`, its pull requests, and what is expected of the merged ones."""

    path: Path
    pulls: list[Posted] = field(default_factory=list)
    expected: dict[int, Expected] = field(default_factory=dict)
    issues: dict[int, Issue] = field(default_factory=dict)
    branch: str = "main"
    slug: str = "org/svc"

    def newest_merged(self, count: int) -> list[Posted]:
        """The last merged pull requests, newest first."""
        merged = [pull for pull in self.pulls if pull.merged]
        return sorted(merged, key=lambda pull: (pull.merged or "", pull.number), reverse=True)[:count]


class _Writer:
    """Writes commits to a stream of `git fast-import`; a commit is named by its mark, `:1` and on."""

    def __init__(self) -> None:
        self.stream: list[bytes] = []
        self.marks = 0

    def commit(
        self, ref: str, subject: str, parents: list[str], files: dict[str, str], authored: datetime, committed: datetime
    ) -> str:
        self.marks += 1
        message = f"{subject}\n"
        lines = [
            f"commit {ref}", f"mark :{self.marks}",
            f"author Ann <ann@example.org> {int(authored.timestamp())} +0000",
            f"committer Cy <cy@example.org> {int(committed.timestamp())} +0000",
            f"data {len(message.encode())}\n{message}",
            *([f"from {parents[0]}"] if parents else []), *(f"merge {parent}" for parent in parents[1:]),
        ]  # fmt: skip
        for path, text in files.items():
            lines.append(f"M 100644 inline {path}\ndata {len(text.encode())}\n{text}")
        self.stream.append(("\n".join(lines) + "\n").encode())
        return f":{self.marks}"

    def reset(self, ref: str, commit: str) -> None:
        self.stream.append(f"reset {ref}\nfrom {commit}\n\n".encode())

    def write(self, path: Path) -> dict[str, str]:
        """Make the repository; returns each mark's commit."""
        subprocess.run(
            ["git", "init", "--quiet", "--bare", "--template=", "--initial-branch=main", str(path)],
            env=CLEAN, check=True,
        )  # fmt: skip
        marks = path / "marks"
        subprocess.run(
            ["git", f"--git-dir={path}", "fast-import", "--quiet", f"--export-marks={marks}"],
            input=b"".join(self.stream), env=CLEAN, check=True,
        )  # fmt: skip
        subprocess.run(["git", f"--git-dir={path}", "update-server-info"], env=CLEAN, check=True)
        return dict(line.split(" ") for line in marks.read_text().splitlines())


def _path(pull: int) -> str:
    return f"pkg/m{pull % FILES}.py"


def _text(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def build_history(path: Path, closed: int = 450, unmerged_every: int = 3) -> History:
    """A history of `closed` pull requests, every third of them not merged; the others in turn by each way.

    Each forks two merges before it is merged, and changes lines whose neighbours others change meanwhile. A tenth
    is updated (commented on, say) long after.
    """
    writer, history = _Writer(), History(path)
    state = {f"pkg/m{i}.py": [f"line{n} = {n}" for n in range(LINES)] for i in range(FILES)}
    tip = writer.commit(
        "refs/heads/main", "Begin", [], {name: _text(lines) for name, lines in state.items()}, _START, _START
    )
    past = [(tip, {name: list(lines) for name, lines in state.items()})]
    rows: list[tuple[Posted, str, str, int]] = []  # the posted with marks for ids, its way, its base, its commits
    for number in range(1, closed + 1):
        now = _START + timedelta(hours=number)
        fork, seen = past[max(0, len(past) - 3)]
        way = "" if number % unmerged_every == 0 else WAYS[(len(past) - 1) % 3]
        count = 1 + (number % 3 if way in ("rebase", "squash") else number % 2)
        edits = [((number * 3 + 2 * i) % LINES, f"line{number} = {number} + {i}") for i in range(count)]
        title = f"Change number {number}"
        branch = {name: list(lines) for name, lines in seen.items()}
        head, ref, when = fork, f"refs/pull/{number}/head", []
        for i, (line, text) in enumerate(edits):
            branch[_path(number)][line] = text
            when.append(now - timedelta(minutes=30 - i))
            files = {_path(number): _text(branch[_path(number)]), f"tests/test_{number}.py": f"x = {i}\n"}
            head = writer.commit(ref, f"Step {i} of {number}", [head], files, when[i], when[i])
        base, merged = tip, None
        lines = state[_path(number)]
        if way in ("merge", "squash"):
            for line, text in edits:
                lines[line] = text
            files = {_path(number): _text(lines), f"tests/test_{number}.py": f"x = {count - 1}\n"}
            subject = f"{title} (#{number})"
            if way == "merge":
                subject = f"Merge pull request #{number} from someone/b{number}"
            parents = [tip, head] if way == "merge" else [tip]
            merged = tip = writer.commit("refs/heads/main", subject, parents, files, now, now)
        elif way == "rebase":
            for i, (line, text) in enumerate(edits):
                lines[line] = text
                files = {_path(number): _text(lines), f"tests/test_{number}.py": f"x = {i}\n"}
                merged = tip = writer.commit("refs/heads/main", f"Step {i} of {number}", [tip], files, when[i], now)
        if merged:
            past.append((tip, {name: list(text) for name, text in state.items()}))
        later = timedelta(days=40 + number % 9) if number % 10 == 0 else timedelta(minutes=number % 7)
        issue = Issue(10_000 + number, f"Issue of {number}", "It is broken.") if number % 5 == 0 else None
        if issue:
            history.issues[issue.number] = issue
        posted = Posted(
            number, title, f"What it does.\n\nCloses #{issue.number}" if issue else "What it does.", "ann",
            iso(now - timedelta(hours=1)), iso(now + later), iso(now) if merged else None, merged, "main", base,
            f"b{number}", head, count, ("bug",) if number % 2 else (), closes=(issue,) if issue else (),
        )  # fmt: skip
        rows.append((posted, way, base, count))
    marks = writer.write(path)
    for posted, way, base, count in rows:
        ids = {"base_id": marks[base], "head_id": marks[posted.head_id]}
        merge_commit = marks[posted.merge_commit] if posted.merge_commit else None
        whole = Posted(**{**posted.__dict__, **ids, "merge_commit": merge_commit})
        history.pulls.append(whole)
        if merge_commit:
            on_branch = count if way == "rebase" else 1
            history.expected[posted.number] = Expected(way, marks[base], merge_commit, on_branch)
    return history
