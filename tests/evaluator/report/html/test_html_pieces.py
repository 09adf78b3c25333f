"""What the page is made of: hidden characters, plots, tables read from Markdown, packed texts."""

import base64
import json
import re
import zlib
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from evaluator.journal import AttemptLine, transcript_path
from evaluator.messages import Message
from evaluator.report.html import plots
from evaluator.report.html.apart import RADIUS, Place, beside
from evaluator.report.html.hidden import plain, visible
from evaluator.report.html.tables import Table, part, parts
from evaluator.report.html.texts import CAP, block, packed
from evaluator.report.tables import table
from evaluator.transcript import Kept, transcript


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31m", "\\x1b[31m"), ("a\tb\nc", "a\tb\nc"), ("a\r\n", "a\\x0d\n"), ("\x7f\x85", "\\x7f\\x85"),
        ("\u202e\u2066\u200f\u061c", "\\u202e\\u2066\\u200f\\u061c"),
        ("\u200b\u200d\ufeff\u00ad", "\\u200b\\u200d\\ufeff\\xad"),
        ("\udc80\ud800", "\\udc80\\ud800"), ("\U000e0041", "\\U000e0041"),
        ("caf\u00e9 \u05d0 \u4e2d \U0001f600", "caf\u00e9 \u05d0 \u4e2d \U0001f600"),
        ("\\x1b", "\\x1b"), ("", ""),
    ],
)  # fmt: skip
def test_characters_that_hide_are_shown(text: str, shown: str) -> None:
    assert plain(text) == shown
    markup = visible(text)
    assert isinstance(markup, Markup)
    assert markup.striptags() == " ".join(shown.split())
    assert markup.count('class="esc"') == len(re.findall(r"\\[xuU]", shown)) - len(re.findall(r"\\[xuU]", text))


def test_markup_and_numbers_stay_and_text_is_escaped() -> None:
    assert visible(Markup("<b>")) == "<b>"
    assert visible(3) == 3
    assert visible("<b>&\"'") == "&lt;b&gt;&amp;&#34;&#39;"


@pytest.mark.parametrize(
    ("highest", "expected"),
    [(0, (0, 0.5, 1)), (1, (0, 0.5, 1)), (96_000, (0, 50_000, 100_000)), (0.31, (0, 0.1, 0.2, 0.3, 0.4)),
     (4, (0, 1, 2, 3, 4)), (1e-7, (0, 5e-8, 1e-7))],
)  # fmt: skip
def test_axes_end_at_round_numbers_above_what_they_hold(highest: float, expected: tuple[float, ...]) -> None:
    assert plots.axis_to(highest).ticks == pytest.approx(expected)


@given(st.lists(st.floats(1e-9, 1e12), min_size=1, max_size=8))
def test_every_axis_holds_its_values(values: list[float]) -> None:
    for axis in (plots.axis_to(max(values)), plots.axis_of_ratios(values)):
        assert axis.high >= max(values) * (1 - 1e-9)
        assert axis.low <= min(values)
        assert 2 <= len(axis.ticks) <= 60
        assert list(axis.ticks) == sorted(set(axis.ticks))


@given(st.lists(st.floats(-1, 1), max_size=8))
def test_an_axis_around_zero_has_it_in_its_middle(values: list[float]) -> None:
    axis = plots.axis_around_zero(values)
    assert axis.at(0) == "50.00%"
    assert all(axis.low <= value <= axis.high for value in values)
    assert any(abs(tick) < 1e-12 for tick in axis.ticks)


def test_ratios_far_apart_are_drawn_by_ratios() -> None:
    axis = plots.axis_of_ratios([250, 8000])
    assert axis.log
    assert axis.ticks == (200, 500, 1000, 2000, 5000, 10000)
    assert axis.share(200) == 0
    assert axis.share(10000) == 1
    assert not plots.axis_of_ratios([250, 500]).log
    assert not plots.axis_of_ratios([0, 500]).log


def test_pictures_are_well_formed_and_say_their_numbers() -> None:
    hostile = "</title><script>x\u202e"
    axis = plots.axis_to(3)
    pictures = [
        plots.intervals(axis, [plots.Estimate(1, 0.5, 2), plots.Estimate(2, drawn="diamond")], hostile, "1 [0.5, 2]"),
        plots.bar(0.25, "resolved", hostile, "1/4 25%"),
        plots.scatter(axis, [plots.Spot(1, 2, 0.5, 0.25, 0.75)], list("0123"), hostile, "1: 2, 50%"),
    ]
    for picture in pictures:
        root = ElementTree.fromstring(picture)
        assert root.get("role") == "img"
        assert root.findtext("title") == "</title><script>x\\u202e"
        assert root.findtext("desc")
    whisker = ElementTree.fromstring(pictures[0]).find("./line[@class='whisker dot']")
    assert whisker is not None
    assert (whisker.get("x1"), whisker.get("x2")) == ("16.67%", "66.67%")
    bar = ElementTree.fromstring(pictures[1]).findall("./rect")[1]
    assert bar.get("width") == "25.00%"


PLACES = st.lists(st.builds(Place, st.floats(9, 90), st.floats(10, 232)), max_size=11)


