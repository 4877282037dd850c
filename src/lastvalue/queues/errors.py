"""What a queue refuses."""

from mypy_extensions import mypyc_attr

from lastvalue.model.conditions import Condition
from lastvalue.model.errors import BrokerError


@mypyc_attr(native_class=False)
class NotAcquiredError(BrokerError):
    """A delivery is settled that nobody holds."""

    condition = Condition.ILLEGAL_STATE

    def __init__(self, sequence: int) -> None:
        super().__init__(f"entry {sequence} is not acquired; only what a consumer holds can be settled")
        self.sequence = sequence


@mypyc_attr(native_class=False)
class TooManyConsumersError(BrokerError):
    """A queue has as many consumers as its max_consumers allows."""

    condition = Condition.RESOURCE_LIMIT_EXCEEDED


@mypyc_attr(native_class=False)
class DelayRefusedError(BrokerError):
    """A message is to be delivered later, and the queue's declaration refuses that."""

    condition = Condition.PRECONDITION_FAILED

    def __init__(self, name: str) -> None:
        super().__init__(f"queue {name!r} does not hold messages: send it without a delivery time or delay")
