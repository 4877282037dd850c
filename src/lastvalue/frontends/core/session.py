"""One session: its commands become commands of the broker, in their order."""

from collections.abc import Callable
from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.not_leader import NotLeaderError
from lastvalue.broker.statistics.connections import SessionStatistics
from lastvalue.broker.transactions import Transaction
from lastvalue.codec.core import packets
from lastvalue.codec.core.errors import DUPLICATE_METADATA, UNSUPPORTED_PACKET, CoreError
from lastvalue.codec.core.packets import NO_CORRELATION, Packet, PacketType, write_packet
from lastvalue.frontends.core.connection_state import CoreConnectionState
from lastvalue.frontends.core.consumers import SessionConsumers
from lastvalue.frontends.core.declarations import Declarations
from lastvalue.frontends.core.error_codes import error_code
from lastvalue.frontends.core.producer import SessionProducer
from lastvalue.frontends.core.replies import Replies
from lastvalue.frontends.core.send_run import SendAnswers, SendRun
from lastvalue.frontends.core.session_state import SessionState
from lastvalue.frontends.core.xa import FAILED, OK, PROTOCOL_ERROR, XaCommands, XaError
from lastvalue.model.errors import LastvalueError
from lastvalue.model.memory_budget import LINK_BYTES, SESSION_BYTES, UNSETTLED_BYTES, MemoryLimitError
from lastvalue.protocols.core.channel import Channel
from lastvalue.protocols.core.events import (
    Acknowledged,
    Called,
    Command,
    Credited,
    LargeBegun,
    Published,
    PublishedRun,
)

_UNANSWERED: Final = frozenset(
    (
        packets.START.code, packets.EXPIRED.code, packets.FORCE_DELIVERY.code, packets.REQUEST_CREDIT.code,
        packets.CREATE_PRODUCER.code, packets.REMOVE_PRODUCER.code, packets.XA_FAILED.code,
    )
)  # fmt: skip
_XA: Final = frozenset(
    (
        packets.XA_START.code, packets.XA_END.code, packets.XA_COMMIT.code, packets.XA_PREPARE.code,
        packets.XA_ROLLBACK.code, packets.XA_JOIN.code, packets.XA_SUSPEND.code, packets.XA_RESUME.code,
        packets.XA_FORGET.code,
    )
)  # fmt: skip
"""The commands that are answered with a code of XA."""
_LONGEST_METADATA: Final = 1024
_MOST_METADATA: Final = 32
_TEXT_BYTES: Final = 128
"""The memory of a text besides its characters."""
_REPLY_BYTES: Final = 256
"""The memory of an answer that waits for the journal."""


