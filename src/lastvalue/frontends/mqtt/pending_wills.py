"""Wills that wait for the end of their delay [MQTT 5.0 §3.1.3.2.2]."""

from collections.abc import Callable
from typing import final

from mypy_extensions import i64

from lastvalue.broker.broker import Broker
from lastvalue.broker.deadlines import Deadline
from lastvalue.model.memory_budget import MemoryAccount
from lastvalue.model.message import NEVER


@final
class _Wait(Deadline):
    """The end of a will's delay."""

    __slots__ = ("_wills", "memory", "name", "publish")

    def __init__(
        self, wills: "PendingWills", name: str, publish: Callable[[i64], None], memory: MemoryAccount
    ) -> None:
        super().__init__()
        self.memory = memory
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

    def keep(
        self, name: str, user: str, size_bytes: i64, publish: Callable[[i64], None], at_ms: i64, now: i64
    ) -> None:
        """Have a will of a user published at this time, unless its session is resumed before.

        It is published at once if the user's unfinished work leaves no room for it.
        """
        memory = MemoryAccount(self._broker.memory)
        memory.belong(user)
        if not memory.has_room(size_bytes):
            memory.close()
            publish(now)
            return
        memory.take(size_bytes)
        wait = _Wait(self, name, publish, memory)
        self._waits[name] = wait
        self._broker.deadlines.set(wait, at_ms)

    def end(self, name: str, publishes: bool, now: i64) -> None:
        """The wait for a session's will is over: publish the will, or forget it."""
        wait = self._waits.pop(name, None)
        if wait is not None:
            self._broker.deadlines.set(wait, NEVER)
            wait.memory.close()
            if publishes:
                wait.publish(now)
