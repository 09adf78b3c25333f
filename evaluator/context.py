"""`--context N`: other files of the starting tree that a prompt shows besides those that the task is about."""

from miner.fixtures import Task
from miner.shown import nearest_texts
from miner.symbols.files import Files


def distractors(task: Task, count: int) -> Files:
    """At most `count` source files nearest to those of the change set, with their contents; the same for every format.

    Same suffix first, then the nearest folder, then about the same size. None that is shown already or withheld, no
    test, link, binary or copy of a file of the change set, and together at most twice its tokens (2000 always may be).
    """
    if not count:
        return {}
    blobs = task.store.blobs(task.fixture.starting_tree)
    taken = {*task.fixture.source_files, *task.shown, *task.withheld}
    paths = [path for path, (mode, _) in blobs.items() if mode.startswith("100") and path not in taken]
    own = {path: content or b"" for path, content in task.before.items()}
    return nearest_texts(own, paths, lambda path: task.store.objects.read(blobs[path][1]) or b"", count)
