"""What stops the producers of a whole broker: too little memory, or a disk that is slow or full."""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.broker.queue_host import Publisher
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import BrokerError

CREDIT: Final = 2000
"""Messages that a producer may send ahead; topped up at half."""


@mypyc_attr(native_class=False)
class StoreFaultError(BrokerError):
    """The store's disk takes nothing at the moment.

    `full` is whether it is for want of room; otherwise the disk is broken.
    """

    def __init__(self, text: str, *, full: bool) -> None:
        super().__init__(text)
        self.condition = Condition.RESOURCE_LIMIT_EXCEEDED if full else Condition.INTERNAL_ERROR


@final
class ResourceAlarms:
    """The alarms that stop all producers of the broker. Its owner raises and clears them; links obey.

    A raised alarm costs nothing until a producer sends: only then is its credit withdrawn.

    Attributes:
        memory_alarm: no producer gets credit.
        store_alarm: no producer of durable queues gets credit.
        paced: the most credit that who publishes to durable queues gets at once; 0 is as much as is usual.
        fault: why durable messages to durable queues are refused, or None.
    """

    __slots__ = ("_publishers", "fault", "memory_alarm", "paced", "store_alarm")

    def __init__(self) -> None:
        self._publishers: dict[Publisher, None] = {}
        self.memory_alarm = False
        self.store_alarm = False
        self.paced: i64 = 0
        self.fault: StoreFaultError | None = None

    def join(self, publisher: Publisher) -> None:
        """Tell a link that publishes of every change of the alarms."""
        self._publishers[publisher] = None

    def leave(self, publisher: Publisher) -> None:
        """It publishes no more."""
        self._publishers.pop(publisher, None)

    @property
    def producers(self) -> int:
        """How many links publish."""
        return len(self._publishers)

    def stops(self, keeps: bool) -> bool:
        """Whether a producer gets no credit; `keeps` says whether it publishes to durable queues."""
        return self.memory_alarm or (keeps and self.store_alarm)

    def set_memory(self, raised: bool) -> None:
        """Stop every producer, or let them go on."""
        if raised is not self.memory_alarm:
            self.memory_alarm = raised
            self._tell(raised)

    def set_store(self, raised: bool) -> None:
        """Stop the producers of durable queues, or let them go on."""
        if raised is not self.store_alarm:
            self.store_alarm = raised
            self._tell(raised)

    def pace(self, credit: i64) -> None:
        """Give producers of durable queues no more credit than that at once; 0 is as much as is usual."""
        if credit != self.paced:
            self.paced = credit
            if not self.store_alarm:
                self._tell(False)

    def set_fault(self, fault: StoreFaultError | None) -> None:
        """Refuse what cannot be kept, or refuse it no more."""
        if fault is not self.fault:
            self.fault = fault
            # Who waits for credit is to learn of the fault, too.
            self._tell(False)

    def _tell(self, raised: bool) -> None:
        for publisher in list(self._publishers):
            if raised:
                publisher.hold()
            else:
                publisher.may_send()
