"""The sink `lastvalue`: rows of a DataFrame, batch or stream, into a queue.

    df.write.format("lastvalue").options(queue="prices", keyProperty="symbol").mode("append").save()

Options:
    queue: the queue, which has to exist (required).
    url: the broker (default amqp://127.0.0.1:5672).
    user, password: credentials, where the URL has none.
    keyProperty: the application property that the column `key` becomes (default key).
    timeoutSeconds: how long one task waits for its confirmations (default 60).

Columns: see `lastvalue.pipeline.outgoing`.

A task succeeds when the broker has confirmed every one of its rows; else it fails with the broker's reason.
A task that Spark runs again sends its rows again: at least once.
On a last-value queue with `order_by` that does no harm.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, urlsplit, urlunsplit

import pyarrow as pa
from pyspark.sql.datasource import (
    DataSource,
    DataSourceArrowWriter,
    DataSourceStreamArrowWriter,
    WriterCommitMessage,
)
from pyspark.sql.types import StructType

from lastvalue.client import blocking
from lastvalue.client.errors import ConnectionLostError, NotOpenError
from lastvalue.client.url import DEFAULT_URL, parse_url
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError
from lastvalue.pipeline.outgoing import check_columns, messages
from lastvalue.pipeline.python_worker import spare_collector

FORMAT: Final = "lastvalue"

_OPTIONS: Final = ("queue", "url", "user", "password", "keyProperty", "timeoutSeconds")


class InvalidSinkError(LastvalueError):
    """The sink is asked for something that it cannot do."""

    condition = Condition.INVALID_FIELD


@dataclass(frozen=True, slots=True)
class SinkOptions:
    """The options of the sink, checked."""

    queue: str
    url: str
    key_property: str
    timeout_s: float


def parse_sink_options(options: Mapping[str, str]) -> SinkOptions:
    """The options out of what Spark hands over, whose names come in lower case.

    Raises:
        InvalidSinkError: one is unknown, missing or contradicts another.
        InvalidUrlError: the URL names no broker.
    """
    given = {name.lower(): value for name, value in options.items()}
    # Spark adds `path` where a path was given to save() or start().
    if "path" in given:
        raise InvalidSinkError(
            "a queue has no path: call save() or start() without one and give the option 'queue'"
        )
    # Spark's own option of a streaming query; it means nothing to a sink.
    given.pop("checkpointlocation", None)
    unknown = sorted(set(given) - {name.lower() for name in _OPTIONS})
    if unknown:
        raise InvalidSinkError(
            f"{FORMAT} has no option {unknown[0]!r}; its options are {', '.join(_OPTIONS)}"
        )
    if not given.get("queue"):
        raise InvalidSinkError(f"{FORMAT} needs the option 'queue', as in .option('queue', 'prices')")
    try:
        timeout_s = float(given.get("timeoutseconds", "60"))
    except ValueError:
        raise InvalidSinkError(f"timeoutSeconds is not a number: {given['timeoutseconds']!r}") from None
    return SinkOptions(given["queue"], _url(given), given.get("keyproperty", "key"), timeout_s)


def _url(given: Mapping[str, str]) -> str:
    """The broker's URL with the credentials in it."""
    url = given.get("url", DEFAULT_URL)
    broker = parse_url(url)
    if "user" not in given:
        if "password" in given:
            raise InvalidSinkError("a password needs the option 'user'")
        return url
    if broker.user is not None:
        raise InvalidSinkError("the URL names a user already: leave out the option 'user'")
    credentials = f"{quote(given['user'], safe='')}:{quote(given.get('password', ''), safe='')}"
    parts = urlsplit(url if "://" in url else f"amqp://{url}")
    return urlunsplit(parts._replace(netloc=f"{credentials}@{parts.netloc}"))


@dataclass
class Published(WriterCommitMessage):
    """What a task tells when the broker has confirmed its rows."""

    rows: int


def publish_batches(options: SinkOptions, batches: Iterator[pa.RecordBatch]) -> Published:
    """Send the rows, pipelined, and wait for every confirmation.

    Raises:
        ClientError: the broker cannot be reached or did not take a row.
    """
    spare_collector()
    rows = (message for batch in batches for message in messages(batch, options.key_property))
    with _sender(options) as sender:
        return Published(sender.send_many(rows, timeout_s=options.timeout_s))


_connections: dict[tuple[int, str], blocking.Connection] = {}
"""One connection a process and URL, because Spark's Python workers serve many tasks. A fork starts anew."""


def _sender(options: SinkOptions) -> blocking.Sender:
    """An open sender on this process's connection, made anew where the last one is dead."""
    place = os.getpid(), options.url
    kept = _connections.pop(place, None)
    if kept is not None:
        try:
            # Attaching is a round trip, so it tells whether the connection lives.
            sender = kept.queue(options.queue).sender()
            sender.open()
        except (ConnectionLostError, NotOpenError):
            kept.close()
        else:
            _connections[place] = kept
            return sender
    connection = blocking.connect(options.url)
    _connections[place] = connection
    return connection.queue(options.queue).sender()


class BatchWriter(DataSourceArrowWriter):
    """Publishes the partitions of a batch."""

    def __init__(self, options: SinkOptions) -> None:
        self._options = options

    def write(self, iterator: Iterator[pa.RecordBatch]) -> Published:
        """Publish a partition."""
        return publish_batches(self._options, iterator)

    def commit(self, messages: Sequence[WriterCommitMessage | None]) -> None:  # noqa: ARG002 - Spark's signature
        """Nothing is left to do: the broker has confirmed every row."""
        spare_collector()


class StreamWriter(DataSourceStreamArrowWriter):
    """Publishes the partitions of a micro-batch."""

    def __init__(self, options: SinkOptions) -> None:
        self._options = options

    def write(self, iterator: Iterator[pa.RecordBatch]) -> Published:
        """Publish a partition."""
        return publish_batches(self._options, iterator)

    def commit(self, messages: Sequence[WriterCommitMessage | None], batchId: int) -> None:  # noqa: N803 - Spark's
        """Nothing is left to do: the broker has confirmed every row."""

    def abort(self, messages: Sequence[WriterCommitMessage | None], batchId: int) -> None:  # noqa: N803 - Spark's
        """What was sent cannot be recalled; the micro-batch is sent again."""


class LastvalueSink(DataSource):
    """The format that Spark knows as lastvalue."""

    def __init__(self, options: Mapping[str, str]) -> None:
        super().__init__(dict(options))
        spare_collector()

    @classmethod
    def name(cls) -> str:
        """What stands in `format(…)`."""
        return FORMAT

    def writer(self, schema: StructType, overwrite: bool) -> BatchWriter:  # noqa: FBT001 - Spark's signature
        """The writer of a batch; refuses columns and options that it does not know, and `overwrite`."""
        if overwrite:
            raise InvalidSinkError(
                "a queue cannot be overwritten: use mode('append'), or `lastvalue queue purge` first"
            )
        check_columns(schema)
        return BatchWriter(parse_sink_options(self.options))

    def streamWriter(self, schema: StructType, overwrite: bool) -> StreamWriter:  # noqa: ARG002, FBT001, N802 - Spark's
        """The writer of a stream, in append mode, or in complete mode, which sends all rows each time."""
        check_columns(schema)
        return StreamWriter(parse_sink_options(self.options))
