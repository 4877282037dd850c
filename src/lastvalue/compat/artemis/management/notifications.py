"""Notifications: messages to the address `activemq.notifications` that tell what happens in the broker.

Whoever reads the address gets those that are about what they may see. With the names of Artemis's types and
properties, and for the clients of every protocol.
"""

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, Final, final

from lastvalue.broker.broker import Broker
from lastvalue.broker.long_commands import Steps
from lastvalue.broker.observers import Observer
from lastvalue.broker.queue_host import HostedQueue, QueueReader
from lastvalue.broker.rights.audit import AuditRecord
from lastvalue.broker.rights.owner import BROKER, Owner, PeerIdentity
from lastvalue.broker.rights.verbs import Verb
from lastvalue.broker.routing.exchange_spec import ExchangeSpec, ExchangeType
from lastvalue.codec.amqp10.content import MessageContent, encode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.values import Byte, Int
from lastvalue.codec.core.jms_names import ANYCAST, MULTICAST
from lastvalue.compat.artemis.management.queue_attributes import queue_id
from lastvalue.frontends.core.declarations import NOTIFICATION_ADDRESS, address_of, is_anycast
from lastvalue.frontends.core.filter_text import filter_text_of
from lastvalue.model.errors import LastvalueError
from lastvalue.queues.effects import Effect, Reason, Removed

MOST_WAITING: Final = 10_000
"""Notifications that are not published yet; further ones are left out."""

_AT_ONCE: Final = 50
"""How many are published in a step: a few milliseconds."""
_LOCAL_QUEUE: Final = 0
"""[Artemis] The type of a binding that leads to a queue of this broker."""

Values = dict[str, Any]


class _Notification:
    """What happened.

    Attributes:
        kind: Artemis's name of it.
        values: its properties, read when it is published: at the end of the turn more is known.
        nodes: queues and addresses that its reader must be able to reach.
        user: whose affair it is; None if it is nobody's. "" is a user without a name.
        proved: false where it is administrators' alone: nobody knows whose affair it is.
    """

    __slots__ = ("kind", "nodes", "proved", "user", "values")

    def __init__(
        self,
        kind: str,
        values: Callable[[], Values],
        nodes: tuple[str, ...] = (),
        user: str | None = None,
        *,
        proved: bool = True,
    ) -> None:
        self.kind = kind
        self.values = values
        self.nodes = nodes
        self.user = user
        self.proved = proved

    def is_for(self, broker: Broker, listener: Owner) -> bool:
        """Whether a listener may see what it is about."""
        authorization = broker.authorization
        if not self.proved and not authorization.allows(listener, Verb.CLOSE_CONNECTION):
            return False
        if self.user is not None and not authorization.allows_owned(
            listener, self.user, Verb.CLOSE_CONNECTION
        ):
            return False
        return all(authorization.shows(listener, name) for name in self.nodes)


