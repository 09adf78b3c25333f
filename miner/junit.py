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
    if file:
        modules = {_module(file): file, **modules}
    if not name or not classname or not modules:
        return None  # a module that could not be collected is no test
    module = max((m for m in modules if _begins(classname, m)), key=len, default="")
    if not module:
        if not file:
            return None
        module = _before_classes(classname)
    inner = classname.removeprefix(module).strip(".")
    return "::".join([modules.get(module, f"{module.replace('.', '/')}.py"), *filter(None, inner.split(".")), name])


def _begins(classname: str, module: str) -> bool:
    return classname == module or classname.startswith(f"{module}.")


def _before_classes(classname: str) -> str:
    """The module of a test that is inherited from another file: by convention only classes are capitalised."""
    parts = classname.split(".")
    last = max((place for place, part in enumerate(parts) if not part[:1].isupper()), default=len(parts) - 1)
    return ".".join(parts[: last + 1])


def _result(case: object) -> Result:
    kinds = case.result  # type: ignore[attr-defined]
    if any(isinstance(kind, (Failure, Error)) for kind in kinds):
        return Result.FAILED
    return Result.SKIPPED if any(isinstance(kind, Skipped) for kind in kinds) else Result.PASSED
