"""Observers of a broker: they learn what becomes of its queues and who uses it, and change nothing."""

from mypy_extensions import i64, mypyc_attr

from lastvalue.broker.queue_host import HostedQueue, QueueReader
from lastvalue.broker.rights.audit import AuditRecord
from lastvalue.broker.rights.owner import PeerIdentity
from lastvalue.model.message import NEVER
from lastvalue.queues.effects import Effect


@mypyc_attr(allow_interpreted_subclasses=True)
class Observer:
    """Observes queues, exchanges, readers and connections; it calls the broker in `end_turn` only.

    `Broker.observers` has them all, statistics first; they are called in its order.
    """

    __slots__ = ()

    def queue_declared(self, hosted: HostedQueue) -> None:
        """A queue was made."""

    def queue_deleted(self, hosted: HostedQueue) -> None:
        """A queue was deleted; its last effects come afterwards, at the end of the turn."""

    def exchange_declared(self, name: str) -> None:
        """An exchange was made."""

    def exchange_deleted(self, name: str) -> None:
        """An exchange was deleted."""

    def reader_joined(self, reader: QueueReader) -> None:
        """A queue has another reader."""

    def reader_left(self, reader: QueueReader) -> None:
        """A reader has ended."""

    def connection_opened(self, peer: PeerIdentity) -> None:
        """A connection opens for its user; at the end of the turn more is known of its peer."""

    def connection_closed(self, peer: PeerIdentity) -> None:
        """An open connection has ended."""

    def login_refused(self, peer: PeerIdentity, claimed: str) -> None:
        """A peer was refused for its credentials; `claimed` is whom it said it is."""

    def command_refused(self, record: AuditRecord) -> None:
        """A command was refused for lack of a right."""

    def queue_redirected(self, source: HostedQueue, target: HostedQueue) -> None:
        """Two queues take what is published to each other from now on."""

    def redirect_ended(self, source: HostedQueue, target: HostedQueue) -> None:
        """They no longer do."""

    def effects_drained(self, hosted: HostedQueue, effects: list[Effect], now: i64) -> None:
        """The effects on a queue that was used in a turn, or none; called at the end of it."""

    def end_turn(self, now: i64) -> bool:
        """All effects of a turn are known; whether the observer has published anything."""
        del now
        return False

    def next_deadline(self) -> i64:
        """When `advance` next has something to do, milliseconds since the epoch, or NEVER."""
        return NEVER

    def advance(self, now: i64) -> None:
        """Do what is due."""
