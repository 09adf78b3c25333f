"""A package that is installed beside ours adds an edit format by an entry point; a broken one takes nothing down."""

import subprocess
import sys
from pathlib import Path

MODULE = '''
from evaluator.formats.model import STRICT, Applied, Edit, Unreadable
from evaluator.taxonomy import Detail


class Append:
    name = "append"
    tolerances = ()

    def instructions(self):
        return "Write `path: text` to append a line to a file."

    def parse(self, reply, leniency=STRICT):
        path, found, text = reply.partition(": ")
        return [Edit(path)] if found else Unreadable(Detail.NO_EDIT, "no edit")

    def apply(self, edits, tree, leniency=STRICT):
        return Applied({edit.path: b"" for edit in edits})

    def encode(self, before, after):
        return "".join(f"{path}: more" for path in after)

    def restate(self, path, text):
        return f"{path}: more"
'''


def install(folder: Path, target: str) -> None:
    (folder / "append_format.py").write_text(MODULE)
    info = folder / "append_format-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: append-format\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[edit_format_evaluator.formats]\nappend = {target}\n")


def formats(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    code = "import sys; sys.path.insert(0, sys.argv.pop(1)); from evaluator.cli import main; main()"
    command = [sys.executable, "-c", code, str(folder), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def test_a_package_adds_a_format(tmp_path: Path) -> None:
    install(tmp_path, "append_format:Append")
    done = formats(tmp_path, "formats")
    assert done.returncode == 0, done.stderr
    assert "\nappend\n\n    billing/client.py: more" in done.stdout


def test_a_broken_package_is_named_and_takes_nothing_down(tmp_path: Path) -> None:
    install(tmp_path, "append_format:Missing")
    done = formats(tmp_path, "formats")
    assert done.returncode == 0, done.stderr
    assert "append: unusable: append_format:Missing cannot be loaded: AttributeError" in done.stdout
    assert done.stdout.startswith("whole_file\n")
