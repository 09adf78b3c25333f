"""In other files, or in the wrong function: tests, pages and sources that the task does not touch."""

from collections.abc import Callable, Iterator
from functools import partial
from random import Random

from evaluator.faults import additions, neighbours, symbols
from evaluator.faults.answer import Answer, Edit, is_readable, parses
from evaluator.faults.made import TESTS_FAIL, Beside, Fixed
from evaluator.faults.places import is_source, other_sources
from evaluator.faults.symbols import MODIFIED, REMOVED
from miner.roles import Role, governs_tests, role_of
from miner.symbols.files import has_symbols, language_of

_MOST = 12  # files that are looked at
_LARGEST = 200_000  # bytes


def files(answer: Answer, random: Random, is_one: Callable[[str], bool]) -> Iterator[tuple[str, bytes]]:
    """Some texts of the tree that nothing of the ground truth touches, in random order."""
    fixture = answer.site.task.fixture
    known = {*fixture.source_files, *fixture.test_files, *fixture.dropped_files, *answer.now}
    paths = sorted(path for path in answer.site.tree.modes if path not in known and is_one(path))
    for path in random.sample(paths, min(len(paths), _MOST)):
        content = answer.before(path)
        if content is not None and is_readable(content) and content.strip() and len(content) < _LARGEST:
            yield path, content


def is_test(path: str) -> bool:
    """Whether a file is a test, or serves tests."""
    return role_of(path) is Role.TEST


def is_configuration(path: str) -> bool:
    """Whether a file configures tests, and is none."""
    return governs_tests(path) and role_of(path) is not Role.TEST


def is_page(path: str) -> bool:
    """Whether a file is neither source nor test: a page, a changelog."""
    return role_of(path) is Role.OTHER and not governs_tests(path)


def deleted(is_one: Callable[[str], bool], answer: Answer, random: Random) -> Iterator[Answer]:
    """A file deleted."""
    for path, _ in files(answer, random, is_one):
        yield answer.edited(path, None)


def remarked(is_one: Callable[[str], bool], answer: Answer, random: Random) -> Iterator[Answer]:
    """A comment above the last line of a file in a language with symbols, or blanks at the end of a line of another."""
    for path, content in files(answer, random, is_one):
        language = language_of(path)
        lines = content.splitlines(keepends=True)
        if language is None:
            number = random.randrange(len(lines))
            line = lines[number].rstrip(b"\r\n")
            lines[number] = line + b" unasked" + lines[number][len(line) :]
            yield answer.edited(path, b"".join(lines))
        elif content.endswith(b"\n") and parses(path, content):
            indent = lines[-1][: len(lines[-1]) - len(lines[-1].lstrip())]
            remark = indent + f"{language.line_comment} nobody asked for this\n".encode()
            edited = b"".join([*lines[:-1], remark, lines[-1]])
            if lines[-1].strip() and parses(path, edited):
                yield answer.edited(path, edited)


def logic_elsewhere(answer: Answer, random: Random) -> Iterator[Answer]:
    """An operator turned into its opposite in a file that the task does not touch."""
    others = set(other_sources(answer, random))
    yield from (a for a in neighbours.LOGIC(answer, random) if others & a.now.keys())


def _is_plain(path: str) -> bool:
    return is_source(path) and not has_symbols(path)


def _is_code(path: str) -> bool:
    return is_source(path) and has_symbols(path)


EDITED_TEST: Edit = partial(remarked, is_test)
DELETED_TEST: Edit = partial(deleted, is_test)

FAULTS = (
    Fixed("deleted_file", REMOVED, (partial(deleted, _is_code),)),
    Fixed("deleted_plain_file", REMOVED, (partial(deleted, _is_plain),)),
    Fixed("deleted_page", REMOVED, (partial(deleted, is_page),)),
    Fixed("deleted_test", REMOVED, (DELETED_TEST,)),
    Fixed("edited_test", MODIFIED, (EDITED_TEST,)),
    Fixed("edited_test_configuration", MODIFIED, (partial(remarked, is_configuration),)),
    Fixed("edited_page", MODIFIED, (partial(remarked, is_page),)),
    Fixed("edited_plain_file", MODIFIED, (partial(remarked, _is_plain),)),
    Fixed("edited_other_file", MODIFIED, (logic_elsewhere,)),
    Fixed("wrong_function", TESTS_FAIL, (neighbours.COMMENT,), from_nothing=True),
    Fixed("wrong_file", TESTS_FAIL, (additions.NEW_FILE,), from_nothing=True),
    Beside("wrong_function_logic", TESTS_FAIL, neighbours.LOGIC, from_nothing=True),
    Beside("wrong_function_removed", TESTS_FAIL, symbols.FUNCTION, from_nothing=True),
)
