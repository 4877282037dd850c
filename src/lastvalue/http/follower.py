"""What a follower of a queue gets: the current values, a marker, and then each update.

A slow follower gets fewer updates and never an old value: the message is chosen when the follower has read
the ones before. Followers with the same rights who ask for the same share a watch. Those with a rate, of a
queue without keys or with too much in them, or who continue from a token no shared watch knows, have one of
their own.
"""

from collections.abc import AsyncGenerator, Hashable
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from lastvalue.client import Connection, Queue, QueueInfo, Wanted, WatchOptions
from lastvalue.http.broker_access import BrokerAccess
from lastvalue.http.caller import Caller
from lastvalue.http.follow_events import FollowBatch, FollowEvent, event_of, follow_event
from lastvalue.http.problems import Problem, text_of
from lastvalue.http.shared_watch import MOST_BYTES
from lastvalue.http.value_routes import KeyType, key_of
from lastvalue.model.errors import LastvalueError

MOST_FOLLOWERS: Final = 5000
MOST_KEYS: Final = 500
_PLACE: Final = r"[0-9]{1,18}-[0-9]{1,18}-[0-9]{1,18}"
ID_FORM: Final = rf"^{_PLACE}(\.{_PLACE})*$"
"""A token, or one of each broker that has keys of the queue."""

PREFETCH: Final = 20
"""How many messages may be on their way to a follower, or to a watch that followers share.

These can be older than the newest of their keys. More of them would hold the broker for longer at a time.
"""

MOST_RESUMED: Final = 50
"""While fewer followers have a watch of their own, one who continues from a token that no shared watch knows
gets one, too; else it gets all values."""

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
    partition: Annotated[
        int | None,
        Field(ge=0, lt=2**31, description="Of the brokers that have keys; else all of them."),
    ] = None
    last_event_id: Annotated[
        str | None, Field(pattern=ID_FORM, description="As the header, for clients that cannot send one.")
    ] = None


async def follow_queue(
    access: BrokerAccess, caller: Caller, queue: str, terms: FollowTerms
) -> AsyncGenerator[FollowBatch]:
    """The events of a follower, some at a time, of which the first have come.

    Raises:
        Problem, LastvalueError: it cannot begin; what fails later is an event.
    """
    return await begun(access, followed_batches(access, caller, queue, terms))


async def begun(access: BrokerAccess, events: AsyncGenerator[FollowBatch]) -> AsyncGenerator[FollowBatch]:
    """The same events, of which the first have come; an error after them is the last event.

    Raises:
        Problem, LastvalueError: it cannot begin.
    """
    if access.followers >= MOST_FOLLOWERS:
        raise Problem(HTTPStatus.SERVICE_UNAVAILABLE, "the gateway has too many followers; try again later")
    return _from(await anext(events), events)


async def _from(first: FollowBatch, rest: AsyncGenerator[FollowBatch]) -> AsyncGenerator[FollowBatch]:
    try:
        yield first
        async for events in rest:
            yield events
    except (LastvalueError, Problem) as error:
        status, text = text_of(error)
        yield FollowBatch([follow_event("error", {"status": status, "detail": text})])
    finally:
        await rest.aclose()


async def followed_batches(
    access: BrokerAccess, caller: Caller, name: str, terms: FollowTerms
) -> AsyncGenerator[FollowBatch]:
    """The events of a queue at one broker, some at a time.

    Raises:
        Problem, LastvalueError: it cannot be followed, or not any more.
    """
    # Also a follower of a shared watch uses its caller's connection, so the caller's session continues.
    async with access.connections.use(caller) as broker:
        access.followers += 1
        try:
            async for batch in _batches(access, broker, _Followed(caller.without_credentials, name, terms)):
                yield batch
        finally:
            access.followers -= 1


@dataclass(frozen=True, slots=True)
class _Followed:
    """What somebody follows."""

    caller: Caller
    queue: str
    terms: FollowTerms

    @property
    def shown(self) -> Hashable:
        """What followers of one shared watch have in common: all but the place from which each reads."""
        return self.caller, self.queue, self.terms.model_dump_json(exclude={"last_event_id", "partition"})

    def after(self, token: str | None) -> "_Followed":
        """The same from a token on."""
        return replace(self, terms=self.terms.model_copy(update={"last_event_id": token}))


async def _batches(
    access: BrokerAccess, broker: Connection, followed: _Followed
) -> AsyncGenerator[FollowBatch]:
    token, watches = followed.terms.last_event_id, access.watches
    may_share = token is None or watches.knows(followed.shown, token) or access.own_watches >= MOST_RESUMED
    if followed.terms.rate is not None or not may_share:
        async for batch in _of_own_watch(access, broker, followed):
            yield batch
        return
    has_begun = False
    with watches.following(followed.shown, lambda: _shared_events(access, followed.after(None))) as watch:
        async for batch in watch.follow(token):
            has_begun, token = True, batch.token or token
            yield batch
        if has_begun and token is None:
            yield FollowBatch([follow_event("snapshot-begin", {})])
        async for batch in _of_own_watch(access, broker, followed.after(token)):
            yield batch


async def _of_own_watch(
    access: BrokerAccess, broker: Connection, followed: _Followed
) -> AsyncGenerator[FollowBatch]:
    access.own_watches += 1
    try:
        queue = broker.queue(followed.queue)
        facts = await queue.info(timeout_s=BEGIN_TIMEOUT_S)
        async for events in _events(queue, facts, followed.terms):
            yield FollowBatch(events)
    finally:
        access.own_watches -= 1


async def _shared_events(access: BrokerAccess, followed: _Followed) -> AsyncGenerator[list[FollowEvent]]:
    """The events of a shared watch; none if the queue has no keys, or too much in them."""
    async with access.connections.use(followed.caller) as broker:
        queue = broker.queue(followed.queue)
        facts = await queue.info(timeout_s=BEGIN_TIMEOUT_S)
        terms = followed.terms
        is_narrowed = bool(terms.key or terms.prefix or terms.glob or terms.selector)
        if "lvq_key" not in facts.options or (facts.depth_bytes > MOST_BYTES and not is_narrowed):
            return
        async for events in _events(queue, facts, terms):
            yield events


async def _events(queue: Queue, facts: QueueInfo, terms: FollowTerms) -> AsyncGenerator[list[FollowEvent]]:
    key_property = str(facts.options.get("lvq_key", ""))
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
            yield [event_of(payload, key_property) for payload in payloads]
