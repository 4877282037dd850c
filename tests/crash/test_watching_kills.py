"""A broker is killed again and again while readers watch; in the end they know what the queue holds.

Nothing comes twice to a reader that continues: the store has what was deleted, and which places are known.
"""

import os
import random
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from forked_broker import ForkedBroker
from mirror import Mirror
from waiting import SOON_S

from lastvalue.client import ClientError, Message, Wanted, WatchOptions, blocking

KILLS = int(os.environ.get("LASTVALUE_KILLS", "4"))
KEYS = 40
OPTIONS: dict[str, Any] = {"lvq_key": "k", "durable": True, "tombstone_ms": 3_600_000}


@dataclass
class Publisher:
    """Publishes and deletes until its broker is gone."""

    url: str
    seed: int
    sent: int = 0
    ended: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        chance = random.Random(self.seed)
        try:
            with blocking.connect(self.url, reconnect=False) as connection:
                queue = connection.queue("prices")
                while not self.ended.is_set():
                    key = f"k{chance.randrange(KEYS)}"
                    if chance.random() < 0.2:
                        queue.delete(key)
                    else:
                        queue.send_many(
                            Message({"n": chance.random()}, {"k": f"k{chance.randrange(KEYS)}"}, durable=True)
                            for _ in range(chance.randrange(1, 20))
                        )
                    self.sent += 1
        except ClientError:
            return


def read(connection: blocking.Connection, mirror: Mirror, asked: WatchOptions, most: int | None) -> None:
    """Read so many messages, or all that there are."""
    mirror.connect()
    queue = connection.queue("prices")
    with queue.browse(follow=most is not None, wanted=Wanted(watch=asked), timeout_s=SOON_S) as browser:
        for taken, message in enumerate(browser, 1):
            mirror.take(message)
            if taken == most:
                return


def asks(mirror: Mirror, kind: str) -> WatchOptions:
    prefix = "k1" if kind == "prefix" else None
    return WatchOptions(
        removals=True, snapshot=True, token=mirror.token, prefix=prefix, delta=kind == "delta"
    )


@pytest.mark.interop
@pytest.mark.timeout(600 + 30 * KILLS)
def test_readers_miss_nothing_and_get_nothing_twice_however_often_the_broker_is_killed(
    tmp_path: Path,
) -> None:
    chance = random.Random(os.environ.get("LASTVALUE_SEED", "1"))
    mirrors = {kind: Mirror() for kind in ("all", "prefix", "delta")}
    port = 0
    for kill in range(KILLS + 1):
        with ForkedBroker(str(tmp_path / "store"), port) as broker:
            port = broker.port
            with blocking.connect(broker.url) as connection:
                connection.declare("prices", **OPTIONS)
                publisher = Publisher(broker.url, kill)
                thread = threading.Thread(target=publisher.run)
                thread.start()
                try:
                    for _ in range(3):
                        for kind, mirror in mirrors.items():
                            read(connection, mirror, asks(mirror, kind), chance.randrange(1, 60))
                finally:
                    if kill < KILLS:
                        broker.kill()
                    publisher.ended.set()
                    thread.join(SOON_S)
                if kill == KILLS:
                    check(connection, mirrors)
    for kind, mirror in mirrors.items():
        print(f"{KILLS} kills, {kind}: went on {mirror.resumed} times, began anew {mirror.fresh} times")
    assert all(mirror.resumed > KILLS // 4 for mirror in mirrors.values())
    # A kill may lose what a reader has seen before it was written; then it is told that it starts over.
    assert all(mirror.fresh <= 1 + KILLS // 2 for mirror in mirrors.values())
    assert all(mirror.removals for mirror in mirrors.values())


def check(connection: blocking.Connection, mirrors: dict[str, Mirror]) -> None:
    held = {str(each.properties["k"]): each.body for each in connection.queue("prices").browse()}
    for kind, mirror in mirrors.items():
        read(connection, mirror, asks(mirror, kind), None)
        wanted = {key: body for key, body in held.items() if kind != "prefix" or key.startswith("k1")}
        assert mirror.values == wanted, kind
