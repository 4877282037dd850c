"""The wills of sessions that outlive their connections [MQTT 5.0 §3.1.2.5]."""

from collections.abc import Callable
from typing import Final, TypeAlias, final

from mypy_extensions import i64

from lastvalue.broker.broker import Broker
from lastvalue.broker.canonical_keys import canonical_key, key_property
from lastvalue.broker.deadlines import Deadline
from lastvalue.broker.observers import Observer
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.queue_names import subscription_queue, user_of
from lastvalue.broker.rights.owner import Owner
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.shortcuts.plain_message import encode_plain_message
from lastvalue.codec.mqtt.frames import FrameReader
from lastvalue.codec.mqtt.message_encoder import encode_message
from lastvalue.codec.mqtt.packet_decoder import decode_packet
from lastvalue.codec.mqtt.packet_encoder import encode_packet
from lastvalue.codec.mqtt.packet_types import LEVEL_5
from lastvalue.codec.mqtt.packets import Connect, Will
from lastvalue.codec.mqtt.properties import Properties, PropertyId
from lastvalue.delivery.consumer import note_passed_over
from lastvalue.delivery.producer import queue_full
from lastvalue.model.errors import InvalidSpecError, LastvalueError
from lastvalue.model.message import NEVER
from lastvalue.queues.effects import KEY_DELETED, RemovalCommand
from lastvalue.queues.entry import Entry
from lastvalue.queues.spec import LastValue, QueueSpec

_WILLS: Final = "mqtt-wills"
_CLIENT: Final = "client"
_AT_MS: Final = "at-ms"
_TIME_BITS: Final = 62
_MOST_BYTES: Final = 1 << 24
_LOOK_AGAIN_MS: Final = 1000
Publisher: TypeAlias = Callable[[str, str, Will, i64], None]
"""Publishes the will of a user's client."""


@final
class _Wait(Deadline):
    """The end of a will's delay; without a client, that of the wait for the broker to lead."""

    __slots__ = ("_wills", "client_id", "user")

    def __init__(self, wills: "Wills", user: str, client_id: str) -> None:
        super().__init__()
        self._wills = wills
        self.user = user
        self.client_id = client_id

    def fall_due(self, now: i64) -> None:
        """See Deadline."""
        if self.client_id:
            self._wills.end(self.user, self.client_id, True, now)
        else:
            self._wills.go_on(now)


