"""What becomes of a message that is acknowledged."""

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
from lastvalue.messaging.errors import InvalidOption
from lastvalue.model.conditions import Condition

RELEASED: Final = "released"
"""The message returns to its place."""

REJECTED: Final = "rejected"
"""The message is bad and leaves the queue."""


@dataclass(frozen=True, slots=True)
class Disposition:
    """How a message is acknowledged; None in place of one accepts it.

    Attributes:
        type: RELEASED or REJECTED.
        text: why it is rejected.
        set_redelivered: count the delivery of a released message as failed.
    """

    type: str
    text: str = ""
    set_redelivered: bool = False

    def __post_init__(self) -> None:
        if self.type not in (RELEASED, REJECTED):
            raise InvalidOption(f"a disposition is RELEASED or REJECTED, not {self.type!r}")


def outcome(disposition: Disposition | None) -> DeliveryState:
    """The outcome that a disposition is in AMQP 1.0."""
    if disposition is None:
        return Accepted()
    if disposition.type == RELEASED:
        return Modified(delivery_failed=True) if disposition.set_redelivered else Released()
    if disposition.text:
        return Rejected(AmqpError(Condition.PRECONDITION_FAILED.amqp10, disposition.text))
    return Rejected()
