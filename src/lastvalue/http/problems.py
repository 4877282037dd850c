"""Errors as problem documents [RFC 9457]."""

import logging
from http import HTTPStatus
from typing import Any, Final

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError, WebSocketRequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection

from lastvalue.client.errors import (
    AuthenticationError,
    ClientError,
    InvalidMessageError,
    MalformedMessageError,
    RefusedError,
    TimedOutError,
)
from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.model.errors import LastvalueError

MEDIA_TYPE: Final = "application/problem+json"
CHALLENGE: Final = 'Basic realm="lastvalue", charset="UTF-8"'
SCRIPT_CHALLENGE: Final = 'Bearer realm="lastvalue"'
"""For a page's script: at the other one a browser asks for a password by itself."""

_WITH_BODY: Final = ("POST", "PUT", "PATCH")
_BODY: Final = "body"

_UNKNOWN: Final = "there is nothing of this name; /openapi.json lists what there is"
_NOT_LET_IN: Final = (
    "credentials are missing or wrong; log in, or send the name and password of a user, or a token"
)

_log = logging.getLogger(__name__)


class Problem(HTTPException):
    """A request cannot be served; the text says what is wrong and what would be right."""

    def __init__(self, status: HTTPStatus, detail: str, **headers: str) -> None:
        super().__init__(status, detail, headers)


class FieldProblem(Problem):
    """A field of a request is wrong, which the document names in `errors` besides the text.

    Attributes:
        field: its name, in the body with those of the fields around it before it: `properties.headers`.
        place: `path`, `query`, `header` or `body`; None for the place that the request has for arguments.
    """

    def __init__(
        self,
        field: str,
        detail: str,
        *,
        place: str | None = None,
        status: HTTPStatus = HTTPStatus.UNPROCESSABLE_ENTITY,
    ) -> None:
        super().__init__(status, detail)
        self.field = field
        self.place = place


def problem(
    status: int,
    detail: str,
    headers: dict[str, str] | None = None,
    *,
    challenge: str = CHALLENGE,
    **more: object,
) -> JSONResponse:
    """The response with a problem document."""
    known = HTTPStatus(status)
    body: dict[str, object] = {
        "type": "about:blank",
        "title": known.phrase,
        "status": status,
        "detail": detail,
        # Where tools of Broker-J and RabbitMQ look.
        "errorMessage": detail,
        "reason": detail,
    }
    if status == HTTPStatus.UNAUTHORIZED:
        headers = {"WWW-Authenticate": challenge, **(headers or {})}
    return JSONResponse(body | more, status, headers, MEDIA_TYPE)


def add_problem_handlers(application: FastAPI) -> None:
    """Answer every error with a problem document."""
    for kind in (HTTPException, RequestValidationError, WebSocketRequestValidationError, LastvalueError):
        application.add_exception_handler(kind, _handle)
    application.add_exception_handler(Exception, answer_to)


async def _handle(connection: HTTPConnection, error: Exception) -> JSONResponse:
    """See `answer_to`; a WebSocket is refused with the same answer."""
    return answer_to(connection, error)


def status_of(error: LastvalueError) -> int:
    """The HTTP status of an error of the client."""
    match error:
        case AuthenticationError():
            return HTTPStatus.UNAUTHORIZED
        case TimedOutError():
            return HTTPStatus.GATEWAY_TIMEOUT
        case MalformedMessageError() | DecodeError():
            # Of what a queue holds, whatever the caller asks.
            return HTTPStatus.INTERNAL_SERVER_ERROR
        case InvalidMessageError() | RefusedError():
            return error.condition.http
        case ClientError():
            return HTTPStatus.SERVICE_UNAVAILABLE
        case _:
            return error.condition.http


def text_of(error: LastvalueError | HTTPException) -> tuple[int, str]:
    """The HTTP status and the text of an error, where it is no answer of its own."""
    if isinstance(error, HTTPException):
        return error.status_code, error.detail
    return status_of(error), _text(error)


def answer_to(request: HTTPConnection, error: Exception) -> JSONResponse:
    """The problem document of an error."""
    by_script = request.headers.get("sec-fetch-dest") == "empty"
    challenge = SCRIPT_CHALLENGE if by_script else CHALLENGE
    match error:
        case FieldProblem():
            place = error.place or _place_of(request, error.field)
            faults = [_named(place, error.field, error.detail)]
            return problem(error.status_code, error.detail, errors=faults)
        case HTTPException():
            return problem(
                error.status_code, _detail(request, error), dict(error.headers or {}), challenge=challenge
            )
        case RequestValidationError() | WebSocketRequestValidationError():
            return _invalid(request, error)
        case InvalidMessageError() if not isinstance(error, MalformedMessageError):
            # Only a body can have what a message cannot.
            faults = [_named(_BODY, _BODY, str(error))]
            return problem(status_of(error), str(error), errors=faults, condition=error.condition.amqp10)
        case LastvalueError():
            condition = error.condition.amqp10
            return problem(status_of(error), _text(error), challenge=challenge, condition=condition)
        case _:
            _log.error(
                "%s %s failed", request.scope.get("method", "WebSocket"), request.url.path, exc_info=error
            )
            return problem(HTTPStatus.INTERNAL_SERVER_ERROR, "the gateway failed; its log says more")


def _invalid(
    request: HTTPConnection, error: RequestValidationError | WebSocketRequestValidationError
) -> JSONResponse:
    if isinstance(error, RequestValidationError) and isinstance(error.body, bytes):
        # A body that is not said to be JSON stays as it came.
        given = request.headers.get("content-type") or "no type"
        fault = f"the body has {given:.80}; expected application/json"
        faults = [_named("header", "Content-Type", fault)]
        return problem(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, fault, errors=faults)
    faults = [_fault(each) for each in error.errors()]
    detail = "; ".join(f"{each['field']}: {each['fault']}" for each in faults)
    return problem(HTTPStatus.UNPROCESSABLE_ENTITY, detail, errors=faults)


def _text(error: LastvalueError) -> str:
    if isinstance(error, AuthenticationError):
        # How the gateway reaches the broker is not for whoever has not logged in.
        return _NOT_LET_IN
    return error.description if isinstance(error, RefusedError) and error.description else str(error)


def _detail(request: HTTPConnection, error: HTTPException) -> str:
    if error.detail != HTTPStatus(error.status_code).phrase:
        return error.detail
    if error.status_code == HTTPStatus.NOT_FOUND:
        return f"there is no resource {request.url.path}; /openapi.json lists them"
    method = request.scope.get("method", "WebSocket")
    return f"{request.url.path} does not answer {method}"


def _fault(error: dict[str, Any]) -> dict[str, str]:
    """The field of a request that is wrong, and what is wrong with it."""
    place, *path = (str(each) for each in error["loc"])
    if error["type"] == "json_invalid":
        # The path is the place of the fault, a number of characters.
        fault = f"the body is not JSON: {error['ctx']['error']}, at character {path[0]}"
        return _named(place, place, fault)
    fault = (
        _UNKNOWN if error["type"] == "extra_forbidden" else str(error["msg"]).removeprefix("Value error, ")
    )
    return _named(place, ".".join(path) or place, fault)


def _named(place: str, field: str, fault: str) -> dict[str, str]:
    return {"in": place, "field": field, "fault": fault}


def _place_of(request: HTTPConnection, field: str) -> str:
    if field in request.path_params:
        return "path"
    return _BODY if request.scope.get("method") in _WITH_BODY else "query"
