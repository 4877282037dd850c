"""The publishing side of one session."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.authorization import Target
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.rights.verbs import Verb
from lastvalue.broker.routing.exchanges import Exchange
from lastvalue.broker.routing.nodes import Node
from lastvalue.broker.transactions import Transaction
from lastvalue.codec.amqp10.message_shape import ShapeLearner
from lastvalue.codec.core.errors import ADDRESS_DOES_NOT_EXIST, CoreError
from lastvalue.codec.core.packets import PRODUCER_CREDIT
from lastvalue.codec.core.reader import CoreReader
from lastvalue.codec.core.shortcuts.message_reader import MessageReader
from lastvalue.delivery.duplicate_detection import DuplicateDetection
from lastvalue.delivery.producer import WITHOUT_ROOM, Producer
from lastvalue.frontends.core.declarations import settings_of
from lastvalue.frontends.core.session_state import SessionState
from lastvalue.model.message import FieldValue, Message
from lastvalue.model.property_names import JMS_DESTINATION
from lastvalue.queues.spec_arguments import spec_from_arguments

_ID_BYTES: Final = 8
"""The message id, with which a head begins."""
_QUEUE: Final = 0
"""[Qpid JMS] The value of the annotation x-opt-jms-dest of a message to a queue."""
_REQUEST_BYTES: Final = 256
"""The memory of a request for credit besides the address."""


@final
class SessionProducer(Producer):
    """Publishes a session's messages; stops the peer by granting no credit.

    Args:
        session: whose messages they are.
        default_address: of messages that have none.

    Attributes:
        reader: of messages of the usual form.
        shapes: of these.
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
        "_requested_bytes",
        "_requests",
        "_session",
        "reader",
        "shapes",
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
        self._requested_bytes: i64 = 0
        self.reader = MessageReader()
        self.shapes = ShapeLearner()
        self._granted: i64 = 0
        self.join_gates()

    # ------------------------------------------------------------------ messages

    def begin(self, head: bytes) -> None:
        """Check where a message in parts is to go, before they have come.

        Raises:
            LastvalueError: the caller may not publish there.
        """
        address = self.address_of(head)
        if self._manages:
            return
        node = self.broker.resolve(address, True)
        if node is None:
            self.broker.authorize(self.targets.owner, Verb.PUBLISH, address)
        else:
            self.targets.of(node)

    @property
    def transaction(self) -> Transaction | None:
        """That publishes what the session sends, or None if it is published at once."""
        return None if self._session.auto_commit_sends else self._session.transaction

    def note_sent(self, size_bytes: i64) -> None:
        """The peer has used credit for a message."""
        self._granted -= size_bytes

    def takes_request(self, message: Message, now: i64) -> bool:
        """Take a message to the address found last if it is a request to the management; whether it is.

        Raises:
            LastvalueError: the request cannot be read.
        """
        management = self._session.connection.shared.management
        if not self._manages or management is None:
            return False
        management.take(message.encoded, self._session.owner, now)
        return True

    def address_of(self, head: bytes) -> str:
        """The address of a message with this head."""
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

    def destination(self, address: str, message: Message) -> Target | None:
        """The target of a message, the last one is cached; None if nobody reads the address.

        Raises:
            CoreError: the address does not exist, and the caller may not declare it.
            NotPermittedError: the caller may not publish to it.
        """
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
        """The peer asks to send this many more bytes."""
        if address not in self._requests:
            self._requested_bytes += _REQUEST_BYTES + 2 * len(address)
        self._requests[address] = self._requests.get(address, 0) + int(credits_)
        self.regulate()

    def regulate(self) -> None:
        """See Producer."""
        self.regulated = False
        cause = self.stopped_by()
        connection = self._session.connection
        # A peer that sends without credit is not read; one that waits for it continues to acknowledge.
        connection.stop_reading(self, cause in WITHOUT_ROOM and self._granted < 0)
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