@final
class Notifications(Observer):
    """Publishes notifications while anybody reads them.

    Args:
        broker: that is observed; its address for notifications is made here.
    """

    def __init__(self, broker: Broker) -> None:
        # Durable subscriptions stay bound to it over a restart.
        broker.exchanges.provide(ExchangeSpec(NOTIFICATION_ADDRESS, ExchangeType.ADDRESS, durable=True))
        self._broker = broker
        self._address = broker.exchanges.find(NOTIFICATION_ADDRESS)
        self._waiting: deque[_Notification] = deque()
        self._publishes = False
        broker.observers.append(self)

    def _tell(self, notification: _Notification) -> None:
        if self._address.bindings and len(self._waiting) < MOST_WAITING:
            self._waiting.append(notification)

    # ------------------------------------------------------------------ what is observed

    def queue_declared(self, hosted: HostedQueue) -> None:
        """See Observer."""
        # A store has a hundred thousand of them, and nobody reads yet.
        if self._address.bindings:
            name = hosted.queue.spec.name
            self._tell(_Notification("BINDING_ADDED", lambda: self._bound(hosted), (name,)))

    def queue_deleted(self, hosted: HostedQueue) -> None:
        """See Observer."""
        values = self._bound(hosted) if self._address.bindings else {}
        self._tell(_Notification("BINDING_REMOVED", lambda: values, (hosted.queue.spec.name,)))

    def exchange_declared(self, name: str) -> None:
        """See Observer."""
        self._tell(_Notification("ADDRESS_ADDED", lambda: {"_AMQ_Address": name}, (name,)))

    def exchange_deleted(self, name: str) -> None:
        """See Observer."""
        self._tell(_Notification("ADDRESS_REMOVED", lambda: {"_AMQ_Address": name}, (name,)))

    def reader_joined(self, reader: QueueReader) -> None:
        """See Observer."""
        self._tell_reader("CONSUMER_CREATED", reader)

    def reader_left(self, reader: QueueReader) -> None:
        """See Observer."""
        self._tell_reader("CONSUMER_CLOSED", reader)

    def connection_opened(self, peer: PeerIdentity) -> None:
        """See Observer."""
        self._tell(_Notification("CONNECTION_CREATED", lambda: _connected(peer), (), peer.user))

    def connection_closed(self, peer: PeerIdentity) -> None:
        """See Observer."""
        values = {**_connected(peer), "_AMQ_User": peer.user or ""}
        self._tell(_Notification("CONNECTION_DESTROYED", lambda: values, (), peer.user))

    def login_refused(self, peer: PeerIdentity, claimed: str) -> None:
        """See Observer."""
        values = {"_AMQ_User": claimed, "_AMQ_RemoteAddress": peer.address}
        self._tell(_Notification("SECURITY_AUTHENTICATION_VIOLATION", lambda: values, proved=False))

    def command_refused(self, record: AuditRecord) -> None:
        """See Observer."""
        user = record.owner.principal
        values = {
            "_AMQ_Address": record.name,
            "_AMQ_CheckType": record.right.upper(),
            "_AMQ_User": user,
            "_AMQ_RemoteAddress": record.owner.peer.address,
        }
        self._tell(_Notification("SECURITY_PERMISSION_VIOLATION", lambda: values, (), user))

    def effects_drained(self, hosted: HostedQueue, effects: list[Effect], now: int) -> None:
        """See Observer."""
        del now
        if not self._address.bindings or len(self._waiting) >= MOST_WAITING:
            # This code is not compiled, and there is an effect of each message of every protocol.
            return
        name = hosted.queue.spec.name
        # A notification that expires unread is no news: there would be no end of them.
        if any(binding.destination == name for binding in self._address.bindings.values()):
            return
        for effect in effects:
            if isinstance(effect, Removed) and effect.reason is Reason.EXPIRED:
                self._tell_expired(hosted, int(effect.entry.sequence))

    # ------------------------------------------------------------------ properties

    def _tell_expired(self, hosted: HostedQueue, sequence: int) -> None:
        name = hosted.queue.spec.name

        def values() -> Values:
            address = address_of(self._broker, hosted)
            return {"_AMQ_Address": address, "_AMQ_RoutingName": name, "_AMQ_Message_ID": sequence}

        self._tell(_Notification("MESSAGE_EXPIRED", values, (name,)))

    def _tell_reader(self, kind: str, reader: QueueReader) -> None:
        hosted, owner = reader.hosted, reader.owner
        name = hosted.queue.spec.name
        consumers = Int(int(hosted.consumers))

        def values() -> Values:
            return {
                "_AMQ_Address": address_of(self._broker, hosted),
                "_AMQ_RoutingName": name,
                "_AMQ_ClusterName": name,
                "_AMQ_Distance": Int(0),
                "_AMQ_ConsumerCount": consumers,
                "_AMQ_User": owner.principal,
                "_AMQ_ValidatedUser": owner.principal,
                "_AMQ_RemoteAddress": owner.peer.address,
                "_AMQ_ConnectionName": owner.peer.connection,
            }

        self._tell(_Notification(kind, values, (name,), owner.principal))

    def _bound(self, hosted: HostedQueue) -> Values:
        spec = hosted.queue.spec
        values: Values = {
            "_AMQ_Address": address_of(self._broker, hosted),
            "_AMQ_RoutingName": spec.name,
            "_AMQ_ClusterName": spec.name,
            "_AMQ_Routing_Type": Byte(ANYCAST if is_anycast(self._broker, hosted) else MULTICAST),
            "_AMQ_Binding_ID": queue_id(spec.name),
            "_AMQ_Binding_Type": Int(_LOCAL_QUEUE),
            "_AMQ_Distance": Int(0),
        }
        if spec.filter:
            values["_AMQ_FilterString"] = filter_text_of(spec.filter)
        return values

    # ------------------------------------------------------------------ publishing

    def end_turn(self, now: int) -> bool:
        """See Observer: what waits is published in steps."""
        if self._waiting and not self._publishes:
            self._publishes = True
            self._broker.long_commands.begin(Steps(self._published(now), 0, _AT_ONCE), now)
            return True
        return False

    def _published(self, now: int) -> Iterator[None]:
        waiting = self._waiting
        while waiting:
            self._publish(waiting.popleft(), now)
            yield
        self._publishes = False

    def _publish(self, notification: _Notification, now: int) -> None:
        content = MessageContent(
            to=NOTIFICATION_ADDRESS,
            creation_time=now,
            application_properties={
                "_AMQ_NotifType": notification.kind,
                "_AMQ_NotifTimestamp": now,
                **notification.values(),
            },
        )
        payload = encode_content(content)
        self._address.received += 1
        for hosted in self._broker.router.destinations(self._address, "", read_message(payload)):
            if notification.is_for(self._broker, hosted.creator):
                self._deliver(hosted, payload, now)

    def _deliver(self, hosted: HostedQueue, payload: bytes, now: int) -> None:
        target = self._broker.queue_target(hosted.queue.spec.name, BROKER)
        try:
            self._broker.publish(target, read_message(payload), now)
        except LastvalueError:
            # A listener's queue that cannot hold it misses it; the others do not.
            return


def _connected(peer: PeerIdentity) -> Values:
    return {
        "_AMQ_ConnectionName": peer.connection,
        "_AMQ_RemoteAddress": peer.address,
        "_AMQ_Protocol_Name": peer.protocol,
        "_AMQ_User": peer.user or "",
    }
