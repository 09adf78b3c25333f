"""Where both commands begin. It imports nothing heavy, so that Ctrl-C has an answer while the rest is imported."""

import importlib
import os
import signal
import sys

_INTERRUPTED = 130


def start(name: str) -> None:
    """Import `<name>.cli` and run its `main`. An interruption until then prints one line and exits 130."""

    def leave(_signal: int, _frame: object) -> None:
        # Not by an exception: within an import some are swallowed, and some printed. Nothing is under way yet.
        os.write(2, f"{name}: interrupted before it began\n".encode())
        os._exit(_INTERRUPTED)

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # not where a parent has it ignored
        signal.signal(signal.SIGINT, leave)
    main = importlib.import_module(f"{name}.cli").main
    try:
        if signal.getsignal(signal.SIGINT) is leave:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        main()
    except KeyboardInterrupt:  # a moment before main minds it, or after
        print(f"{name}: interrupted", file=sys.stderr)
        sys.exit(_INTERRUPTED)
