"""Where a run's files are."""

from pathlib import Path


def reply_path(replies: Path, fixture: str, fmt: str, repeat: int, attempt: int, call: int = 1) -> Path:
    """Where a call's raw reply is kept: `whole_file.r1.a1.reply.txt`; of the second call `.r1.a1.c2.reply.txt`."""
    return replies / f"{fixture}/{_name(fmt, repeat, attempt, call)}.reply.txt"


def transcript_path(replies: Path, fixture: str, fmt: str, repeat: int, attempt: int, call: int = 1) -> Path:
    """Where an attempt's transcript is kept."""
    return replies / f"{fixture}/{_name(fmt, repeat, attempt, call)}.md"


def truth_path(replies: Path, fixture: str) -> Path:
    """Where a fixture's ground truth is kept for its reader, as a diff."""
    return replies / fixture / "truth.diff"


def _name(fmt: str, repeat: int, attempt: int, call: int) -> str:
    return f"{fmt}.r{repeat}.a{attempt}" + (f".c{call}" if call > 1 else "")


def last_call(replies: Path, fixture: str, fmt: str, repeat: int, attempt: int) -> int:
    """The highest number of a stored call of an attempt, for folders without a journal; 1 where none is numbered."""
    start, end = f"{_name(fmt, repeat, attempt, 1)}.c", ".reply.txt"
    names = (path.name for path in (replies / fixture).glob("*.c*.reply.txt"))
    numbers = (name[len(start) : -len(end)] for name in names if name.startswith(start) and name.endswith(end))
    return max((int(number) for number in numbers if number.isdecimal()), default=1)
