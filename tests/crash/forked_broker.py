"""A broker in a process of its own that is there at once, for tests that start one again and again.

Nine tenths of what a start took were imports, which no test of a store is about. Here a process does them
once, and each broker is a fork of it that runs `lastvalue serve`: a kill ends it as it ends any process.
"""

import multiprocessing
import os
import re
import sys
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Final, Self

from served_broker import HOST, QUIET

from lastvalue.cli.main import main

_FORKS: Final = multiprocessing.get_context("forkserver")
# The program that runs the tests, too, because each process that is forked imports it.
_IMPORTED: Final = (
    *("pytest", "forked_broker", "typer", "pydantic", "annotated_types"),
    *("lastvalue.cli.serve", "lastvalue.server.broker_server", "lastvalue.server.log_output"),
)
_FORKS.set_forkserver_preload(list(_IMPORTED))
_LISTENING: Final = re.compile(rf"{re.escape(HOST)}:(\d+)")


class ForkedBroker:
    """`lastvalue serve` with a store, which listens inside its `with` block and is killed at its end.

    Args:
        store: its directory.
        port: 0 is any free one.
    """

    def __init__(self, store: str, port: int = 0) -> None:
        reader, writer = _FORKS.Pipe(duplex=False)
        arguments = ["serve", *QUIET, "--store", store, "--port", str(port)]
        self._process = _FORKS.Process(target=_serve, args=(arguments, writer), daemon=True)
        self._printed, self._prints = reader, writer
        self.port = port

    def __enter__(self) -> Self:
        self._process.start()
        self._prints.close()
        with open(self._printed.fileno(), closefd=False) as printed:
            for line in printed:
                if announced := _LISTENING.search(line):
                    self.port = int(announced[1])
                    return self
        self._process.join()
        raise AssertionError(f"the broker ended with {self._process.exitcode} before it listened")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()
        self._printed.close()
        self._process.close()

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"amqp://{HOST}:{self.port}"

    def kill(self) -> None:
        """End it with SIGKILL, and return when it has ended."""
        self._process.kill()
        self._process.join()


def _serve(arguments: list[str], output: Connection) -> None:
    os.dup2(output.fileno(), sys.stdout.fileno())
    sys.argv = ["lastvalue", *arguments]
    main()
