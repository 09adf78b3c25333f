"""Prompts that are too thin to act on: nobody could tell from them what to do."""

import re

from miner.prompt.cut import MARK

ENOUGH = 4  # words that say something: docs/prompts.md says what was looked at to choose it
_CODE_SPAN = re.compile(r"`[^`]+`")
_REFERENCE = re.compile(
    r"(?i)(?:\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?|refs?"
    r"|related to|see|issue|pr|part of)\b[\s:]*)?(?:gh-|#)\d+\b"
)
_WORD = re.compile(r"[^\W\d_][\w.'-]*\w|[^\W\d_]")
# What is in the title of most changes and of no use alone.
_EMPTY = frozenset(re.findall(r"\S+", """
    a an the this that these those it its of to in on at by for from with without and or as is are be been was
    were not no do does more some new now all also i we our you my fix fixes fixed fixing bug bugs bugfix issue
    issues update updates updated updating change changes changed changing improve improves improved improvement
    improvements add adds added adding make makes made remove removes removed refactor refactors refactored
    refactoring cleanup clean up minor small various misc several stuff things code feature features support
    supports supporting implement implements implemented implementation use uses used using work works wip
    version release tests test pr pull request merge branch main master file files readme docs feat chore
"""))
_FILE_NAME = re.compile(
    r"[\w/-]+\.(?:py|js|ts|tsx|jsx|java|go|rs|rb|php|c|h|cpp|cs|kt|scala|swift|md|rst|txt|toml|yml|yaml|json)"
)


def is_thin(prompt: str) -> bool:
    """Whether a prompt has fewer than `ENOUGH` different words that say something, a code span counting as two.

    Numbers of issues, names of files and what was cut out say nothing.
    """
    text = _REFERENCE.sub(" ", prompt.replace(MARK, " "))
    spans = {span.lower() for span in _CODE_SPAN.findall(text)}
    words = {word.lower() for word in _WORD.findall(_CODE_SPAN.sub(" ", text)) if not _FILE_NAME.fullmatch(word)}
    return len(words - _EMPTY) + 2 * len(spans) < ENOUGH
