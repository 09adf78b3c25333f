# ruff: noqa: E501
import time

import pytest

from miner.prompt.clean import clean
from miner.prompt.removal import Removal

# What a description reads, what of it stays, and the kinds of what goes.
BODIES = {
    "plain text stays": ("Do it.\n\nThen stop.", "Do it.\n\nThen stop.", []),
    "CRLF becomes LF, trailing blanks go": ("a   \r\n\r\nb\t\r\n", "a\n\nb", []),
    "blank lines are joined": ("a\n\n\n\n\nb", "a\n\nb", []),
    "nothing stays nothing": ("", "", []),
    "emphasis, lists and tables stay as they were written": (
        "*a* __b__\n\n- one\n    1. two\n\n| a | b |\n| - | - |\n| 1 | 2 |",
        "*a* __b__\n\n- one\n    1. two\n\n| a | b |\n| - | - |\n| 1 | 2 |", [],
    ),
    "an indented first line stays indented": ("    x = 1\n\nis wrong", "    x = 1\n\nis wrong", []),
    # comments
    "a template comment goes": ("<!-- Thanks\n\nfor it -->\nDo it.", "Do it.", [Removal.COMMENT]),
    "comments inside a paragraph go": ("Do <!-- x -->it.\nNow <!-- y\nz -->too.", "Do it.\nNow too.", [Removal.COMMENT]),
    "a comment that never ends hides the rest": ("Do it.\n\n<!-- and\n\nmore", "Do it.", [Removal.COMMENT]),
    "a comment in code stays": ("```html\n<!-- x -->\n```", "```html\n<!-- x -->\n```", []),
    "a comment in a code span stays": ("Print `<!-- x -->`.", "Print `<!-- x -->`.", []),
    "tags of layout go, the text between them stays": (
        "<details>\n<summary>Trace</summary>\n\nOnce<br>twice, `<br>`, List<p>\n\n</details>", "Trace\n\nOnce twice, `<br>`, List<p>", [Removal.COMMENT],
    ),
    # sections
    "a section that was left empty goes": ("## Why\n\nIt hurts.\n\n## How\n\n## What else\n", "## Why\n\nIt hurts.", [Removal.SECTION]),
    "a heading whose sections are all empty goes": ("# Template\n\n## Why\n\n## How\n\n# Then\n\nDo.", "# Then\n\nDo.", [Removal.SECTION]),
    "a section of the pull request itself goes, with what is below it": (
        "### Summary\n\nDo it.\n\n### Pull Request checklist\n\n- [x] Confirm.\n\n- Included tests:\n  - some.\n\n#### More\n\nx",
        "### Summary\n\nDo it.", [Removal.SECTION, Removal.CHECKLIST],
    ),
    "a section answered with no goes": (
        "### Summary\n\nDo it.\n\n### Are there side effects that we should be aware of?\nNope.\n\n### And?\nN/A", "### Summary\n\nDo it.",
        [Removal.SECTION],
    ),
    "a line in bold stands for a heading": ("Do it.\n\n**Checklist:**\n\nAll done, see above.", "Do it.", [Removal.SECTION]),
    "a section of a machine goes": ("Do it.\n\n## Summary by CodeRabbit\n\n- **Bug Fixes**\n  - It is done.", "Do it.", [Removal.SECTION]),
    "a line above a list stands for one": ("Do it.\n\nChecklist:\n\n- all of it\n\nNow.", "Do it.\n\nNow.", [Removal.SECTION]),
    "a line above nothing but empty items goes": ("Do it.\n\nChanges proposed here:\n\n -\n -\n", "Do it.", [Removal.SECTION]),
    "emoji around a heading do not hide it": ("Do it.\n\n## \U0001f4cb Checklist \u2705\n\nx", "Do it.", [Removal.SECTION]),
    "a section with something to say stays": ("## Steps to reproduce\n\nCall it.", "## Steps to reproduce\n\nCall it.", []),
    "a number of an issue is no heading": ("#12 is wrong.\n\nDo it.", "#12 is wrong.\n\nDo it.", []),
    "a ruler below a paragraph makes no heading of it": ("Do it\nand that.\n---\nMore.", "Do it\nand that.\n---\nMore.", []),
    # check-lists
    "task items go, ticked or not": ("Do it.\n\n- [ ] tests\n- [x] docs\n* [X] more\n", "Do it.", [Removal.CHECKLIST]),
    "other items of the list stay": ("- do it\n- [x] tests\n- stop", "- do it\n- stop", [Removal.CHECKLIST]),
    "an index is no task": ("- a[0] is wrong\n- [link] is", "- a[0] is wrong\n- [link] is", []),
    # images, links
    "badges go": ("[![CI](https://x.io/b.svg)](https://x.io/ci)\n\nDo it.", "Do it.", [Removal.IMAGE]),
    "images go": ("See ![shot](https://x.io/a.png) and <img src='x' width=3> that.", "See and that.", [Removal.IMAGE]),
    "the text of a link stays": ("Use [the docs](https://x.io/a_(b) \"t\"), [`f`](https://x.io).", "Use the docs, `f`.", [Removal.LINK]),
    "a link whose text is its address goes": ("It is here: [https://x.io/a](https://x.io/a).", "It is here.", [Removal.LINK]),
    "an address in brackets goes with them": ("It fails (see https://x.io/a) always.", "It fails always.", [Removal.LINK]),
    "an address goes with the word before it": ("It fails, see https://x.io/a.", "It fails.", [Removal.LINK]),
    "an address of an issue becomes its number": ("Fixes https://github.com/a/b/issues/12#note", "Fixes #12", []),
    "a link that is defined below is one": ("Use [it][1].\n\n[1]: https://x.io", "Use it.", [Removal.LINK]),
    "addresses in code stay": ("`curl https://x.io`\n\n```\nGET https://x.io\n```", "`curl https://x.io`\n\n```\nGET https://x.io\n```", []),
    # trailers
    "closing trailers go": ("Do it.\n\nSigned-off-by: A <a@b>\nCo-authored-by: B\n<b@c>\n", "Do it.", [Removal.TRAILER]),
    "trailers below other lines go": ("Fixes #1\nReviewed-by: A <a@b>", "Fixes #1", [Removal.TRAILER]),
    "a change id goes": ("Do it.\n\nChange-Id: I0123", "Do it.", [Removal.TRAILER]),
    "a ruler before trailers goes": ("Do it.\n\n---------\n\nCo-authored-by: B <b@c>", "Do it.", [Removal.TRAILER]),
    "trailers between commits go": ("a\n\nSigned-off-by: A <a@b>\n\nb", "a\n\nb", [Removal.TRAILER]),
    "a trailer inside the text stays": ("Signed-off-by: A\nis what to print", "Signed-off-by: A\nis what to print", []),
    # chatter
    "bots' lines go": (
        "Do it.\n\nAll checks passed!\n\nBumps a from 1 to 2.\n\n[skip ci]\n\n\U0001f916 Generated with [Tool](https://x.io)", "Do it.",
        [Removal.CHATTER, Removal.LINK],
    ),
    "a line for reviewers goes": ("Do it.\ncc @ann, @bo\nPTAL", "Do it.", [Removal.CHATTER, Removal.MENTION]),
    "a prompt of a template goes": ("Please describe your changes.\n\nDo it.", "Do it.", [Removal.CHATTER]),
    # mentions
    "thanks go whole": ("Do it. Thanks to @ann-b for the idea! Then stop.", "Do it. Then stop.", [Removal.MENTION]),
    "a mention becomes someone": ("As @ann and @Bo said, do it.", "As someone and someone said, do it.", [Removal.MENTION]),
    "decorators, annotations, addresses and packages are no mentions": (
        "@property, @pytest.fixture, @SerializedName, @cached_property, a@b.org, @types/node, `@ann`",
        "@property, @pytest.fixture, @SerializedName, @cached_property, a@b.org, @types/node, `@ann`", [],
    ),
    # quotes
    "a quoted reply goes": ("On Mon, Ann wrote:\n\n> do it\n> now\n\nDone.", "Done.", [Removal.QUOTE]),
    "a copied comment goes": ("> do it\n\n_Originally posted by @ann in #3_\n\n> _Originally posted by @bo_\n", "> do it", [Removal.CHATTER, Removal.MENTION, Removal.QUOTE]),
    "a quoted specification stays": ("> MUST be 1\n\nIt is 2.", "> MUST be 1\n\nIt is 2.", []),
    "a note loses its mark": ("> [!NOTE]\n> It is 2.", "> It is 2.", []),
}  # fmt: skip
SQUASHED = {
    "the first commit's text stays without its subject": ("* Do it\n\nBecause.\n\n* fix typo\n\n* wip", "Because."),
    "a subject that says something stays": ("* Do it\n\n* Refuse empty names too\n\n* lint", "* Refuse empty names too"),
    "a long title is cut by an ellipsis": ("* Do it as well as it can be done by anybody at all\n\n* tests", ""),
    "one that is reverted goes with its revert": ('* Do it\n\n* Keep the old name too\n\n* Revert "Keep the old name too"\n\nThis reverts commit 0123456.', ""),
    "tests and documents are beside the task": ("* Do it\n\n* Add tests for the parser of names\n\n* Update docs/names.rst", ""),
    "machines' commits go": ("* Do it\n\n* [pre-commit.ci] auto fixes from hooks\n\nfor more information, see https://pre-commit.ci", ""),
    "a repeated subject is said once": ("* Refuse all empty names\n\n* Refuse all empty names\n\n* Refuse all empty names", "* Refuse all empty names"),
    "an ordinary list stays": ("* fix typo\n* wip", "* fix typo\n* wip"),
    "a list below a text stays": ("It does:\n\n* fix typo\n\n* wip", "It does:\n\n* fix typo\n\n* wip"),
}  # fmt: skip


