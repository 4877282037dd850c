"""The properties of a message: the structs of its header segment [0-10 message.delivery-properties]."""

from lastvalue.codec.amqp010.command_layouts import MESSAGE_DELIVERY_PROPERTIES, MESSAGE_MESSAGE_PROPERTIES
from lastvalue.codec.amqp010.decoder import decode_structs
from lastvalue.codec.amqp010.layouts import Record


class Properties:
    """The structs of a message's header segment."""

    __slots__ = ("delivery", "message")

    def __init__(self, delivery: Record, message: Record) -> None:
        self.delivery = delivery
        self.message = message


def read_properties(header: bytes) -> Properties:
    """Decode a header segment; a missing struct becomes an empty one.

    Raises:
        DecodeError: the segment is malformed.
    """
    delivery, message = Record(MESSAGE_DELIVERY_PROPERTIES), Record(MESSAGE_MESSAGE_PROPERTIES)
    for record in decode_structs(header):
        if record.layout is MESSAGE_DELIVERY_PROPERTIES:
            delivery = record
        elif record.layout is MESSAGE_MESSAGE_PROPERTIES:
            message = record
    return Properties(delivery, message)
