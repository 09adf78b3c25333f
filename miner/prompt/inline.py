"""Cleaning of running text: addresses, images, mentions and comments go, the text of links and code spans stay."""

import re
from collections.abc import Callable

from miner.prompt.removal import Removal

_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_HELD = re.compile("\ue000(\\d+)\ue001")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_TARGET = r"\((?:[^()\s]|\([^()\s]*\))*(?:\s+(?:\"[^\"]*\"|'[^']*'))?\s*\)"
_BADGE = re.compile(rf"\[\s*(?:!\[[^\]]*\](?:{_TARGET}|\[[^\]]*\])\s*)+\](?:{_TARGET}|\[[^\]]*\])")
_IMAGE = re.compile(rf"!\[[^\]]*\](?:{_TARGET}|\[[^\]]*\])|<img\b[^<>]*>|<video\b.*?(?:</video>|\Z)", re.IGNORECASE)
_LINK = re.compile(rf"\[((?:[^\[\]]|\[[^\[\]]*\])*)\]{_TARGET}")
_ANCHOR = re.compile(r"<a\b[^<>]*>(.{0,500}?)</a>", re.IGNORECASE | re.DOTALL)
_BREAK = re.compile(r"(?i)[ \t]*<br\s*/?>[ \t]*")
_TAG = re.compile(r"(?i)(?:(?<!\w)<|</)(?:details|summary|p|div|center|su[bp]|em|strong|h[1-6r])\b[^<>]*>")
_ISSUE = re.compile(
    r"<?https?://[\w.-]+/[\w.-]+/[\w.-]+/(?:-/)?"
    r"(?:issues|pull|pulls|merge_requests)/(\d+)(?:[#?/][^\s<>()]*)?>?"
)
_ADDRESS = r"<?\bhttps?://(?:[^\s<>()]|\([^\s<>()]*\))+(?<![.,;:!?'\"])>?"
_LEAD = (
    r"(?:(?:, *)?(?:for (?:more|further) (?:info(?:rmation)?|details?),? )?"
    r"\b(?:see(?: also)?|cf\.?|via|at|from|here|source|ref(?:erence)?|link)\b:? +)?"
)
_IN_BRACKETS = re.compile(rf"\s*[(\[]\s*(?:e\.g\. +)?{_LEAD}{_ADDRESS}\s*[)\]]", re.IGNORECASE)
_BARE = re.compile(rf"{_LEAD}{_ADDRESS}", re.IGNORECASE)
_SENTENCE = re.compile(r"(?:[^.!?\n]|[.!?](?=\w))+(?:[.!?]+(?!\w))?")
_THANKS = re.compile(
    r"(?i)\b(?:thank(?:s| you)|kudos|credits?|props|shout-?out|cc|ping|based on (?:the )?work|reported by|suggested by"
    r"|pair(?:ed)?|reviewed by|co-?authored)\b"
)
_MENTION = re.compile(
    r"(?<![\w`./@\\])@([A-Za-z\d](?:[A-Za-z\d]|-(?=[A-Za-z\d])){0,38})"
    r"(?:\[bot\])?(?![\w/(\[]|\.\w|-\w)"
)
_DECORATORS = frozenset(re.findall(r"\S+", """
    property staticmethod classmethod overload override abstractmethod dataclass contextmanager decorator define
    attrs attr final wraps cache lru_cache fixture param params return returns throws since see deprecated link
    code internal type typedef test import media supports apply layer extend include charset Override Test
    Nullable NonNull Deprecated Expose Since Until Inject Bean Component Input Output
"""))
_BEFORE_SIGN = re.compile(r"(?<=\S)(?:[ \t,:]+(?=[.!?](?:\s|\Z))|[ \t]+(?=[,;:)](?:\s|\Z)))")
_GAP = re.compile(r"(?<=\S)[ \t]{2,}(?=\S)")
_REFERENCE = re.compile(r"\[([^\[\]]+)\](?:\[[^\[\]]*\])")


def clean_inline(text: str, references: bool = False) -> tuple[str, set[Removal]]:
    """The lines of one paragraph, heading or list item, and what was taken out of them.

    With `references`, addresses are defined elsewhere, so that `[text][name]` is a link. What stands in code spans
    stays as it is. An address of an issue or a pull request becomes its number.
    """
    removed: set[Removal] = set()
    held: list[str] = []

    def hold(match: re.Match[str]) -> str:
        held.append(match[0])
        return f"\ue000{len(held) - 1}\ue001"

    def without(pattern: re.Pattern[str], by: str | Callable[[re.Match[str]], str], kind: Removal) -> None:
        nonlocal text
        text, count = pattern.subn(by, text)
        if count:
            removed.add(kind)

    text = _CODE_SPAN.sub(hold, text)
    without(_COMMENT, "", Removal.COMMENT)
    without(_BREAK, " ", Removal.COMMENT)
    without(_TAG, "", Removal.COMMENT)
    without(_BADGE, "", Removal.IMAGE)
    without(_IMAGE, "", Removal.IMAGE)
    text = _ISSUE.sub(r"#\1", text)
    without(_LINK, _text_of_link, Removal.LINK)
    if references:
        without(_REFERENCE, r"\1", Removal.LINK)
    without(_ANCHOR, r"\1", Removal.LINK)
    without(_IN_BRACKETS, "", Removal.LINK)
    without(_BARE, "", Removal.LINK)
    before = text
    text = _SENTENCE.sub(lambda match: "" if _only_thanks(match[0]) else match[0], text)
    text = _MENTION.sub(lambda match: match[0] if _is_code(match) else "someone", text)
    if text != before:
        removed.add(Removal.MENTION)
    if removed:
        text = _GAP.sub(" ", _BEFORE_SIGN.sub("", text))
    return _HELD.sub(lambda match: held[int(match[1])], text), removed


def _text_of_link(match: re.Match[str]) -> str:
    return "" if re.fullmatch(_ADDRESS, match[1]) else match[1]


def _only_thanks(sentence: str) -> bool:
    return _THANKS.search(sentence) is not None and any(not _is_code(match) for match in _MENTION.finditer(sentence))


def _is_code(match: re.Match[str]) -> bool:
    """Whether an @word is a decorator or an annotation: known ones, and names in CamelCase as Java's."""
    name = match[1]
    return name in _DECORATORS or re.fullmatch(r"(?:[A-Z][a-z]+){2,}", name) is not None
