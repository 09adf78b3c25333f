"""Test results per test, read from JUnit XML."""

from collections.abc import Callable, Iterable
from pathlib import Path, PurePosixPath
from typing import Any

from junitparser import Error, Failure, JUnitXml, JUnitXmlError, Skipped, TestSuite

from miner.recipes.model import Result, Results
from miner.sandbox import read_output_file

_LIMIT = 64 << 20  # bytes: code under test can write there, so a file has bounds
_MOST_FILES = 5000

# What a test case says of itself (`file`, `classname`, `name`, each possibly empty), and the report it stands in,
# relative to the folder -> the test's id, None for what is no test.
Identify = Callable[[str, str, str, str], str | None]


def read_junit(path: Path, files: Iterable[str] = ()) -> Results | None:
    """Test id (`file::Class::name[parameters]`) to result; None where there is no readable file.

    `files` are the test files that were run: a test that a class inherits from elsewhere is of the file
    that runs it. A test reported more than once (an error in teardown after a pass, say) has its worst result.
    """
    cases = _cases(path)
    if cases is None:
        return None
    modules = {_module(file): file for file in files}
    return worst((_identify(case, modules), _result(case)) for case in cases)


def read_junit_folder(folder: Path, identify: Identify) -> Results | None:
    """The results of every `*.xml` below a folder, as `identify` names them; None where none of them is readable."""
    found: list[tuple[str | None, Result]] = []
    readable = False
    for path in sorted(folder.rglob("*.xml"))[:_MOST_FILES]:
        cases = _cases(path)
        readable = readable or cases is not None
        report = path.relative_to(folder).as_posix()
        found += [(identify(*_names(case), report), _result(case)) for case in cases or ()]
    return worst(found) if readable else None


def identify_among(files: Iterable[str]) -> Identify:
    """Names a case `file::Class::name`, its file that of the report, or the one of `files` that its class is named for.

    A case whose file cannot be told begins with `::`.
    """
    modules = {_dotted(file): file for file in files}

    def identify(file: str, classname: str, name: str, _report: str) -> str | None:
        if not name:
            return None
        module = max((m for m in modules if _begins(classname, m)), key=len, default="")
        file = modules.get(module, file)
        inner = [classname]
        if file and _begins(classname, _dotted(file)):
            inner = classname.removeprefix(_dotted(file)).split(".")
        return "::".join([file, *filter(None, inner), name])

    return identify


def worst(results: Iterable[tuple[str | None, Result]]) -> dict[str, Result]:
    """Each test's worst result; what has no id is left out."""
    found: dict[str, Result] = {}
    for name, result in results:
        if name is not None and _severity(result) >= _severity(found.get(name)):
            found[name] = result
    return found


def _cases(path: Path) -> list[Any] | None:
    content = read_output_file(path, _LIMIT)
    if content is None:
        return None
    try:
        document = JUnitXml.fromstring(content)
    except (JUnitXmlError, ValueError, SyntaxError):
        return None
    suites = [document] if isinstance(document, TestSuite) else list(document)
    return [case for suite in suites for case in suite]


def _severity(result: Result | None) -> int:
    return [None, Result.PASSED, Result.SKIPPED, Result.FAILED].index(result)


def _module(file: str) -> str:
    return file.removesuffix(".py").replace("/", ".")


def _dotted(file: str) -> str:
    return str(PurePosixPath(file).with_suffix("")).replace("/", ".")


def _names(case: Any) -> tuple[str, str, str]:
    file, classname, name = (case._elem.get(key) or "" for key in ("file", "classname", "name"))
    return file, classname, name


def _identify(case: Any, modules: dict[str, str]) -> str | None:
    file, classname, name = _names(case)
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


def _result(case: Any) -> Result:
    kinds = case.result
    if any(isinstance(kind, (Failure, Error)) for kind in kinds):
        return Result.FAILED
    return Result.SKIPPED if any(isinstance(kind, Skipped) for kind in kinds) else Result.PASSED
