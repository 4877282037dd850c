"""Alarms that stop all producers: memory is short, the disk is slow or full, or the broker shuts down."""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from lastvalue.broker.publisher import Publisher
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import BrokerError

CREDIT: Final = 2000
"""The default credit of a producer, in messages; refilled at half."""


@mypyc_attr(native_class=False)
class StoreFaultError(BrokerError):
    """The store cannot be written now: `full` says that the disk is full, otherwise it is broken."""

    def __init__(self, text: str, *, full: bool) -> None:
        super().__init__(text)
        self.condition = Condition.RESOURCE_LIMIT_EXCEEDED if full else Condition.INTERNAL_ERROR


@final
class ResourceAlarms:
    """The alarms that stop all producers of the broker. The broker's owner raises and clears them.

    A raised alarm costs nothing until a producer sends: only then is its credit withdrawn.

    Attributes:
        memory_alarm: no producer gets credit.
        store_alarm: no producer of durable queues gets credit.
        paced: the most credit of a producer of durable queues, in messages; 0 means the default credit.
        fault: why durable queues refuse durable messages, or None.
        shutdown: the broker ends: peers are asked to send nothing more, and what they still send is taken.
        memory_since_ms, store_since_ms, fault_since_ms, shutdown_since_ms: the first turn with the alarm or
            the fault, or 0.
    """

    __slots__ = (
        "_publishers",
        "fault",
        "fault_since_ms",
        "memory_alarm",
        "memory_since_ms",
        "paced",
        "shutdown",
        "shutdown_since_ms",
        "store_alarm",
        "store_since_ms",
    )

    def __init__(self) -> None:
        self._publishers: dict[Publisher, None] = {}
        self.memory_alarm = False
        self.store_alarm = False
        self.paced: i64 = 0
        self.fault: StoreFaultError | None = None
        self.memory_since_ms: i64 = 0
        self.store_since_ms: i64 = 0
        self.fault_since_ms: i64 = 0
        self.shutdown = False
        self.shutdown_since_ms: i64 = 0

    def note_time(self, now: i64) -> None:
        """A turn begins: note since when there is an alarm, or a fault."""
        self.memory_since_ms = (self.memory_since_ms or now) if self.memory_alarm else 0
        self.store_since_ms = (self.store_since_ms or now) if self.store_alarm else 0
        self.fault_since_ms = (self.fault_since_ms or now) if self.fault is not None else 0
        self.shutdown_since_ms = (self.shutdown_since_ms or now) if self.shutdown else 0

    def join(self, publisher: Publisher) -> None:
        """Add a link that publishes; it gets every change of the alarms."""
        self._publishers[publisher] = None

    def leave(self, publisher: Publisher) -> None:
        """Remove a link that published."""
        self._publishers.pop(publisher, None)

    @property
    def producers(self) -> int:
        """The number of links that publish."""
        return len(self._publishers)

    def waiting(self) -> dict[str, int]:
        """How many links that publish are stopped, by what stops them; it asks each of them."""
        waiting: dict[str, int] = {}
        for publisher in self._publishers:
            cause = publisher.waits_for()
            if cause:
                waiting[cause] = waiting.get(cause, 0) + 1
        return waiting

    def stops(self, keeps: bool) -> bool:
        """Whether a producer gets no credit; `keeps`: it publishes to durable queues."""
        return self.memory_alarm or (keeps and self.store_alarm)

    def set_memory(self, raised: bool) -> None:
        """Raise or clear the alarm that stops every producer."""
        if raised is not self.memory_alarm:
            self.memory_alarm = raised
            self._tell(raised)

    def set_store(self, raised: bool) -> None:
        """Raise or clear the alarm that stops producers of durable queues."""
        if raised is not self.store_alarm:
            self.store_alarm = raised
            self._tell(raised)

    def set_shutdown(self) -> None:
        """Stop every producer for good."""
        if not self.shutdown:
            self.shutdown = True
            self._tell(True)

    def pace(self, credit: i64) -> None:
        """Limit the credit of producers of durable queues, in messages; 0 means the default credit."""
        if credit != self.paced:
            self.paced = credit
            if not self.store_alarm:
                self._tell(False)

    def set_fault(self, fault: StoreFaultError | None) -> None:
        """Refuse durable messages for this reason, or accept them again with None."""
        if fault is not self.fault:
            self.fault = fault
            # Producers that wait for credit must learn of the fault, too.
            self._tell(False)

    def _tell(self, raised: bool) -> None:
        for publisher in list(self._publishers):
            if raised:
                publisher.hold()
            else:
                publisher.may_send()
