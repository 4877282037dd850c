"""Notifies systemd as a service of `Type=notify`, in the protocol of sd_notify(3)."""

import asyncio
import os
import socket
from collections.abc import Mapping
from typing import Self

from lastvalue.server.log_events import SERVER_NOTIFY_FAILED

READY = "READY=1"
STOPPING = "STOPPING=1"
_WATCHDOG = "WATCHDOG=1"


class Notifier:
    """Notifies the service manager that started this process, if there is one.

    Args:
        address: of its socket, or ""; a leading `@` is an abstract socket.
        watchdog_s: the watchdog's interval in seconds; 0 is no watchdog.
    """

    def __init__(self, address: str, watchdog_s: float = 0.0) -> None:
        self._address = "\0" + address[1:] if address.startswith("@") else address
        self._every_s = watchdog_s / 2
        self._failed = False
        self._timer: asyncio.TimerHandle | None = None

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Self:
        """The notifier that NOTIFY_SOCKET and WATCHDOG_USEC configure, if they are for this process."""
        meant = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        microseconds = environment.get("WATCHDOG_USEC", "")
        watchdog_s = int(microseconds) / 1e6 if meant and microseconds.isdecimal() else 0.0
        return cls(environment.get("NOTIFY_SOCKET", ""), watchdog_s)

    def tell(self, state: str) -> None:
        """Send a state, such as READY; a failure is logged once."""
        if not self._address:
            return
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notifier:
                notifier.sendto(state.encode(), self._address)
        except OSError as error:
            if not self._failed:
                SERVER_NOTIFY_FAILED.log(
                    address=self._address.replace("\0", "@"), cause=error.strerror or error
                )
            self._failed = True

    def ready(self) -> None:
        """Notify that the service is ready; from now on the event loop feeds the watchdog."""
        self.tell(READY)
        if self._address and self._every_s > 0:
            self._feed(asyncio.get_running_loop())

    def stopping(self, within_s: float) -> None:
        """Notify that the service stops, and how long that may take; the watchdog is fed until then."""
        self.tell(f"{STOPPING}\nEXTEND_TIMEOUT_USEC={int(within_s * 1e6)}")

    def _feed(self, loop: asyncio.AbstractEventLoop) -> None:
        self._timer = loop.call_later(self._every_s, self._feed, loop)
        self.tell(_WATCHDOG)
