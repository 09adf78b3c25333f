"""What clients' errors say, each in its own way; and clients that block."""

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

import pytest

from evaluator.models.answers import redirected_to, said_by, status_of, wait_of
from evaluator.models.blocking import in_thread


class Failure(Exception):
    """An error with these attributes, as a client would raise it."""

    def __init__(self, **held: Any) -> None:
        super().__init__("what str() says")
        vars(self).update(held)


class Answer:
    def __init__(self, **headers: str) -> None:
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


class Code:
    def __init__(self, name: str) -> None:
        self.name = name


def aws(**headers: str) -> dict[str, Any]:
    return {
        "Error": {"Code": "ThrottlingException", "Message": "too fast"},
        "ResponseMetadata": {
            "HTTPStatusCode": 429,
            "HTTPHeaders": {n.replace("_", "-"): v for n, v in headers.items()},
        },
    }


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (Failure(status_code=503), 503),
        (Failure(), None),
        (Failure(original_exception=Failure(response=aws())), 429),
        (Failure(original_exception=Failure(code=lambda: Code("UNAUTHENTICATED"))), 401),
        (Failure(original_exception=Failure(code=lambda: Code("UNAVAILABLE"))), None),
        (Failure(code="some_code"), None),
        (Failure(original_exception=Failure(response={})), None),
    ],
)
def test_the_status(error: Exception, status: int | None) -> None:
    assert status_of(error) == status


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ({"body": {"error": {"message": "m"}}}, "m"),
        ({"body": {"message": "m"}}, "m"),
        ({"body": "{broken"}, None),
        ({"body": '{"message": "m"}'}, "m"),
        ({"details": {"error": {"message": "m"}}}, "m"),
        ({"response": aws()}, "too fast"),
        ({"details": lambda: "m"}, "m"),
        ({"error": "m"}, "m"),
        ({"body": {"error": "m"}}, "m"),
        ({"body": [1]}, None),
        ({"body": {"message": {"a": 1}}}, None),
        ({}, None),
    ],
)
def test_the_message(held: dict[str, Any], said: str | None) -> None:
    assert said_by(Failure(original_exception=Failure(**held))) == said


@pytest.mark.parametrize(
    ("held", "wait"),
    [
        ({"response": Answer(retry_after="7")}, 7),
        ({"raw_response": Answer(retry_after="7")}, 7),
        ({"headers": {"retry-after": "7"}}, 7),
        ({"response": aws(retry_after="7")}, 7),
        ({"response": Answer()}, None),
        ({}, None),
        ({"response": Answer(retry_after="soon")}, None),
    ],
)
def test_the_wait(held: dict[str, Any], wait: float | None) -> None:
    assert wait_of(Failure(original_exception=Failure(**held))) == wait


def test_where_a_redirect_leads() -> None:
    assert redirected_to(Failure(response=Answer(location="http://a/b"))) == "http://a/b"
    assert redirected_to(Failure(response=aws(location="http://a/b"))) == "http://a/b"
    assert redirected_to(Failure()) == ""


async def blocking(events: list[Any], seconds: float = 0) -> AsyncIterator[Any]:
    for event in events:
        await asyncio.get_running_loop().run_in_executor(None, time.sleep, seconds)
        if isinstance(event, Exception):
            raise event
        yield event


def test_events_of_a_blocking_client_come_in_order_and_its_error_last() -> None:
    async def heard(events: list[Any]) -> list[Any]:
        async def opened() -> AsyncIterator[Any]:
            return blocking(events)

        found: list[Any] = []
        try:
            async for event in in_thread(opened):
                found.append(event)
        except ValueError as error:
            found.append(str(error))
        return found

    assert asyncio.run(heard([1, 2, 3])) == [1, 2, 3]
    assert asyncio.run(heard([1, ValueError("broken")])) == [1, "broken"]


def test_a_blocking_client_cannot_hold_a_time_limit_up() -> None:
    async def opened() -> AsyncIterator[Any]:
        time.sleep(0.5)
        return blocking([1])

    async def limited() -> None:
        async with asyncio.timeout(0.05):
            async for _ in in_thread(opened):
                raise AssertionError("it came in time")

    with pytest.raises(TimeoutError):
        asyncio.run(limited())
