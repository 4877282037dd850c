"""lastvalue.http.problems."""

import logging
from http import HTTPStatus

import httpx
import pytest
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError

from lastvalue.client.errors import (
    AuthenticationError,
    ConnectionLostError,
    InvalidMessageError,
    MalformedMessageError,
    RefusedError,
    TimedOutError,
)
from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.http.problems import FieldProblem, Problem, add_problem_handlers, status_of
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
        (MalformedMessageError("no"), 500),
        (DecodeError("no"), 500),
        (RefusedError("what", "amqp:resource-limit-exceeded"), 429),
        (ConnectionLostError("gone"), 503),
        (TimedOutError("what", 1.0), 504),
    ],
)
def test_an_error_of_the_client_has_a_status(error: LastvalueError, status: int) -> None:
    assert status_of(error) == status


async def answer_of(error: Exception, method: str = "GET") -> httpx.Response:
    """What a gateway answers whose route raises an error."""
    application = FastAPI()
    add_problem_handlers(application)

    @application.api_route("/{queue}", methods=[method])
    async def fail(queue: str) -> None:
        raise error

    transport = httpx.ASGITransport(application, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://x") as client:
        return await client.request(method, "/prices")


@pytest.mark.parametrize(
    ("error", "method", "named"),
    [
        (FieldProblem("queue", "wrong"), "PUT", {"in": "path", "field": "queue", "fault": "wrong"}),
        (FieldProblem("limit", "wrong"), "GET", {"in": "query", "field": "limit", "fault": "wrong"}),
        (FieldProblem("name", "wrong"), "PUT", {"in": "body", "field": "name", "fault": "wrong"}),
        (
            FieldProblem("If-Match", "wrong", place="header"),
            "PUT",
            {"in": "header", "field": "If-Match", "fault": "wrong"},
        ),
        (InvalidMessageError("wrong"), "PUT", {"in": "body", "field": "body", "fault": "wrong"}),
    ],
)
async def test_a_field_that_is_wrong_is_named_beside_the_text(
    error: Exception, method: str, named: dict[str, str]
) -> None:
    told = (await answer_of(error, method)).json()
    assert (told["status"], told["detail"], told["errors"]) == (422, "wrong", [named])


async def test_a_parameter_that_there_is_not_is_named_and_where_those_are_that_there_are() -> None:
    unknown = {"type": "extra_forbidden", "loc": ("query", "tme"), "msg": "Extra inputs are not permitted"}
    told = (await answer_of(RequestValidationError([unknown]))).json()
    assert told["detail"].startswith("tme: there is nothing of this name")
    assert told["errors"][0]["field"] == "tme"


async def test_of_a_body_that_is_not_json_the_place_of_the_fault_is_told() -> None:
    said = {"type": "json_invalid", "loc": ("body", 7), "msg": "JSON decode error", "ctx": {"error": "no"}}
    told = (await answer_of(RequestValidationError([said]), "PUT")).json()
    fault = "the body is not JSON: no, at character 7"
    assert told["errors"] == [{"in": "body", "field": "body", "fault": fault}]


@pytest.mark.parametrize("error", [Problem(HTTPStatus.CONFLICT, "no"), MalformedMessageError("no")])
async def test_what_no_field_is_the_cause_of_names_none(error: Exception) -> None:
    assert "errors" not in (await answer_of(error)).json()


async def test_a_fault_of_the_gateway_shows_nothing_of_itself(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        answer = await answer_of(RuntimeError("secret"))
    assert (answer.status_code, "secret" in answer.text) == (500, False)
    assert "secret" in caplog.text
