"""What is left of links that end without being closed, for when they are attached again [1.0 §2.6.4]."""

from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.broker import Broker
from lastvalue.broker.suspended_links import LONGEST_MS, Key, SuspendedLink
from lastvalue.codec.amqp10.performatives import Attach, DeliveryState, Source, Target
from lastvalue.codec.amqp10.values import Value
from lastvalue.frontends.amqp10.consumer import LinkConsumer
from lastvalue.frontends.amqp10.nodes import SHARED, Attachment, Nodes
from lastvalue.frontends.amqp10.outcomes import RELEASED
from lastvalue.frontends.amqp10.unsettled import UnsettledMatch, match_unsettled
from lastvalue.protocols.amqp10.receiver import ReceiverLink
from lastvalue.protocols.amqp10.sender import SenderLink
from lastvalue.protocols.amqp10.session import Session
from lastvalue.protocols.amqp10.windows import SERIAL
from lastvalue.queues.entry import Entry

DETACHED: Final = 0
SESSION_ENDED: Final = 1
CONNECTION_CLOSED: Final = 2
# [1.0 §3.5.6] What ends a terminus of each policy, once its timeout has passed.
_ENDS: Final[dict[str, int]] = {
    "link-detach": DETACHED,
    "session-end": SESSION_ENDED,
    "connection-close": CONNECTION_CLOSED,
    "never": CONNECTION_CLOSED + 1,
}
NONE: Final = 0
CONFIGURATION: Final = 1
"""[1.0 §3.5.5] What survives a restart: that a terminus exists, but not what was unsettled on it."""

MOST_RETAINED: Final = 65_536
"""Outcomes that are kept of one link; beyond, the oldest are forgotten."""


