"""What `evaluator plan` says below its amounts: what formats cannot do, and what was supposed. Pure."""

from evaluator.plan import CACHED_FROM, FEEDBACK, FEEDBACK_MOST, FIRST_TOKEN, Assumed, Plan
from miner.wording import plural


def notes(plan: Plan) -> list[str]:
    """What the formats cannot do, which costs all the same."""
    unsaid: dict[int, list[str]] = {}
    long: dict[int, list[str]] = {}
    for fmt in plan.formats:
        unsaid.setdefault(fmt.cannot_express, []).append(fmt.name)
        long.setdefault(fmt.past_cap, []).append(fmt.name)
    return [
        *(f"{', '.join(names)}: cannot express {plural(n, 'change')}; every attempt is paid for."
          for n, names in unsaid.items() if n),
        *(f"{', '.join(names)}: {plural(n, 'right answer')} longer than the cap; every attempt is paid for, "
          "and cut off."
          for n, names in long.items() if n),
    ]  # fmt: skip


def supposed(assumed: Assumed) -> list[str]:
    """What the amounts rest on, and the options that say otherwise."""
    return [
        f"Expected: {assumed.retries:.0%} of attempts are followed by another (--expect-retries), replies take "
        f"{assumed.overhead:g} times the bare right answer (--overhead).",
        f"A retry carries the conversation and {FEEDBACK} tokens of feedback. At most: every attempt, every reply at "
        f"the cap, {FEEDBACK_MOST:,} tokens of feedback, every prompt",
        f"written to a cache that is never read. Cached: a block's first call writes what formats share (from "
        f"{CACHED_FROM:,} tokens), the others read it.",
        f"Time: {assumed.rate:g} tokens a second (--rate), {FIRST_TOKEN:g} s to the first, "
        f"{plural(assumed.workers, 'call')} at once (--workers); without tests and back-off. Tokens are o200k's; "
        "others differ.",
        "",
    ]  # fmt: skip
