"""report.html in a real browser, opened from disk."""

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

from evaluator.report.html.hidden import plain

HASH = "#r/0-x/whole_file.r1.a1"


@pytest.fixture
def opened(browser: webdriver.Chrome, hostile_run: Path) -> Callable[..., webdriver.Chrome]:
    """Opens the run's page at a hash."""

    def at(fragment: str = "") -> webdriver.Chrome:
        browser.get("about:blank")
        for kind in ("browser", "performance"):
            browser.get_log(kind)
        browser.get(f"{(hostile_run / 'report.html').as_uri()}{fragment}")
        return browser

    return at


def panel(browser: webdriver.Chrome) -> str:
    """The text of the panel, once its texts are unpacked."""
    WebDriverWait(browser, 10).until(lambda b: b.find_elements(By.CSS_SELECTOR, "#panel[open] .why"))
    return str(browser.execute_script("return document.getElementById('panel-body').textContent"))


def rows(browser: webdriver.Chrome) -> list[list[str]]:
    script = "return [...document.querySelectorAll('#rows tbody tr')].map(r => [...r.cells].map(c => c.textContent))"
    return list(browser.execute_script(script))


def until(browser: webdriver.Chrome, holds: Callable[[list[list[str]]], bool]) -> None:
    """Wait until the rows are as said: events of a select come after its click."""
    WebDriverWait(browser, 5).until(lambda b: holds(rows(b)), str(rows(browser)))


def test_it_asks_for_nothing_and_complains_of_nothing(
    opened: Callable[..., webdriver.Chrome], hostile_run: Path
) -> None:
    browser = opened(HASH)
    panel(browser)
    time.sleep(0.2)
    sent = [
        message["params"]["request"]["url"]
        for entry in browser.get_log("performance")
        if (message := json.loads(entry["message"])["message"])["method"] == "Network.requestWillBeSent"
    ]
    assert {url.split("#")[0] for url in sent} == {(hostile_run / "report.html").as_uri()}
    assert browser.get_log("browser") == []


def test_its_policy_stops_what_is_not_its_own(opened: Callable[..., webdriver.Chrome]) -> None:
    """That no request is seen proves little unless one would be refused."""
    browser = opened()
    browser.execute_script(
        "document.body.insertAdjacentHTML('beforeend', '<img src=https://example.org/x.png><p style=color:red>');"
        "const s = document.createElement('script'); s.textContent = 'window.owned = 1'; document.body.append(s);"
    )
    time.sleep(0.2)
    said = " ".join(entry["message"] for entry in browser.get_log("browser"))
    assert said.count("Content Security Policy") >= 3
    assert browser.execute_script("return window.owned") is None


def test_hostile_texts_are_shown_as_text(opened: Callable[..., webdriver.Chrome], shown: str) -> None:
    browser = opened(HASH)
    panel(browser)
    title = browser.execute_script("return document.title")
    assert "owned" in title  # as text: the run's name
    assert title.endswith("edit formats compared")
    assert browser.find_element(By.CSS_SELECTOR, "pre.reply").get_property("textContent") == shown
    assert browser.find_element(By.CSS_SELECTOR, ".why").get_property("textContent") == f"Why 1. {shown}"
    texts = browser.execute_script("return [...document.querySelectorAll('#panel pre')].map(p => p.textContent)")
    assert sum(shown in text for text in texts) == 3  # test output, reply, prompt
    assert shown.split("\n")[0] in browser.find_element(By.TAG_NAME, "h1").get_property("textContent")
    assert not browser.find_elements(By.CSS_SELECTOR, "#panel script, #panel img, h1 script, h1 img")
    escapes = browser.find_elements(By.CSS_SELECTOR, "pre.reply .esc")
    assert len(escapes) == 10
    directions = browser.execute_script(
        "return [...document.querySelectorAll('#panel pre')].map(p => getComputedStyle(p).unicodeBidi)"
    )
    assert set(directions) == {"bidi-override"}


def test_a_row_leads_to_its_panel_and_back(opened: Callable[..., webdriver.Chrome]) -> None:
    browser = opened()
    assert not browser.find_elements(By.CSS_SELECTOR, "#panel[open]")
    browser.find_element(By.CSS_SELECTOR, "#rows tbody tr:nth-child(2) td:nth-child(3)").click()
    panel(browser)
    assert browser.execute_script("return location.hash") == HASH
    browser.switch_to.active_element.send_keys(Keys.ESCAPE)
    WebDriverWait(browser, 5).until(lambda b: b.execute_script("return location.hash") == "")
    assert not browser.find_elements(By.CSS_SELECTOR, "#panel[open]")


def test_the_list_by_keyboard_alone(opened: Callable[..., webdriver.Chrome]) -> None:
    browser = opened()
    link = browser.find_element(By.CSS_SELECTOR, "#rows tbody a")
    browser.execute_script("arguments[0].focus()", link)
    link.send_keys(Keys.ENTER)
    first = panel(browser)
    browser.find_element(By.CSS_SELECTOR, "#panel [aria-label^=Next]").send_keys(Keys.ENTER)
    WebDriverWait(browser, 5).until(lambda b: panel(b) != first)


