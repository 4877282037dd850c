"""What comes to one exchange over this protocol: how its messages are read, and how many bytes they were."""

from typing import final

from mypy_extensions import i64

from lastvalue.codec.amqp010.names import Names
from lastvalue.codec.amqp010.shortcuts.message_decoder import MessageDecoder


@final
class ExchangeTraffic:
    """What came to an exchange.

    Attributes:
        exchange: its name.
        decoder: reads its messages.
        received_bytes, dropped_bytes: of all messages, and of those that no queue got.
    """

    __slots__ = ("decoder", "dropped_bytes", "exchange", "received_bytes")

    def __init__(self, exchange: str, names: Names) -> None:
        self.exchange = exchange
        self.decoder = MessageDecoder(exchange, names)
        self.received_bytes: i64 = 0
        self.dropped_bytes: i64 = 0