@final
class Wills(Observer):
    """Each is the value of its client on a last-value queue of its user, from CONNECT on.

    So it survives a restart as the rest of the session does, and a kill while the client is connected. The
    value is the CONNECT with nothing but the will and the session's expiry; once the connection is lost the
    property `at-ms` says when the will is due.

    Attributes:
        publish: publishes a will that is due; wills wait while nobody has set it.
    """

    __slots__ = ("_broker", "_known", "_restored", "_start", "_waits", "publish")

    def __init__(self, broker: Broker) -> None:
        self.publish: Publisher | None = None
        self._broker = broker
        # By queue and client.
        self._waits: dict[tuple[str, str], _Wait] = {}
        self._known: set[str] = set()
        self._restored: list[HostedQueue] = []
        self._start = _Wait(self, "", "")

    def __len__(self) -> int:
        return len(self._waits)

    # ------------------------------------------------------------------ after a restart

    def queue_declared(self, hosted: HostedQueue) -> None:
        """See Observer: the clients of one that is restored have lost their connections."""
        name = hosted.queue.spec.name
        user = user_of(name)
        if user is not None and name == _queue_of(user) and name not in self._known:
            self._restored.append(hosted)
            self._broker.deadlines.set(self._start, 0)

    def queue_deleted(self, hosted: HostedQueue) -> None:
        """See Observer: its wills are forgotten."""
        self._known.discard(hosted.queue.spec.name)

    def go_on(self, now: i64) -> None:
        """Let the delays begin of the wills that the store has brought back."""
        if self._broker.authorization.leader is not None:
            self._broker.deadlines.set(self._start, now + _LOOK_AGAIN_MS)
            return
        restored, self._restored = self._restored, []
        for hosted in restored:
            name = hosted.queue.spec.name
            user = user_of(name)
            if user is None or not _has_wills(hosted):
                continue
            self._known.add(name)
            for entry in hosted.queue.contents.current.entries():
                connect = _connect_in(entry)
                if connect is None or connect.will is None:
                    _forget(hosted, entry, user, "it is no will of a client")
                    continue
                at_ms = entry.message.field(_AT_MS)
                if not isinstance(at_ms, int) or at_ms.bit_length() > _TIME_BITS:
                    at_ms = now + 1000 * min(connect.will.delay_s, connect.session_expiry_s)
                    _put(hosted, connect, at_ms, now)
                self._wait(user, connect.client_id, at_ms)

    # ------------------------------------------------------------------ sessions

    def keep(self, owner: Owner, client_id: str, will: Will, expiry_s: int, now: i64) -> None:
        """A client connects: keep its will as long as it may be published.

        While memory or the disk has no room it is not kept: it is published at once when the client is gone.

        Args:
            owner: the connection.
            client_id: of the client.
            will: of the client.
            expiry_s: of its session, at least 1.
            now: the time.

        Raises:
            BrokerError: the queue of the user's wills cannot be declared, is another one, or is full.
        """
        self.go_on(now)
        alarms = self._broker.alarms
        if alarms.stops(True) or alarms.fault is not None:
            return
        name = _queue_of(owner.principal)
        self._known.add(name)
        if not self._broker.has_queue(name):
            self._broker.declare(QueueSpec(name, LastValue(_CLIENT), durable=True), owner)
        hosted = self._broker.lookup(name)
        if not _has_wills(hosted):
            raise InvalidSpecError(f"queue {name!r} has wills: it is a last-value queue with key {_CLIENT!r}")
        if not _put(hosted, _connect(client_id, will, expiry_s), None, now):
            raise queue_full(name)

    def lose(self, owner: Owner, client_id: str, will: Will, expiry_s: int, now: i64) -> None:
        """The client's connection is lost: its will is due after its delay, or at the end of its session."""
        delay_s = min(will.delay_s, expiry_s)
        if delay_s > 0 and self._find(owner.principal, client_id) is not None:
            at_ms = now + 1000 * delay_s
            hosted = self._broker.lookup(_queue_of(owner.principal))
            _put(hosted, _connect(client_id, will, expiry_s), at_ms, now)
            self._wait(owner.principal, client_id, at_ms)
            return
        self.end(owner.principal, client_id, False, now)
        if self.publish is not None:
            self.publish(owner.principal, client_id, will, now)

    def end(self, user: str, client_id: str, publishes: bool, now: i64) -> None:
        """A client has no will any more: publish the one that it has, or forget it."""
        self.go_on(now)
        wait = self._waits.pop((user, client_id), None)
        if wait is not None:
            self._broker.deadlines.set(wait, NEVER)
        entry = self._find(user, client_id)
        if entry is None:
            return
        connect = _connect_in(entry)
        _forget(self._broker.lookup(_queue_of(user)), entry, user)
        if publishes and connect is not None and connect.will is not None and self.publish is not None:
            self.publish(user, client_id, connect.will, now)

    def _wait(self, user: str, client_id: str, at_ms: i64) -> None:
        wait = self._waits[user, client_id] = _Wait(self, user, client_id)
        self._broker.deadlines.set(wait, at_ms)

    def _find(self, user: str, client_id: str) -> Entry | None:
        name = _queue_of(user)
        if not self._broker.has_queue(name):
            return None
        hosted = self._broker.lookup(name)
        if not _has_wills(hosted):
            return None
        return hosted.queue.contents.current.get(canonical_key(hosted.queue, client_id))


def _queue_of(user: str) -> str:
    return subscription_queue(user, "", _WILLS)


def _has_wills(hosted: HostedQueue) -> bool:
    return key_property(hosted.queue) == _CLIENT


def _connect(client_id: str, will: Will, expiry_s: int) -> Connect:
    properties = Properties({PropertyId.SESSION_EXPIRY_S: expiry_s})
    return Connect(LEVEL_5, client_id, will=will, properties=properties)


def _put(hosted: HostedQueue, connect: Connect, at_ms: int | None, now: i64) -> bool:
    keys: dict[str, object] = {_CLIENT: connect.client_id}
    if at_ms is not None:
        keys[_AT_MS] = at_ms
    hosted.mark_changed()
    return hosted.take(read_message(encode_plain_message(True, keys, encode_packet(connect, LEVEL_5))), now)


def _connect_in(entry: Entry) -> Connect | None:
    """What a value says; None if the user has put something else there."""
    reader = FrameReader(_MOST_BYTES)
    try:
        reader.feed(encode_message(entry.encoded).payload)
        if not reader.next():
            return None
        packet = decode_packet(reader.first, reader.data, reader.start, reader.end, LEVEL_5)
    except LastvalueError:
        return None
    if not isinstance(packet, Connect) or packet.client_id != entry.message.field(_CLIENT):
        return None
    return packet if packet.client_id else None


def _forget(hosted: HostedQueue, entry: Entry, user: str, cause: str = "") -> None:
    if cause:
        note_passed_over(hosted, cause)
    hosted.queue.remove([entry], KEY_DELETED, RemovalCommand(user))
    hosted.mark_changed()
