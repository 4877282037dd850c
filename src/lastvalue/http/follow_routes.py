"""A queue followed as server-sent events: /queues/NAME/follow.

The events are `value` for each current value, then one `snapshot-end`, then `value` for each update. A slow
follower gets fewer updates and never an old value: the broker chooses the message when the follower has read.
The id of an event is its sequence; `Last-Event-ID` continues after it with what has changed since.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated, Any, Final

from fastapi import APIRouter, Header, Query
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.requests import Request

from lastvalue.client import Connection, Message, Queue, QueueInfo, Wanted
from lastvalue.http.broker_access import BrokerAccess, QueueName, access_of
from lastvalue.http.caller import Caller
from lastvalue.http.problems import Problem, status_of
from lastvalue.http.value_routes import value_document
from lastvalue.model.errors import LastvalueError

MOST_FOLLOWERS: Final = 5000
PREFETCH: Final = 20
"""How many messages may be on their way to a follower: these can be older than the newest of their keys."""

PING_S: Final = 15

follow_routes = APIRouter(prefix="/queues/{queue}", tags=["values"])


@dataclass(frozen=True, slots=True)
class Terms:
    """What a follower asks for.

    Attributes:
        selector: only messages that it selects, or None.
        rate: at most so many messages a second, or None.
        after: the last sequence that it has, or None for a snapshot.
    """

    selector: str | None
    rate: float | None
    after: int | None


@follow_routes.get("/follow", response_class=EventSourceResponse)
async def follow(
    queue: QueueName,
    request: Request,
    *,
    selector: Annotated[str | None, Query(description="Only messages that a JMS selector selects.")] = None,
    rate: Annotated[float | None, Query(gt=0, le=1e6, description="The most messages a second.")] = None,
    last_event_id: Annotated[str | None, Header()] = None,
) -> EventSourceResponse:
    """The current values, a marker, and then each update, as server-sent events."""
    access = access_of(request)
    caller = access.identify(request)
    if access.followers >= MOST_FOLLOWERS:
        raise Problem(HTTPStatus.SERVICE_UNAVAILABLE, "the gateway has too many followers; try again later")
    terms = Terms(selector, rate, _sequence(last_event_id))
    follower = _follow(access, caller, queue, terms)
    # Errors that occur at once are an answer, not an event.
    first = await anext(follower)
    return EventSourceResponse(_from(first, follower), ping=PING_S)


async def _from(
    first: ServerSentEvent, rest: AsyncIterator[ServerSentEvent]
) -> AsyncIterator[ServerSentEvent]:
    yield first
    try:
        async for event in rest:
            yield event
    except LastvalueError as error:
        yield _event("error", {"status": status_of(error), "detail": str(error)})


async def _follow(
    access: BrokerAccess, caller: Caller, name: str, terms: Terms
) -> AsyncIterator[ServerSentEvent]:
    async with access.connections.use(caller) as broker:
        access.followers += 1
        try:
            async for event in _events(broker, name, terms):
                yield event
        finally:
            access.followers -= 1


async def _events(broker: Connection, name: str, terms: Terms) -> AsyncIterator[ServerSentEvent]:
    queue = broker.queue(name)
    info = await queue.info()
    last = (await queue.sequences()).last
    seen: set[int] = set()
    after = terms.after
    if after is None or after > last or not _is_by_sequence(info):
        async for message in _snapshot(queue, terms):
            if (message.sequence or 0) > last:
                # The browser below sees it again.
                seen.add(message.sequence or 0)
            yield _value(info, message)
        yield _event("snapshot-end", {"sequence": last}, last if _is_by_sequence(info) else None)
        after = last
    else:
        yield _event("resumed", {"sequence": after}, after)
    wanted = Wanted(selector=terms.selector, after=after)
    most = PREFETCH if terms.rate is None else max(1, min(PREFETCH, int(terms.rate / 10)))
    async with queue.browse(follow=True, prefetch=most, wanted=wanted) as browser:
        while messages := await browser.batch(most):
            for message in messages:
                if message.sequence not in seen:
                    yield _value(info, message)
            if terms.rate is not None:
                await asyncio.sleep(len(messages) / terms.rate)


async def _snapshot(queue: Queue, terms: Terms) -> AsyncIterator[Message]:
    async with queue.browse(wanted=Wanted(selector=terms.selector)) as browser:
        while messages := await browser.batch():
            for message in messages:
                yield message


def _is_by_sequence(info: QueueInfo) -> bool:
    """Whether readers see messages in the order of their sequences, so that they can go on from one."""
    options = info.options
    in_place = options.get("lvq_placement", "tail") != "tail"
    return info.type in ("lvq", "standard") and not in_place and not options.get("priorities")


def _value(info: QueueInfo, message: Message) -> ServerSentEvent:
    document = value_document(message, str(info.options.get("lvq_key", "")))
    return _event("value", document, message.sequence if _is_by_sequence(info) else None)


def _event(kind: str, data: dict[str, Any], sequence: int | None = None) -> ServerSentEvent:
    # An event without an id leaves the follower's last one; an empty id ends it.
    return ServerSentEvent(
        json.dumps(data, separators=(",", ":")), event=kind, id="" if sequence is None else str(sequence)
    )


def _sequence(last_event_id: str | None) -> int | None:
    if not last_event_id:
        return None
    if not (last_event_id.isascii() and last_event_id.isdigit() and len(last_event_id) < 19):
        raise Problem(
            HTTPStatus.UNPROCESSABLE_ENTITY, f"Last-Event-ID is {last_event_id!r:.80}; expected a sequence"
        )
    return int(last_event_id)