@given(PLACES, st.integers(358, 2000))
def test_no_number_lies_on_another_or_on_a_point_at_any_width(points: list[Place], width: int) -> None:
    numbers = beside(points, 10, 232)
    assert len(numbers) == len(points)
    for n, number in enumerate(numbers):
        assert 10 <= number.y <= 232
        assert number.x * width / 100 + RADIUS <= width
        for other in numbers[:n]:
            across, down = (number.x - other.x) * width / 100, number.y - other.y
            assert max(abs(across), abs(down)) >= 2 * RADIUS - 1e-9
        assert all(abs(number.x - point.x) * width / 100 > RADIUS + 3 for point in points)


def test_numbers_stand_beside_their_points_and_many_at_one_height_around_it() -> None:
    assert beside([], 0, 100) == []
    assert [at.y for at in beside([Place(20, 50), Place(80, 50)], 0, 100)] == [50, 50]
    assert [at.y for at in beside([Place(20, 50), Place(21, 50), Place(20.5, 50)], 0, 100)] == [30, 70, 50]
    assert [at.y for at in beside([Place(20, 99), Place(21, 98)], 0, 100)] == [100, 80]


@pytest.mark.parametrize(
    ("cells", "figures"),
    [
        (["429 too many requests", "503 from 10.0.0.1"], False), (["1,024", "$0.03 [0.02, 0.04]", "<1%"], True),
        (["3 of 8", "12 of 54"], True), (["12 (57-76%)", "0"], True), (["3/4 75%, else 80%", "no evidence"], True),
        (["14 s, 41 s", "140 ms, 1.4 s"], True), (["54/56 96% [90, 100]", ""], True), (["$1.0e-05", "unpriced"], True),
        (["r/1-x", "3"], False), (["3d printing"], False), (["[,]"], False),
    ],
)  # fmt: skip
def test_columns_of_figures_are_told_from_text(cells: list[str], figures: bool) -> None:
    assert Table(("x",), tuple((cell,) for cell in cells)).figures == (figures,)


def test_tables_come_out_as_they_went_in_whatever_their_cells_say() -> None:
    rows = [["a `b` *c* <b> [x](http://y) ![z](w)", "12"], ["&amp; $1$ \\x", "3/4 75% [1, 2]"], ["", "no evidence"]]
    found = part("T", f"Some *text*.\n\n{table(['name', 'count'], rows)}")
    assert found.blocks == ("Some *text*.", Table(("name", "count"), tuple(map(tuple, rows))))
    assert isinstance(found.blocks[1], Table)
    assert found.blocks[1].figures == (False, True)


def test_markdown_is_split_at_its_headings() -> None:
    found = parts("\n## One\n\ntext\n\n**bold.**\n\n## Two\n\n" + table(["a"], [["1"]]))
    assert [(p.title, len(p.blocks)) for p in found] == [("One", 2), ("Two", 1)]
    assert found[0].blocks[1] == "bold."
    assert parts("") == []


def unpacked(text: str) -> object:
    return json.loads(zlib.decompress(base64.b64decode(text), -15))


@given(st.recursive(st.text(st.characters()) | st.integers() | st.none(), st.lists))
def test_what_is_packed_comes_back(data: object) -> None:
    assert unpacked(packed(data)) == data


def line_of(fmt: str) -> AttemptLine:
    return AttemptLine(fixture="r/1-x", format=fmt, model="m", repeat=1, attempt=1, valid=False)


def test_a_fixtures_texts_are_kept_once_and_cut_and_what_is_missing_is_said(tmp_path: Path) -> None:
    shared = "task " * 100
    lines = [line_of(name) for name in ("a", "b", "c")]
    for line in lines[:2]:
        path = transcript_path(tmp_path, *line.key)
        path.parent.mkdir(parents=True, exist_ok=True)
        asked = (Message("user", shared + line.format, len(shared)),)
        path.write_bytes(transcript("x", Kept(asked, "r" * (CAP + 1), "-a\n", marks="[[1,1")))
    data = unpacked(block(tmp_path, "r/1-x", lines))
    assert isinstance(data, dict)
    assert data["texts"].count(shared) == 1
    a, b = data["attempts"]["a.r1.a1"], data["attempts"]["b.r1.a1"]
    assert a["messages"][0][0] == "user"
    assert a["messages"][0][1][0] == b["messages"][0][1][0]
    assert [data["texts"][n] for n in b["messages"][0][1]] == [shared, "b"]
    assert data["cut"] == [a["reply"]]
    assert len(data["texts"][a["reply"]]) == CAP
    assert a["marks"] is None  # damaged
    assert data["truth"] is None
    assert "cannot read the transcript" in data["attempts"]["c.r1.a1"]["gone"]
    assert str(tmp_path) not in data["attempts"]["c.r1.a1"]["gone"]


@pytest.mark.parametrize("linked", ["file", "folder"])
def test_a_link_puts_no_file_of_this_machine_into_the_page(tmp_path: Path, linked: str) -> None:
    (tmp_path / "private").mkdir()
    (tmp_path / "private" / "truth.diff").write_text("secret")
    replies = tmp_path / "run" / "replies"
    place = replies / "r" / "1-x"
    if linked == "folder":
        place.parent.mkdir(parents=True)
        place.symlink_to(tmp_path / "private")
    else:
        place.mkdir(parents=True)
        (place / "truth.diff").symlink_to(tmp_path / "private" / "truth.diff")
    made = unpacked(block(replies, "r/1-x", []))
    assert made == {"texts": [], "cut": [], "truth": None, "attempts": {}}
