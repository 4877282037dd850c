"""lastvalue.server.point_in_time."""

from pathlib import Path

import pytest
from stored_queue import StoredQueue

from lastvalue.broker.broker import Broker
from lastvalue.codec.amqp10.content import MessageContent, encode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.queues.once import enqueue_once
from lastvalue.queues.spec import QueueSpec
from lastvalue.server.open_store import StoreSettings, open_store
from lastvalue.server.point_in_time import PointInTime, QueueAtTime, stored_queues, write_point_in_time
from lastvalue.store.segments import StoreError
from lastvalue.store.store_contents import load_contents

NOW_MS = 9_000
CONTENT = encode_content(MessageContent(body="a"))


@pytest.fixture
def snapshot(tmp_path: Path) -> Path:
    """A store with the queue `q`, a message of it, a binding to it and a prepared transaction."""
    directory = tmp_path / "snapshot"
    directory.mkdir()
    stored = StoredQueue(directory)
    message = read_message(CONTENT)
    message.durable = True
    enqueue_once(stored.queue, message, 1_000)
    stored.journal.declare("exchange", "x", {"type": "fanout", "durable": True})
    binding = {"exchange": "x", "destination": "q", "key": "", "to_exchange": False, "arguments": {}}
    stored.journal.declare("binding", "x to q", binding)
    stored.journal.declare("branch", "b", {})
    stored.flush()
    stored.journal.close()
    return directory


def written(tmp_path: Path, snapshot: Path, point: PointInTime) -> int:
    (tmp_path / "store").mkdir()
    return write_point_in_time(snapshot, tmp_path / "store", point, NOW_MS)


def test_what_no_history_knows_is_as_in_the_snapshot_without_transactions(
    tmp_path: Path, snapshot: Path
) -> None:
    assert [spec.name for spec in stored_queues(snapshot).values()] == ["q"]
    assert written(tmp_path, snapshot, PointInTime({})) == 1
    stored = load_contents(tmp_path / "store", salvage=False)
    assert [kept.encoded for _, kept in stored.messages[1].values()] == [CONTENT]
    assert sorted(kind for kind, _ in stored.declared) == ["binding", "exchange", "queue"]


def test_a_queue_that_did_not_exist_goes_with_its_bindings(tmp_path: Path, snapshot: Path) -> None:
    written(tmp_path, snapshot, PointInTime({"q": None}))
    stored = load_contents(tmp_path / "store", salvage=False)
    assert list(stored.declared) == [("exchange", "x")]
    assert not any(stored.messages.values())


def test_a_history_goes_on_behind_what_has_landed(tmp_path: Path, snapshot: Path) -> None:
    spec = QueueSpec("q", durable=True, history="h")
    written(tmp_path, snapshot, PointInTime({"q": QueueAtTime(spec, [], 7)}, {"h": 40}))
    broker = Broker()
    open_store(StoreSettings(tmp_path / "store"), broker, 0).close()
    assert broker.lookup("q").queue.sequence == 7
    assert [entry.sequence for entry in broker.lookup("h").queue.entries()] == [41]


def test_a_queue_whose_redirect_is_not_there_is_named(tmp_path: Path, snapshot: Path) -> None:
    spec = QueueSpec("p", durable=True, redirect="dead")
    with pytest.raises(StoreError, match="queue 'p' cannot be declared: one that it names"):
        written(tmp_path, snapshot, PointInTime({"p": QueueAtTime(spec, [], 0)}))
