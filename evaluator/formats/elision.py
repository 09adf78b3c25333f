"""Text that a reply left out of a file and put a comment in the place of: `# ... rest unchanged ...` and its kin."""

import re
from collections import Counter

from evaluator.formats.gaps import gaps
from evaluator.formats.remarks import remark, remarks_among

# The words. A comment is taken as a whole: what also says something else is not one of these.
_WHAT = (
    r"(?:code|file|contents?|lines?|imports?|includes?|methods?|functions?|class(?:es)?|bod(?:y|ies)|implementations?|"
    r"logic|tests?|fields?|propert(?:y|ies)|modules?|components?|definitions?|declarations?|variables?|constants?|"
    r"handlers?|routes?|cases?|branches|entries|items|options|settings|config(?:uration)?|keys|sections?|rules?|"
    r"styles?|script|template|markup|members|helpers?|constructors?|statements?|parameters|attributes|data|stuff|"
    r"everything|things?|part|parts|setup|types?|interfaces?|structs?|enums?|docs?|comments?|text|values|rows|columns|"
    r"block|blocks|loop|queries|validation|checks?|steps?|jsx|html|css|it)"
)
_REST = (
    r"(?:rest|remainder|remaining|existing|other|previous|original|unchanged|same|above|below|more|prior|current|old)"
)
_STAYS = (
    r"(?:(?:(?:is|are|was|were|remains?|stays?|kept|left|goes|go|continues?|should (?:remain|stay|be)|will be|to be) )?"
    r"(?:here|unchanged|untouched|unmodified|intact|the same(?: as (?:before|above|it (?:is|was)))?|same|"
    r"as(?: it)? (?:is|was|before|above)|as in the original|as-is|identical|omitted(?: for brevity)?|"
    r"elided(?: for brevity)?|skipped|truncated|not shown|preserved|retained|below|above|like before))"
)
_WORDS = r"(?:[\w'`./()-]+,? ){0,5}"
_LEADING = re.compile(
    rf"(?:(?:keep|leave|with|and|then|include|insert|your|my|all|the|of|any|add|put|copy) )*{_REST}\b(?P<of> of)?"
    rf"(?: (?:the|your|this|my|our|that|all|these))?(?: {_WORDS}?{_WHAT})?(?P<stays> {_WORDS}?{_STAYS}| continues)?"
)
_MORE = re.compile(rf"(?:additional|further|more|some|similar) {_WORDS}?{_WHAT}")
_SURE = (
    re.compile(rf"no (?:other )?changes?(?: (?:here|below|above|needed|required|to {_WORDS}\w+))?"),
    re.compile(rf"lines? \d+(?: to| through)? \d+(?: {_STAYS})?"),
    re.compile(rf"(?:everything(?: else)?|nothing else|all {_WORDS}\w+|{_WORDS}{_WHAT}) {_STAYS}"),
    re.compile(
        rf"(?:{_WORDS}{_WHAT} )?(?:(?:omitted|elided|truncated|abbreviated|shortened|skipped|removed|snipped|cut) )?"
        r"(?:for brevity|snip|snipped|omitted|elided|truncated|abbreviated)"
    ),
)
_UNSURE = re.compile(rf"etc|unchanged|same|{_WORDS}\w+ {_STAYS}")
_LONG = 120  # characters: longer remarks say more than that something is left out
_DOTS = re.compile(r"\.{3,}|\u2026")
_ORNAMENT = re.compile(r"[\s\-=*#/~_.:;,!\[\](){}<>\u2026]+")


def elided(path: str, before: str, after: str) -> tuple[int, ...]:
    """The lines of `after`, from 1, that stand for text which is left out of the file `before`.

    Such a line is a comment and nothing else, in the language of the file; it says that something is left out
    or as it was; it does not stand in the file before; and where it stands, lines of the file before are
    missing. Words that may mean something else (`unchanged`, a mere `...`) count only where more lines went
    than came. A file without a known comment syntax has none.
    """
    if not before.strip() or not after.strip() or before == after:
        return ()
    known = {line.strip() for line in before.split("\n")}
    found: dict[int, bool] = {}
    for n, line in enumerate(after.split("\n")):
        said = None if line.strip() in known else remark(path, line)
        if said is not None and (strong := _strength(said)) is not None:
            found[n] = strong
    if not found:
        return ()
    comments = remarks_among(path, after, found)
    found = {n: strong for n, strong in found.items() if n in comments}
    return tuple(n + 1 for n in _where_lines_went(before, after, found))


def _strength(said: str) -> bool | None:
    """True: what a comment says is that text is left out; False: it may mean that; None: something else."""
    dots = _DOTS.search(said) is not None
    words = " ".join(_ORNAMENT.sub(" ", said.lower()).split())
    if len(words) > _LONG:
        return None
    if any(pattern.fullmatch(words) for pattern in _SURE):
        return True
    if match := _LEADING.fullmatch(words):
        told = words.startswith(("keep ", "leave ", "unchanged "))
        return dots or told or bool(match["of"] or match["stays"])
    if _UNSURE.fullmatch(words) or _MORE.fullmatch(words):
        return dots
    return False if dots and not words else None


def _where_lines_went(before: str, after: str, found: dict[int, bool]) -> list[int]:
    """Those of the lines in whose place lines of the file before are missing; blank lines count for nothing."""
    old = [line.strip() for line in before.split("\n") if line.strip()]
    new = [(n, line.strip()) for n, line in enumerate(after.split("\n")) if line.strip()]
    kept: list[int] = []
    for i1, i2, j1, j2 in gaps(old, [line for _, line in new]):
        markers = [n for n, _ in new[j1:j2] if n in found]
        if markers:
            there, here = Counter(old[i1:i2]), Counter(line for n, line in new[j1:j2] if n not in found)
            went, came = (there - here).total(), (here - there).total()
            kept += [n for n in markers if went and (found[n] or went > came)]
    return kept
