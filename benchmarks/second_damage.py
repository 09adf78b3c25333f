"""Damage to a fixture's files, and the label that docs/taxonomy.md gives it, by the tests where it depends on them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from benchmarks.second_pieces import Texts
from benchmarks.second_subject import Subject

Label = tuple[str | None, str | None]  # category and detail; (None, None): resolved
RESOLVED: Label = (None, None)
RunTests = Callable[[Texts], str]  # pass, fail or timeout, of the starting tree with these texts


@dataclass(frozen=True)
class Damage:
    """Files that a reply leaves, `full`, and what they are with the unintended part put back, `base`.

    `detail` is that of the unintended part, None where there is none; `row4` is the detail of row 4 that comes first.
    `ignored` are paths that do not count (R6). `formats`: only these can say it; `healed`: their ladders undo it.
    """

    name: str
    rule: str
    full: Texts
    base: Texts
    detail: str | None = None
    row4: str | None = None
    ignored: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    healed: tuple[str, ...] = ()


def label(damage: Damage, subject: Subject, run_tests: RunTests) -> Label:
    """The label of files that applied (rows 4 to 6)."""
    if damage.row4:
        return "misapplied", damage.row4
    start = subject.start(damage.full)
    counted = {path: text for path, text in damage.full.items() if path not in damage.ignored}
    if all(start[path] == text for path, text in counted.items()):
        return "wrong_change", "no_effect"
    put_back = {path: damage.base.get(path, start[path]) for path in counted}
    if damage.detail and _same(put_back, {**start, **subject.after}):
        return "unintended_change", damage.detail  # R4: put back it is the ground truth, which passes
    found = run_tests(counted)
    if damage.detail is None:
        return RESOLVED if found == "pass" else ("wrong_change", f"tests_{found}")
    nothing_left = all(start[path] == text for path, text in put_back.items())
    if found == "pass" or (not nothing_left and run_tests(put_back) == "pass"):
        return "unintended_change", damage.detail
    return "wrong_change", f"tests_{found}"


def _same(one: Texts, two: Texts) -> bool:
    return all(one[path] == two.get(path) for path in one)


@dataclass
class Made:
    """What a maker of damage collects; `add` leaves out what changes nothing."""

    subject: Subject
    found: list[Damage] = field(default_factory=list)

    def add(self, name: str, rule: str, full: Texts, base: Texts | None = None, **more: object) -> None:
        """One more damage; `base` is the ground truth where it is not given."""
        if full != (self.subject.after if base is None else base) or not more.get("detail"):
            made = Damage(name, rule, full, self.subject.after if base is None else base)
            self.found.append(replace(made, **more))  # type: ignore[arg-type]


def parses(path: str, text: str | None) -> bool:
    """Whether Python reads the text; of other languages nothing is known, and it is said to."""
    if not path.endswith(".py") or text is None:
        return True
    try:
        compile(text.removeprefix("\ufeff"), path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


def certain(damages: list[Damage], subject: Subject) -> Iterator[Damage]:
    """Those of which it is certain whether they parse: none but those of row 4 may break a file."""
    for damage in damages:
        broken = [path for path, text in damage.full.items() if not parses(path, text)]
        if damage.row4 and any(path.endswith(".py") for path in damage.full) and not broken:
            continue
        if broken and not damage.row4:
            continue
        if damage.row4 and any(not parses(path, text) for path, text in subject.after.items()):
            continue  # the ground truth's own do not parse here, so nothing can be told
        yield damage
