"""Test results per test, read from JUnit XML."""

from collections.abc import Iterable
from pathlib import Path

from junitparser import Error, Failure, JUnitXml, JUnitXmlError, Skipped, TestSuite

from miner.recipes.model import Result, Results
from miner.sandbox import read_output_file

_LIMIT = 64 << 20  # bytes: code under test can write there, so a file has bounds


def read_junit(path: Path, files: Iterable[str] = ()) -> Results | None:
    """Test id (`file::Class::name[parameters]`) to result; None where there is no readable file.

    `files` are the test files that were run: a test that a class inherits from elsewhere is of the file
    that runs it. A test reported more than once (an error in teardown after a pass, say) has its worst result.
    """
    content = read_output_file(path, _LIMIT)
    if content is None:
        return None
    try:
        document = JUnitXml.fromstring(content)
    except (JUnitXmlError, ValueError, SyntaxError):
        return None
    suites = [document] if isinstance(document, TestSuite) else list(document)
    modules = {_module(file): file for file in files}
    found: dict[str, Result] = {}
    for suite in suites:
        for case in suite:
            name, result = _identify(case, modules), _result(case)
            if name is not None and _severity(result) >= _severity(found.get(name)):
                found[name] = result
    return found


def _severity(result: Result | None) -> int:
    return [None, Result.PASSED, Result.SKIPPED, Result.FAILED].index(result)


def _module(file: str) -> str:
    return file.removesuffix(".py").replace("/", ".")


def _identify(case: object, modules: dict[str, str]) -> str | None:
    element = case._elem  # type: ignore[attr-defined]
    file, classname, name = (element.get(key) or "" for key in ("file", "classname", "name"))
    if not name or not classname:
        return None  # a module that could not be collected is no test
    module = next((m for m in modules if classname == m or classname.startswith(f"{m}.")), None)
    if module is not None:
        file = modules[module]
    if not file:
        return None
    inner = classname.removeprefix(_module(file)).strip(".")
    return "::".join([file, *filter(None, inner.split(".")), name])


def _result(case: object) -> Result:
    kinds = case.result  # type: ignore[attr-defined]
    if any(isinstance(kind, (Failure, Error)) for kind in kinds):
        return Result.FAILED
    return Result.SKIPPED if any(isinstance(kind, Skipped) for kind in kinds) else Result.PASSED
