"""Test results per test, read from JUnit XML."""

from enum import StrEnum
from pathlib import Path

from junitparser import Error, Failure, JUnitXml, JUnitXmlError, Skipped, TestSuite


class Result(StrEnum):
    """What one test did."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"


def read_results(path: Path) -> dict[str, Result] | None:
    """Test id (`file::Class::name[parameters]`) to result; None where there is no readable file.

    A test reported more than once (an error in teardown after a pass, say) has its worst result.
    """
    try:
        document = JUnitXml.fromfile(str(path))
    except (OSError, JUnitXmlError, ValueError, SyntaxError):
        return None
    suites = [document] if isinstance(document, TestSuite) else list(document)
    found: dict[str, Result] = {}
    for suite in suites:
        for case in suite:
            name, result = _identify(case), _result(case)
            if name is not None and _severity(result) >= _severity(found.get(name)):
                found[name] = result
    return found


def _severity(result: Result | None) -> int:
    return [None, Result.PASSED, Result.SKIPPED, Result.FAILED].index(result)


def _identify(case: object) -> str | None:
    element = case._elem  # type: ignore[attr-defined]
    file, classname, name = (element.get(key) or "" for key in ("file", "classname", "name"))
    if not file or not name:
        return None  # a module that could not be collected is no test
    module = file.removesuffix(".py").replace("/", ".")
    inner = classname.removeprefix(module).strip(".")
    return "::".join([file, *filter(None, inner.split(".")), name])


def _result(case: object) -> Result:
    kinds = case.result  # type: ignore[attr-defined]
    if any(isinstance(kind, (Failure, Error)) for kind in kinds):
        return Result.FAILED
    return Result.SKIPPED if any(isinstance(kind, Skipped) for kind in kinds) else Result.PASSED
