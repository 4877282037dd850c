"""What a follower of a queue gets: the current values, a marker, and then each update.

A slow follower gets fewer updates and never an old value: the broker chooses the message when the follower
has read the ones before.
"""

import json
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass
from functools import lru_cache
from http import HTTPStatus
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field

from lastvalue.client import Connection, Wanted, WatchOptions
from lastvalue.client.message_codec import decode_message
from lastvalue.http.broker_access import BrokerAccess
from lastvalue.http.caller import Caller
from lastvalue.http.problems import Problem, status_of
from lastvalue.http.value_routes import KeyType, key_of, value_document
from lastvalue.model.errors import LastvalueError

MOST_FOLLOWERS: Final = 5000
MOST_KEYS: Final = 500
ID_FORM: Final = r"^[0-9]{1,18}-[0-9]{1,18}-[0-9]{1,18}$"
PREFETCH: Final = 20
"""How many messages may be on their way to a follower: these can be older than the newest of their keys."""

MOST_CACHED_BYTES: Final = 4096
BEGIN_TIMEOUT_S: Final = 60.0
"""Very many may come at once."""


class FollowTerms(BaseModel):
    """What a follower asks for."""

    model_config = ConfigDict(extra="forbid")

    selector: Annotated[str | None, Field(description="Only messages that a JMS selector selects.")] = None
    key: Annotated[list[str], Field(max_length=MOST_KEYS, description="Only these keys.")] = []
    type: KeyType = KeyType.TEXT
    prefix: Annotated[str | None, Field(description="Only keys that begin so.")] = None
    glob: Annotated[str | None, Field(description="Only keys that match, with `*` and `?`.")] = None
    rate: Annotated[float | None, Field(gt=0, le=1e6, description="The most messages a second.")] = None
    last_event_id: Annotated[
        str | None, Field(pattern=ID_FORM, description="As the header, for clients that cannot send one.")
    ] = None


@dataclass(frozen=True, slots=True)
class FollowEvent:
    """An event.

    Attributes:
        kind: `value`, `removed`, `snapshot-end`, `snapshot-begin` or `error`.
        data: its JSON.
        token: where a follower that comes back goes on, or None.
        text: the event for a WebSocket.
        encoded: the server-sent event.
    """

    kind: str
    data: str
    token: str | None
    text: str
    encoded: bytes


def follow_event(kind: str, data: dict[str, Any], token: str | None = None) -> FollowEvent:
    """An event with this data."""
    told = json.dumps(data, separators=(",", ":"))
    # An event without an id leaves the follower's last one; an empty id ends it.
    encoded = f"id: {token or ''}\r\nevent: {kind}\r\ndata: {told}\r\n\r\n".encode()
    return FollowEvent(
        kind, told, token, f'{{"event":"{kind}","id":{json.dumps(token)},"data":{told}}}', encoded
    )


async def follow_queue(
    access: BrokerAccess, caller: Caller, queue: str, terms: FollowTerms
) -> AsyncGenerator[list[FollowEvent]]:
    """The events of a follower, some at a time, of which the first have come.

    Raises:
        Problem, LastvalueError: it cannot begin; what fails later is an event.
    """
    if access.followers >= MOST_FOLLOWERS:
        raise Problem(HTTPStatus.SERVICE_UNAVAILABLE, "the gateway has too many followers; try again later")
    events = _connected(access, caller, queue, terms)
    first = await anext(events)
    return _from(first, events)


async def _from(
    first: list[FollowEvent], rest: AsyncGenerator[list[FollowEvent]]
) -> AsyncGenerator[list[FollowEvent]]:
    try:
        yield first
        async for events in rest:
            yield events
    except LastvalueError as error:
        yield [follow_event("error", {"status": status_of(error), "detail": str(error)})]
    finally:
        await rest.aclose()


async def _connected(
    access: BrokerAccess, caller: Caller, name: str, terms: FollowTerms
) -> AsyncGenerator[list[FollowEvent]]:
    async with access.connections.use(caller) as broker:
        access.followers += 1
        try:
            async for events in _events(broker, name, terms):
                yield events
        finally:
            access.followers -= 1


async def _events(broker: Connection, name: str, terms: FollowTerms) -> AsyncIterator[list[FollowEvent]]:
    queue = broker.queue(name)
    key_property = str((await queue.info(timeout_s=BEGIN_TIMEOUT_S)).options.get("lvq_key", ""))
    asked = WatchOptions(
        removals=True,
        snapshot=True,
        token=terms.last_event_id,
        keys=[key_of(each, terms.type) for each in terms.key] or None,
        prefix=terms.prefix,
        glob=terms.glob,
        rate=terms.rate,
    )
    wanted = Wanted(selector=terms.selector, watch=asked)
    async with queue.browse(follow=True, prefetch=PREFETCH, wanted=wanted) as browser:
        while payloads := await browser.payloads(PREFETCH):
            yield [
                (_cached if len(payload) <= MOST_CACHED_BYTES else _event)(payload, key_property)
                for payload in payloads
            ]


def _event(payload: bytes, key_property: str) -> FollowEvent:
    message = decode_message(payload)
    if message.snapshot == "begun":
        return follow_event("snapshot-begin", {}, message.token)
    if message.snapshot is not None:
        data = {"sequence": message.sequence, "resumed": message.snapshot == "resumed"}
        return follow_event("snapshot-end", data, message.token)
    document = value_document(message, key_property)
    document.pop("token", None)
    if message.removed is not None:
        told = {"key": document["key"], "reason": message.removed, "sequence": message.sequence}
        return follow_event("removed", told, message.token)
    return follow_event("value", document, message.token)


_cached = lru_cache(maxsize=2048)(_event)
"""Others follow the same queue: what they all get is decoded, and written as JSON, once."""
