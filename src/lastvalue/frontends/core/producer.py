"""The publishing side of one session."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.authorization import Target
from lastvalue.broker.exchanges import Exchange
from lastvalue.broker.nodes import Node
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.verbs import Verb
from lastvalue.codec.amqp10.message import EncodedMessage, read_message
from lastvalue.codec.core.errors import ADDRESS_DOES_NOT_EXIST, CoreError
from lastvalue.codec.core.message_decoder import decode_message
from lastvalue.codec.core.packets import PRODUCER_CREDIT
from lastvalue.codec.core.reader import CoreReader
from lastvalue.codec.core.shortcuts.message_reader import MessageReader
from lastvalue.delivery.duplicate_detection import DuplicateDetection
from lastvalue.delivery.producer import Producer, StopCause, queue_full, refusal
from lastvalue.frontends.core.declarations import settings_of
from lastvalue.frontends.core.session_state import SessionState
from lastvalue.model.message import FieldValue
from lastvalue.model.property_names import JMS_DESTINATION
from lastvalue.protocols.core.events import Published
from lastvalue.queues.spec_arguments import spec_from_arguments

_ID_BYTES: Final = 8
"""The message id, with which a head begins."""
_QUEUE: Final = 0
"""[Qpid JMS] The value of the annotation x-opt-jms-dest of a message to a queue."""
_REQUEST_BYTES: Final = 256
"""The memory of a request for credit beside the address."""
_WITHOUT_ROOM: Final = (StopCause.MEMORY, StopCause.STORE, StopCause.STORE_FAULT)


@final
class SessionProducer(Producer):
    """Publishes a session's messages; stops the peer by granting no credit.

    Args:
        session: whose messages they are.
        default_address: of messages that have none.
    """

    __slots__ = (
        "_address",
        "_default_address",
        "_exchange",
        "_granted",
        "_last_address",
        "_last_encoded",
        "_manages",
        "_node",
        "_reader",
        "_requested_bytes",
        "_requests",
        "_session",
        "_target",
        "_target_address",
    )

    def __init__(self, session: SessionState, default_address: str) -> None:
        connection = session.connection
        super().__init__(connection.broker, session.owner, connection.output)
        self.detection = DuplicateDetection("")
        self._default_address = default_address
        self._session = session
        self._node: Node | None = None
        self._address = ""
        # The address of the last message, how it was encoded, and whether it is the one for management.
        self._last_encoded = b""
        self._last_address = ""
        self._manages = False
        self._exchange: Exchange | None = None
        # Credit that the peer waits for, by address; and what it was granted less what it has sent.
        self._requests: dict[str, int] = {}
        # The target of messages of the usual form in the current run, and how their address is encoded.
        self._target: Target | None = None
        self._target_address = b""
        self._requested_bytes: i64 = 0
        self._reader = MessageReader()
        self._granted: i64 = 0
        self.join_gates()

    # ------------------------------------------------------------------ messages

    def begin(self, head: bytes) -> None:
        """Check where a message in parts is to go, before they have come.

        Raises:
            LastvalueError: the caller may not publish there.
        """
        address = self._address_of(head)
        if self._manages:
            return
        node = self.broker.resolve(address, True)
        if node is None:
            self.broker.authorize(self.targets.owner, Verb.PUBLISH, address)
        else:
            self.targets.of(node)

    def take(self, event: Published, now: i64) -> bool:
        """Take a message that came in parts, or a part of it; see `publish_encoded`.

        Raises:
            LastvalueError: it is refused.
        """
        if event.fault is not None:
            raise event.fault
        if not event.head:
            # A part of a large message.
            return False
        self.begin_run(1, now)
        self._granted -= event.size_bytes
        head, body = event.head, event.body
        message = self._reader.read(head, 0, len(head), body)
        if message is not None:
            return self._publish(head, message, True, now)
        message = read_message(decode_message(head, body, inflated=event.inflated))
        return self._publish(head, message, False, now)

    def begin_run(self, count: i64, now: i64) -> None:
        """So many messages come one after the other, and nothing between them."""
        self.traffic.receive(count, now)
        # What exists and who may publish there changes between runs, and by requests to the management.
        self._target = None

    def publish_encoded(
        self, data: bytes, start: i64, end: i64, body: bytes, size_bytes: i64, now: i64
    ) -> bool:
        """Publish a message of a run; whether the journal has something to write before it is confirmed.

        Args:
            data: has its headers and properties from start to end.
            start: where they begin.
            end: where they end.
            body: its body.
            size_bytes: of its packet.
            now: the time.

        Raises:
            LastvalueError: it is refused.
        """
        self._granted -= size_bytes
        reader = self._reader
        message = reader.read(data, start, end, body)
        target = self._target
        if message is not None and target is not None and reader.address is self._target_address:
            self.sign(message)
            return self._give(target, message, now)
        head = data[start:end]
        if message is not None:
            return self._publish(head, message, True, now)
        return self._publish(head, read_message(decode_message(head, body)), False, now)

    def _publish(self, head: bytes, message: EncodedMessage, is_usual: bool, now: i64) -> bool:
        """Publish a message with this head, of the usual form or not, whose destination has to be found."""
        session = self._session
        address = self._address_of(head)
        management = session.connection.shared.management
        if self._manages and management is not None:
            self._target = None
            management.take(message.encoded, session.owner, now)
            return True
        if not is_usual:
            self.mark(message)
        else:
            # No property is one of Artemis's own, and the id of a duplicate would be.
            self.sign(message)
        transaction = None if session.auto_commit_sends else session.transaction
        target = self._destination(address, message)
        if target is None:
            return False
        if is_usual and transaction is None:
            self._target = target
            self._target_address = self._reader.address
        if transaction is not None:
            transaction.post(target, target.node.subject or "", message, now)
            return False
        return self._give(target, message, now)

    def _give(self, target: Target, message: EncodedMessage, now: i64) -> bool:
        node = target.node
        key = node.subject or ""
        if self.broker.alarms.fault is not None:
            fault = self.store_fault(node, key, message)
            if fault is not None:
                raise fault
        if node.hosted is not None:
            taken = self.enqueue(target, message, now)
            if self.regulated:
                self.regulate()
            if not taken:
                raise queue_full(target.name)
            return self.reached_durable and message.durable
        routed = self.publish(target, key, message, now)
        if self.regulated:
            self.regulate()
        error = refusal(routed)
        if error is not None:
            raise error
        return routed.durable and message.durable

    def _address_of(self, head: bytes) -> str:
        encoded = self._last_encoded
        if encoded and head[_ID_BYTES : _ID_BYTES + len(encoded)] == encoded:
            return self._last_address
        reader = CoreReader(head, _ID_BYTES)
        address = reader.nullable_simple_string() or self._default_address
        management = self._session.connection.shared.management
        self._manages = management is not None and management.takes(address)
        self._last_encoded = head[_ID_BYTES : reader.pos]
        self._last_address = address
        return address

    # ------------------------------------------------------------------ destinations

    def _destination(self, address: str, message: EncodedMessage) -> Target | None:
        """The target of a message, the last one is cached; None where nobody reads the address."""
        node = self._node
        broker = self.broker
        if node is None or address != self._address or not self._is_current(address, node):
            node = broker.resolve(address, True)
            if node is None:
                node = self._created(address, message.field(JMS_DESTINATION))
            if node is None:
                return None
            self._node = node
            self._address = address
            self._exchange = broker.exchanges.get(address)
        return self.targets.of(node)

    def _is_current(self, address: str, node: Node) -> bool:
        """Whether an address still stands for the node."""
        broker = self.broker
        hosted: HostedQueue | None = node.hosted
        if broker.exchanges.get(address) is not self._exchange:
            return False
        return hosted is None or (broker.has_queue(node.name) and broker.lookup(node.name) is hosted)

    def _created(self, address: str, destination: FieldValue) -> Node | None:
        """The node of an address that does not exist: by a policy, or a queue as the client means one.

        [Artemis] An address that is created with a message, and not for a queue, has no reader.

        Raises:
            CoreError: the caller may not declare the address.
            NotPermittedError: the caller may not publish to it.
        """
        broker = self.broker
        owner = self.targets.owner
        broker.authorize(owner, Verb.PUBLISH, address)
        if broker.missing.create(address, publishing=True, owner=owner):
            return broker.resolve(address, True)
        if not broker.authorization.allows(owner, Verb.DECLARE_QUEUE, (address, None, None, None)):
            raise CoreError(ADDRESS_DOES_NOT_EXIST, f"there is no address named {address!r}")
        if destination is None or int(destination) != _QUEUE:
            return None
        settings = settings_of(broker, address)
        broker.declare(spec_from_arguments(address, {**settings, "durable": True}, settings.keys()), owner)
        return broker.resolve(address, True)

    # ------------------------------------------------------------------ what stops producers

    @property
    def open_bytes(self) -> i64:
        """The memory of requests for credit that wait."""
        return self._requested_bytes

    def request_credit(self, address: str, credits_: i64) -> None:
        """The peer asks to send so many bytes more."""
        if address not in self._requests:
            self._requested_bytes += _REQUEST_BYTES + 2 * len(address)
        self._requests[address] = self._requests.get(address, 0) + int(credits_)
        self.regulate()

    def regulate(self) -> None:
        """See Producer."""
        self.regulated = False
        cause = self.stopped_by()
        connection = self._session.connection
        # A peer that sends without credit is not read; one that waits for it goes on to acknowledge.
        connection.stop_reading(self, cause in _WITHOUT_ROOM and self._granted < 0)
        if cause is not None or not self._requests:
            return
        requests = self._requests
        self._requests = {}
        self._requested_bytes = 0
        for address, credits_ in requests.items():
            self._granted += credits_
            self._session.channel.send(PRODUCER_CREDIT, {"credits": credits_, "address": address})
        connection.output.schedule_write()

    def close(self) -> None:
        """The session is over."""
        self.stop()
        self._session.connection.stop_reading(self, False)
