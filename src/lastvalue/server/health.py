"""An HTTP listener for health checks: is the broker alive, and does it serve."""

import asyncio
import contextlib
import os
from collections.abc import Callable, Mapping
from typing import Final

MOST_ASKERS: Final = 32
"""Connections at a time; a further one ends the oldest."""

ANSWER_WITHIN_S: Final = 5.0
_MOST_BYTES: Final = 8 * 1024
_REASONS: Final = {200: "OK", 400: "Bad Request", 404: "Not Found", 405: "Method Not Allowed"}
_UNAVAILABLE: Final = 503


class HealthPortError(OSError):
    """The health listener cannot listen on its address."""


class HealthListener:
    """Answers GET /healthz, GET /readyz and GET /leaderz, one request a connection.

    Args:
        unready: returns the reason why the broker does not serve, or None.
        facts: returns what /readyz?verbose tells besides that.
        lack: returns what does not work although the broker serves, or None; /readyz tells it.
        follows: returns the address of the leader that this broker follows, or None if it leads.
    """

    def __init__(
        self,
        unready: Callable[[], str | None],
        facts: Callable[[], Mapping[str, object]] = dict,
        lack: Callable[[], str | None] = lambda: None,
        follows: Callable[[], str | None] = lambda: None,
    ) -> None:
        self._unready = unready
        self._facts = facts
        self._lack = lack
        self._follows = follows
        self._askers: dict[asyncio.StreamWriter, None] = {}
        self._server: asyncio.Server | None = None

    async def start(self, host: str, port: int) -> int:
        """Start to listen; the port.

        Raises:
            HealthPortError: the address cannot be listened on.
        """
        try:
            self._server = await asyncio.start_server(self._attend, host, port, limit=_MOST_BYTES)
        except OSError as error:
            reason = os.strerror(error.errno) if error.errno and error.errno > 0 else str(error)
            raise HealthPortError(f"cannot answer health checks on {host}:{port}: {reason}") from error
        bound: int = self._server.sockets[0].getsockname()[1]
        return bound

    def close(self) -> None:
        """Stop listening."""
        if self._server is not None:
            self._server.close()
            self._server = None

    async def _attend(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(self._askers) == MOST_ASKERS:
            # A probe is answered at once, so the oldest is one that asks nothing.
            oldest = next(iter(self._askers))
            del self._askers[oldest]
            oldest.transport.abort()
        self._askers[writer] = None
        try:
            # A client that is slow, or goes away, gets no answer.
            with contextlib.suppress(OSError, TimeoutError):
                async with asyncio.timeout(ANSWER_WITHIN_S):
                    head = await _head(reader)
                    # One that gave way has no transport any more, and uvloop raises an error for a write.
                    if not writer.is_closing():
                        writer.write(self._answer(head))
                        await writer.drain()
                    writer.close()
                    await writer.wait_closed()
        finally:
            self._askers.pop(writer, None)
            writer.transport.abort()

    def _answer(self, head: bytes) -> bytes:
        words = head.partition(b"\r\n")[0].split(b" ")
        if len(words) != 3 or not words[2].startswith(b"HTTP/1."):
            return _response(400, "expected a request of HTTP/1.1")
        method, (path, _, query) = words[0], words[1].partition(b"?")
        if path not in (b"/healthz", b"/readyz", b"/leaderz"):
            return _response(404, "there are /healthz, /readyz and /leaderz")
        if method != b"GET":
            return _response(405, "ask with GET")
        unready = None if path == b"/healthz" else self._unready()
        if unready is None and path == b"/leaderz" and (leader := self._follows()) is not None:
            unready = f"this broker follows {leader or 'a leader that is not known yet'}"
        lines = [unready or "ok"]
        if path == b"/readyz" and (lack := self._lack()) is not None:
            lines.append(lack)
        if path == b"/readyz" and query == b"verbose":
            lines += [
                f"{name}: {value}" for name, value in self._facts().items() if not isinstance(value, list)
            ]
        return _response(200 if unready is None else _UNAVAILABLE, "\n".join(lines))


async def _head(reader: asyncio.StreamReader) -> bytes:
    """The request up to its empty line; empty where it is not a request, or too long."""
    try:
        return await reader.readuntil(b"\r\n\r\n")
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError):
        return b""


def _response(status: int, text: str) -> bytes:
    body = f"{text}\n".encode()
    head = (
        f"HTTP/1.1 {status} {_REASONS.get(status, 'Service Unavailable')}\r\n"
        f"Content-Type: text/plain; charset=utf-8\r\nContent-Length: {len(body)}\r\n"
        "Cache-Control: no-store\r\nConnection: close\r\n\r\n"
    )
    return head.encode("ascii") + body
