"""A queue followed as server-sent events, or over a WebSocket: /queues/NAME/follow.

The id of an event is its token; `Last-Event-ID` continues after it with what has changed since.
"""

import asyncio
import re
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from typing import Annotated, Final

from fastapi import APIRouter, Header, Query
from sse_starlette import EventSourceResponse
from starlette.requests import HTTPConnection, Request
from starlette.websockets import WebSocket, WebSocketDisconnect

from lastvalue.http.broker_access import QueueName, access_of
from lastvalue.http.caller import Caller
from lastvalue.http.follow_events import FollowBatch
from lastvalue.http.follow_partitions import follow_partitions
from lastvalue.http.follower import ID_FORM, FollowTerms, follow_queue
from lastvalue.http.leader_queues import callers_at, followers_at
from lastvalue.http.problems import FieldProblem, Problem

PING_S: Final = 15
_GOING_AWAY: Final = 1001

follow_routes = APIRouter(prefix="/queues/{queue}", tags=["values"])

Terms = Annotated[FollowTerms, Query()]


@follow_routes.get("/follow", response_class=EventSourceResponse)
async def follow(
    queue: QueueName,
    request: Request,
    terms: Terms,
    *,
    last_event_id: Annotated[str | None, Header()] = None,
) -> EventSourceResponse:
    """The current values, a marker, and then each update, as server-sent events or over a WebSocket."""
    events = await _follow(request, queue, terms, last_event_id)
    return EventSourceResponse(_sent_events(events), ping=PING_S)


@follow_routes.websocket("/follow")
async def follow_by_websocket(
    queue: QueueName,
    websocket: WebSocket,
    terms: Terms,
    *,
    last_event_id: Annotated[str | None, Header()] = None,
) -> None:
    """The same over a WebSocket; each text is an object with `event`, `id` and `data`."""
    events = await _follow(websocket, queue, terms, last_event_id)
    await websocket.accept()
    sending = asyncio.ensure_future(_send(websocket, events))
    leaving = asyncio.ensure_future(_left(websocket))
    await asyncio.wait({sending, leaving}, return_when=asyncio.FIRST_COMPLETED)
    for task in (sending, leaving):
        task.cancel()
    await asyncio.gather(sending, leaving, return_exceptions=True)
    await events.aclose()


async def _follow(
    connection: HTTPConnection, queue: str, terms: FollowTerms, last_event_id: str | None
) -> AsyncGenerator[FollowBatch]:
    access = access_of(connection)
    if last_event_id:
        terms = terms.model_copy(update={"last_event_id": _token(last_event_id)})
    callers: Sequence[Caller | Problem]
    if terms.partition is None:
        callers = await followers_at(connection, queue)
    else:
        callers = await callers_at(connection, queue, terms.partition)
    (caller, *others) = callers
    if others or isinstance(caller, Problem):
        return await follow_partitions(access, callers, queue, terms)
    return await follow_queue(access, caller, queue, terms)


async def _sent_events(follower: AsyncGenerator[FollowBatch]) -> AsyncIterator[bytes]:
    async for batch in follower:
        yield batch.encoded


async def _send(websocket: WebSocket, follower: AsyncGenerator[FollowBatch]) -> None:
    """Send events, each when the peer has taken those before; an error is the last one."""
    async for batch in follower:
        for event in batch.events:
            await websocket.send_text(event.text)
    await websocket.close(_GOING_AWAY)


async def _left(websocket: WebSocket) -> None:
    """Wait until the peer has gone; what it says has no meaning."""
    try:
        while True:
            await websocket.receive_text()
    except (WebSocketDisconnect, KeyError):
        return


def _token(last_event_id: str) -> str:
    if re.fullmatch(ID_FORM, last_event_id) is None:
        raise FieldProblem(
            "Last-Event-ID",
            f"Last-Event-ID is {last_event_id!r:.80}; expected the id of an event",
            place="header",
        )
    return last_event_id
