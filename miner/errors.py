"""Expected errors, and the one handler that turns exceptions into exit codes."""

import os
import signal
import sys
import traceback
from collections.abc import Callable

import typer

EXPECTED, USAGE, BUG, INTERRUPTED = 1, 2, 3, 130
# typer stands on click, in newer versions on a copy of its own: its public name leads to either's base class.
_UsageError: type[typer.BadParameter] = typer.BadParameter.__mro__[1]


class ToolError(Exception):
    """Something a person can mend: bad input, a missing tool, a damaged file.

    `what` failed, on which `item`, and what to do about it (`remedy`).
    """

    def __init__(self, what: str, item: object, remedy: str) -> None:
        self.what, self.item, self.remedy = what, str(item), remedy
        super().__init__(f"{what}: {self.item}. {remedy}")


def printable(text: str) -> str:
    """Escape control characters, so that text from repositories or models cannot drive a terminal."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in "\n\t" else f"\\x{ord(c):02x}" for c in text)


def _terminate(_signal: int, _frame: object) -> None:
    raise KeyboardInterrupt


def run_command_line(app: typer.Typer, name: str) -> int:
    """Run a typer application; return the process's exit code (0, 1, 2, 3 or 130)."""
    for ending in (signal.SIGTERM, signal.SIGHUP):  # a closed terminal leaves no more behind than Ctrl-C does
        if signal.getsignal(ending) is not signal.SIG_IGN:  # as `nohup` sets it
            signal.signal(ending, _terminate)
    for variable in [key for key in os.environ if key.startswith("GIT_")]:
        del os.environ[variable]  # a hook or an alias that calls us must not redirect our git
    from miner.temporary import remove_what_the_dead_left  # which raises errors of this module

    remove_what_the_dead_left()
    try:
        result = app(prog_name=name, standalone_mode=False)
    except ToolError as error:
        print(printable(f"{name}: {error}"), file=sys.stderr)
        return EXPECTED
    except _UsageError as error:
        error.show()
        return USAGE
    except typer.Exit as leave:
        return leave.exit_code
    except (KeyboardInterrupt, typer.Abort):
        return _interrupted(name)
    except BrokenPipeError:
        return EXPECTED
    except OSError as error:
        place = error.filename or "the system"
        print(printable(f"{name}: {error.strerror}: {place}. Check the path and the disk."), file=sys.stderr)
        return EXPECTED
    except Exception:
        traceback.print_exc()
        print(f"{name}: this is a bug in {name}; please report it with the lines above", file=sys.stderr)
        return BUG
    if result == INTERRUPTED:  # newer versions of typer turn Ctrl-C into this themselves
        return _interrupted(name)
    return result if isinstance(result, int) else 0


def _interrupted(name: str) -> int:
    print(f"{name}: interrupted; what was finished is kept", file=sys.stderr)
    return INTERRUPTED


def entry_point(app: typer.Typer, name: str) -> Callable[[], None]:
    """The function a console script calls."""

    def main() -> None:
        sys.exit(run_command_line(app, name))

    return main
