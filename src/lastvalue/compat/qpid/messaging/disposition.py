"""Dispositions: how a message is acknowledged."""

from dataclasses import dataclass
from typing import Final

from lastvalue.codec.amqp10.performatives import (
    Accepted,
    AmqpError,
    DeliveryState,
    Modified,
    Rejected,
    Released,
)
from lastvalue.compat.qpid.messaging.errors import InvalidOption
from lastvalue.model.conditions import Condition

RELEASED: Final = "released"
"""The disposition of a message that returns to its place."""

REJECTED: Final = "rejected"
"""The disposition of a message that leaves the queue as a dead letter."""


@dataclass(frozen=True, slots=True)
class Disposition:
    """How a message is acknowledged; None instead of a disposition accepts it.

    Attributes:
        type: RELEASED or REJECTED.
        text: the reason of a rejection.
        set_redelivered: count the delivery of a released message as failed.
    """

    type: str
    text: str = ""
    set_redelivered: bool = False

    def __post_init__(self) -> None:
        if self.type not in (RELEASED, REJECTED):
            raise InvalidOption(f"a disposition is RELEASED or REJECTED, not {self.type!r}")


def outcome(disposition: Disposition | None) -> DeliveryState:
    """The AMQP 1.0 outcome of a disposition."""
    if disposition is None:
        return Accepted()
    if disposition.type == RELEASED:
        return Modified(delivery_failed=True) if disposition.set_redelivered else Released()
    if disposition.text:
        return Rejected(AmqpError(Condition.PRECONDITION_FAILED.amqp10, disposition.text))
    return Rejected()
