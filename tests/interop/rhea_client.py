"""Runs rhea, which it installs where it is not: node and npm are needed."""

import hashlib
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from served_broker import ServedBroker

ROOT = Path(__file__).parents[2]
PROJECT = Path(__file__).parent / "rhea"
NODE, NPM = shutil.which("node"), shutil.which("npm")
HAS_NODE = NODE is not None and NPM is not None
SECONDS = 30
INSTALL_SECONDS = 100


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


def installed_modules() -> Path:
    """node_modules with what the lock file says, installed once for each version of it."""
    lock = (PROJECT / "package-lock.json").read_bytes()
    directory = ROOT / ".cache" / f"rhea-{hashlib.sha256(lock).hexdigest()[:12]}"
    done = directory / "installed"
    if not done.exists():
        directory.mkdir(parents=True, exist_ok=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copy(PROJECT / name, directory)
        install = subprocess.run(
            [str(NPM), "ci", "--no-audit", "--no-fund", "--ignore-scripts"],
            cwd=directory,
            capture_output=True,
            text=True,
            timeout=INSTALL_SECONDS,
            check=False,
        )
        assert install.returncode == 0, f"npm ci failed:\n{install.stdout}{install.stderr}"
        done.touch()
    return directory / "node_modules"
