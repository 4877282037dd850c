"""Refusals with the statuses that tools of RabbitMQ's management API know."""

import json
from collections.abc import Callable, Coroutine
from http import HTTPStatus
from typing import Any, Final

from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from lastvalue.http.problems import CHALLENGE, MEDIA_TYPE, answer_to
from lastvalue.model.errors import LastvalueError

_RESTATED: Final = {
    HTTPStatus.FORBIDDEN: HTTPStatus.UNAUTHORIZED,
    HTTPStatus.METHOD_NOT_ALLOWED: HTTPStatus.BAD_REQUEST,
    HTTPStatus.CONFLICT: HTTPStatus.BAD_REQUEST,
    HTTPStatus.PRECONDITION_FAILED: HTTPStatus.BAD_REQUEST,
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: HTTPStatus.BAD_REQUEST,
    HTTPStatus.UNPROCESSABLE_ENTITY: HTTPStatus.BAD_REQUEST,
}
"""`rabbitmqadmin` prints the reason of 400, and of 401 and 404 what was refused; others are tracebacks."""
_ERRORS: Final = {
    HTTPStatus.BAD_REQUEST: "bad_request",
    HTTPStatus.UNAUTHORIZED: "not_authorised",
    HTTPStatus.NOT_FOUND: "Object Not Found",
}


class RefusingRoute(APIRoute):
    """A route that refuses as RabbitMQ does: 400 for what cannot be done, 401 for what the user may not do.

    The document is a problem as everywhere; its `error` is RabbitMQ's.
    """

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """See APIRoute."""
        serve = super().get_route_handler()

        async def serve_or_refuse(request: Request) -> Response:
            try:
                return await serve(request)
            except (HTTPException, RequestValidationError, LastvalueError) as error:
                return _restated(answer_to(request, error))

        return serve_or_refuse


def _restated(answer: JSONResponse) -> JSONResponse:
    status = _RESTATED.get(HTTPStatus(answer.status_code), HTTPStatus(answer.status_code))
    document = json.loads(bytes(answer.body)) | {"status": status, "title": status.phrase}
    if status in _ERRORS:
        document["error"] = _ERRORS[status]
    headers = {name: value for name, value in answer.headers.items() if not name.startswith("content-")}
    if status == HTTPStatus.UNAUTHORIZED:
        headers.setdefault("www-authenticate", CHALLENGE)
    return JSONResponse(document, status, headers, MEDIA_TYPE)
