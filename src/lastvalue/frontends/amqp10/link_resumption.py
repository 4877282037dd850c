"""Links that end without being closed, and are resumed when they are attached again [1.0 §2.6.4]."""

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
from lastvalue.protocols.amqp10.retained_outcomes import RetainedOutcomes
from lastvalue.protocols.amqp10.sender import SenderLink
from lastvalue.protocols.amqp10.session import Session
from lastvalue.queues.entry import Entry

DETACHED: Final = 0
SESSION_ENDED: Final = 1
CONNECTION_CLOSED: Final = 2
# [1.0 §3.5.6] By expiry policy, the event at which the timeout of a terminus begins.
_ENDS: Final[dict[str, int]] = {
    "link-detach": DETACHED,
    "session-end": SESSION_ENDED,
    "connection-close": CONNECTION_CLOSED,
    "never": CONNECTION_CLOSED + 1,
}
NONE: Final = 0
CONFIGURATION: Final = 1
"""[1.0 §3.5.5] A restart keeps that the terminus exists, but not its unsettled deliveries."""


def actual_source(source: Source, subscribed: bool) -> Source:
    """The source with its actual durability and timeout; `subscribed` is to a durable subscription."""
    durable = CONFIGURATION if subscribed else NONE
    return replace(source, durable=durable, timeout=min(source.timeout, LONGEST_MS // 1000))


def actual_target(target: Target) -> Target:
    """The target with its actual durability and timeout."""
    return replace(target, durable=NONE, timeout=min(target.timeout, LONGEST_MS // 1000))


class ResumableLink(SuspendedLink):
    """A suspended link of either direction.

    Attributes:
        key: of the link.
        ends: the event that starts its timeout.
        timeout_ms: after which it expires.
    """

    def __init__(self, key: Key, terminus: Source | Target) -> None:
        super().__init__(key)
        self.ends: i64 = _ENDS[terminus.expiry_policy]
        self.timeout_ms: i64 = min(terminus.timeout * 1000, LONGEST_MS)

    def survives(self, event: i64) -> bool:
        """Whether the link is still suspended after an event."""
        return event < self.ends or self.timeout_ms > 0


@final
class SuspendedReader(ResumableLink):
    """A reader whose link has ended: it holds its unsettled entries and is sent nothing.

    Attributes:
        link_number: the link's, of the broker's `identify`.
        entries: that it holds, by delivery tag.
        generation: how many links it had before.
        link: the last one, whose deliveries may get outcomes as long as its `session` lasts.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - compiled, positional
        self,
        key: Key,
        source: Source,
        consumer: LinkConsumer,
        number: i64,
        attachment: Attachment | None,
        nodes: Nodes,
        broker: Broker,
    ) -> None:
        super().__init__(key, source)
        self.source = source
        self.consumer = consumer
        self.link_number: i64 = number
        self.attachment = attachment
        self.entries: dict[bytes, Entry] = {}
        self.generation = 0
        self.link: SenderLink | None = None
        self.session: Session | None = None
        self._nodes = nodes
        self._broker = broker

    @property
    def unsettled(self) -> int:
        """See SuspendedLink."""
        return len(self.entries)

    def fits(self, source: Source | None, attach: Attach) -> bool:
        """Whether a link that asks for this source may resume the reader."""
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

    def part_from_link(self) -> None:
        """The deliveries of the detached link get no outcomes by their numbers any more."""
        link, session = self.link, self.session
        self.link = self.session = None
        if link is not None and session is not None:
            link.context = None
            session.drop_unsettled(link)

    def holds(self, entry: Entry) -> bool:
        """Whether the reader has the entry; one that a transaction has settled may belong to others."""
        reader = self.consumer.reader
        return reader is not None and entry.holder == reader.subscription.number

    def settles(self, delivery_id: i64, entry: Entry) -> bool:
        """A delivery of the detached link gets an outcome; false where the reader has lost its entry."""
        if self.link is not None:
            self.entries.pop(self.link.tag_of(delivery_id), None)
        return self.holds(entry)

    def expire(self, now: i64) -> None:
        """See SuspendedLink."""
        self.over = True
        self.part_from_link()
        consumer = self.consumer
        reader = consumer.reader
        if reader is not None:
            consumer.abandon(now)
            self._broker.stop(reader, now)
            consumer.reader = None
        if self.attachment is not None:
            self._nodes.release(self.attachment, now, closed=False)
        self._broker.ended(self.link_number, now)

    def compare(self, attach: Attach, room: i64, now: i64) -> UnsettledMatch:
        """Match the entries with the peer's [1.0 §2.6.13]; those that the peer does not have are released."""
        consumer = self.consumer

        def settle(entry: Entry, state: DeliveryState | None) -> None:
            consumer.take_outcome(entry, RELEASED if state is None else state, now)

        self.part_from_link()
        entries = {tag: entry for tag, entry in self.entries.items() if self.holds(entry)}
        match = match_unsettled(entries, attach, room, settle)
        self.entries = {}
        return match


@final
class SuspendedWriter(ResumableLink):
    """Outcomes of deliveries that their sender may not have settled.

    Attributes:
        states: by delivery tag; None if the outcome has not been sent yet.
    """

    def __init__(self, key: Key, target: Target, states: dict[bytes, DeliveryState | None]) -> None:
        super().__init__(key, target)
        self.states = states

    @property
    def unsettled(self) -> int:
        """See SuspendedLink."""
        return len(self.states)

    def expire(self, now: i64) -> None:
        """See SuspendedLink."""
        del now
        self.over = True


def retained_by(link: ReceiverLink, target: Target) -> RetainedOutcomes | None:
    """The outcomes of a publisher's link, or None if nothing may resume it."""
    remote = link.remote
    second = remote is not None and remote.rcv_settle_mode == 1
    lasts = _ENDS[target.expiry_policy] > SESSION_ENDED or target.timeout > 0 or target.durable > 0
    return RetainedOutcomes(second, link.link_state.wire.memory) if second or lasts else None


@final
class LinkResumption:
    """The suspended links of one connection, and the links that it resumes."""

    __slots__ = ("_broker", "_by_session", "_live", "_nodes", "_user")

    def __init__(self, broker: Broker, nodes: Nodes) -> None:
        self._broker = broker
        self._nodes = nodes
        # Few connections have suspended links.
        self._by_session: dict[int, list[ResumableLink]] | None = None
        # Those whose deliveries the peer may still settle.
        self._live: dict[Key, SuspendedReader] | None = None

    # ------------------------------------------------------------------ links that end

    def suspend_reader(  # noqa: PLR0913, PLR0917 - compiled, positional
        self,
        key: Key,
        link: SenderLink,
        consumer: LinkConsumer,
        number: i64,
        attachment: Attachment | None,
        event: i64,
        now: i64,
    ) -> SuspendedReader | None:
        """Suspend a reader whose link has ended without being closed; None if it cannot be resumed."""
        source = consumer.source
        if source is None or consumer.reader is None or not link.keeps:
            return None
        suspended = SuspendedReader(key, source, consumer, number, attachment, self._nodes, self._broker)
        for tag, entry in link.unsettled_contexts.items():
            if isinstance(entry, Entry):
                suspended.entries[tag] = entry
        # Entries that were not sent again yet stay unsettled.
        for waiting in consumer.resumptions:
            if waiting.entry is not None:
                suspended.entries[waiting.tag] = waiting.entry
        consumer.resumptions = []
        suspended.entries.update(consumer.left)
        consumer.left = {}
        suspended.generation = consumer.generation
        return suspended if self._keep(suspended, link.link_state.channel, event, now) else None

    def take_outcomes(self, suspended: SuspendedReader, link: SenderLink, session: Session) -> None:
        """[1.0 §2.7.6] A detached link's deliveries are live until it is resumed or its session ends."""
        suspended.link = link
        suspended.session = session
        link.context = suspended
        if self._live is None:
            self._live = {}
        self._live[suspended.key] = suspended

    def suspend_writer(
        self, key: Key, link: ReceiverLink, retained: RetainedOutcomes, event: i64, now: i64
    ) -> None:
        """Keep the outcomes that a publisher's peer may not have received."""
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
            if self._by_session is None:
                self._by_session = {}
            self._by_session.setdefault(channel, []).append(suspended)
        return True

    def session_ended(self, session: Session, event: i64, now: i64) -> None:
        """A session has ended, or its connection with it: the timeouts of its suspended links begin."""
        if self._live is not None:
            for suspended in [each for each in self._live.values() if each.session is session]:
                suspended.part_from_link()
                del self._live[suspended.key]
        if self._by_session is None:
            return
        links = self._by_session.pop(session.channel, [])
        remaining = [each for each in links if not self._has_begun(each, event, now)]
        if remaining:
            # A link that outlives its session goes with the connection.
            self._by_session.setdefault(-1, []).extend(remaining)

    def connection_closed(self, now: i64) -> None:
        """The connection is over."""
        for links in list((self._by_session or {}).values()):
            for suspended in links:
                self._has_begun(suspended, CONNECTION_CLOSED, now)
        self._by_session = None

    def _has_begun(self, suspended: ResumableLink, event: i64, now: i64) -> bool:
        """Whether an event has begun the end of a suspended link, which is scheduled or carried out here."""
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

    # ------------------------------------------------------------------ links that are attached again

    def reader(self, key: Key, source: Source | None, attach: Attach, now: i64) -> SuspendedReader | None:
        """The reader that a link resumes, or None; a reader that does not fit the link ends."""
        suspended = self._broker.suspended_links.take(key)
        if self._live is not None:
            self._live.pop(key, None)
        if isinstance(suspended, SuspendedReader):
            if suspended.fits(source, attach):
                return suspended
            suspended.expire(now)
        return None

    def writer(self, key: Key, attach: Attach) -> dict[bytes, DeliveryState | None]:
        """The deliveries that a publisher's peer may resume: those that it has unsettled, too.

        [1.0 §2.7.3] A peer whose map is incomplete may have any of them unsettled.
        """
        suspended = self._broker.suspended_links.take(key)
        if not isinstance(suspended, SuspendedWriter):
            return {}
        remote: Mapping[Value, Value] = attach.unsettled or {}
        return {
            tag: state
            for tag, state in suspended.states.items()
            if tag in remote or attach.incomplete_unsettled
        }


def may_be_resumed(source: Source) -> bool:
    """Whether a reader may be resumed; readers of shared subscriptions may not."""
    return SHARED not in source.capabilities
