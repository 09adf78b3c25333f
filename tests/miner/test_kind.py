import pytest

from miner.kind import Kind, kind_of
from tests.miner.test_prompt_leaks import patch

TITLES = [
    ("feat: parse names", Kind.FEATURE),
    ("fix(parser)!: names", Kind.BUG_FIX),
    ("perf: names", Kind.PERFORMANCE),
    ("refactor: names", Kind.REFACTOR),
    ("chore: deprecate names", Kind.API_MIGRATION),
    ("[codex] Fix quoted names", Kind.BUG_FIX),
    ("[codex] Parse quoted names", Kind.FEATURE),
    ("Add names", Kind.FEATURE),
    ("Issue 12: Add names", Kind.FEATURE),
    ("names: allow upper case", Kind.FEATURE),
    ("Names can be empty", Kind.FEATURE),
    ("Don\u2019t crash on names", Kind.BUG_FIX),
    ("Crash on empty names", Kind.BUG_FIX),
    ("Fix TypeError where a warning is raised", Kind.BUG_FIX),
    ("Fix typos in names", Kind.REFACTOR),
    ("Speed up names", Kind.PERFORMANCE),
    ("Reduce calls per name", Kind.PERFORMANCE),
    ("Deprecate names in favour of labels", Kind.API_MIGRATION),
    ("Drop support for Python 3.8", Kind.API_MIGRATION),
    ("Remove the old names", Kind.API_MIGRATION),
    ("Remove unused names", Kind.REFACTOR),
    ("Rename name to label", Kind.API_MIGRATION),
    ("Extract names", Kind.REFACTOR),
    ("Simplify names", Kind.REFACTOR),
    ("Raise for empty names", Kind.ERROR_HANDLING),
    ("More informative error messages for names", Kind.ERROR_HANDLING),
    ("Names", Kind.UNKNOWN),
    ("", Kind.UNKNOWN),
]
LABELS = [
    (["type: bug", "good first issue"], Kind.BUG_FIX),
    (["enhancement"], Kind.FEATURE),
    (["bug", "performance"], Kind.PERFORMANCE),
    (["breaking change"], Kind.API_MIGRATION),
    (["tech-debt"], Kind.REFACTOR),
    (["area: names"], Kind.UNKNOWN),
]
CHANGES = [
    (patch("x = 1", deleted="x = 2"), True, Kind.UNKNOWN),
    (patch("x = 1", deleted="x = 2"), False, Kind.REFACTOR),
    (patch("try:\n    f()\nexcept OSError:\n    g()"), True, Kind.ERROR_HANDLING),
    (patch("def f():\n    return 1"), True, Kind.FEATURE),
    (patch("def f():\n    return 1", deleted="def g():\n    return 2"), True, Kind.UNKNOWN),
]


@pytest.mark.parametrize(("title", "kind"), TITLES)
def test_kind_by_title(title: str, kind: Kind) -> None:
    assert kind_of(title, (), patch("x = 1"), True) is kind


@pytest.mark.parametrize(("labels", "kind"), LABELS)
def test_labels_go_before_the_title(labels: list[str], kind: Kind) -> None:
    assert kind_of("Names", labels, patch("x = 1"), True) is kind
    if kind is not Kind.UNKNOWN:
        assert kind_of("Port names to labels", labels, patch("x = 1"), True) is kind


@pytest.mark.parametrize(("change", "adds_tests", "kind"), CHANGES)
def test_the_change_says_it_where_nothing_else_does(change: bytes, adds_tests: bool, kind: Kind) -> None:
    assert kind_of("Names", (), change, adds_tests) is kind
