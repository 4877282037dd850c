"""`python -m lastvalue.cli.gateway_child`: `lastvalue http` as a child process of a broker.

What it reads and writes is said at `GatewayProcess`, which starts it.
"""

import asyncio
import json
import logging
import os
import signal
import socket
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

from lastvalue.http.gateway_settings import GatewaySettings
from lastvalue.model.errors import LastvalueError
from lastvalue.server.forwarded_log import SERVING, ForwardedForm

if TYPE_CHECKING:
    from lastvalue.gateway.gateway_server import GatewayServer

OOM_SCORE: Final = Path("/proc/self/oom_score_adj")
"""How readily Linux ends the process, up to 1000; other systems have no such file."""

NICENESS: Final = 5
"""Where processors are short, it gets a third of the time that the broker gets: messages come first."""

_log = logging.getLogger(__name__)


class GatewayChild:
    """The gateway that a broker asks for on a pipe; it ends at once if the pipe does.

    Args:
        pipe: what the broker tells; its first line has come, or comes at once.
    """

    def __init__(self, pipe: BinaryIO) -> None:
        self._pipe = pipe
        document = json.loads(pipe.readline())
        self._listening = socket.socket(fileno=document.pop("listening"))
        self._settings = GatewaySettings.from_document(document)
        self._server: GatewayServer | None = None
        # Of the two above: settings may change while the server is made, which loads its packages.
        self._lock = threading.Lock()

    def serve(self) -> None:
        """Serve until a signal.

        Raises:
            LastvalueError: the gateway cannot serve with its settings.
        """
        threading.Thread(target=self._follow, daemon=True).start()
        from lastvalue.gateway.gateway_server import GatewayServer

        with self._lock:
            server = self._server = GatewayServer(self._settings, self._listening)
        asyncio.run(server.serve(_tell_serving))

    def _follow(self) -> None:
        while line := self._pipe.readline():
            document = json.loads(line)
            figures = document.get("figures")
            with self._lock:
                if figures is not None:
                    if self._server is not None:
                        self._server.take_figures(figures)
                    continue
                del document["listening"]
                self._settings = GatewaySettings.from_document(document)
                if self._server is not None:
                    self._server.use_certificate(self._settings)
        # The broker is gone, and the next one needs the port.
        os._exit(1)


def _tell_serving() -> None:
    sys.stdout.buffer.write(SERVING)
    sys.stdout.flush()


def main() -> int:
    """Serve, with the log on standard output; the exit code."""
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(ForwardedForm())
    logging.getLogger().addHandler(handler)
    # The broker leaves out what its levels do not want, which may change.
    logging.getLogger("lastvalue").setLevel(logging.DEBUG)
    # If memory is short the system ends this process, which starts again, and not the broker.
    with suppress(OSError):
        OOM_SCORE.write_text("500")
    os.nice(NICENESS)
    # Of a whole service, it is meant for the broker.
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        GatewayChild(sys.stdin.buffer).serve()
    except LastvalueError as error:
        _log.error("the gateway cannot serve: %s", error)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