@final
class Session(SendAnswers):
    """Handles a session's events.

    Attributes:
        state: that its parts share.
        ended: it is over.
    """

    __slots__ = (
        "_consumers", "_declarations", "_metadata", "_producer", "_replies", "_text_bytes", "_xa", "ended",
        "state",
    )  # fmt: skip

    def __init__(self, connection: CoreConnectionState, channel: Channel, request: Packet) -> None:
        state = SessionState(connection, channel, request)
        self.state = state
        self.ended = False
        self._consumers = SessionConsumers(state)
        self._producer = SessionProducer(state, request.text("default_address"))
        self._declarations = Declarations(connection.broker, state.owner)
        self._xa = XaCommands(state)
        self._replies = Replies(channel, connection.confirmations, connection.output)
        self._metadata: dict[str, str] = {}
        self._text_bytes: i64 = 2 * (len(state.name) + len(request.text("default_address")))

    def statistics(self) -> SessionStatistics:
        """The session's statistics, with those of its links."""
        state = self.state
        links = [*self._consumers.statistics(), self._producer.statistics("", "")]
        return SessionStatistics(state.name, int(state.channel.number), links, self._consumers.held)

    @property
    def open_bytes(self) -> i64:
        """The memory that the session takes, with its consumers and what its client has not acknowledged.

        Its texts count, and answers and requests for credit that wait.
        """
        consumers = self._consumers
        size: i64 = SESSION_BYTES + consumers.count * LINK_BYTES + consumers.held * UNSETTLED_BYTES
        return size + self._text_bytes + self._producer.open_bytes + self._replies.waiting * _REPLY_BYTES

    @property
    def client(self) -> str:
        """The client's own name for its connection; "" where it has none."""
        return self._metadata.get("jms-client-id", "")

    # ------------------------------------------------------------------ commands

    def take(self, event: Command, now: i64) -> None:
        """Carry out a command, and answer it once the journal has what it did."""
        if self.ended:
            return
        try:
            if isinstance(event, Published):
                self._publish(event, now)
            elif isinstance(event, LargeBegun):
                self._producer.begin(event.head)
                self._done(event, b"", False)
            elif isinstance(event, Acknowledged):
                self._consumers.acknowledge(event, now)
                self._done(event, self._null(NO_CORRELATION) if event.answered else b"", True)
            elif isinstance(event, Credited):
                self._consumers.grant(event.consumer, event.credits)
                self._done(event, b"", False)
            elif isinstance(event, Called):
                self._call(event, now)
        except LastvalueError as fault:
            self._refuse(event, fault)

    def take_run(self, event: PublishedRun, now: i64) -> bool:
        """Publish consecutive messages: each is answered, or refused, by itself.

        Returns whether all are; a piece of input causes only so much routing.
        """
        return self.ended or self._producer.give(SendRun(self._producer, event, self, now), now)

    def _publish(self, event: Published, now: i64) -> None:
        """Publish a message that came in parts, or take a part of it."""
        if event.fault is not None:
            self._producer.traffic.refuse()
            self._refuse(event, event.fault)
        elif event.head:
            self._producer.give(SendRun(self._producer, event, self, now), now)
        else:
            # Others follow.
            self._done(event, self.null(event) if event.answered else b"", False)

    def answer(self, size_bytes: i64, answer: bytes, durable: bool) -> None:
        """See SendAnswers."""
        self._replies.add(size_bytes, answer, durable or self._waits())

    def refuse(self, event: Published, error: LastvalueError) -> None:
        """See SendAnswers."""
        self._refuse(event, error)

    def null(self, event: Published) -> bytes:
        """See SendAnswers."""
        return self._null(event.correlation)

    def has_ended(self) -> bool:
        """See SendAnswers."""
        return self.ended

    def _waits(self) -> bool:
        """Whether a command of the connection is under way, after which the next ones are answered."""
        connection = self.state.connection
        return connection.broker.long_commands.runs_for(connection.number)

    def _done(self, event: Command, answer: bytes, durable: bool) -> None:
        self._replies.add(event.size_bytes, answer, durable or self._waits())

    def _null(self, correlation: i64) -> bytes:
        return self.state.channel.null_response(int(correlation).to_bytes(8, "big", signed=True))

    def _packet(self, kind: PacketType, values: dict[str, object]) -> bytes:
        channel = self.state.channel
        return write_packet(kind, channel.number, channel.version, values)

    def _refuse(self, event: Command, fault: LastvalueError) -> None:
        """Answer a command that is refused; where the client expects no answer, its transaction fails.

        A client that would never hear that it sends to a broker which follows is sent away, as others are.
        """
        answered, correlation = False, NO_CORRELATION
        answer = b""
        if isinstance(event, LargeBegun):
            # Its last part is answered.
            self.state.connection.engine.refuse_large(event.channel, fault)
        elif isinstance(event, Published):
            answered, correlation = event.answered, int(event.correlation)
        elif isinstance(event, Acknowledged):
            answered = event.answered
        elif isinstance(event, Called):
            answered = _is_answered(event.packet)
            correlation = event.packet.number("correlation", NO_CORRELATION)
            if event.packet.type.code in _XA:
                code = fault.code if isinstance(fault, XaError) else FAILED
                values: dict[str, object] = {"error": True, "code": code, "text": str(fault)}
                answer = self._packet(packets.XA_RESPONSE, {**values, "correlation": correlation})
        transaction = self.state.transaction
        if transaction is not None and isinstance(event, Published | Acknowledged):
            transaction.fault = transaction.fault or fault
        elif isinstance(event, Published) and not answered and isinstance(fault, NotLeaderError):
            self.state.connection.engine.disconnect(str(fault))
            return
        if answered and not answer:
            values = {"code": error_code(fault), "text": str(fault), "correlation": correlation}
            answer = self._packet(packets.EXCEPTION, values)
        self._done(event, answer if answered else b"", False)

    def _call(self, event: Called, now: i64) -> None:
        packet = event.packet
        kind = packet.type
        if kind.code in _XA or kind is packets.XA_FAILED:
            self._xa.take(packet, now)
            values: dict[str, object] = {"code": OK, "correlation": NO_CORRELATION}
            answer = self._packet(packets.XA_RESPONSE, values)
            self._done(event, answer if _is_answered(packet) else b"", True)
            return
        command = _COMMANDS.get(int(kind.code))
        if command is None:
            raise CoreError(UNSUPPORTED_PACKET, f"{kind.name} is out of place on a session's channel")
        special = command(self, packet, now)
        if self.ended:
            # What it did before is in the journal no later than what follows on the connection.
            self._replies.add(event.size_bytes, self._null(NO_CORRELATION), True)
            return
        answer = b""
        if _is_answered(packet):
            answer = special or self._null(packet.number("correlation", NO_CORRELATION))
        self._done(event, answer, kind.code not in _UNCHANGING)

    # ------------------------------------------------------------------ single commands

    def create_consumer(self, packet: Packet, now: i64) -> bytes:
        """CREATE_CONSUMER: answered with what there is of its queue."""
        self._consumers.create(packet, now)
        return self._packet(packets.QUEUE_QUERIED, self._declarations.query_consumed(packet))

    def create_address(self, packet: Packet, now: i64) -> bytes:
        """CREATE_ADDRESS."""
        del now
        self._declarations.create_address(packet)
        return b""

    def create_queue(self, packet: Packet, now: i64) -> bytes:
        """CREATE_QUEUE and CREATE_QUEUE_V2; the first has no routing type."""
        self._declarations.create_queue(packet, packet.number("routing_type", -1), now)
        return b""

    def create_shared_queue(self, packet: Packet, now: i64) -> bytes:
        """CREATE_SHARED_QUEUE and CREATE_SHARED_QUEUE_V2."""
        self._declarations.create_shared_queue(packet, packet.number("routing_type", -1), now)
        return b""

    def delete_queue(self, packet: Packet, now: i64) -> bytes:
        """DELETE_QUEUE."""
        self._declarations.delete_queue(packet, now)
        return b""

    def query_queue(self, packet: Packet, now: i64) -> bytes:
        """QUEUE_QUERY."""
        del now
        return self._packet(packets.QUEUE_QUERIED, self._declarations.query_queue(packet))

    def query_bindings(self, packet: Packet, now: i64) -> bytes:
        """BINDING_QUERY."""
        del now
        values = self._declarations.query_bindings(packet)
        kind = packets.BINDING_QUERIED if self.state.channel.version >= 135 else packets.BINDING_QUERIED_V4
        return self._packet(kind, values)

    def start(self, packet: Packet, now: i64) -> bytes:
        """START."""
        del packet, now
        self.state.started = True
        self._consumers.wake()
        return b""

    def stop(self, packet: Packet, now: i64) -> bytes:
        """STOP."""
        del packet, now
        self.state.started = False
        return b""

    def expire_message(self, packet: Packet, now: i64) -> bytes:
        """EXPIRED."""
        self._consumers.expire(packet, now)
        return b""

    def force(self, packet: Packet, now: i64) -> bytes:
        """FORCE_DELIVERY."""
        del now
        self._consumers.force(packet.number("consumer"), packet.number("sequence"))
        return b""

    def close_consumer(self, packet: Packet, now: i64) -> bytes:
        """CLOSE_CONSUMER."""
        self._consumers.close(packet.number("consumer"), now)
        return b""

    def request_credit(self, packet: Packet, now: i64) -> bytes:
        """REQUEST_PRODUCER_CREDIT."""
        del now
        self._producer.request_credit(packet.text("address"), packet.number("credits"))
        return b""

    def name_producer(self, packet: Packet, now: i64) -> bytes:
        """CREATE_PRODUCER and REMOVE_PRODUCER: the producers of a session are counted as one."""
        del packet, now
        return b""

    def add_metadata(self, packet: Packet, now: i64) -> bytes:
        """ADD_METADATA, ADD_METADATA_V2 and ADD_UNIQUE_METADATA.

        Raises:
            CoreError: it is too much, or another session has what has to be unique.
        """
        del now
        key, value = packet.text("key"), packet.text("value")
        if len(self._metadata) >= _MOST_METADATA or len(key) + len(value) > _LONGEST_METADATA:
            text = f"a session has at most {_MOST_METADATA} texts of {_LONGEST_METADATA} characters"
            raise CoreError(DUPLICATE_METADATA, text)
        if packet.type is packets.ADD_UNIQUE_METADATA:
            unique = self.state.connection.shared.metadata
            if unique.setdefault((key, value), self) is not self:
                raise CoreError(DUPLICATE_METADATA, f"another session has the {key} {value!r}")
        self._metadata[key] = value
        self._text_bytes += _TEXT_BYTES + 2 * (len(key) + len(value))
        return b""

    def close(self, packet: Packet, now: i64) -> bytes:
        """CLOSE."""
        del packet
        self.end(False, now)
        return b""

    # ------------------------------------------------------------------ transactions

    def commit(self, packet: Packet, now: i64) -> bytes:
        """COMMIT; one that fails is a rollback.

        Raises:
            LastvalueError: it fails.
        """
        del packet
        transaction = self._local()
        if transaction is not None:
            self.state.connection.broker.commit(transaction, now)
        return b""

    def roll_back(self, packet: Packet, now: i64) -> bytes:
        """ROLLBACK: what consumers hold becomes available, too."""
        transaction = self._local()
        self._consumers.rolled_back(packet.flag("last_delivered"), now)
        if transaction is not None:
            transaction.roll_back(now)
        return b""

    def _local(self) -> Transaction | None:
        if self._xa.branch is not None:
            raise XaError(PROTOCOL_ERROR, "the session works in a branch; XA commits it or rolls it back")
        return self.state.transaction

    def query_in_doubt(self, packet: Packet, now: i64) -> bytes:
        """XA_IN_DOUBT."""
        del packet, now
        return self._packet(packets.XA_IN_DOUBT_XIDS, {"xids": self._xa.in_doubt()})

    def set_timeout(self, packet: Packet, now: i64) -> bytes:
        """XA_SET_TIMEOUT."""
        del now
        ok = self._xa.set_timeout(packet.number("timeout_s"))
        return self._packet(packets.XA_TIMEOUT_SET, {"ok": ok})

    def query_timeout(self, packet: Packet, now: i64) -> bytes:
        """XA_GET_TIMEOUT."""
        del packet, now
        return self._packet(packets.XA_TIMEOUT, {"timeout_s": self._xa.timeout_s})

    # ------------------------------------------------------------------ from one connection to the next

    def suspend(self) -> bool:
        """Wait for another connection, and take the memory for that; false where it cannot wait."""
        channel = self.state.channel
        if not channel.reattaches:
            return False
        try:
            channel.memory.count_open(self.open_bytes)
        except MemoryLimitError:
            return False
        return True

    @property
    def waiting(self) -> int:
        """How many commands wait for the journal."""
        return self._replies.waiting

    def stored(self, count: i64) -> None:
        """The journal has what this many more commands did, while the session has no connection."""
        self._replies.send(count)

    def attach(self, connection: CoreConnectionState) -> None:
        """Continue with another connection, to which the engine has attached the channel.

        No command waits for the journal any more: only then is it known which ones need not be sent again.
        """
        state = self.state
        # It counts with the connection again.
        state.channel.memory.count_open(0)
        state.connection = connection
        self._replies = Replies(state.channel, connection.confirmations, connection.output)
        self._producer.output = connection.output
        self._consumers.attach()
        self._producer.regulate()

    def end(self, failed: bool, now: i64) -> None:
        """It is over: release everything that it held. A second call does nothing.

        Args:
            failed: its client has not closed it: what it was sent counts as delivered.
            now: the time.
        """
        if self.ended:
            return
        self.ended = True
        state = self.state
        self._xa.leave(now)
        transaction = state.transaction
        self._consumers.close_all(failed, now)
        if transaction is not None:
            transaction.roll_back(now)
        self._producer.close()
        shared = state.connection.shared
        shared.holders.pop(state.name, None)
        for item in self._metadata.items():
            if shared.metadata.get(item) is self:
                del shared.metadata[item]
        state.connection.broker.ended(state.number, now)
        state.channel.close()
        state.channel.memory.close()


