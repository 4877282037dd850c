"""The messages of a session's transfers, on their way to its connection's queues."""

from typing import final

from mypy_extensions import i64

from lastvalue.broker.authorization import Target
from lastvalue.codec.amqp10.message import EncodedMessage
from lastvalue.codec.amqp10.message_shape import MessageShape
from lastvalue.delivery.producer_run import ProducerRun
from lastvalue.frontends.amqp010.exchange_traffic import ExchangeTraffic
from lastvalue.frontends.amqp010.producer import ConnectionProducer
from lastvalue.frontends.amqp010.sessions import SessionState
from lastvalue.model.errors import LastvalueError
from lastvalue.model.message import Message
from lastvalue.protocols.amqp010.session import MessagesTransferred


@final
class TransferRun(ProducerRun):
    """Messages to one exchange; those with the same key go along. The first refusal ends the session.

    Requests to the management are among them; they are carried out at the end of the turn.

    Attributes:
        at: the place of the message at which it stands.
    """

    __slots__ = (
        "_ahead", "_ahead_at", "_came_with", "_goes_with", "_producer", "_state", "_target",
        "_traffic", "_transfers", "_wire_bytes", "at",
    )  # fmt: skip

    def __init__(
        self,
        producer: ConnectionProducer,
        state: SessionState,
        traffic: ExchangeTraffic,
        transfers: MessagesTransferred,
        now: i64,
    ) -> None:
        super().__init__(now, producer.sender, None)
        self._producer = producer
        self._state = state
        self._traffic = traffic
        self._transfers = transfers
        self.transaction = state.transaction
        self.at: i64 = transfers.taken
        self.over = self.at == len(transfers.headers)
        # A message that `gather` has read in vain, and its place.
        self._ahead: EncodedMessage | None = None
        self._ahead_at: i64 = -1
        # The routing key of the message as it came, and that of the target.
        self._came_with = ""
        self._goes_with = ""
        self._target: Target | None = None
        self._wire_bytes: i64 = 0

    def read(self) -> Message | None:
        """See ProducerRun.

        Raises:
            LastvalueError: it is malformed.
        """
        count: i64 = len(self._transfers.headers)
        while self.at < count:
            message = self._read()
            if message is not None:
                self._came_with = self._traffic.decoder.known.key
                self._producer.note_size(message, self._wire_bytes)
                shapes = self._producer.shapes
                shape = shapes.shape
                self.shape = (
                    shape if shape is not None and shape.fits(message.encoded) else shapes.learn(message)
                )
                return message
            self.received += 1
            self._transfers.session.complete(self._transfers.first + self.at)
            self.at += 1
        self.over = True
        return None

    def _read(self) -> EncodedMessage | None:
        """The message at which it stands; None if it is a request."""
        transfers, decoder = self._transfers, self._traffic.decoder
        header, body = transfers.headers[self.at], transfers.bodies[self.at]
        message = (
            self._ahead if self._ahead_at == self.at else self._producer.quickly_read(decoder, header, body)
        )
        self._ahead = None
        self._ahead_at = -1
        if message is None:
            message = self._producer.read(self._state.owner, self._traffic, header, body, self.arrival_ms)
        self._wire_bytes = len(header) + decoder.known.extra_bytes + (0 if body is None else len(body))
        return message

    def destination(self, message: Message) -> Target:
        """See ProducerRun."""
        del message
        in_transaction = self.transaction is not None
        target, self.key = self._producer.destination(
            self._state.owner, self._traffic.exchange, self._came_with, in_transaction
        )
        self._target = target
        self._goes_with = self._came_with
        return target

    def goes_along(self) -> bool:
        """See ProducerRun."""
        key = self._came_with
        if key != self._goes_with and self._producer.shares_route(self, self._target, key):
            self._goes_with = self.key = key
        return key == self._goes_with

    def gather(self, shape: MessageShape, encodings: list[bytes]) -> None:
        """See ProducerRun."""
        transfers, decoder = self._transfers, self._traffic.decoder
        headers, bodies = transfers.headers, transfers.bodies
        known = decoder.known
        whole = self._wire_bytes - known.extra_bytes
        size: i64 = len(headers[self.at])
        at = self.at + 1
        while at < len(headers):
            header, body = headers[at], bodies[at]
            # Those that share their extras are as large on the wire.
            if body is None or len(header) != size or size + len(body) != whole:
                return
            message = self._producer.quickly_read(decoder, header, body)
            if message is None or decoder.known is not known or not shape.fits(message.encoded):
                self._ahead = message
                self._ahead_at = at if message is not None else -1
                return
            encodings.append(message.encoded)
            at += 1

    def take(self, message: Message, count: i64, durable: bool) -> None:
        """See ProducerRun."""
        del message
        first = self._transfers.first + self.at
        session = self._transfers.session
        if self.transaction is not None:
            session.complete_all(first, first + count - 1)
        else:
            self._count(count)
            hosted = self.hosted
            blocked = self.blocked if hosted is None else hosted.watched and hosted.queue.blocked
            stops = blocked or self._producer.broker.alarms.stops(self.durable)
            self._producer.complete(session, first, first + count - 1, durable, stops)
        self.at += count

    def refuse(self, error: LastvalueError) -> bool:
        """See ProducerRun."""
        if self.is_placed and self.transaction is None:
            self._count(1)
        raise error

    def unroutable(self, rejected: bool) -> LastvalueError | None:
        """See ProducerRun; the message is dropped."""
        del rejected
        self._traffic.dropped_bytes += self._wire_bytes
        return None

    def _count(self, count: i64) -> None:
        self._traffic.received_bytes += count * self._wire_bytes
        target = self._target
        if target is not None and target.node.hosted is not None:
            self._producer.broker.exchanges.default.received += count
