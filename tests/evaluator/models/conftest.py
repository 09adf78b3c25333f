from collections.abc import Callable, Iterator
from typing import Any

import pytest

from evaluator.formats import FORMATS
from evaluator.journal import CallSettings
from evaluator.messages import Message
from evaluator.models.model import Request
from evaluator.models.pacing import Patience
from evaluator.models.provider import Provider
from miner.fixtures import Task
from tests.evaluator.models.acts import BEDROCK
from tests.evaluator.models.model_server import ModelServer, serving
from tests.evaluator.models.own_clients import KEYS, MODULES, installed

QUICK = Patience(tries=3, silent_tries=2, total=20, first_wait=0.01, longest_wait=0.05, longest_asked=2)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with serving() as running:
        yield running


@pytest.fixture(params=["openai", "anthropic"])
def wire(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=MODULES)
def own_wire(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if not installed(MODULES[request.param]):
        pytest.skip(f"the client of {request.param} is not installed")
    for name in (*KEYS.values(), "GOOGLE_API_KEY", "CO_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    if request.param == BEDROCK:  # by the credentials of an account: a key wants HTTPS
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "some-id")
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "some-secret")
        monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    return str(request.param)


@pytest.fixture
def other() -> Iterator[ModelServer]:
    with serving() as running:
        yield running


@pytest.fixture
def connect(server: ModelServer) -> Iterator[Callable[..., Provider]]:
    """Makes a model of the server; keyword arguments are settings of its calls."""
    made: list[Provider] = []

    def make(wire: str, cap: int = 4_000, patience: Patience = QUICK, **settings: Any) -> Provider:
        call = CallSettings(base_url=server.base_url(wire), **settings)
        made.append(Provider(f"{wire}:some-model", call, cap, patience))
        return made[-1]

    yield make
    for model in made:
        model.close()


@pytest.fixture
def request_of(checked_in: list[Task]) -> Callable[..., Request]:
    """A request of a short conversation."""

    def make(*messages: Message, cap: int = 4_000, seed: int | None = None) -> Request:
        said = messages or (Message("system", "Be good."), Message("user", "Change it.\nAs a diff.", 11))
        return Request(said, cap, checked_in[0], FORMATS["whole_file"], 1, 1, seed)

    return make
