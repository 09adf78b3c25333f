"""The languages with symbols: a file and a row each."""

from miner.symbols.language import Language
from miner.symbols.languages.csharp import CSHARP
from miner.symbols.languages.java import JAVA
from miner.symbols.languages.python import PYTHON

LANGUAGES: tuple[Language, ...] = (PYTHON, JAVA, CSHARP)
BY_NAME = {language.grammar: language for language in LANGUAGES}
BY_SUFFIX = {suffix: language for language in LANGUAGES for suffix in language.suffixes}
