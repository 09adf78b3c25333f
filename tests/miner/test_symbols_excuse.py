"""What an allowed symbol needs is excused; what nothing allowed uses is not."""

# ruff: noqa: E501
import pytest

from miner.symbols.compare import unintended_changes
from miner.symbols.excuse import excused

BASE = '''import os


class Client:
    def post(self, url):
        return self.send(url)

    def send(self, url):
        return os.path.join("a", url)


def other():
    return 1
'''
POST = ["Client.post"]


def edit(*pairs: tuple[str, str]) -> str:
    text = BASE
    for old, new in pairs:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


SLEEPS = ("return self.send(url)", "time.sleep(1)\n        return self.send(url)")
TIME = ("import os\n", "import os\nimport time\n")
ROWS = {
    "an import that the allowed method uses": (edit(SLEEPS, TIME), POST, {"import time"}),
    "an import that nothing uses": (edit(TIME), POST, set()),
    "an import that only another function uses": (edit(TIME, ("return 1", "return time.time()")), POST, set()),
    "an import used in a comment": (edit(TIME, ("return self.send(url)", "return self.send(url)  # time")), POST, set()),
    "an import used in a string": (edit(TIME, ("return self.send(url)", 'return "time"')), POST, set()),
    "an alias": (edit(("import os\n", "import os\nimport time as t\n"), ("return self.send(url)", "return t.time()")), POST, {"import time as t"}),
    "a package": (edit(("import os\n", "import os\nimport a.b\n"), ("return self.send(url)", "return a.b.c")), POST, {"import a.b"}),
    "two, one unused": (edit(SLEEPS, ("import os\n", "import os\nimport re\nimport time\n")), POST, {"import time"}),
    "a star where a new name is used": (edit(("import os\n", "import os\nfrom a import *\n"), ("return self.send(url)", "return novel(url)")), POST, {"from a import *"}),
    "a star where no new name is used": (edit(("import os\n", "import os\nfrom a import *\n")), POST, set()),
    "a helper": (edit(("return self.send(url)", "return retry(self, url)"), ("def other", "def retry(c, url):\n    return c.send(url)\n\n\ndef other")), POST, {"retry"}),
    "a helper of the helper": (
        edit(("return self.send(url)", "return retry(self, url)"), ("def other", "LIMIT = 3\n\n\ndef retry(c, url):\n    return LIMIT\n\n\ndef other")), POST, {"LIMIT", "retry"}),
    "a helper method": (edit(("return self.send(url)", "return self._again(url)"), ("    def send", "    def _again(self, url):\n        pass\n\n    def send")), POST, {"Client._again"}),
    "a helper that nothing uses": (edit(("def other", "def retry():\n    pass\n\n\ndef other")), POST, set()),
    "an attribute of the name is no use of a function": (edit(("self.send(url)", "self.retry(url)"), ("def other", "def retry():\n    pass\n\n\ndef other")), POST, set()),
    "a class with its members": (
        edit(("return self.send(url)", "return Job(url)"), ("def other", "class Job:\n    size = 1\n\n    def run(self):\n        pass\n\n\ndef other")), POST,
        {"Job.<body>", "Job.size", "Job.run"}),
    "nothing modified": (edit(("return 1", "return 2"), ("return self.send(url)", "return other()")), POST, set()),
    "nothing removed": (edit(("\n\ndef other():\n    return 1\n", "")), POST, set()),
    "the first import of a file": (edit(SLEEPS, ("import os\n", "import time\n")), POST, {"import time"}),
}  # fmt: skip


@pytest.mark.parametrize(("after", "allowed", "expected"), ROWS.values(), ids=ROWS.keys())
def test_what_is_excused(after: str, allowed: list[str], expected: set[str]) -> None:
    found = excused({"c.py": BASE.encode()}, {"c.py": after.encode()}, {"c.py": allowed})
    assert found == ({"c.py": expected} if expected else {})


def test_an_import_removed_beside_an_excused_one_is_still_named() -> None:
    after = edit(SLEEPS, ("import os\n", "import time\n"))
    assert unintended_changes(BASE, after, [*POST, "import time"]) == ["<module imports>"]


def test_a_change_set_that_adds_one_import_frees_no_other() -> None:
    after = edit(("import os\n", "import os\nimport re\nimport time\n"))
    assert excused({"c.py": BASE.encode()}, {"c.py": after.encode()}, {"c.py": [*POST, "import time"]}) == {}
    assert unintended_changes(BASE, after, [*POST, "import time"]) == ["<module imports>"]


HELPER = b'"""Helpers."""\n\nimport time\n\n\ndef retry(url):\n    return time.time()\n\n\ndef unused():\n    pass\n'
FILES = {
    "a new file that is imported": (
        edit(("import os\n", "import os\nfrom pkg.helpers import retry\n"), ("self.send(url)", "retry(url)")),
        {"c.py": {"from pkg.helpers import retry"}, "pkg/helpers.py": {"retry", "import time", "<module>"}}),
    "a new file that nothing imports": (edit(("self.send(url)", "retry(url)")), {}),
    "a new file that nothing uses": (BASE, {}),
}  # fmt: skip


@pytest.mark.parametrize(("after", "expected"), FILES.values(), ids=FILES.keys())
def test_a_new_file_is_excused_by_what_is_used_of_it(after: str, expected: dict[str, set[str]]) -> None:
    before = {"c.py": BASE.encode(), "pkg/helpers.py": None}
    assert excused(before, {"c.py": after.encode(), "pkg/helpers.py": HELPER}, {"c.py": POST}) == expected