def _is_answered(packet: Packet) -> bool:
    """Whether the client waits for an answer."""
    wants = packet.values.get("wants_response")
    return packet.type.code not in _UNANSWERED if wants is None else wants is True


_UNCHANGING: Final = frozenset(
    (
        packets.QUEUE_QUERY.code, packets.BINDING_QUERY.code, packets.START.code, packets.STOP.code,
        packets.FORCE_DELIVERY.code, packets.REQUEST_CREDIT.code, packets.CREATE_PRODUCER.code,
        packets.REMOVE_PRODUCER.code, packets.CREATE_CONSUMER.code, packets.ADD_METADATA.code,
        packets.ADD_METADATA_V2.code, packets.ADD_UNIQUE_METADATA.code, packets.XA_GET_TIMEOUT.code,
        packets.XA_SET_TIMEOUT.code, packets.XA_IN_DOUBT.code,
    )
)  # fmt: skip
"""Commands after which the journal has nothing to write."""

_COMMANDS: Final[dict[int, Callable[[Session, Packet, i64], bytes]]] = {
    int(packets.CREATE_CONSUMER.code): Session.create_consumer,
    int(packets.CREATE_ADDRESS.code): Session.create_address,
    int(packets.CREATE_QUEUE.code): Session.create_queue,
    int(packets.CREATE_QUEUE_V2.code): Session.create_queue,
    int(packets.CREATE_SHARED_QUEUE.code): Session.create_shared_queue,
    int(packets.CREATE_SHARED_QUEUE_V2.code): Session.create_shared_queue,
    int(packets.DELETE_QUEUE.code): Session.delete_queue,
    int(packets.QUEUE_QUERY.code): Session.query_queue,
    int(packets.BINDING_QUERY.code): Session.query_bindings,
    int(packets.START.code): Session.start,
    int(packets.STOP.code): Session.stop,
    int(packets.CLOSE.code): Session.close,
    int(packets.EXPIRED.code): Session.expire_message,
    int(packets.FORCE_DELIVERY.code): Session.force,
    int(packets.CLOSE_CONSUMER.code): Session.close_consumer,
    int(packets.REQUEST_CREDIT.code): Session.request_credit,
    int(packets.CREATE_PRODUCER.code): Session.name_producer,
    int(packets.REMOVE_PRODUCER.code): Session.name_producer,
    int(packets.ADD_METADATA.code): Session.add_metadata,
    int(packets.ADD_METADATA_V2.code): Session.add_metadata,
    int(packets.ADD_UNIQUE_METADATA.code): Session.add_metadata,
    int(packets.COMMIT.code): Session.commit,
    int(packets.ROLLBACK.code): Session.roll_back,
    int(packets.XA_IN_DOUBT.code): Session.query_in_doubt,
    int(packets.XA_SET_TIMEOUT.code): Session.set_timeout,
    int(packets.XA_GET_TIMEOUT.code): Session.query_timeout,
}
