"""A real browser, and a run on disk whose texts are hostile."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

from evaluator.journal import DiskJournal, Kept
from evaluator.marks import dumped, marks
from evaluator.messages import Message
from evaluator.models.model import Reply
from evaluator.report.build import build
from evaluator.report.html.page import write_html
from evaluator.running.diff import tree_diff

HOSTILE = (
    "<script>document.title = 'owned'</script></script><!-- <img src=x onerror=alert(1)>\n"
    "\x1b[31mred\x1b[0m \x00 \u202egnp.exe\u202c zero\u200bwidth \ufeff \udc80 \U000e0041 \r\n"
    "\u05d0\u05d1\u05d2 &amp; {{ 7 * 7 }} `x` [link](javascript:alert(1))\n"
)
SHOWN = (
    "<script>document.title = 'owned'</script></script><!-- <img src=x onerror=alert(1)>\n"
    "\\x1b[31mred\\x1b[0m \\x00 \\u202egnp.exe\\u202c zero\\u200bwidth \\ufeff \\udc80 \\U000e0041 \\x0d\n"
    "\u05d0\u05d1\u05d2 &amp; {{ 7 * 7 }} `x` [link](javascript:alert(1))\n"
)


@pytest.fixture
def shown() -> str:
    """What a page must show of the hostile text."""
    return SHOWN


BEFORE = b"def f():\n    return 1\n\n\ndef g():\n    return 2\n"
AFTER = BEFORE.replace(b"1", b"11").replace(b"2", b"'</pre><script>alert(2)</script>'").replace(
    b"def g", b"def h():\n    return 3\n\n\ndef g"
)


def _found() -> tuple[str, str] | None:
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    return (browser, driver) if browser and driver else None


@pytest.fixture(scope="session")
def browser() -> Iterator[webdriver.Chrome]:
    """Headless Chromium that logs every request and every message of a page."""
    found = _found()
    if found is None:
        if os.environ.get("EVALUATOR_BROWSER") == "required":
            pytest.fail("no chromium and chromedriver, though EVALUATOR_BROWSER=required")
        pytest.skip("no chromium and chromedriver on the path: apt-get install chromium chromium-driver")
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.binary_location = found[0]
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(executable_path=found[1]))
    driver.set_window_size(1280, 900)
    try:
        yield driver
    finally:
        driver.quit()


@pytest.fixture
def hostile_run(journal: Callable[..., object], tmp_path: Path) -> Path:
    """The folder of a run of two formats over three fixtures, with its page; every text in it is hostile."""
    settings, lines = journal("+s", "e-", "?c")  # type: ignore[misc]
    folder = tmp_path / "run"
    folder.mkdir()
    with DiskJournal(folder, settings) as kept_in:
        for n, line in enumerate(lines):
            line = line.model_copy(update={"error": HOSTILE if line.discarded else "", "served_model": None})
            shared = f"## Task\n\n{HOSTILE}{'words ' * 400}"
            asked = (Message("system", "Be exact.", 9), Message("user", f"{shared}how {line.format}", len(shared)))
            tree = ({"a.py": BEFORE}, {"a.py": AFTER}) if line.applied else ({}, {})
            kept = Kept(
                asked, HOSTILE, tree_diff(*tree), f"1 failed {HOSTILE}", f"Why {n}. {HOSTILE}",
                dumped(marks(*tree, ["a.py::g", "a.py::h"], ["a.py::h"])),
            )  # fmt: skip
            if not line.discarded:
                kept_in.store(line.key, Reply(HOSTILE, "stop", 1, 1, 1, "m"))
            kept_in.add(line, kept)
        kept_in.keep_truth("r/0-x", tree_diff({"a.py": BEFORE}, {"a.py": BEFORE.replace(b"1", b"11")}))
        added = list(kept_in.lines)
    # Neither a name nor the reason of a failure could be stored so; the page must not rely on that.
    named = settings.model_copy(update={"model": f"m{HOSTILE}"})
    write_html(folder, build(named, added), added)
    return folder
