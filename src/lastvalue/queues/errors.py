"""Errors of a queue."""

from mypy_extensions import mypyc_attr

from lastvalue.model.conditions import Condition
from lastvalue.model.errors import BrokerError


@mypyc_attr(native_class=False)
class NotAcquiredError(BrokerError):
    """The entry to settle is not acquired."""

    condition = Condition.ILLEGAL_STATE

    def __init__(self, sequence: int) -> None:
        super().__init__(f"entry {sequence} is not acquired; only acquired entries can be settled")
        self.sequence = sequence


@mypyc_attr(native_class=False)
class TooManyConsumersError(BrokerError):
    """The queue has as many consumers as its max_consumers allows."""

    condition = Condition.RESOURCE_LIMIT_EXCEEDED


@mypyc_attr(native_class=False)
class ConflationValueError(BrokerError):
    """The policy of a queue or a reader cannot use a value of a message.

    Args:
        where: whose policy, as in `queue 'prices'`.
        field: what it cannot use.
        fault: what is wrong with it.
        expected: what would be right.
    """

    condition = Condition.PRECONDITION_FAILED

    def __init__(self, where: str, field: str, fault: str, expected: str) -> None:
        super().__init__(f"{where} cannot conflate the message: {field} {fault}; send {expected}")


@mypyc_attr(native_class=False)
class OrderMissingError(BrokerError):
    """A message lacks the property that says which update is newer, and the queue refuses it then."""

    condition = Condition.PRECONDITION_FAILED

    def __init__(self, name: str, order_by: str) -> None:
        super().__init__(
            f"queue {name!r} refuses messages without {order_by!r}, which says which update is newer; "
            "send a number or a text in it"
        )


@mypyc_attr(native_class=False)
class DelayRefusedError(BrokerError):
    """A message asks for a later delivery, which the queue's declaration refuses."""

    condition = Condition.PRECONDITION_FAILED

    def __init__(self, name: str) -> None:
        super().__init__(f"queue {name!r} refuses delayed delivery; send without a delivery time or delay")
