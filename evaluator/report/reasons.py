"""Why an attempt ended as it did, in a line."""

from evaluator.journal import AttemptLine


def reason(line: AttemptLine) -> str:
    """Category, detail and what they rest on, such as the symbols that changed; of a discard, what was said."""
    if line.discarded is not None:
        return f"{line.discarded.value}: {line.error}" if line.error else line.discarded.value
    if line.failure_category is None:
        return "resolved"
    parts = [line.failure_category.value] + ([line.detail.value] if line.detail else [])
    over = [symbol for symbol in line.unintended_changes if symbol not in line.excused]
    said = ", ".join(over) or line.feedback
    return ", ".join(parts) + (f": {said}" if said else "")
