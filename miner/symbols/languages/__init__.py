"""The languages with symbols: a file and a row each."""

from miner.symbols.language import Language
from miner.symbols.languages.csharp import CSHARP
from miner.symbols.languages.java import JAVA
from miner.symbols.languages.kotlin import KOTLIN
from miner.symbols.languages.python import PYTHON
from miner.symbols.languages.scala import SCALA

LANGUAGES: tuple[Language, ...] = (PYTHON, JAVA, CSHARP, KOTLIN, SCALA)
BY_NAME = {language.grammar: language for language in LANGUAGES}
BY_SUFFIX = {suffix: language for language in LANGUAGES for suffix in language.suffixes}
