"""The settings of a pipeline: its feeds, histories and replays, and how Spark runs them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

POLICIES: Final = ("last", "first", "max", "min", "sum", "count", "ohlc", "vwap", "merge", "list")
POLICIES_WITHOUT_VALUE: Final = ("last", "first", "count")
POLICIES_WITH_VOLUME: Final = ("ohlc", "vwap")
FILE_FORMATS: Final = ("csv", "json", "orc", "parquet", "text")
"""Formats of sources that read the files of a path."""
FORMATS_WITH_SCHEMA: Final = ("csv", "json")
"""Formats whose files do not have a schema."""
MESSAGE_FIELDS: Final = (
    "body",
    "properties",
    "subject",
    "message_id",
    "correlation_id",
    "group_id",
    "content_type",
    "reply_to",
    "priority",
    "ttl_ms",
    "durable",
    "not_before",
    "updates",
    "annotations",
)
"""Fields of a message that a feed may set besides its key; the sink has them as columns."""
ON_GAP: Final = ("fail", "record")


@dataclass(frozen=True, slots=True)
class PipelineSettings:
    """How a pipeline runs; None means the default.

    Attributes:
        master: Spark's master.
        url: the broker, without credentials.
        user_env, password_env: environment variables that hold the credentials.
        state: the directory of the pipeline's state; None: next to the file, named after it.
        checkpoints: the directory of the checkpoints, or its URL; None: within `state`.
        restarts: how often a failed part is restarted without progress in between.
        restart_delay_ms: the wait before the first restart; it doubles with each one.
        ship: whether a cluster's workers get this package from the driver.
        spark: Spark's settings.
    """

    master: str = "local[*]"
    url: str = "amqp://127.0.0.1:5672"
    user_env: str | None = None
    password_env: str | None = None
    state: str | None = None
    checkpoints: str | None = None
    restarts: int = 5
    restart_delay_ms: int = 1000
    ship: bool = True
    spark: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FeedSettings:
    """A feed: rows of a Spark source, conflated and published to a queue.

    Attributes:
        format: the source, as Spark names it.
        path, options, schema: of the source.
        select: SQL expressions for the columns; none: the source's columns.
        where: an SQL condition on the source's rows.
        key: the columns by which rows are conflated; none: every row is published.
        order_by: columns that tell which row is newer.
        policy, value, volume, most: how the rows of a key are conflated.
        time: the column of the time, for `every_ms`.
        every_ms: the interval of conflation; each one is published when the watermark has passed it.
        watermark_ms: how late a row may come.
        trigger_ms: the interval at which micro-batches start.
        partitions: how many tasks publish a micro-batch.
        message: SQL expressions by fields of the message.
        key_property: the application property for the key, or, with commas between them, those for a key of
            several columns; None: the columns' names.
        sink: further options of the sink.
        url: the broker; None: the pipeline's.
    """

    name: str
    format: str
    queue: str
    path: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    schema: str | None = None
    select: tuple[str, ...] = ()
    where: str | None = None
    key: tuple[str, ...] = ()
    order_by: tuple[str, ...] = ()
    policy: str = "last"
    value: str | None = None
    volume: str | None = None
    most: int | None = None
    time: str | None = None
    every_ms: int | None = None
    watermark_ms: int | None = None
    trigger_ms: int = 100
    partitions: int = 1
    message: Mapping[str, str] = field(default_factory=dict)
    key_property: str | None = None
    sink: Mapping[str, str] = field(default_factory=dict)
    url: str | None = None


@dataclass(frozen=True, slots=True)
class HistorySettings:
    """Histories of queues that land in a directory of tables.

    Attributes:
        every_ms: the longest time that records wait before they are written.
        on_gap: what to do if the broker dropped records before they landed, one of ON_GAP.
    """

    name: str
    queues: tuple[str, ...]
    tables: str
    every_ms: int = 5000
    retention_days: float | None = None
    on_gap: str = "fail"
    url: str | None = None


@dataclass(frozen=True, slots=True)
class ReplaySettings:
    """A replay: a period of a queue's history that is published again.

    Attributes:
        history: the [[history]] with the records that the broker no longer has; None: only the broker's.
        start, end: times in the form of `lastvalue replay`.
        speed: a factor of the recorded speed; 0 does not wait.
        every_ms: publish only the last message of a key per interval; 0 publishes every message.
    """

    name: str
    queue: str
    into: str
    start: str
    end: str = "now"
    history: str | None = None
    speed: float = 1.0
    every_ms: int = 0
    url: str | None = None


Part: TypeAlias = FeedSettings | HistorySettings | ReplaySettings


@dataclass(frozen=True, slots=True)
class PipelineDeclaration:
    """The declaration of a pipeline: how it runs, and its parts."""

    settings: PipelineSettings = field(default_factory=PipelineSettings)
    feeds: tuple[FeedSettings, ...] = ()
    histories: tuple[HistorySettings, ...] = ()
    replays: tuple[ReplaySettings, ...] = ()

    def parts(self) -> Iterator[tuple[tuple[str | int, ...], Part]]:
        """All parts, each with its path in the file."""
        tables: dict[str, tuple[Part, ...]] = {
            "feed": self.feeds,
            "history": self.histories,
            "replay": self.replays,
        }
        for table, parts in tables.items():
            for place, part in enumerate(parts):
                yield (table, place), part
