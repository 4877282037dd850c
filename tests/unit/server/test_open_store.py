"""What a store brings back onto a broker."""

import threading
import weakref
from pathlib import Path
from typing import Any

import pytest
from bare_queue import START_MS
from broker_desk import LimitedReceiver

from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.owner import NOBODY
from lastvalue.codec.amqp10.content import MessageContent, decode_content, encode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.config.server_options import ServerOptions
from lastvalue.history.moment import Moment
from lastvalue.history.records import Record, read_record
from lastvalue.queues.effects import Reason
from lastvalue.queues.spec import LastValue, Lifetime, Limit, QueueSpec, WhenFull
from lastvalue.queues.subscription import ANY, Mode
from lastvalue.queues.tombstones import Tombstones
from lastvalue.server.open_store import OpenStore, StoreSettings, advertised_address, fitted, open_store
from lastvalue.store.store_contents import StoreContents, load_contents
from lastvalue.store.store_options import StoreOptions

WATCHED = QueueSpec("q", durable=True, history="h", history_deliveries=True)


def turn(broker: Broker, store: OpenStore) -> None:
    """What the runtime does at the end of a turn, and until it is on the disk."""
    broker.pump(START_MS)
    for definition in broker.definitions.drain():
        store.journal.define(definition.kind, definition.name, definition.arguments)
    position = 0
    for name, effects in broker.drain(START_MS):
        position = store.journal.append(name, effects)
    while store.journal.flushed < position:
        written = threading.Event()
        store.journal.flush(written.set)
        assert store.journal.flushed >= position or written.wait(120)


def test_a_small_file_system_has_small_segments_and_a_small_reserve() -> None:
    options = StoreOptions(segment_bytes=64 << 20)
    for volume, segment, reserve in ((1 << 40, 64 << 20, 16 << 20), (64 << 20, 4 << 20, 4 << 20)):
        assert fitted(options, volume) == StoreOptions(segment_bytes=segment, reserve_bytes=reserve)
    assert fitted(StoreOptions(segment_bytes=4096), 1 << 20).segment_bytes == 4096


def opened(directory: Path) -> tuple[Broker, OpenStore]:
    broker = Broker()
    return broker, open_store(StoreSettings(directory), broker, START_MS)


# Nothing refers weakly to objects of a compiled class.
@pytest.mark.pure
def test_an_open_store_keeps_nothing_of_what_it_has_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[weakref.ref[StoreContents]] = []

    def load(*arguments: Any, **options: Any) -> StoreContents:
        stored = load_contents(*arguments, **options)
        read.append(weakref.ref(stored))
        return stored

    monkeypatch.setattr("lastvalue.server.open_store.load_contents", load)
    _, store = opened(tmp_path)
    assert [each() for each in read] == [None]
    store.close()


def put(broker: Broker, body: str, *, durable: bool) -> None:
    content = MessageContent(body=body, durable=durable)
    broker.publish(broker.queue_target("q"), read_message(encode_content(content)), START_MS)


def records(broker: Broker) -> list[Record]:
    return [
        read_record(entry.message.encoded, int(entry.sequence))
        for entry in broker.lookup("h").queue.entries()
    ]


def test_a_history_goes_on_after_a_restart_and_tells_what_that_took(tmp_path: Path) -> None:
    broker, store = opened(tmp_path)
    broker.declare(WATCHED)
    put(broker, "kept", durable=True)
    put(broker, "lost", durable=False)
    turn(broker, store)
    receiver = LimitedReceiver(1)
    receiver.reader = broker.read(broker.lookup("q"), Mode.CONSUME, receiver, ANY, NOBODY, START_MS)
    receiver.reader.wake()
    turn(broker, store)
    store.close()

    broker, store = opened(tmp_path)
    turn(broker, store)
    store.close()
    told = records(broker)
    assert [record.offset for record in told] == list(range(1, len(told) + 1))
    assert [record.effect for record in told] == [
        *("declared", "added", "added", "acquired"),
        *("restarted", "released"),
    ]
    (queued_message,) = Moment().apply_all(told).in_order()
    (entry,) = broker.lookup("q").queue.entries()
    assert decode_content(queued_message.record.message).body == "kept"
    assert (
        (queued_message.delivery_count, queued_message.state)
        == (entry.delivery_count, "available")
        == (1, "available")
    )