def test_marks_name_the_symbols_of_a_diff(opened: Callable[..., webdriver.Chrome]) -> None:
    browser = opened(HASH)
    panel(browser)
    labels = [label.text for label in browser.find_elements(By.CSS_SELECTOR, ".diff .sym")]
    assert labels == ["allowed a.py::f", "excused a.py::h", "unintended a.py::g"]
    lines = browser.find_elements(By.CSS_SELECTOR, ".diff .unintended:not(.sym)")
    assert [line.text.strip() for line in lines] == ["-    return 2", "+    return '</pre><script>alert(2)</script>'"]
    truth = browser.find_element(By.CSS_SELECTOR, ".beside > :last-child").text
    assert "return 11" in truth


def test_filters_and_sorting(opened: Callable[..., webdriver.Chrome]) -> None:
    browser = opened()
    assert len(rows(browser)) == 6
    Select(browser.find_element(By.NAME, "format")).select_by_value("whole_file")
    until(browser, lambda found: [row[1] for row in found] == ["whole_file"] * 3)
    Select(browser.find_element(By.NAME, "verdict")).select_by_value("truncated")
    until(browser, lambda found: [row[0] for row in found] == ["r/2-x"])
    assert browser.find_element(By.ID, "count").text == "1 of 6 attempts"
    Select(browser.find_element(By.NAME, "verdict")).select_by_value("")
    browser.find_element(By.NAME, "fixture").send_keys("1-X")
    until(browser, lambda found: [row[0] for row in found] == ["r/1-x"])


def test_sorting(opened: Callable[..., webdriver.Chrome]) -> None:
    browser = opened()
    head = browser.find_element(By.CSS_SELECTOR, "#rows thead th:nth-child(5)")
    for direction in ("ascending", "descending"):
        head.find_element(By.TAG_NAME, "button").click()
        ended = [row[4] for row in rows(browser)]
        assert len(set(ended)) == 5
        assert ended == sorted(ended, reverse=direction == "descending")
        assert head.get_attribute("aria-sort") == direction


def test_a_count_leads_to_its_attempts(opened: Callable[..., webdriver.Chrome]) -> None:
    browser = opened()
    browser.find_element(By.CSS_SELECTOR, ".bars .unintended_change a").click()
    WebDriverWait(browser, 5).until(lambda b: len(rows(b)) == 1)
    assert rows(browser)[0][:2] == ["r/0-x", "whole_file"]


@pytest.mark.parametrize("fragment", ["#nothing", "#%", "#list?verdict=none", "#r/9-x/whole_file.r1.a1"])
def test_a_hash_that_leads_nowhere_harms_nothing(opened: Callable[..., webdriver.Chrome], fragment: str) -> None:
    browser = opened(fragment)
    assert not browser.find_elements(By.CSS_SELECTOR, "#panel[open]")
    assert browser.get_log("browser") == []


@pytest.mark.parametrize("fragment", ["", HASH])
def test_a_phone_scrolls_in_one_direction(opened: Callable[..., webdriver.Chrome], fragment: str) -> None:
    browser = opened()
    size = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        browser = opened(fragment)
        if fragment:
            panel(browser)
        wide = browser.execute_script(
            "const p = document.getElementById('panel');"
            "return [document.documentElement.scrollWidth, p.scrollWidth - p.clientWidth]"
        )
        assert wide == [390, 0]
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_print_has_plots_and_tables_and_no_list(opened: Callable[..., webdriver.Chrome]) -> None:
    browser = opened()
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        script = "return getComputedStyle(document.querySelector(arguments[0])).display"
        shown = {where: browser.execute_script(script, where) for where in ("#list", ".bars", ".figure")}
        assert shown == {"#list": "none", ".bars": "table", ".figure": "block"}
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_the_script_shows_hidden_characters_as_python_does(opened: Callable[..., webdriver.Chrome]) -> None:
    """Every code point that may hide, and its neighbours, through the pattern that the page was given."""
    browser = opened()
    points = sorted({
        point for start in (*range(0x3000), 0x3164, 0xD7FF, 0xD800, 0xDFFF, 0xE000, *range(0xFE00, 0xFE10), 0xFEFF,
                            0xFFA0, *range(0xFFEF, 0x10000), 0x1BCA0, 0x1D173, 0x1F600, 0xE0000, 0xE0FFF)
        for point in (start, start + 1)
    })  # fmt: skip
    script = (
        "const p = new RegExp(JSON.parse(document.getElementById('data').textContent).hidden, 'u');"
        "return arguments[0].filter(n => p.test(String.fromCodePoint(n)))"
    )
    assert browser.execute_script(script, points) == [n for n in points if plain(chr(n)) != chr(n)]
