"""Everything the engine tells its owner, in one place."""

from lastvalue.protocols.amqp10.connection import ConnectionClosed, ConnectionOpened
from lastvalue.protocols.amqp10.receiver import Delivery, DeliveryResumed, Drained
from lastvalue.protocols.amqp10.sender import (
    CreditChanged,
    DeliveriesAccepted,
    DeliverySettled,
    DeliveryTransacted,
)
from lastvalue.protocols.amqp10.session import (
    LinkAttached,
    LinkDetached,
    SessionBegun,
    SessionEnded,
    SettledBySender,
    SettlementAsked,
    WindowChanged,
)
from lastvalue.protocols.amqp10.wire import Event

__all__ = [
    "ConnectionClosed",
    "ConnectionOpened",
    "CreditChanged",
    "DeliveriesAccepted",
    "Delivery",
    "DeliveryResumed",
    "DeliverySettled",
    "DeliveryTransacted",
    "Drained",
    "Event",
    "LinkAttached",
    "LinkDetached",
    "SessionBegun",
    "SessionEnded",
    "SettledBySender",
    "SettlementAsked",
    "WindowChanged",
]
