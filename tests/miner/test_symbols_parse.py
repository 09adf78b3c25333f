"""Parsing from several threads at once, and again and again."""

import subprocess
import sys
from pathlib import Path

PROGRAM = """
from concurrent.futures import ThreadPoolExecutor
from miner.symbols.languages import BY_NAME
from miner.symbols.parse import parse

texts = [b"# a comment\\n" * 5000 + b"x = [1, 2]\\n" * 2000 + b"y = %d\\n" % n for n in range(16)]
with ThreadPoolExecutor(4) as pool:
    roots = list(pool.map(lambda text: parse(text, BY_NAME["python"]), texts))
print([root.end_byte == len(text) for root, text in zip(roots, texts)].count(True))
"""


def test_threads_that_count_what_a_parse_reads_do_not_share_a_parser() -> None:
    """Each read of theirs lets the other threads go on; in one parser that is the end of the process."""
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", PROGRAM], cwd=root, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "16\n"), done.stderr


LEAK = """
from pathlib import Path
from miner.symbols.languages import BY_NAME
from miner.symbols.parse import parse

def resident():  # MB
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 >> 20

sizes = []
for n in range(16):
    parse(b"# a comment\\n" * 5000 + (b"x = '" + b"a" * 990 + b"'\\n") * 1_000 + b"y = %d\\n" % n, BY_NAME["python"])
    sizes.append(resident())
print(max(sizes[-3:]) - max(sizes[:6]))
"""


def test_what_a_counted_parse_reads_is_given_back() -> None:
    """Files of a megabyte: were it kept, ten more of them would take some fifteen megabytes more."""
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", LEAK], cwd=root, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 8
