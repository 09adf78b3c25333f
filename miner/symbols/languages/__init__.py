"""The languages with symbols: a file and a row each."""

from miner.symbols.language import Language
from miner.symbols.languages.c import C
from miner.symbols.languages.cpp import CPP
from miner.symbols.languages.php import PHP
from miner.symbols.languages.python import PYTHON
from miner.symbols.languages.ruby import RUBY

LANGUAGES: tuple[Language, ...] = (PYTHON, C, CPP, RUBY, PHP)
BY_NAME = {language.grammar: language for language in LANGUAGES}
BY_SUFFIX = {suffix: language for language in LANGUAGES for suffix in language.suffixes}
