"""`udiff`, as faults write it."""

from evaluator.faults.grammar.anchors import BAD_BLOCK, NO_EDIT, anchor_slips
from evaluator.faults.grammar.model import Grammar, Quote, Slip, replaced, spans
from evaluator.taxonomy import Detail

_MISSING = Detail.ANCHOR_MISSING


def _quoted(quote: Quote) -> str:
    return f"--- a/{quote.path}\n+++ b/{quote.path}\n@@ ... @@\n{hunk_lines(quote)}"


def hunk_lines(quote: Quote) -> str:
    """The lines of a hunk, each with its mark."""
    rows = [(" ", quote.above), ("-", quote.old), ("+", quote.new), (" ", quote.below)]
    return "".join(f"{mark}{line}\n" for mark, lines in rows for line in lines)


def _open_edits(text: str) -> list[tuple[int, int]]:
    """From the first hunk on: the fence is open until it is closed."""
    return spans(text, r"^@@ \.\.\. @@\n", r"^```$")


def _lone_header(text: str, random: object) -> str | None:
    if text.count("\n--- ") != 1 or "--- /dev/null" in text:
        return None
    return replaced(r"^--- a/.*\n", "")(text, random)  # type: ignore[arg-type]


GRAMMAR = Grammar(
    opening="```diff\n",
    between="",
    closing="```\n",
    open_edits=_open_edits,
    breaks={
        "hunk_without_lines": replaced(r"^```\n\Z", "@@ ... @@\n```\n"),
        "open_fence": replaced(r"^```\n\Z", ""),
        "two_names": replaced(r"^--- a/(.*)\n\+\+\+ b/\1$", r"--- a/\1\n+++ b/renamed/\1"),
        "new_with_old_lines": replaced(r"^--- a/.*$(?=\n\+\+\+ b/.*\n@@ \.\.\. @@\n(?:[ +].*\n)*-)", "--- /dev/null"),
    },
    slips=(
        *anchor_slips(_MISSING).values(),
        Slip("missing_sentinel", frozenset({"missing_sentinel"}), NO_EDIT, text=_lone_header),
        Slip(
            "marker_noise", frozenset({"marker_noise"}), BAD_BLOCK,
            text=replaced(r"^@@ \.\.\. @@$", "@@ ... @@\n@@ ... @@"),
        ),
    ),
    quote=_quoted,
    missing=_MISSING,
    ambiguous=_quoted,
)  # fmt: skip
