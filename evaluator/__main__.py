"""The `evaluator` command: `python -m evaluator`, and the console script."""

from miner.entry import start


def main() -> None:
    """The console script."""
    start("evaluator")


if __name__ == "__main__":
    main()
