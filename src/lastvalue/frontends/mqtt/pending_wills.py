"""Wills that wait for the end of their delay [MQTT 5.0 §3.1.3.2.2]."""

from collections.abc import Callable
from typing import final

from mypy_extensions import i64

from lastvalue.broker.broker import Broker
from lastvalue.broker.deadlines import Deadline
from lastvalue.model.message import NEVER


@final
class _Wait(Deadline):
    """The end of a will's delay."""

    __slots__ = ("_wills", "name", "publish")

    def __init__(self, wills: "PendingWills", name: str, publish: Callable[[i64], None]) -> None:
        super().__init__()
        self._wills = wills
        self.name = name
        self.publish = publish

    def fall_due(self, now: i64) -> None:
        """See Deadline."""
        self._wills.end(self.name, True, now)


@final
class PendingWills:
    """The wills of clients that are gone, by the names of their sessions' queues."""

    __slots__ = ("_broker", "_waits")

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self._waits: dict[str, _Wait] = {}

    def __len__(self) -> int:
        return len(self._waits)

    def keep(self, name: str, publish: Callable[[i64], None], at_ms: i64) -> None:
        """Have a will published at this time, unless its session is resumed before."""
        wait = _Wait(self, name, publish)
        self._waits[name] = wait
        self._broker.deadlines.set(wait, at_ms)

    def end(self, name: str, publishes: bool, now: i64) -> None:
        """The wait for a session's will is over: publish the will, or forget it."""
        wait = self._waits.pop(name, None)
        if wait is not None:
            self._broker.deadlines.set(wait, NEVER)
            if publishes:
                wait.publish(now)
