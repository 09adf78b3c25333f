"""Choosing the lines that an encoder quotes: as few around each change as make them unique."""

from collections.abc import Callable, Sequence

Range = tuple[int, int, int, int]  # i1, i2, j1, j2: lines i1 to i2 of the old file become lines j1 to j2 of the new


def anchored(
    blocks: Sequence[Range], sizes: tuple[int, int], stands_alone: Callable[[Range, tuple[int, int]], bool]
) -> list[Range]:  # fmt: skip
    """The changed blocks, in order, each widened by the unchanged lines around it until it stands alone.

    `stands_alone(range, done)` says whether the old lines of a range can be told from all others in the file as it is
    once the lines before it are changed: the new ones up to `done[1]`, then the old ones from `done[0]`. Blocks that
    come to touch are one. `sizes` are the lengths of the files; the whole file always stands alone.
    """
    chosen: list[Range] = []
    rest = list(reversed(blocks))
    while rest:
        i1, i2, j1, j2 = rest.pop()
        tries = 0
        while True:
            done = (chosen[-1][1], chosen[-1][3]) if chosen else (0, 0)
            if (i1, i2) == (0, sizes[0]) or (i2 > i1 and stands_alone((i1, i2, j1, j2), done)):
                break
            step = 1 if tries < 8 else 2 ** (tries - 7)  # line by line, but not through all of a long file
            tries += 1
            above, below = min(step, i1 - done[0]), min(step, (rest[-1][0] if rest else sizes[0]) - i2)
            i1, j1, i2, j2 = i1 - above, j1 - above, i2 + below, j2 + below
            if rest and i2 == rest[-1][0]:
                _, i2, _, j2 = rest.pop()
            elif chosen and above < step:
                i1, _, j1, _ = chosen.pop()
        chosen.append((i1, i2, j1, j2))
    return chosen
