"""A broker is killed again and again while updates come to queues that make values of them by a policy.

An exchange gives each update to all of them. The list of one says which updates it holds, so what the other
policies must have made of them can be computed.
"""

import os
import random
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import pytest
from forked_broker import ForkedBroker
from waiting import SOON_S, take_time, wait_until

from lastvalue.client import ClientError, Message, blocking
from lastvalue.model.property_names import INTERVAL_START

KILLS: Final = int(os.environ.get("LASTVALUE_KILLS", "4"))
KEYS: Final = 20
"""So that the list of none has all that it may have, however often the broker is killed."""
INTERVAL_MS: Final = 700
CLOCKS_DIFFER_MS: Final = 50
"""The broker's clock is set when it starts."""

POLICIES: Final = {
    "list": "list(n, 10000)",
    "newest": "list(n, 3)",
    "sum": "sum(n)",
    "count": "count",
    "candles": "ohlc(price, n)",
    "merged": "merge",
    "first": "first",
}
INTERVALS: Final = "intervals"


def update(number: int) -> dict[str, Any]:
    return {"n": number, "price": number * 7919 % 1000, f"field {number % 4}": number}


@dataclass
class Publisher:
    """Publishes to the exchange until its broker is gone, and remembers what was confirmed.

    Attributes:
        sent_ms: when each update was sent, by key and number; every number is sent once.
    """

    chance: random.Random
    last: int = 0
    sent_ms: dict[str, dict[int, int]] = field(default_factory=lambda: {f"k{key}": {} for key in range(KEYS)})
    confirmed: dict[str, set[int]] = field(default_factory=lambda: {f"k{key}": set() for key in range(KEYS)})

    def run(self, url: str) -> None:
        try:
            with blocking.connect(url, reconnect=False) as connection:
                updates = connection.queue("updates")
                while True:
                    key = f"k{self.chance.randrange(KEYS)}"
                    numbers = range(self.last + 1, self.last + 1 + self.chance.randrange(1, 4))
                    self.last = numbers[-1]
                    now_ms = int(time.time() * 1000)  # noqa: TID251 - compared with the broker's intervals
                    self.sent_ms[key].update(dict.fromkeys(numbers, now_ms))
                    updates.send_many(Message(update(each), {"k": key}, durable=True) for each in numbers)
                    self.confirmed[key].update(numbers)
        except ClientError:
            return

    def wait_for(self, more_than: int) -> None:
        """Return when the broker has confirmed more than so many updates of each key."""
        wait_until(lambda: all(len(numbers) > more_than for numbers in self.confirmed.values()))


def declare(connection: blocking.Connection) -> None:
    connection.declare_exchange("updates", type="fanout", durable=True)
    for name, policy in POLICIES.items():
        connection.declare(name, lvq_key="k", durable=True, conflation=policy)
        connection.bind("updates", name)
    connection.declare(
        INTERVALS, lvq_key="k", durable=True, conflation="list(n, 10000)", conflation_interval_ms=INTERVAL_MS
    )
    connection.bind("updates", INTERVALS)


def values(connection: blocking.Connection, name: str) -> dict[str, Message]:
    return {str(each.properties["k"]): each for each in connection.queue(name).browse()}


def numbers_in(value: Message) -> list[int]:
    assert isinstance(value.body, dict)
    return list(value.body["n"])


def check_running(connection: blocking.Connection, publisher: Publisher) -> None:
    """What was confirmed is in the list, in order and once; the others were made of the same updates."""
    held = {key: numbers_in(value) for key, value in values(connection, "list").items()}
    made = {name: values(connection, name) for name in POLICIES}
    for key, confirmed in publisher.confirmed.items():
        numbers = held.get(key, [])
        assert numbers == sorted(set(numbers)), key
        assert confirmed <= set(numbers) <= publisher.sent_ms[key].keys(), key
        assert all((key in made[name]) == bool(numbers) for name in POLICIES), key
        if numbers:
            check_made({name: made[name][key] for name in POLICIES}, numbers)


def check_made(made: dict[str, Message], numbers: list[int]) -> None:
    updates = [update(each) for each in numbers]
    prices = [each["price"] for each in updates]
    merged: dict[str, Any] = {}
    for each in updates:
        merged.update(each)
    bodies: dict[str, Any] = {name: value.body for name, value in made.items()}
    assert bodies["newest"]["n"] == numbers[-3:]
    assert bodies["sum"]["n"] == sum(numbers)
    assert bodies["count"]["count"] == len(numbers)
    assert bodies["candles"].items() >= {
        ("open", prices[0]),
        ("high", max(prices)),
        ("low", min(prices)),
        ("close", prices[-1]),
        ("volume", sum(numbers)),
    }
    assert bodies["merged"] == merged
    assert bodies["first"] == updates[0]
    assert {value.updates for value in made.values()} == {len(numbers)}


def check_intervals(connection: blocking.Connection, publisher: Publisher) -> int:
    """Each value has what was confirmed in its interval, and nothing twice; the number of values."""
    found = values(connection, INTERVALS)
    for key, value in found.items():
        start_ms = value.annotations[INTERVAL_START]
        assert isinstance(start_ms, int)
        assert start_ms % INTERVAL_MS == 0
        numbers = numbers_in(value)
        assert numbers == sorted(set(numbers)), key
        sent_ms = publisher.sent_ms[key]
        wanted = {
            each
            for each in publisher.confirmed[key]
            if each <= numbers[-1] and sent_ms[each] >= start_ms + CLOCKS_DIFFER_MS
        }
        assert wanted <= set(numbers) <= sent_ms.keys(), key
        assert all(sent_ms[each] < start_ms + INTERVAL_MS + CLOCKS_DIFFER_MS for each in numbers), key
    return len(found)


@pytest.mark.interop
@pytest.mark.timeout(1200 + 120 * KILLS)
def test_values_made_by_policies_have_every_confirmed_update_once_however_often_the_broker_is_killed(
    tmp_path: Path,
) -> None:
    seed = int(os.environ.get("LASTVALUE_SEED", random.randrange(2**32)))
    print(f"seed {seed}")
    chance = random.Random(seed)
    publisher = Publisher(chance)
    seen = 0
    for kill in range(1, KILLS + 1):
        with ForkedBroker(str(tmp_path / "store")) as broker:
            with blocking.connect(broker.url) as connection:
                declare(connection)
                check_running(connection, publisher)
                seen += check_intervals(connection, publisher)
            thread = threading.Thread(target=publisher.run, args=(broker.url,))
            thread.start()
            take_time(chance.uniform(0.3, 1.5))
            publisher.wait_for(kill)
            broker.kill()
            thread.join(SOON_S)
    with (
        ForkedBroker(str(tmp_path / "store")) as broker,
        blocking.connect(broker.url) as connection,
    ):
        check_running(connection, publisher)
        queue = connection.queue(INTERVALS)
        wait_until(lambda: queue.info().depth == len(values(connection, INTERVALS)))
        check_intervals(connection, publisher)
        newest = {key: numbers_in(value)[-1] for key, value in values(connection, INTERVALS).items()}
    assert all(newest[key] >= max(numbers) for key, numbers in publisher.confirmed.items())
    assert all(len(numbers) > KILLS for numbers in publisher.confirmed.values())
    assert seen >= KILLS
