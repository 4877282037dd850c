"""Runs programs for rhea."""

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from node_packages import NODE
from served_broker import ServedBroker

PROJECT = Path(__file__).parent / "rhea"
SECONDS = 60


class Rhea:
    """Runs `client.js`, one action a process, against a port or an address."""

    def __init__(self, broker: ServedBroker | str, modules: Path, **environment: str) -> None:
        self._address = broker if isinstance(broker, str) else str(broker.port)
        self._environment = {**os.environ, "NODE_PATH": str(modules), **environment}

    def run(self, queue: str, action: str, argument: object = None) -> list[dict[str, Any]]:
        """Everything that the client told until it ended."""
        with self.started(queue, action, argument) as process:
            told, complaints = process.communicate(timeout=SECONDS)
        assert (process.returncode, complaints) == (0, "")
        return [json.loads(line) for line in told.splitlines()]

    @contextmanager
    def started(self, queue: str, action: str, argument: object = None) -> Iterator[subprocess.Popen[str]]:
        command = [str(NODE), str(PROJECT / "client.js"), self._address, queue, action]
        command.append(json.dumps(argument))
        with subprocess.Popen(
            command, env=self._environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as process:
            try:
                yield process
            finally:
                process.kill()
