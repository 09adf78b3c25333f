"""run.yaml: what a run was asked for, sealed, because its attempts are of these settings and no others.

The seal is the file's last line, `crc32: "9f0b1c2d"`: the CRC-32 (zlib's) of the bytes before it.
"""

import re
import zlib
from pathlib import Path

from evaluator.journal.records import RunFile
from evaluator.journal.writing import cannot_write
from miner.errors import ToolError
from miner.record import dump_yaml, load_yaml, write_atomically

_NAME = "run.yaml"
_SEAL = re.compile(rb"^crc32:.*", re.MULTILINE)


def load_run(folder: Path) -> RunFile:
    """The settings of a run; raises `ToolError` where they were edited. Older runs have no seal."""
    path = folder / _NAME

    def unsealed(content: bytes) -> bytes:
        found = _SEAL.search(content)
        if found is None:
            return content
        if content[found.start() :] != _seal(content[: found.start()]):
            remedy = "Its attempts are of the settings it had: restore it, or start a new run."
            raise ToolError("the run's settings were edited", path, remedy)
        return content[: found.start()]

    return load_yaml(path, RunFile, "Give a folder that `evaluator run` wrote.", unsealed)


def write_run(folder: Path, run: RunFile) -> None:
    """Write a run's settings; raises `ToolError` where they cannot be."""
    path = folder / _NAME
    try:
        content = dump_yaml(run).encode()
        write_atomically(path, content + _seal(content))
    except UnicodeEncodeError:  # bytes of a command line, as in `--param` or a model's name
        raise ToolError("a setting that is no UTF-8 text", path, "Give settings as UTF-8.") from None
    except OSError as error:
        raise cannot_write(path, error) from None


def _seal(content: bytes) -> bytes:
    return b'crc32: "%08x"\n' % zlib.crc32(content)
