"""The languages with symbols: a file and a row each."""

from miner.symbols.language import Language
from miner.symbols.languages.c import C
from miner.symbols.languages.cpp import CPP
from miner.symbols.languages.csharp import CSHARP
from miner.symbols.languages.go import GO
from miner.symbols.languages.java import JAVA
from miner.symbols.languages.javascript import JAVASCRIPT
from miner.symbols.languages.kotlin import KOTLIN
from miner.symbols.languages.php import PHP
from miner.symbols.languages.python import PYTHON
from miner.symbols.languages.ruby import RUBY
from miner.symbols.languages.rust import RUST
from miner.symbols.languages.scala import SCALA
from miner.symbols.languages.swift import SWIFT
from miner.symbols.languages.typescript import TSX, TYPESCRIPT

LANGUAGES: tuple[Language, ...] = (
    PYTHON, JAVASCRIPT, TYPESCRIPT, TSX, JAVA, GO, RUST, CSHARP, C, CPP, RUBY, PHP, KOTLIN, SCALA, SWIFT,
)  # fmt: skip
BY_NAME = {language.grammar: language for language in LANGUAGES}
BY_SUFFIX = {suffix: language for language in LANGUAGES for suffix in language.suffixes}
