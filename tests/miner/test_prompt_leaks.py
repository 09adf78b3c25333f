# ruff: noqa: E501
import pytest

from miner.prompt.cut import MARK, gives_away, without_runs
from miner.prompt.leaks import leak


def patch(added: str, context: str = "", deleted: str = "") -> bytes:
    """A patch of one hunk in a.py."""
    rows = [(" ", context), ("-", deleted), ("+", added)]
    body = "".join(f"{sign}{line}\n" for sign, text in rows for line in text.split("\n") if text)
    counts = [sum(len(t.split("\n")) for t in texts if t) for texts in ((context, deleted), (context, added))]
    header = "diff --git a/a.py b/a.py\nindex 0000000..1111111 100644\n--- a/a.py\n+++ b/a.py\n"
    return f"{header}@@ -1,{counts[0]} +1,{counts[1]} @@\n{body}".encode()


RETRY = "for attempt in range(limit):\n    if post(url, body).status != 503:\n        return attempt\nsleep(delay * 2)"
LEAKS = {
    "no code": ("Retry when the gateway says 503, at most `limit` times.", RETRY, 0.0),
    "all of it, in a fence": (f"Like this:\n\n```python\n{RETRY}\n```\n", RETRY, 1.0),
    "other white space": (f"```\n{' '.join(RETRY.split())}\n```", RETRY, 1.0),
    "behind marks of a diff": ("```diff\n" + "\n".join(f"+ {line}" for line in RETRY.split("\n")) + "\n```", RETRY, 1.0),
    "behind marks of comments": ("\n".join(f"# {line}" for line in RETRY.split("\n")), RETRY, 1.0),
    "in a quote": ("\n".join(f"> {line}" for line in RETRY.split("\n")), RETRY, 1.0),
    "one statement": ("I would `sleep(delay * 2)` then.", "sleep(delay * 2)", 1.0),
    "a name alone": ("Call `post` with `limit`.", "post(url, limit)", 0.0),
    "imports": ("```\nfrom a.b.c import d, e, f\nimport g, h, i\n```", "from a.b.c import d, e, f\nimport g, h, i\n", 0.0),
    "common words alone": ("```\nif self is None:\n    return None\n```", "if self is None:\n    return None\n", 0.0),
    "prose that a docstring has too": (
        "Return the number of days, or none (if empty).", '"""Return the number of days, or none (if empty)."""', 0.0,
    ),
    "prose that a comment has too": ("Take `a[0]` and `b[1]` of (x, y).", "# Take a[0] and b[1] of (x, y).", 0.0),
    "an example of use that a docstring has too": (">>> list(pairs([1, 2, 3]))", ">>> list(pairs([1, 2, 3]))", 0.0),
    "nothing added": ("```\nx = f(a, b, c)\n```", "", 0.0),
}  # fmt: skip


@pytest.mark.parametrize(("prompt", "added", "share"), LEAKS.values(), ids=LEAKS.keys())
def test_share_of_the_added_code_that_the_prompt_holds(prompt: str, added: str, share: float) -> None:
    assert leak(prompt, patch(added)).share == share


def test_part_of_the_code_is_a_part_of_the_share() -> None:
    found = leak("```\nif post(url, body).status != 503:\n```", patch(RETRY))
    assert 0.2 < found.share < 0.7
    assert found.longest == 13


@pytest.mark.parametrize("where", ["context", "deleted"])
def test_code_that_was_there_before_is_no_leak(where: str) -> None:
    old = "if post(url, body).status != 503:"
    assert leak(f"This is wrong:\n\n```\n{old}\n```", patch(f"{old}\n    sleep(1)", **{where: old})).share == 0


def test_code_of_another_place_in_the_starting_tree_is_no_leak() -> None:
    old = "if post(url, body).status != 503:"
    assert leak(f"`{old}`", patch(old)).share == 1
    assert leak(f"`{old}`", patch(old), [f"def f():\n    {old}\n"]).share == 0


def test_a_small_share_in_a_short_run_gives_nothing_away() -> None:
    many = "\n".join(f"values_{i} = compute(first_{i}, second_{i})" for i in range(40))
    few = leak("`values_3 = compute(first_3, second_3)`", patch(many))
    assert 0 < few.share < 0.05
    assert not gives_away(few)
    assert gives_away(leak("`" + "; ".join(many.split("\n")[3:6]) + "`", patch(many.replace("\n", "; "))))


CUTS = {
    "a block goes whole where most of it is the answer": (
        f"Do:\n\n```python\ndef ours():\n{RETRY}\n```\n\nThen stop.", f"Do:\n\n```python\n{MARK}\n```\n\nThen stop.",
    ),
    "of a longer block the lines go": (
        "```\nold = connect(host, port)\nsend(old, data, flags)\nclose(old)\nthing = find(key)\nsleep(delay * 2)\nagain = find(thing.next)\n```",
        f"```\nold = connect(host, port)\nsend(old, data, flags)\nclose(old)\nthing = find(key)\n{MARK}\nagain = find(thing.next)\n```",
    ),
    "of a text the code span goes": ("Better `sleep(delay * 2)` then.", f"Better {MARK} then."),
    "a code span that holds more goes whole": ("Do `x = sleep(delay * 2) or y` then.", f"Do {MARK} then."),
    "of a text without marks the code goes": ("Better sleep(delay * 2) then.", f"Better {MARK} then."),
    "the other code spans stay": ("`a` and `sleep(delay * 2)` and `b`.", f"`a` and {MARK} and `b`."),
    "two in a row are one": ("`sleep(delay * 2)`\n`sleep(delay * 2)`", MARK),
}  # fmt: skip


@pytest.mark.parametrize(("prompt", "text"), CUTS.values(), ids=CUTS.keys())
def test_the_answer_is_cut_out_and_marked(prompt: str, text: str) -> None:
    assert without_runs(prompt, leak(prompt, patch(RETRY)).runs) == text


@pytest.mark.parametrize(("prompt", "text"), CUTS.values(), ids=CUTS.keys())
def test_nothing_of_the_answer_is_left_after_the_cut(prompt: str, text: str) -> None:
    assert leak(text, patch(RETRY)).share == 0
