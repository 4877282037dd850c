"""Stores that earlier versions have written."""

import shutil
from pathlib import Path

import pytest
from bare_queue import body_of

from lastvalue.broker.broker import Broker
from lastvalue.server.open_store import StoreSettings, open_store
from lastvalue.store.inspection import inspect
from lastvalue.store.segments import FORMAT_VERSION, SEGMENT_HEAD, segment_numbers, segment_path

FORMATS = Path(__file__).parent
NOW_MS = 2_000


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store of format 1: a value that was replaced, and a message that a consumer held."""
    shutil.copytree(FORMATS / "format_1", tmp_path / "store")
    return tmp_path / "store"


def versions(store: Path) -> list[int]:
    """The formats of a store's segments."""
    heads = [segment_path(store, number).read_bytes() for number in segment_numbers(store)]
    return [SEGMENT_HEAD.unpack_from(head)[1] for head in heads]


def contents(broker: Broker) -> dict[str, list[tuple[int, str, int]]]:
    return {
        queue.spec.name: [
            (int(entry.sequence), body_of(entry.message.encoded), int(entry.delivery_count))
            for entry in queue.entries()
        ]
        for queue in broker.queues()
    }


def test_a_store_of_format_1_is_read_and_continued_in_the_present_one(store: Path) -> None:
    assert versions(store) == [1]
    for _ in range(2):
        broker = Broker()
        open_store(StoreSettings(store), broker, NOW_MS).close()
        assert contents(broker) == {"orders": [(2, "sell", 1)], "prices": [(2, "55", 0), (3, "102", 0)]}
        assert broker.lookup("prices").queue.spec.durable
    assert set(versions(store)[1:]) == {FORMAT_VERSION}


def test_a_store_of_format_1_can_be_checked(store: Path) -> None:
    inspection = inspect(store)
    assert inspection.damage == inspection.torn == []
    assert [(queue.name, queue.live) for queue in inspection.queues.values()] == [
        ("prices", 2),
        ("orders", 1),
    ]
