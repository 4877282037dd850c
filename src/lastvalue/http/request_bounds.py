"""Bounds what a request may cost before it is parsed: its head, its body, and the time that it takes."""

import asyncio
import logging
from http import HTTPStatus

from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect, HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lastvalue.http.broker_access import BrokerAccess
from lastvalue.http.problems import Problem, problem, text_of
from lastvalue.model.admission import BODY_BYTES, FIRST_BODY_BYTES, FIRST_BYTES, OPENING_MS
from lastvalue.model.errors import LastvalueError

_LOGIN = "/session"
_log = logging.getLogger(__name__)


class RequestBounds:
    """Refuses what is too large or too slow, and reads no more of it.

    The body of a caller whom the broker has not let in yet is small. Where more of it comes, the caller is
    let in first, or refused.
    """

    def __init__(self, application: ASGIApp, access: BrokerAccess) -> None:
        self._application = application
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See ASGI."""
        if scope["type"] not in ("http", "websocket"):
            await self._application(scope, receive, send)
            return
        size = len(scope["query_string"]) + len(scope.get("raw_path") or scope["path"])
        size += sum(len(name) + len(value) for name, value in scope["headers"])
        if size > FIRST_BYTES.most:
            fault = f"a head of {size} bytes; it may have {FIRST_BYTES.most}"
            await problem(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, fault)(scope, receive, send)
            return
        if scope["type"] == "http":
            body = _Body(scope, receive, send, self._access)
            receive, send = body.receive, body.send
        try:
            await self._application(scope, receive, send)
        except ClientDisconnect:
            _log.debug("a caller of %s %s went away", scope["method"], scope["path"])


class _Body:
    """The body of a request as it comes; what is not read of it ends the connection."""

    def __init__(self, scope: Scope, receive: Receive, send: Send, access: BrokerAccess) -> None:
        self._scope = scope
        self._receive = receive
        self._send = send
        self._access = access
        self._most = FIRST_BODY_BYTES.most
        self._bytes = 0
        heads = dict(scope["headers"])
        declared = heads.get(b"content-length", b"0")
        self._declared = int(declared) if declared.isdigit() else 0
        self._over = not self._declared and b"transfer-encoding" not in heads
        self._deadline_s = asyncio.get_running_loop().time() + OPENING_MS.most / 1000

    async def receive(self) -> Message:
        """The next part; see ASGI.

        Raises:
            Problem: the body is too large, or comes too slowly.
        """
        if self._over:
            return await self._receive()
        await self._allow(self._declared)
        message = await self._next()
        if message["type"] == "http.request":
            self._bytes += len(message.get("body", b""))
            await self._allow(self._bytes)
            self._over = not message.get("more_body", False)
        return message

    async def send(self, message: Message) -> None:
        """See ASGI."""
        if message["type"] == "http.response.start" and not self._over:
            # The rest would have to be read and passed over.
            MutableHeaders(scope=message)["Connection"] = "close"
        await self._send(message)

    async def _next(self) -> Message:
        if self._most > FIRST_BODY_BYTES.most:
            return await self._receive()
        try:
            async with asyncio.timeout_at(self._deadline_s):
                return await self._receive()
        except TimeoutError:
            fault = f"a body has to come within {OPENING_MS.most} ms"
            raise Problem(HTTPStatus.REQUEST_TIMEOUT, fault) from None

    async def _allow(self, size: int) -> None:
        if size <= self._most:
            return
        if self._scope["path"] != _LOGIN:
            if size <= BODY_BYTES.most:
                await self._let_in()
            self._most = BODY_BYTES.most
        if size > self._most:
            fault = f"a body has at most {self._most} bytes here"
            raise Problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, fault)

    async def _let_in(self) -> None:
        """Have the broker check who the caller is.

        Raises:
            Problem: the caller is not let in.
        """
        try:
            caller = self._access.identify(HTTPConnection(self._scope))
            async with self._access.connections.use(caller):
                return
        except LastvalueError as error:
            status, text = text_of(error)
            raise Problem(HTTPStatus(status), text) from None
