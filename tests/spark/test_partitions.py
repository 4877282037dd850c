"""Spark and a queue whose keys two brokers have: the hash in SQL, and a write that is read again."""

import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from divided_brokers import DividedBrokers

pytest.importorskip("pyspark")

from pyspark.sql import functions as sf

from lastvalue.model.key_partition import key_octets, key_partition
from lastvalue.pipeline import publish

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

KEYS = [*(f"SYM{number}" for number in range(200)), "", "€", "日本", "a'b"]


@pytest.fixture(scope="module")
def brokers() -> Iterator[DividedBrokers]:
    with DividedBrokers() as brokers:
        yield brokers


@pytest.mark.parametrize("count", [2, 3, 7])
def test_sparks_crc32_says_the_same_partition(spark: "SparkSession", count: int) -> None:
    told = spark.createDataFrame([(key,) for key in KEYS], "key string").select(
        "key", (sf.crc32(sf.encode("key", "UTF-8")) % count).alias("partition")
    )
    assert {row.key: row.partition for row in told.collect()} == {
        key: key_partition(key_octets(key) or b"", count) for key in KEYS
    }
    assert key_partition(b"SYM1", count) == zlib.crc32(b"SYM1") % count


def test_what_is_published_is_read_again_from_all_brokers(
    spark: "SparkSession", brokers: DividedBrokers
) -> None:
    name = brokers.declare("divided.prices", lvq_key="k")
    rows = spark.createDataFrame([(key, f"body {key}") for key in KEYS], "key string, body string")
    publish(rows.repartition(3), name, url=brokers.urls[0])
    bodies: dict[object, object] = {key: f"body {key}" for key in KEYS}
    assert brokers.held(name) == brokers.expected(bodies)
    options = {"queue": name, "url": brokers.urls[1]}
    read = spark.read.format("lastvalue").options(**options).load().select("key", "body")
    assert {row.key: row.body.decode() for row in read.collect()} == bodies
