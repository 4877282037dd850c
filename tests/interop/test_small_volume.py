"""A store on a file system that is really full."""

import subprocess
from pathlib import Path
from typing import Final

import pytest
from served_broker import ServedBroker
from waiting import wait_until

from lastvalue.client import Message, SendRejectedError, blocking

BODY: Final = "x" * 100_000


def mounted(directory: Path) -> tuple[str, ...]:
    """A command that runs the one that follows it where the directory is a file system of 12 MiB."""
    script = f'mount -t tmpfs -o size=12m none {directory} && exec "$@"'
    return ("unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, "sh")


def is_taken(queue: blocking.Queue) -> bool:
    """Whether the volume has room for another message."""
    try:
        queue.send(Message(BODY, durable=True))
    except SendRejectedError:
        return False
    return True


def filled(queue: blocking.Queue) -> int:
    """How many messages the volume takes until it is full."""
    for taken in range(200):
        if not is_taken(queue):
            return taken
    raise AssertionError("the volume takes more than it holds")


def test_a_full_volume_is_free_again_when_its_messages_are_consumed(tmp_path: Path) -> None:
    within = mounted(tmp_path)
    if subprocess.run([*within, "true"], capture_output=True, check=False).returncode != 0:
        pytest.skip("this system lets only root mount a file system")
    store = ("--store", str(tmp_path / "store"), "--disk-reserve", "0")
    with ServedBroker(*store, within=within) as broker, blocking.connect(broker.url) as connection:
        queue = connection.declare("q", durable=True)
        taken = filled(queue)
        for delivery in queue.receive(limit=taken, timeout_s=30):
            delivery.accept()
        # The store may still be compacting what was consumed.
        for _ in range(taken):
            wait_until(lambda: is_taken(queue))
        code, _, complaints = broker.stop()
    assert code == 0
    assert "durable messages are refused" in complaints
    assert "the store continues with its reserve" in complaints
