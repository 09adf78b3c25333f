"""The languages with symbols: a file and a row each."""

from miner.symbols.language import Language
from miner.symbols.languages.go import GO
from miner.symbols.languages.javascript import JAVASCRIPT
from miner.symbols.languages.python import PYTHON
from miner.symbols.languages.rust import RUST
from miner.symbols.languages.swift import SWIFT
from miner.symbols.languages.typescript import TSX, TYPESCRIPT

LANGUAGES: tuple[Language, ...] = (PYTHON, JAVASCRIPT, TYPESCRIPT, TSX, GO, RUST, SWIFT)
BY_NAME = {language.grammar: language for language in LANGUAGES}
BY_SUFFIX = {suffix: language for language in LANGUAGES for suffix in language.suffixes}