@pytest.mark.parametrize(("body", "text", "removed"), BODIES.values(), ids=BODIES.keys())
def test_description_is_cleaned_of_what_says_nothing(body: str, text: str, removed: list[Removal]) -> None:
    cleaned = clean(body)
    assert cleaned.text == text
    assert set(cleaned.removed) == set(removed)


@pytest.mark.parametrize(("body", "text"), SQUASHED.values(), ids=SQUASHED.keys())
def test_log_of_squashed_commits_loses_what_says_nothing(body: str, text: str) -> None:
    title = "Do it as well as it can be done by anybody" if "anybody" in body else "Do it"
    assert clean(body, title).text == text


@pytest.mark.parametrize("body", [text for _, text, _ in BODIES.values()], ids=BODIES.keys())
def test_what_was_cleaned_is_clean(body: str) -> None:
    assert clean(body).text == body


@pytest.mark.parametrize(
    "body", ["[" * 9_000, "`" * 60_000, "<a>" * 9_000, "@a " * 20_000, "thanks " * 9_000, "a.a" * 20_000, "* " * 5_000, "> " * 9_000,
             "[a](" * 9_000, "<!--" * 15_000, "![" * 9_000, "\n- [ ]" * 4_000, "x: y-by: " * 7_000, "`a ``b " * 9_000]
)  # fmt: skip
def test_hostile_text_is_cleaned_in_reasonable_time(body: str) -> None:
    started = time.monotonic()
    clean(body)
    assert time.monotonic() - started < 60
