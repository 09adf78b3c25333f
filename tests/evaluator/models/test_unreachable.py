"""Addresses where nothing is, or something else."""

import errno
import socket
from collections.abc import Callable

import pytest

from evaluator.journal import CallSettings
from evaluator.models.absent import absence
from evaluator.models.model import NoEvidence, Request, Unreachable
from evaluator.models.pacing import Patience
from evaluator.models.provider import Provider
from miner.errors import ToolError
from tests.evaluator.models.model_server import Act, ModelServer

REFUSED, UNKNOWN = ConnectionRefusedError(errno.ECONNREFUSED, "refused"), socket.gaierror(-2, "not known")
BROKEN = ConnectionResetError(errno.ECONNRESET, "reset")


def wrapped(error: BaseException) -> Exception:
    try:
        try:
            raise error
        except BaseException:
            raise OSError("All connection attempts failed") from None
    except OSError as outer:
        return outer


ERRORS = {
    "refused": (REFUSED, "nothing listens"), "no host": (UNKNOWN, "the host is not known"), "reset": (BROKEN, None),
    "wrapped": (wrapped(REFUSED), "nothing listens"), "wrapped twice": (wrapped(wrapped(UNKNOWN)), "the host"),
    "wrapped reset": (wrapped(BROKEN), None), "time": (TimeoutError(), None),
    "several addresses": (wrapped(ExceptionGroup("several", [BROKEN, REFUSED])), "nothing listens"),
}  # fmt: skip


@pytest.mark.parametrize(("error", "said"), ERRORS.values(), ids=ERRORS.keys())
def test_what_was_not_there_is_told_from_what_broke(error: Exception, said: str | None) -> None:
    found = absence(error)
    assert found is None if said is None else found is not None and found.startswith(said)


def test_an_error_that_is_its_own_context_ends() -> None:
    error = OSError("round")
    error.__cause__ = error
    assert absence(error) is None


ONCE = Patience(tries=2, first_wait=0.01, total=20)


def test_a_port_where_nothing_listens_is_named_by_every_client(wire: str, request_of: Callable[..., Request]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    model = Provider(f"{wire}:m", CallSettings(base_url=f"http://127.0.0.1:{port}/v1"), 4_000, ONCE)
    try:
        with pytest.raises(Unreachable, match="nothing listens at the address") as caught:
            model.reply(request_of())
    finally:
        model.close()
    assert caught.value.tries == 2


def test_a_server_that_hangs_up_is_there(
    server: ModelServer, connect: Callable[..., Provider], wire: str, request_of: Callable[..., Request]
) -> None:
    server.answer = lambda asked: Act(reset=0)
    with pytest.raises(NoEvidence) as caught:
        connect(wire, patience=ONCE).reply(request_of())
    assert not isinstance(caught.value, Unreachable)


PATHS = {
    "openai without /v1": ("openai", "", r"--base-url \S+ end as the server wants it \(.*want /v1\)\?"),
    "anthropic with /v1": ("anthropic", "/v1", r"--base-url \S+/v1 end as .* \(without /v1, which is added here\)\?"),
    "others of OpenAI's kind": ("vllm", "/api", r"--base-url \S+/api end as .* \(.*want /v1\)\?"),
}


@pytest.mark.parametrize(("provider", "path", "said"), PATHS.values(), ids=PATHS.keys())
def test_a_path_that_the_server_does_not_know_has_its_address_asked_for(
    server: ModelServer, request_of: Callable[..., Request], provider: str, path: str, said: str
) -> None:
    url = f"http://127.0.0.1:{server.server_address[1]}{path}"
    model = Provider(f"{provider}:m", CallSettings(base_url=url), 4_000, ONCE)
    try:
        with pytest.raises(ToolError, match=said):
            model.reply(request_of())
    finally:
        model.close()


def test_only_a_404_asks_for_the_address(
    server: ModelServer, connect: Callable[..., Provider], wire: str, request_of: Callable[..., Request]
) -> None:
    server.answer = lambda asked: Act(status=405, error={"message": "no such method"})
    with pytest.raises(ToolError) as caught:
        connect(wire).reply(request_of())
    assert "--base-url" not in str(caught.value)
