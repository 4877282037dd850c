"""A reader that stops reading costs the broker nothing, and finds the present when it comes back."""

import json
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import psutil
import pytest
from proton import Event
from proton.handlers import MessagingHandler
from proton.reactor import AtMostOnce, Container, Copy
from served_broker import HOST, ServedBroker

pytestmark = pytest.mark.interop

LOAD = Path(__file__).parents[2] / "bench" / "load.py"
KEYS = 1_000
SECONDS = 300
ALLOWED_GROWTH_BYTES = 16 << 20
"""What the broker may hold for one connection is 1 MiB of output; the rest is the allocator's."""


class PausingBrowser(MessagingHandler):  # type: ignore[misc]  # proton is untyped to us
    """Grants all the credit there is, takes one message, stops reading, and later reads on to the newest."""

    def __init__(self, url: str, queue: str) -> None:
        super().__init__(prefetch=0)
        self._url, self._queue = url, queue
        self.expected: dict[str, int] = {}
        self.taken = 0
        self.found = 0

    def on_start(self, event: Event) -> None:
        connection = event.container.connect(self._url, reconnect=False)
        options = [Copy(), AtMostOnce()]
        event.container.create_receiver(connection, self._queue, options=options).flow(10_000_000)

    def on_message(self, event: Event) -> None:
        self.taken += 1
        number = struct.unpack_from(">Q", bytes(event.message.body))[0]
        if self.expected.get(event.message.properties["key"]) == number:
            self.found += 1
            if self.found == len(self.expected):
                event.connection.close()


def publish(broker: ServedBroker, queue: str, count: int) -> dict[str, int]:
    """Run the load generator; for each key the number of its newest message."""
    options = {"--port": broker.port, "--queue": queue, "--count": count, "--keys": KEYS}
    arguments = [str(word) for option in options.items() for word in option]
    result = subprocess.run(
        [sys.executable, str(LOAD), *arguments, "--host", HOST, "--newest", "--json"],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=True,
    )
    report: dict[str, Any] = json.loads(result.stdout)
    newest: dict[str, int] = report["newest"]
    return newest


@pytest.mark.capability("python-qpid-proton, reactive", "updates")
def test_a_reader_that_stops_does_not_grow_the_broker_and_resumes_with_the_newest(
    broker: ServedBroker,
) -> None:
    queue = broker.declare(lvq_key="key")
    publish(broker, queue, 100_000)
    browser = PausingBrowser(broker.url, queue)
    container = Container(browser)
    container.start()
    while not browser.taken:
        container.process()

    process = psutil.Process(broker.process.pid)
    before_bytes = process.memory_info().rss
    browser.expected = publish(broker, queue, 1_000_000)
    grown_bytes = process.memory_info().rss - before_bytes
    while container.process():
        pass
    container.stop()
    container.process()

    assert browser.found == len(browser.expected) == KEYS
    assert browser.taken < 200_000
    assert grown_bytes < ALLOWED_GROWTH_BYTES
    assert broker.depth(queue) == KEYS + 1
