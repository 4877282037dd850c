"""Watches whether the brokers of a run answer."""

import asyncio
import threading
from collections.abc import Callable, Iterable
from typing import Final

from lastvalue.client import connect
from lastvalue.client.errors import AuthenticationError, ClientError

_PERIOD_S: Final = 0.5

OnChange = Callable[[str, str], None]
"""Hears the URL of a broker, and why it does not answer; empty if it answers again."""


class BrokerWatch:
    """Keeps a connection to each broker open, in a thread of its own, and connects again when it is lost.

    A broker that refuses the user answers: what it refuses is the failure of a part.

    Args:
        urls: of the brokers.
        on_change: called when a broker stops or begins to answer.
    """

    def __init__(self, urls: Iterable[str], on_change: OnChange, period_s: float = _PERIOD_S) -> None:
        self._urls = tuple(dict.fromkeys(urls))
        self._on_change = on_change
        self._period_s = period_s
        self._faults = dict.fromkeys(self._urls, "")
        self._changed = threading.Condition()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="broker-watch", daemon=True)

    def start(self) -> None:
        """Begin to watch."""
        self._thread.start()

    def stop(self) -> None:
        """Close the connections and end the thread."""
        self._stopping.set()
        if self._thread.ident is not None:
            self._thread.join()

    def fault(self, url: str) -> str:
        """Why a broker does not answer; empty if it does, or if nothing is known yet."""
        with self._changed:
            return self._faults[url]

    def wait_for(self, url: str, stop: threading.Event) -> None:
        """Wait until a broker answers, or `stop` is set."""
        with self._changed:
            while self._faults[url] and not stop.is_set():
                self._changed.wait(self._period_s)

    def _run(self) -> None:
        asyncio.run(self._watch_all())

    async def _watch_all(self) -> None:
        await asyncio.gather(*(self._watch(url) for url in self._urls))

    async def _watch(self, url: str) -> None:
        while not self._stopping.is_set():
            try:
                async with connect(url, reconnect=False) as connection:
                    self._note(url, "")
                    while True:
                        await asyncio.sleep(self._period_s)
                        if not connection.is_open or self._stopping.is_set():
                            break
            except AuthenticationError:
                self._note(url, "")
            except ClientError as error:
                self._note(url, str(error))
            if not self._stopping.is_set():
                await asyncio.sleep(self._period_s)

    def _note(self, url: str, fault: str) -> None:
        with self._changed:
            known, self._faults[url] = self._faults[url], fault
            self._changed.notify_all()
        if bool(known) != bool(fault):
            self._on_change(url, fault)
