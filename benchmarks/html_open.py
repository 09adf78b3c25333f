"""How long report.html of 2,000 attempts takes to open in Chromium, from disk, and how long an attempt's panel.

Run as `python -m benchmarks.html_open [ATTEMPTS]`. Beside each time stands that of an empty page, opened in turn.
"""

import random
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from evaluator.journal import AttemptLine, DiskJournal, Kept, RunFile, load_run, read_attempts
from evaluator.marks import dumped, marks
from evaluator.messages import Message
from evaluator.models.model import Reply
from evaluator.report.build import build
from evaluator.report.html.page import write_html
from evaluator.running.diff import tree_diff
from evaluator.taxonomy import Category, Detail

FORMATS = ["whole_file", "unified_diff", "search_replace", "apply_patch"]
TIMES = 7


def source(dice: random.Random, functions: int) -> str:
    """Python that deflate cannot shrink to nothing."""
    words = [f"{dice.choice('abcdefgh')}{dice.randrange(10_000)}" for _ in range(functions * 6)]
    return "".join(
        f"def {words[6 * n]}({words[6 * n + 1]}, {words[6 * n + 2]}):\n"
        f"    {words[6 * n + 3]} = {dice.randrange(10**6)}\n"
        f"    return {words[6 * n + 1]} + {words[6 * n + 4]} * {dice.random():.6f}\n\n\n"
        for n in range(functions)
    )


def fill(folder: Path, attempts: int) -> None:
    """A run of as many attempts, with prompts of some 20 kB, replies and diffs of some kB."""
    dice = random.Random(1)
    fixtures = [f"repo{n % 4}/{n}-a-change-of-some-length-as-they-are" for n in range(attempts // len(FORMATS))]
    run = RunFile(
        set_digest="d" * 64, cap=8000, model="model-x", simulated=False, formats=FORMATS, attempts=1, seed=1,
        fixtures=fixtures, started="2026-01-02T03:04:05+00:00", version="0",
    )  # fmt: skip
    with DiskJournal(folder, run) as journal:
        for fixture in fixtures:
            before = source(dice, 180)
            shared = f"## Task\n\n{fixture}\n\n## Files\n\n{before}"
            journal.keep_truth(fixture, tree_diff({"a.py": before.encode()}, {"a.py": before[:-40].encode()}))
            for name in FORMATS:
                failed = dice.random() < 0.3
                line = AttemptLine(
                    fixture=fixture, format=name, model="model-x", repeat=1, attempt=1, valid=not failed, applied=True,
                    tests="fail" if failed else "pass", output_tokens=dice.randrange(8000),
                    latency_ms=dice.randrange(10**5), failure_category=Category.WRONG_CHANGE if failed else None,
                    detail=Detail.TESTS_FAIL if failed else None,
                )  # fmt: skip
                tree = {"a.py": before.encode()}, {"a.py": before.replace("return", "return -", 40).encode()}
                reply = source(dice, 40)
                asked = (Message("user", f"{shared}answer in {name}", len(shared)),)
                journal.store(line.key, Reply(reply, "stop", 1, 1, 1, "model-x"))
                marked = dumped(marks(*tree, [], []))
                journal.add(line, Kept(asked, reply, tree_diff(*tree), reply[:1000], "Why.", marked))


def seconds(act: Callable[[], object]) -> float:
    """The wall time of an action."""
    begun = time.perf_counter()
    act()
    return time.perf_counter() - begun


def main() -> None:
    """Print the medians."""
    attempts = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    driver = shutil.which("chromedriver")
    with tempfile.TemporaryDirectory() as place:
        folder, empty = Path(place) / "run", Path(place) / "empty.html"
        folder.mkdir()
        fill(folder, attempts)
        lines = read_attempts(folder / "attempts.jsonl")
        report = build(load_run(folder), lines)
        print(f"written in {seconds(lambda: write_html(folder, report, lines)):.2f} s")
        path = folder / "report.html"
        empty.write_text("<!doctype html><title>empty</title>")
        print(f"{len(lines):,} attempts, {path.stat().st_size / 1e6:.1f} MB")
        browser = webdriver.Chrome(options=options, service=Service(executable_path=driver))
        try:
            opened, nothing, panels = [], [], []
            for n in range(TIMES):
                nothing.append(seconds(lambda: browser.get(empty.as_uri())))
                opened.append(seconds(lambda: browser.get(path.as_uri())))
                panels.append(seconds(lambda n=n: _panel(browser, n)))  # type: ignore[misc]
        finally:
            browser.quit()
    print(f"opened, list shown: {median(opened):.2f} s (most {max(opened):.2f}); an empty page {median(nothing):.3f} s")
    print(f"a panel, texts unpacked: {median(panels):.2f} s (most {max(panels):.2f})")


def _panel(browser: webdriver.Chrome, row: int) -> None:
    link = browser.find_element(By.CSS_SELECTOR, f"#rows tbody tr:nth-child({4 * row + 1}) a")
    browser.execute_script("arguments[0].click()", link)
    script = "return document.querySelector('#panel[open] .why') && document.getElementById('panel-title').innerText"
    WebDriverWait(browser, 20, poll_frequency=0.01).until(lambda b: b.execute_script(script) == link.text)


if __name__ == "__main__":
    main()
