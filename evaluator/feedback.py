"""What a model is told after an attempt that a production agent would retry."""

from evaluator.formats.model import Tree
from evaluator.journal import Feedback
from evaluator.messages import Message
from evaluator.scoring import Score


def told(mode: Feedback, score: Score, tree: Tree) -> str:  # noqa: ARG001
    """What a retry is told of why; kept as the attempt's `feedback`. Empty where nothing is told, or none follows."""
    return "" if mode == "none" or score.signal is None else score.feedback


def retry_message(why: str = "") -> Message:
    """The turn that asks for another attempt; `why` is what `told` gave."""
    reason = f" {why}\n" if why else " "
    return Message("user", f"Your answer could not be used.{reason}Nothing was changed. Answer again, whole.\n")
