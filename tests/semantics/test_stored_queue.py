"""Every scenario on a queue behind a journal in files, which are read again after each step, as after a kill.

What is read must be what the queue's effects rebuild; `test_bare_queue.py` holds that against the queue.
"""

import threading
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from bare_queue import BareQueue, encoded, queue_of
from fake_disk import FakeDisk
from scenario import Scenario, run, scenarios
from shares import in_this_run

from lastvalue.codec.amqp10.message import read_message
from lastvalue.model.errors import LastvalueError
from lastvalue.queues.effects import Effect
from lastvalue.queues.entry import Entry
from lastvalue.queues.once import enqueue_once
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec_arguments import spec_from_arguments, spec_to_arguments
from lastvalue.server.followed_queue import FollowedQueue
from lastvalue.store.file_log import file_journal
from lastvalue.store.store_contents import load_contents
from lastvalue.store.store_options import StoreOptions
from lastvalue.store.writer import Sync

SEGMENT_BYTES = 16 << 10


class StoredQueue(BareQueue):
    """A durable queue, of durable messages, with a store."""

    def __init__(self, options: dict[str, Any], directory: Path) -> None:
        super().__init__({**options, "durable": True})
        self.effects: list[Effect] = []
        self._directory = directory
        self._disk = FakeDisk(directory)
        self.journal = file_journal(
            directory, StoreOptions(Sync.NEVER, segment_bytes=SEGMENT_BYTES, checks=True), files=self._disk
        )
        self.journal.declare("queue", "q", spec_to_arguments(self.spec))

    def send(self, body: str, properties: dict[str, Any], ttl_ms: int | None, **more: Any) -> bool:
        try:
            message = read_message(encoded(body, properties, ttl_ms, **more))
            # By a mark, not in its header: the scenarios count bytes.
            message.durable = more.get("durable", True)
            return enqueue_once(self.queue, message, self.now)
        except LastvalueError:
            return False

    def reconfigure(self, options: dict[str, Any]) -> None:
        super().reconfigure({**options, "durable": True})
        self.journal.declare("queue", "q", spec_to_arguments(self.queue.spec))

    def record(self) -> None:
        """What the server does at the end of a turn."""
        effects = self.queue.drain()
        self.effects += effects
        position = self.journal.append("q", effects)
        while self.journal.flushed < position:
            written = threading.Event()
            self.journal.flush(written.set)
            assert self.journal.flushed >= position or written.wait(120)

    def read_again(self) -> Queue:
        """The queue that a broker has that was killed and started."""
        for path in self._directory.iterdir():
            path.unlink()
        for name, data in self._disk.after_kill().items():
            (self._directory / name).write_bytes(data)
        stored = load_contents(self._directory, salvage=False)
        declared = stored.declared["queue", "q"]
        queue = queue_of(spec_from_arguments("q", declared.arguments))
        FollowedQueue(queue, declared.number, stored).lead(stored)
        return self._restarted(queue)

    def rebuilt(self) -> Queue:
        """What the effects say that it must be."""
        queue = queue_of(self.spec)
        queue.replay(self.effects)
        return self._restarted(queue)

    def _restarted(self, queue: Queue) -> Queue:
        queue.release_all(self.now)
        queue.advance(self.now)
        return queue


def queued_message(entries: Iterable[Entry]) -> list[tuple[object, ...]]:
    return [
        (
            *(entry.sequence, entry.state, entry.key, entry.order, entry.rank, entry.place),
            *(entry.expires_ms, entry.not_before_ms, entry.updates, entry.delivery_count),
            None if entry.group is None else (entry.group.name, entry.group.owner),
            bytes(entry.message.encoded),
        )
        for entry in entries
    ]


@pytest.mark.parametrize("scenario", in_this_run("stored", scenarios("queue")), ids=str)
def test_a_kill_after_any_step_of_a_scenario_loses_nothing(scenario: Scenario, tmp_path: Path) -> None:
    driver = StoredQueue(scenario.options, tmp_path)
    for step in scenario.steps:
        run(replace(scenario, steps=(step,)), driver)
        driver.record()
        kept = [entry for entry in driver.rebuilt().entries() if entry.message.durable]
        assert queued_message(driver.read_again().entries()) == queued_message(kept), step
    driver.journal.close()
