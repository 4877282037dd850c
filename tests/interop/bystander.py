"""Somebody who sends all the while, and finds out how long a confirmation takes."""

import threading
import time
from types import TracebackType
from typing import Final, Self

from served_broker import ServedBroker

from lastvalue.client import Message, blocking

_EVERY_S: Final = 0.02


class Bystander:
    """Sends a message every 20 ms inside its `with` block, and is to be confirmed each time.

    Attributes:
        taken_ms: how long each message took.
    """

    def __init__(self, broker: ServedBroker) -> None:
        self.taken_ms: list[float] = []
        self._broker = broker
        self._under_way = threading.Event()
        self._over = threading.Event()
        self._fault: Exception | None = None
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> Self:
        self._thread.start()
        self._under_way.wait()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._thread.join()
        if self._fault is not None and error is None:
            raise self._fault

    def __str__(self) -> str:
        """What it found."""
        taken = [
            f"{name} {self._quantile(share):.1f}" for name, share in (("p50", 0.5), ("p99", 0.99), ("max", 1))
        ]
        return f"{len(self.taken_ms)} of others' messages took {', '.join(taken)} ms"

    def _quantile(self, share: float) -> float:
        return sorted(self.taken_ms)[int(share * (len(self.taken_ms) - 1))]

    def _run(self) -> None:
        try:
            with blocking.connect(self._broker.url) as connection:
                connection.declare("others", lvq_key="key")
                queue = connection.queue("others")
                while not self._over.wait(_EVERY_S):
                    began_s = time.monotonic()
                    queue.send(Message("well", {"key": "one"}))
                    self.taken_ms.append((time.monotonic() - began_s) * 1000)
                    self._under_way.set()
        except Exception as error:  # noqa: BLE001 - it is raised where the block ends
            self._fault = error
            self._under_way.set()