def test_a_history_that_drops_what_was_before_restarts_still_knows_what_there_was(tmp_path: Path) -> None:
    ring = QueueSpec("h", durable=True, limit=Limit(messages=2, when_full=WhenFull.DROP_OLDEST))
    broker, store = opened(tmp_path)
    broker.declare(ring)
    broker.declare(WATCHED)
    for number in range(3):
        put(broker, f"kept {number}", durable=True)
        put(broker, f"lost {number}", durable=False)
        turn(broker, store)
        receiver = LimitedReceiver(1)
        receiver.reader = broker.read(broker.lookup("q"), Mode.CONSUME, receiver, ANY, NOBODY, START_MS)
        receiver.reader.wake()
        turn(broker, store)
        store.close()
        broker, store = opened(tmp_path)
        turn(broker, store)
    for number in range(3):
        put(broker, f"last {number}", durable=True)
    turn(broker, store)
    told = records(broker)
    store.close()
    # The last restart is in the base, which has nothing of messages that were lost.
    assert told[-2].effect == "added"
    assert not [each for each in told if b"lost" in each.message]
    found = [
        (decode_content(each.record.message).body, each.delivery_count, each.state)
        for each in Moment().apply_all(told).in_order()
    ]
    assert found == [
        (decode_content(entry.message.encoded).body, entry.delivery_count, "available")
        for entry in broker.lookup("q").queue.entries()
    ]
    assert [count for _, count, _ in found] == [3, 0, 0, 0, 0, 0]


def test_a_history_that_was_declared_is_not_made_anew_for_the_queue_that_names_it(tmp_path: Path) -> None:
    broker, store = opened(tmp_path)
    broker.declare(QueueSpec("q", durable=True))
    limit = Limit(messages=7, when_full=WhenFull.DROP_OLDEST)
    broker.declare(QueueSpec("h", durable=True, limit=limit))
    broker.reconfigure(WATCHED, START_MS)
    turn(broker, store)
    store.close()

    broker, store = opened(tmp_path)
    store.close()
    assert broker.lookup("h").queue.spec.limit == limit
    assert broker.lookup("q").queue.spec.history == "h"


def test_a_queue_that_is_deleted_and_declared_again_in_a_turn_knows_none_of_the_old_ids(
    tmp_path: Path,
) -> None:
    broker, store = opened(tmp_path)
    spec = QueueSpec("q", durable=True)
    broker.declare(spec)
    message = read_message(encode_content(MessageContent(body="old", durable=True)))
    message.duplicate_id = b"=1"
    broker.publish(broker.queue_target("q"), message, START_MS)
    broker.delete("q", START_MS)
    broker.declare(spec)
    turn(broker, store)
    store.close()
    again, store = opened(tmp_path)
    store.close()
    assert again.lookup("q").queue.duplicates.ids() == []


def test_a_record_of_a_history_is_durable_after_a_restart_too(tmp_path: Path) -> None:
    broker, store = opened(tmp_path)
    broker.declare(WATCHED)
    put(broker, "kept", durable=True)
    turn(broker, store)
    before = [entry.message.durable for entry in broker.lookup("h").queue.entries()]
    store.close()
    again, store = opened(tmp_path)
    store.close()
    after = [entry.message.durable for entry in again.lookup("h").queue.entries()]
    assert before == [True, True]
    assert after[:2] == before


KEYED = QueueSpec("q", LastValue("k"), durable=True, tombstone_ms=60_000)


def test_the_time_of_a_queue_that_nobody_uses_begins_again_with_a_restart(tmp_path: Path) -> None:
    lifetime = Lifetime.NO_OUTBOUND_LINKS
    broker, store = opened(tmp_path)
    broker.declare(QueueSpec("leased", durable=True, lifetime=lifetime, auto_delete_delay_ms=100))
    broker.declare(QueueSpec("once read", durable=True, lifetime=lifetime))
    turn(broker, store)
    store.close()
    broker, store = opened(tmp_path)
    assert broker.next_deadline() == START_MS + 100
    broker.advance(START_MS + 99)
    assert broker.has_queue("leased")
    broker.advance(START_MS + 100)
    assert not broker.has_queue("leased")
    assert broker.has_queue("once read")
    store.close()


