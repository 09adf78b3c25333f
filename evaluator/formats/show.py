"""An edit format as a reader sees it: one small change written in it, and its ladder."""

from evaluator.formats.model import CannotExpress, EditFormat

NONE = "  no tolerances\n"
_BEFORE = {"billing/client.py": b"def post(url):\n    return send(url)\n", "old.txt": b"gone\n"}
_AFTER = {"billing/client.py": b"def post(url):\n    return retry(send, url)\n", "new.txt": b"new\n", "old.txt": None}


def shown(fmt: EditFormat) -> str:
    """The format's name, an edit, a new file and a deletion written in it, and each tolerance with what it admits."""
    example = fmt.encode(_BEFORE, _AFTER)
    text = f"(cannot be written: {example.why})\n" if isinstance(example, CannotExpress) else example
    steps = "".join(f"  {tolerance.name}: {tolerance.what}\n" for tolerance in fmt.tolerances)
    indented = "".join(f"    {line}\n" for line in text.splitlines())
    return f"{fmt.name}\n\n{indented}\n{steps or NONE}"
