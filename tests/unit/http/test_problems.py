"""lastvalue.http.problems."""

import logging

import httpx
import pytest
from fastapi import FastAPI

from lastvalue.client.errors import (
    AuthenticationError,
    ConnectionLostError,
    InvalidMessageError,
    RefusedError,
    TimedOutError,
)
from lastvalue.http.problems import add_problem_handlers, status_of
from lastvalue.model.errors import LastvalueError, QueueNotFoundError


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (AuthenticationError("host", 1, "no"), 401),
        (RefusedError("what", "amqp:unauthorized-access"), 403),
        (QueueNotFoundError("q"), 404),
        (RefusedError("what", "amqp:not-found"), 404),
        (RefusedError("what", "amqp:precondition-failed"), 412),
        (InvalidMessageError("no"), 422),
        (RefusedError("what", "amqp:resource-limit-exceeded"), 429),
        (ConnectionLostError("gone"), 503),
        (TimedOutError("what", 1.0), 504),
    ],
)
def test_an_error_of_the_client_has_a_status(error: LastvalueError, status: int) -> None:
    assert status_of(error) == status


async def test_a_fault_of_the_gateway_shows_nothing_of_itself(caplog: pytest.LogCaptureFixture) -> None:
    application = FastAPI()
    add_problem_handlers(application)

    @application.get("/")
    async def fail() -> None:
        raise RuntimeError("secret")

    transport = httpx.ASGITransport(application, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://x") as client:
        with caplog.at_level(logging.ERROR):
            answer = await client.get("/")
    assert (answer.status_code, "secret" in answer.text) == (500, False)
    assert "secret" in caplog.text
