"""lastvalue.cli.store."""

import json
import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from lastvalue.broker.broker import Broker
from lastvalue.codec.amqp10.content import MessageContent, encode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.queues.spec import LastValue, QueueSpec
from lastvalue.server.open_store import OpenStore, StoreSettings, open_store
from lastvalue.store.segments import segment_path

Lastvalue = Callable[[str], tuple[int, str, str]]


@pytest.fixture
def opened(tmp_path: Path) -> OpenStore:
    """A store with two values of one key, of which the newer left; it is still open."""
    broker = Broker()
    store = open_store(StoreSettings(tmp_path), broker, 1_000)
    broker.declare(QueueSpec("prices", ordering=LastValue("symbol"), durable=True))
    for definition in broker.definitions.drain():
        store.journal.define(definition.kind, definition.name, definition.arguments)
    for price in ("1", "2"):
        content = MessageContent(body=price, durable=True, application_properties={"symbol": "AAPL"})
        broker.publish(broker.queue_target("prices"), read_message(encode_content(content)), 1_000)
        keep(store, broker)
    broker.purge("prices")
    keep(store, broker)
    return store


def keep(store: OpenStore, broker: Broker) -> None:
    """What happened until now makes a batch of its own: what is gone within one is never written."""
    position = 0
    for name, effects in broker.drain(0):
        position = store.journal.append(name, effects)
    written = threading.Event()
    store.journal.flush(written.set)
    assert written.wait(120)
    assert store.journal.flushed == position


def test_a_sound_store_is_counted(tmp_path: Path, opened: OpenStore, lastvalue: Lastvalue) -> None:
    opened.close()
    code, output, errors = lastvalue(f"store check {tmp_path} -o json")
    told = json.loads(output)
    assert (code, errors, told["sound"], told["segments"]) == (0, "", True, 1)
    assert [(queue["queue"], queue["live"], queue["dead"]) for queue in told["queues"]] == [("prices", 0, 2)]
    assert "prices" in lastvalue(f"store check {tmp_path}")[1]


def test_a_store_in_use_is_checked_and_said_to_be(
    tmp_path: Path, opened: OpenStore, lastvalue: Lastvalue
) -> None:
    code, _, errors = lastvalue(f"store check {tmp_path}")
    opened.close()
    assert (code, f"process {os.getpid()} has the store open" in errors) == (0, True)


def test_damage_fails_with_its_file_and_byte(tmp_path: Path, opened: OpenStore, lastvalue: Lastvalue) -> None:
    opened.close()
    path = segment_path(tmp_path, 1)
    path.rename(segment_path(tmp_path, 2))
    code, _, errors = lastvalue(f"store check {tmp_path}")
    assert (code, str(segment_path(tmp_path, 2)) in errors) == (1, True)


def test_the_story_of_a_message_is_told(tmp_path: Path, opened: OpenStore, lastvalue: Lastvalue) -> None:
    opened.close()
    code, output, _ = lastvalue(f"store dump {tmp_path} --queue prices --message 1 -o jsonl")
    story = [json.loads(line) for line in output.splitlines()]
    assert code == 0
    assert [(each["kind"], each.get("reason")) for each in story] == [
        ("added", None),
        ("removed", "replaced"),
    ]
    assert (story[0]["key"], story[0]["body"], story[0]["arrival_ms"]) == ("AAPL", "1", 1_000)
    assert len(lastvalue(f"store dump {tmp_path}")[1].splitlines()) >= 5


def test_a_message_of_which_nothing_is_known_is_told(
    tmp_path: Path, opened: OpenStore, lastvalue: Lastvalue
) -> None:
    opened.close()
    code, _, errors = lastvalue(f"store dump {tmp_path} --queue prices --message 9")
    assert (code, "no record of message 9" in errors) == (1, True)
    assert lastvalue(f"store dump {tmp_path} --message 9")[0] == 2


def test_a_store_is_made_small_when_nobody_has_it(
    tmp_path: Path, opened: OpenStore, lastvalue: Lastvalue
) -> None:
    code, _, errors = lastvalue(f"store compact {tmp_path}")
    assert (code, f"process {os.getpid()} has the store" in errors) == (1, True)
    opened.close()
    code, output, _ = lastvalue(f"store compact {tmp_path} -o json")
    sizes = json.loads(output)
    assert (code, sizes["bytes_after"] < sizes["bytes_before"]) == (0, True)


@pytest.mark.parametrize("command", ["check", "dump", "compact"])
def test_a_directory_without_a_store_is_told(command: str, tmp_path: Path, lastvalue: Lastvalue) -> None:
    code, _, errors = lastvalue(f"store {command} {tmp_path}")
    assert (code, "has no store" in errors) == (1, True)
    assert not any(tmp_path.iterdir())


@pytest.mark.usefixtures("url")
def test_a_broker_without_a_store_has_no_snapshot(tmp_path: Path, lastvalue: Lastvalue) -> None:
    code, _, errors = lastvalue(f"store snapshot {tmp_path / 'new'}")
    assert (code, "--store DIR" in errors) == (1, True)


def test_what_is_no_snapshot_is_not_restored(tmp_path: Path, lastvalue: Lastvalue) -> None:
    code, _, errors = lastvalue(f"serve --restore {tmp_path} --store {tmp_path / 'new'}")
    assert (code, "is not a finished snapshot" in errors) == (1, True)
    code, _, errors = lastvalue(f"serve --restore {tmp_path}")
    assert (code, "--restore needs --store DIR" in errors) == (2, True)
