"""The program of the chart that labels a pod: beside a broker that leads, follows, and is gone."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Any

import pytest
from rendered_chart import CHART

pytestmark = pytest.mark.pure
PATIENCE_S = 60.0


class Surroundings(ThreadingHTTPServer):
    """The broker's health port, and the API of Kubernetes.

    Attributes:
        leads: what the broker answers; None is nothing.
        refuses: so often the API refuses.
        asked: what it was asked.
    """

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.leads: bool | None = True
        self.refuses = 0
        self.asked: Queue[tuple[str, str | None, Any]] = Queue()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    server: Surroundings

    def do_GET(self) -> None:
        if self.server.leads is None:
            return
        self._answer(200 if self.server.leads and self.path == "/leaderz" else 503)

    def do_PATCH(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.put((self.path, self.headers["Authorization"], body))
        self.server.refuses -= 1
        self._answer(403 if self.server.refuses >= 0 else 200)

    def _answer(self, status: int) -> None:
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Nothing is printed."""


@pytest.fixture
def surroundings() -> Iterator[Surroundings]:
    server = Surroundings()
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_pod_has_the_label_of_its_brokers_role(surroundings: Surroundings, tmp_path: Path) -> None:
    (tmp_path / "token").write_text("secret\n")
    program = subprocess.Popen(
        [sys.executable, CHART / "files" / "role_label.py"],
        env={
            **os.environ,
            "POD_NAME": "broker-1",
            "POD_NAMESPACE": "market",
            "HEALTH": surroundings.url,
            "KUBERNETES": surroundings.url,
            "ACCOUNT": str(tmp_path),
        },
        stdout=subprocess.PIPE,
        text=True,
    )
    given = []
    surroundings.refuses = 1
    try:
        for leads in (True, False, True, None):
            surroundings.leads = leads
            given.append(surroundings.asked.get(timeout=PATIENCE_S))
            if len(given) == 1:
                given.append(surroundings.asked.get(timeout=PATIENCE_S))
        program.send_signal(signal.SIGTERM)
        said, _ = program.communicate(timeout=PATIENCE_S)
    finally:
        program.kill()
        program.communicate()
    assert program.returncode == 0
    where = "/api/v1/namespaces/market/pods/broker-1"
    roles = ["leader", "leader", "follower", "leader", "follower"]
    assert given == [
        (where, "Bearer secret", {"metadata": {"labels": {"lastvalue/role": role}}}) for role in roles
    ]
    assert said.startswith("cannot label the pod leader: 403 Forbidden\nlabelled the pod leader\n")
