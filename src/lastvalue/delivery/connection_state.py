"""What the parts of one connection share, whatever its protocol."""

from mypy_extensions import i64, mypyc_attr

from lastvalue.broker.publisher import Publisher
from lastvalue.codec.output_buffer import OutputBuffer
from lastvalue.delivery.output import Output
from lastvalue.delivery.protocol_connection import ConnectionContext


@mypyc_attr(allow_interpreted_subclasses=True)
class ConnectionState:
    """The broker and the output of one connection, and what is known of its peer.

    Args:
        context: of the connection.
        buffer: what its engine has to write.

    Attributes:
        broker: to which it is a connection.
        number: the connection's, of the broker's `identify`.
        peer: what is known of it.
        memory: of the connection.
        output: of the connection.
    """

    __slots__ = ("_stopped_by", "broker", "memory", "number", "output", "peer")

    def __init__(self, context: ConnectionContext, buffer: OutputBuffer) -> None:
        self.broker = context.broker
        self.memory = context.memory
        self.peer = context.peer
        self.number: i64 = context.broker.identify()
        self.output = Output(buffer, context.on_schedule)
        self._stopped_by: dict[Publisher, None] = {}

    def is_stopped(self, publisher: Publisher, stops: bool) -> bool:
        """Note whether a producer stops the reading from the peer; returns whether any of them does."""
        if stops:
            self._stopped_by[publisher] = None
        else:
            self._stopped_by.pop(publisher, None)
        return bool(self._stopped_by)