def put_key(broker: Broker, key: str, *, durable: bool = True) -> None:
    content = MessageContent(body="value", durable=durable, application_properties={"k": key})
    broker.publish(broker.queue_target("q"), read_message(encode_content(content)), START_MS)


def tombstones_of(broker: Broker) -> Tombstones:
    tombstones = broker.lookup("q").queue.contents.tombstones
    assert tombstones is not None
    return tombstones


def test_tombstones_and_what_readers_know_survive_a_restart(tmp_path: Path) -> None:
    broker, store = opened(tmp_path)
    broker.declare(KEYED)
    tombstones_of(broker).begin_epoch(0, START_MS)
    for key in "abc":
        put_key(broker, key)
    turn(broker, store)
    broker.purge("q")
    turn(broker, store)
    put_key(broker, "b")
    turn(broker, store)
    epoch = tombstones_of(broker).epochs[0].epoch
    store.close()

    for restarts in (1, 2):
        broker, store = opened(tmp_path)
        turn(broker, store)
        tombstones = tombstones_of(broker)
        found = [(each.number, each.key[2:], each.reason, each.sequence) for each in tombstones.all()]
        assert found == [(1, b"a", Reason.PURGED, 3), (3, b"c", Reason.PURGED, 3)]
        assert (tombstones.number, len(tombstones.epochs)) == (3, 1 + restarts)
        assert tombstones.knows(epoch, 4, 3, 4)
        assert not tombstones.knows(epoch, 5, 3, 5)
        store.close()


def test_what_readers_know_of_a_queue_that_took_what_is_not_stored_does_not_survive(tmp_path: Path) -> None:
    broker, store = opened(tmp_path)
    broker.declare(KEYED)
    tombstones_of(broker).begin_epoch(0, START_MS)
    put_key(broker, "a")
    put_key(broker, "b", durable=False)
    turn(broker, store)
    epoch = tombstones_of(broker).epochs[-1].epoch
    assert tombstones_of(broker).knows(epoch, 2, 0, 2)
    store.close()

    broker, store = opened(tmp_path)
    assert not tombstones_of(broker).knows(epoch, 1, 0, 2)
    store.close()


def test_tombstones_are_copied_forward_and_what_is_forgotten_stays_so(tmp_path: Path) -> None:
    broker = Broker()
    settings = StoreSettings(tmp_path, StoreOptions(segment_bytes=2000))
    store = open_store(settings, broker, START_MS)
    broker.declare(KEYED)
    put_key(broker, "old")
    broker.purge("q")
    turn(broker, store)
    broker.lookup("q").queue.advance(START_MS)
    broker.lookup("q").queue.advance(START_MS + 60_000)
    broker.lookup("q").mark_changed()
    put_key(broker, "a")
    broker.purge("q")
    turn(broker, store)
    for _ in range(200):
        put_key(broker, "b")
        turn(broker, store)
    store.close()
    assert min(int(path.stem) for path in tmp_path.glob("*[0-9].*")) > 1
    broker, store = opened(tmp_path)
    assert [each.key[2:] for each in tombstones_of(broker).all()] == [b"a"]
    assert tombstones_of(broker).forgotten == 1
    store.close()


@pytest.mark.parametrize(
    ("options", "port", "address"),
    [
        ({}, 5672, "127.0.0.1:5672"),
        ({}, 0, ""),
        ({"advertise": "one:1"}, 0, "one:1"),
        ({"host": "::1"}, 5672, "[::1]:5672"),
    ],
)
def test_where_clients_reach_a_broker(options: dict[str, str], port: int, address: str) -> None:
    assert advertised_address(ServerOptions(**options), port) == address  # type: ignore[arg-type] # all are texts
