"""The `miner` command: `python -m miner`, and the console script."""

from miner.entry import start


def main() -> None:
    """The console script."""
    start("miner")


if __name__ == "__main__":
    main()
