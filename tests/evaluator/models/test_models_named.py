"""Names of models, and what is refused before anything is sent."""

import os
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

from evaluator.journal import CallSettings
from evaluator.models import close_model, model_named
from evaluator.models.command import Command
from evaluator.models.model import Request
from evaluator.models.provider import Provider
from miner.errors import ToolError

PLUGIN = """
class Parrot:
    simulated = False

    def __init__(self, argument, call, cap):
        if argument == "dead":
            raise ValueError("no parrot")
        if argument == "gone":
            raise SystemExit("no parrots")
        self.name, self.said = f"parrot:{argument}", f"{argument} {call.temperature} {cap}"
"""


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for key in [key for key in os.environ if key.endswith(("_API_KEY", "_BASE_URL", "_API_BASE"))]:
        monkeypatch.delenv(key)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("openai:gpt-x", Provider), ("anthropic:claude-x", Provider), ("vllm:org/model", Provider),
        ("deepseek:m", Provider), ("command:cat -u", Command),
    ],
)  # fmt: skip
def test_a_name_stands_for_a_model(name: str, kind: type, monkeypatch: pytest.MonkeyPatch) -> None:
    for provider in ("OPENAI", "ANTHROPIC", "DEEPSEEK"):
        monkeypatch.setenv(f"{provider}_API_KEY", "sk-none")
    model = model_named(name, [], [], 1)
    try:
        assert isinstance(model, kind)
        assert (model.name, model.simulated) == (name, False)
    finally:
        close_model(model)


@pytest.mark.parametrize("name", ["openai:m", "anthropic:m", "deepseek:m"])
def test_a_missing_key_is_an_error_that_names_the_variable(name: str) -> None:
    variable = f"{name.partition(':')[0].upper()}_API_KEY"
    with pytest.raises(ToolError, match=f"no API key: {name}. Set the environment variable {variable}"):
        model_named(name, [], [], 1)


@pytest.mark.parametrize("name", ["opnai:m", "openai:", "openai", ":m", "command:", "command: ", "gpt-5"])
def test_an_unknown_name_is_refused_with_those_that_exist(name: str) -> None:
    with pytest.raises(ToolError, match=r"unknown model: .* Known: .*command:CMD.*openai:MODEL"):
        model_named(name, [], [], 1)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("opnai:gpt-x", "openai:gpt-x"), ("OpenAI:gpt-x", "openai:gpt-x"), ("google:g", "gemini:g"),
        ("claude:c", "anthropic:c"), ("lm-studio:m", "lmstudio:m"), ("openai/gpt-x:free", "openai:gpt-x"),
        ("simulate:perfect", "simulated:perfect"), ("deep-seek:m", "deepseek:m"),
    ],
)  # fmt: skip
def test_a_name_that_is_nearly_one_is_answered_with_it(name: str, meant: str) -> None:
    with pytest.raises(ToolError, match=rf"unknown model: {name}. Did you mean {meant}\? Known"):
        model_named(name, [], [], 1)


def test_a_name_like_none_is_answered_without_a_guess() -> None:
    with pytest.raises(ToolError, match=r"unknown model: zzzz:m. Known"):
        model_named("zzzz:m", [], [], 1)


@pytest.mark.parametrize("name", ["voyage:m", "llamafile:m"])
def test_a_provider_that_streams_no_replies_is_refused(name: str) -> None:
    with pytest.raises(ToolError, match=rf"streams no replies: {name}. .*openai:MODEL with --base-url"):
        model_named(name, [], [], 1, call=CallSettings(base_url="http://127.0.0.1:1"))


@pytest.mark.skipif(find_spec("ibm_watsonx_ai") is not None, reason="that client is installed")
def test_a_provider_whose_client_is_not_installed_says_how_to_install_it() -> None:
    what = r"client is not installed: watsonx:m. Type: pip install 'any-llm-sdk\[watsonx\]'"
    with pytest.raises(ToolError, match=what):
        model_named("watsonx:m", [], [], 1, call=CallSettings(base_url="http://127.0.0.1:1"))


@pytest.mark.parametrize("name", ["simulated:perfect", "replay:/tmp", "command:cat"])
@pytest.mark.parametrize(
    ("flag", "call"),
    [
        ("--temperature", CallSettings(temperature=0)), ("--param", CallSettings(params={"top_p": 1})),
        ("--reasoning-effort", CallSettings(reasoning_effort="low")), ("--base-url", CallSettings(base_url="http://x")),
    ],
)  # fmt: skip
def test_a_setting_that_goes_nowhere_is_refused(name: str, flag: str, call: CallSettings) -> None:
    with pytest.raises(ToolError, match=f"takes no such setting: {name} {flag}"):
        model_named(name, [], [], 1, call=call)


@pytest.mark.parametrize(
    ("url", "what"),
    [
        ("localhost:8000", "not a server's address: localhost:8000"), ("ftp://host/v1", "not a server's address"),
        ("http://[::1", "not a server's address"), ("http://host:99999/v1", "not a server's address"),
        ("http://host/v1\nx", "not a server's address"),
        ("http://me:secret@host/v1", "more than a server and a path: host"),
        ("https://host/v1?api-key=secret", "more than a server and a path: host"),
    ],
)  # fmt: skip
def test_an_address_is_looked_at_and_a_password_in_it_is_not_shown(url: str, what: str) -> None:
    with pytest.raises(ToolError, match=what) as caught:
        model_named("openai:m", [], [], 1, call=CallSettings(base_url=url))
    assert "secret" not in str(caught.value)


@pytest.fixture
def parrot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installed package with a model in its entry points."""
    (tmp_path / "parrot_model.py").write_text(PLUGIN)
    info = tmp_path / "parrot_model-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: parrot-model\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[edit_format_evaluator.models]\nparrot = parrot_model:Parrot\n")
    monkeypatch.syspath_prepend(str(tmp_path))


@pytest.mark.usefixtures("parrot")
def test_a_model_of_an_installed_package_gets_argument_settings_and_cap() -> None:
    model = model_named("parrot:polly", [], [], 1, call=CallSettings(temperature=0.5), cap=900)
    assert (model.name, vars(model)["said"]) == ("parrot:polly", "polly 0.5 900")
    with pytest.raises(ToolError, match=r"unusable model of an installed package: parrot. .*ValueError: no parrot"):
        model_named("parrot:dead", [], [], 1)
    with pytest.raises(ToolError, match=r"parrot\. .*SystemExit: no parrots"):
        model_named("parrot:gone", [], [], 1)


def test_naming_models_does_not_load_the_providers_client() -> None:
    """It takes a second that `evaluator --help` has no use for."""
    code = "import sys, evaluator.models; sys.exit(any(m.startswith(('any_llm', 'openai')) for m in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[3]).returncode == 0


def test_a_model_without_anything_to_close_is_closed(request_of: Callable[..., Request]) -> None:
    model = model_named("simulated:perfect", [], [], 1)
    close_model(model)
    assert model.reply(request_of()).text
