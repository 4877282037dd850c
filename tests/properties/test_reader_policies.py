"""A reader with a policy gets what a plain computation makes of the updates since its last value."""

import json
from collections import defaultdict
from typing import Any

import pytest
from bare_queue import START_MS, encoded
from broker_desk import LimitedReceiver, made
from hypothesis import given
from hypothesis import strategies as st

from lastvalue.broker.rights.owner import NOBODY
from lastvalue.client.message_codec import decode_message
from lastvalue.codec.amqp10.message import read_message
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.queues.subscription import Mode, Terms
from lastvalue.queues.watch_terms import read_watch_terms

INTERVAL_MS = 1000
POLICIES = ["count", "sum(size)", "max(size)", "list(size, 3)", "ohlc(size)", "first", "merge"]
Update = dict[str, Any]
Values = list[tuple[str, int, dict[str, Any]]]

UPDATES = st.fixed_dictionaries(
    {
        "key": st.sampled_from("abc"),
        "after_ms": st.sampled_from([0, 1, 400, 999, 1000]),
        "order": st.integers(0, 3),
        "size": st.one_of(st.none(), st.integers(-5, 5)),
        "tags": st.dictionaries(st.sampled_from("xyz"), st.one_of(st.none(), st.integers(0, 9)), max_size=2),
    }
)


def body(update: Update) -> dict[str, Any]:
    return {"size": update["size"], **update["tags"]}


def expected(policy: str, updates: list[Update]) -> dict[str, Any]:
    """The fields of the value that these updates make; those of equal order stand as they came."""
    in_order = sorted(updates, key=lambda each: each["order"])
    sizes = [each["size"] for each in in_order if each["size"] is not None]
    match policy:
        case "count":
            return {"count": len(updates)}
        case "sum(size)":
            return {"size": sum(sizes) if sizes else None}
        case "max(size)":
            return {"size": max(sizes, default=None)}
        case "list(size, 3)":
            return {"size": sizes[-3:]}
        case "ohlc(size)":
            return {
                "open": sizes[0] if sizes else None,
                "high": max(sizes, default=None),
                "low": min(sizes, default=None),
                "close": sizes[-1] if sizes else None,
            }
        case "first":
            return body(in_order[0])
        case _:
            merged: dict[str, Any] = {}
            for each in in_order:
                merged.update(body(each))
            return {name: value for name, value in merged.items() if value is not None}


class Reading:
    """A queue, its reader, and the updates that are in no value which the reader has."""

    def __init__(self, options: dict[str, Any], policy: str, interval_ms: int) -> None:
        self.now = START_MS
        self.policy, self.interval_ms = policy, interval_ms
        self.broker = made(spec_from_arguments("q", options))
        self.receiver = LimitedReceiver(1000)
        terms = Terms(None)
        asked = {"policy": policy, "interval_ms": interval_ms} if interval_ms else {"policy": policy}
        terms.watch = read_watch_terms(asked if "lvq_key" in options else {**asked, "conflate": "k"})
        reader = self.broker.read(
            self.broker.lookup("q"), Mode.BROWSE, self.receiver, terms, NOBODY, START_MS
        )
        reader.wake()
        self.pending: dict[tuple[int, str], list[Update]] = defaultdict(list)

    def send(self, update: Update) -> None:
        properties = {"k": update["key"], "o": update["order"]}
        message = read_message(encoded(json.dumps(body(update)), properties, None))
        self.broker.publish(self.broker.queue_target("q"), message, self.now)
        interval = self.now // self.interval_ms if self.interval_ms else 0
        self.pending[interval, update["key"]].append(update)

    def pass_time(self, milliseconds: int) -> None:
        self.now += milliseconds
        self.broker.advance(self.now)
        while self.broker.busy:
            self.broker.pump(self.now)
            self.broker.drain(self.now)

    def got(self) -> Values:
        found = [decode_message(each.message.encoded) for each in self.receiver.got]
        counts = [int(each.updates) for each in self.receiver.got]
        self.receiver.got = []
        added = ("updates", "first_time", "last_time", "interval_start")
        return sorted(
            (
                (
                    str(each.properties["k"]),
                    count,
                    {name: value for name, value in json.loads(str(each.body)).items() if name not in added},
                )
                for each, count in zip(found, counts, strict=True)
            ),
            key=repr,
        )

    def due(self) -> Values:
        """What has to have come by now."""
        over = [
            place
            for place in self.pending
            if not self.interval_ms or (place[0] + 1) * self.interval_ms <= self.now
        ]
        values = []
        for place in over:
            updates = self.pending.pop(place)
            values.append((place[1], len(updates), expected(self.policy, updates)))
        return sorted(values, key=repr)


@pytest.mark.parametrize("interval_ms", [0, INTERVAL_MS])
@pytest.mark.parametrize("options", [{"lvq_key": "k", "order_by": "o"}, {"lvq_key": "k"}, {}], ids=str)
@given(policy=st.sampled_from(POLICIES), turns=st.lists(st.lists(UPDATES, max_size=6), max_size=6))
def test_a_reader_gets_each_update_in_one_value(
    policy: str, options: dict[str, Any], interval_ms: int, turns: list[list[Update]]
) -> None:
    reading = Reading(options, policy, interval_ms)
    for turn in turns:
        for update in turn:
            reading.send(update if "order_by" in options else {**update, "order": 0})
        reading.pass_time(turn[0]["after_ms"] if turn else INTERVAL_MS)
        assert reading.got() == reading.due()
    reading.pass_time(INTERVAL_MS)
    assert reading.got() == reading.due()
    assert reading.pending == {}