def actual_source(source: Source, subscribed: bool) -> Source:
    """How long a source lasts in truth; `subscribed` is to a subscription that survives a restart."""
    durable = CONFIGURATION if subscribed else NONE
    return replace(source, durable=durable, timeout=min(source.timeout, LONGEST_MS // 1000))


def actual_target(target: Target) -> Target:
    """How long a target lasts in truth, of how long it was asked to."""
    return replace(target, durable=NONE, timeout=min(target.timeout, LONGEST_MS // 1000))


class ResumableLink(SuspendedLink):
    """What is left of one link of some direction.

    Attributes:
        key: of the link.
        ends: the event that starts its timeout; `timeout_ms` is how long that is.
    """

    def __init__(self, key: Key, terminus: Source | Target) -> None:
        super().__init__(key)
        self.ends: i64 = _ENDS[terminus.expiry_policy]
        self.timeout_ms: i64 = min(terminus.timeout * 1000, LONGEST_MS)

    def survives(self, event: i64) -> bool:
        """Whether anything is left after that event."""
        return event < self.ends or self.timeout_ms > 0


@final
class SuspendedReader(ResumableLink):
    """A reader that holds what was not settled on its link, and gets nothing more.

    Attributes:
        entries: what it holds, by delivery tag.
        generation: how many links it has had before.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - compiled, positional
        self,
        key: Key,
        source: Source,
        consumer: LinkConsumer,
        number: i64,
        made: Attachment | None,
        nodes: Nodes,
        broker: Broker,
    ) -> None:
        super().__init__(key, source)
        self.source = source
        self.consumer = consumer
        self.number: i64 = number
        self.made = made
        self.entries: dict[bytes, Entry] = {}
        self.generation = 0
        self._nodes = nodes
        self._broker = broker

    def fits(self, source: Source | None, attach: Attach) -> bool:
        """Whether a link that asks for this goes on with it."""
        if self.consumer.reader is None or attach.snd_settle_mode != self.consumer.settle_mode:
            return False
        if source is None or source.address is None:
            return source is None or not source.dynamic
        own = self.source
        return (source.address, source.distribution_mode, source.filter, source.capabilities) == (
            own.address,
            own.distribution_mode,
            own.filter,
            own.capabilities,
        )

    def expire(self, now: i64) -> None:
        """See SuspendedLink."""
        self.over = True
        consumer = self.consumer
        reader = consumer.reader
        if reader is not None:
            consumer.abandon(now)
            self._broker.stop(reader, now)
            consumer.reader = None
        if self.made is not None:
            self._nodes.release(self.made, now, closed=False)
        self._broker.ended(self.number, now)

    def compare(self, attach: Attach, room: i64, now: i64) -> UnsettledMatch:
        """Find what a link goes on with [1.0 §2.6.13]; what the peer does not have is released."""
        consumer = self.consumer

        def settle(entry: Entry, state: DeliveryState | None) -> None:
            consumer.take_outcome(entry, RELEASED if state is None else state, now)

        found = match_unsettled(self.entries, attach, room, settle)
        self.entries = {}
        return found


@final
class SuspendedWriter(ResumableLink):
    """What was told, or is to be told, of deliveries that their sender may not have settled.

    Attributes:
        states: by delivery tag; None where the outcome is not told yet.
    """

    def __init__(self, key: Key, target: Target, states: dict[bytes, DeliveryState | None]) -> None:
        super().__init__(key, target)
        self.states = states

    def expire(self, now: i64) -> None:  # noqa: ARG002 - the interface has it
        """See SuspendedLink."""
        self.over = True


@final
class RetainedOutcomes:
    """What a publisher's peer may not have heard of: its deliveries by id, and their outcomes by tag.

    Attributes:
        known: of an earlier attachment, until the peer resumes it.
        second: the outcomes are kept until the peer settles.
    """

    __slots__ = ("_states", "_tags", "known", "second")

    def __init__(self, second: bool) -> None:
        self.second = second
        self.known: dict[bytes, DeliveryState | None] = {}
        self._tags: dict[int, bytes] = {}
        self._states: dict[bytes, DeliveryState | None] = {}

    def note(self, delivery_id: i64, tag: bytes, state: DeliveryState | None = None) -> None:
        """A delivery came, which its sender has unsettled."""
        self._tags[delivery_id] = tag
        self._states[tag] = state
        if len(self._tags) > MOST_RETAINED:
            self._states.pop(self._tags.pop(next(iter(self._tags))), None)

    def told(self, first: i64, last: i64, state: DeliveryState) -> None:
        """The peer was told the outcome of the deliveries first to last."""
        count: i64 = ((last - first) & SERIAL) + 1
        for step in range(count):
            delivery_id = (first + step) & SERIAL
            tag = self._tags.get(delivery_id)
            if tag is None:
                continue
            if self.second:
                self._states[tag] = state
            else:
                self._forget(delivery_id, tag)

    def settled(self, first: i64, last: i64) -> None:
        """The peer has settled the deliveries first to last."""
        reach: i64 = (last - first) & SERIAL
        for delivery_id, tag in list(self._tags.items()):
            if ((delivery_id - first) & SERIAL) <= reach:
                self._forget(delivery_id, tag)

    def _forget(self, delivery_id: i64, tag: bytes) -> None:
        del self._tags[delivery_id]
        self._states.pop(tag, None)

    def left(self) -> dict[bytes, DeliveryState | None]:
        """What is left of it when its link ends."""
        return {**self.known, **self._states}


def retained_by(link: ReceiverLink, target: Target) -> RetainedOutcomes | None:
    """What a publisher's link keeps: nothing unless it settles second, or its target outlives its session."""
    remote = link.remote
    second = remote is not None and remote.rcv_settle_mode == 1
    lasts = _ENDS[target.expiry_policy] > SESSION_ENDED or target.timeout > 0 or target.durable > 0
    return RetainedOutcomes(second) if second or lasts else None


@final
class LinkResumption:
    """The links of one connection that may be taken up again, and those that it takes up."""

    __slots__ = ("_broker", "_by_session", "_nodes", "_user")

    def __init__(self, broker: Broker, nodes: Nodes) -> None:
        self._broker = broker
        self._nodes = nodes
        self._by_session: dict[int, list[ResumableLink]] = {}

    # ------------------------------------------------------------------ links that end

    def suspend_reader(  # noqa: PLR0913, PLR0917 - compiled, positional
        self,
        key: Key,
        link: SenderLink,
        consumer: LinkConsumer,
        number: i64,
        made: Attachment | None,
        event: i64,
        now: i64,
    ) -> bool:
        """Keep what is left of a reader whose link is not closed; false where nothing is to be kept."""
        source = consumer.source
        if source is None or consumer.reader is None or not link.keeps:
            return False
        suspended = SuspendedReader(key, source, consumer, number, made, self._nodes, self._broker)
        for tag, entry in link.kept.items():
            if isinstance(entry, Entry):
                suspended.entries[tag] = entry
        # What was to be sent again and was not yet stays unsettled.
        for waiting in consumer.resumptions:
            if waiting.entry is not None:
                suspended.entries[waiting.tag] = waiting.entry
        consumer.resumptions = deque()
        suspended.entries.update(consumer.left)
        consumer.left = {}
        suspended.generation = consumer.generation
        return self._keep(suspended, link.link_state.channel, event, now)

    def suspend_writer(
        self, key: Key, link: ReceiverLink, retained: RetainedOutcomes, event: i64, now: i64
    ) -> None:
        """Keep what a publisher's peer may not have heard of."""
        states = retained.left()
        remote = link.remote
        if states and remote is not None and isinstance(remote.target, Target):
            self._keep(SuspendedWriter(key, remote.target, states), link.link_state.channel, event, now)

    def _keep(self, suspended: ResumableLink, channel: int, event: i64, now: i64) -> bool:
        if not suspended.survives(event):
            return False
        expires_ms = now + (suspended.timeout_ms if event >= suspended.ends else LONGEST_MS)
        if not self._broker.suspended_links.keep(suspended, expires_ms, now):
            return False
        if event < suspended.ends:
            self._by_session.setdefault(channel, []).append(suspended)
        return True

    def session_ended(self, session: Session, event: i64, now: i64) -> None:
        """A session has ended, or its connection with it: the timeouts of what it has left begin."""
        waiting = self._by_session.pop(session.channel, [])
        left = [suspended for suspended in waiting if not self._pass(suspended, event, now)]
        if left:
            # A link that outlives its session goes with the connection.
            self._by_session.setdefault(-1, []).extend(left)

    def connection_closed(self, now: i64) -> None:
        """The connection is over."""
        for waiting in list(self._by_session.values()):
            for suspended in waiting:
                self._pass(suspended, CONNECTION_CLOSED, now)
        self._by_session = {}

    def _pass(self, suspended: ResumableLink, event: i64, now: i64) -> bool:
        """Whether an event has begun the end of what is left of a link."""
        if suspended.over:
            return True
        if event < suspended.ends:
            return False
        if suspended.timeout_ms > 0:
            self._broker.suspended_links.schedule(suspended, now + suspended.timeout_ms)
        else:
            self._broker.suspended_links.take(suspended.key)
            suspended.expire(now)
        return True

    # ------------------------------------------------------------------ links that come again

    def reader(self, key: Key, source: Source | None, attach: Attach, now: i64) -> SuspendedReader | None:
        """The reader that a link goes on with; one that it does not fit ends."""
        suspended = self._broker.suspended_links.take(key)
        if isinstance(suspended, SuspendedReader):
            if suspended.fits(source, attach):
                return suspended
            suspended.expire(now)
        return None

    def writer(self, key: Key, attach: Attach) -> dict[bytes, DeliveryState | None]:
        """What a publisher's peer may resume: what it has unsettled itself, and was not told the end of.

        [1.0 §2.7.3] Where its map is incomplete it may have any of it unsettled.
        """
        suspended = self._broker.suspended_links.take(key)
        if not isinstance(suspended, SuspendedWriter):
            return {}
        told: Mapping[Value, Value] = attach.unsettled or {}
        return {
            tag: state
            for tag, state in suspended.states.items()
            if tag in told or attach.incomplete_unsettled
        }


def may_be_resumed(source: Source) -> bool:
    """Whether a reader is kept when its link ends; those that share a subscription are not."""
    return SHARED not in source.capabilities
