"""A live queue with a policy makes of the same updates what `conflate` makes of them on Spark.

In the middle of its life each queue is rebuilt from its effects, as a broker that was killed would do.
"""

import json
import os
import random
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from combinations import halves_together
from frames_together import collected_together
from pyspark.sql import DataFrame, SparkSession

from lastvalue.codec.amqp10.content import BodyKind, MessageContent, decode_content, encode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.pipeline import conflate
from lastvalue.queues.effects import Due, Effect
from lastvalue.queues.entry import Entry
from lastvalue.queues.policy import (
    Count,
    First,
    Last,
    List,
    Max,
    Merge,
    Min,
    Ohlc,
    Policy,
    Sum,
    Vwap,
    policy_to_text,
)
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec_arguments import spec_from_arguments

pytestmark = pytest.mark.spark

UPDATES = int(os.environ.get("LASTVALUE_EXAMPLES", "3000"))
SEED = int(os.environ.get("LASTVALUE_SEED", "1"))
START_MS = 1_700_000_000_000
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
INTERVAL_MS = 1000
SCHEMA = (
    "id int, key string, at timestamp, sequence long, ord int, price double, size int, tags map<string, int>"
)
POLICIES: dict[str, Policy] = {
    policy_to_text(policy): policy
    for policy in (
        Last(),
        First(),
        Count(),
        Max("price"),
        Min("price"),
        Sum("size"),
        Ohlc("price", "size"),
        Ohlc("price"),
        Vwap("price", "size"),
        Merge("tags"),
        List("price", 3),
    )
}
Row = dict[str, Any]


def random_updates(seed: int) -> list[Row]:
    """Updates in the order of their arrival, with late ones, ties, nulls, and keys that have few of them."""
    chance = random.Random(seed)
    now = START_MS
    rows = []
    for number in range(UPDATES):
        now += chance.choice([0, 0, 1, 7, 40, 400])
        rows.append(
            {
                "id": number,
                "key": f"K{int(chance.expovariate(0.1))}",
                "at": EPOCH + timedelta(milliseconds=now),
                "sequence": number,
                "ord": number // 20 + chance.choice([0, 0, 0, 1, -3, 5]),
                # Sums of these are exact in any order.
                "price": chance.choice([None, -1.5, 0.25, 7.0, 8.5, 11.0]),
                "size": chance.choice([None, 0, 1, 3]),
                "tags": chance.choice([None, {}, {"a": 1}, {"a": 2, "b": None}, {"b": 5, "c": 6}]),
            }
        )
    return rows


def encoded(row: Row, chance: random.Random, *, in_body: bool) -> bytes:
    """The update as some producer writes it: a map, JSON as a text or as bytes, or properties alone."""
    properties = {"key": row["key"], "ord": row["ord"]}
    fields = {name: row[name] for name in ("id", "price", "size", "tags")}
    form = chance.randrange(3 if in_body else 4)
    if form == 0:
        return encode_content(MessageContent(body=fields, application_properties=properties))
    if form == 1:
        return encode_content(MessageContent(body=json.dumps(fields), application_properties=properties))
    if form == 2:
        body = json.dumps(fields).encode()
        content = MessageContent(body=body, body_kind=BodyKind.DATA, application_properties=properties)
        return encode_content(content)
    present = {name: fields[name] for name in ("id", "price", "size") if fields[name] is not None}
    return encode_content(MessageContent(application_properties={**properties, **present}))


def value_in(entry: Entry) -> Row:
    """What a reader gets: the body, or the property that says which update it is."""
    content = decode_content(entry.message.encoded)
    body = content.body
    fields = json.loads(body) if isinstance(body, str | bytes) else body
    if not isinstance(fields, dict):
        fields = {"id": content.application_properties["id"]}
    return {"key": content.application_properties["key"], **fields}


def live(rows: list[Row], policy: Policy, order_by: str | None, interval_ms: int) -> list[Row]:
    """The values of a queue; with intervals, each one when its interval was over."""
    options: dict[str, Any] = {
        "lvq_key": "key",
        "conflation": policy_to_text(policy),
        "conflation_interval_ms": interval_ms,
        **({} if order_by is None else {"order_by": order_by}),
    }
    chance = random.Random(SEED)
    spec = spec_from_arguments("q", options)
    queue = Queue(spec)
    effects: list[Effect] = []
    now = START_MS
    for number, row in enumerate(rows):
        now = (row["at"] - EPOCH) // timedelta(milliseconds=1)
        queue.advance(now)
        assert queue.enqueue(read_message(encoded(row, chance, in_body=isinstance(policy, Merge))), now)
        effects += queue.drain()
        if number == len(rows) // 2:
            queue = Queue(spec)
            queue.replay(effects)
    if not interval_ms:
        return [value_in(entry) for entry in queue.entries()]
    queue.advance(now + interval_ms)
    effects += queue.drain()
    return [value_in(effect.entry) for effect in effects if isinstance(effect, Due)]


def comparable(values: list[Row], names: list[str]) -> list[str]:
    return sorted(str([_plain(value.get(name)) for name in names]) for value in values)


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return float((value.astimezone(UTC) - EPOCH) // timedelta(milliseconds=1))
    if isinstance(value, dict):
        return sorted(value.items())
    return float(value) if isinstance(value, int) else value


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    return random_updates(SEED)


@pytest.fixture(scope="module")
def frame(spark: SparkSession, rows: list[Row]) -> DataFrame:
    made = spark.createDataFrame([tuple(row.values()) for row in rows], SCHEMA).repartition(2).cache()
    made.count()
    return made


@pytest.mark.parametrize(
    ("policies", "order_by", "interval_ms"), halves_together([*POLICIES], [None, "ord"], [0, INTERVAL_MS])
)
def test_a_live_queue_makes_the_values_that_spark_makes(
    frame: DataFrame, rows: list[Row], policies: list[str], order_by: str | None, interval_ms: int
) -> None:
    # Among updates of the same order the later one is newer, on a queue.
    order = ["sequence"] if order_by is None else [order_by, "sequence"]
    every = f"{interval_ms}ms" if interval_ms else None
    on_spark = collected_together(
        {
            name: conflate(frame, "key", order, every=every, policy=POLICIES[name], time="at")
            for name in policies
        }
    )
    for name, expected in on_spark.items():
        found = live(rows, POLICIES[name], order_by, interval_ms)
        whole = isinstance(POLICIES[name], Last | First)
        names = ["key", "id"] if whole else [name for name in expected[0] if name != "at"]
        assert comparable(found, names) == comparable(expected, names), name


def test_the_random_updates_hold_every_case(rows: list[Row]) -> None:
    newest: dict[str, int] = {}
    late = ties = 0
    for row in rows:
        late += row["ord"] < newest.get(row["key"], row["ord"])
        ties += row["ord"] == newest.get(row["key"])
        newest[row["key"]] = max(row["ord"], newest.get(row["key"], row["ord"]))
    assert min(late, ties) > UPDATES // 50
    assert rows[-1]["at"] - rows[0]["at"] > timedelta(milliseconds=20 * INTERVAL_MS)
