"""Targets out of test ids, for runners that are pointed at functions of files."""

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence


def narrowest(test_ids: Sequence[str], seen: Collection[str], unit: Callable[[str], str]) -> list[str]:
    """The units (`file::function`, see `unit`) of these tests in the order given, each once.

    A file stands for its units where it is known to hold no others; a unit that is a whole file stands for
    whatever else is wanted of it.
    """
    wanted = list(dict.fromkeys(map(unit, test_ids)))
    held: dict[str, set[str]] = defaultdict(set)
    for test_id in seen:
        held[test_id.split("::")[0]].add(unit(test_id))
    whole = {file for file, units in held.items() if units <= set(wanted)}
    whole |= {target for target in wanted if "::" not in target}
    return list(dict.fromkeys(file if (file := target.split("::")[0]) in whole else target for target in wanted))
