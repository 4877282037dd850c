"""What a configuration says of the pipeline: feeds, histories and replays, and the Spark that runs them."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

POLICIES: Final = ("last", "first", "max", "min", "sum", "count", "ohlc", "vwap", "merge")
POLICIES_WITHOUT_VALUE: Final = ("last", "first", "count")
POLICIES_WITH_VOLUME: Final = ("ohlc", "vwap")
FILE_FORMATS: Final = ("csv", "json", "orc", "parquet", "text")
"""Sources that read the files of a path."""
FORMATS_WITH_SCHEMA: Final = ("csv", "json")
"""Those whose files do not say which columns they have."""
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
"""What a feed may say of a message besides its key; the sink knows them as columns."""
ON_GAP: Final = ("fail", "record")

_UNIT_MS: Final = {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}


@dataclass(frozen=True, slots=True)
class PipelineSettings:
    """Where a pipeline runs; None is what it does without being told.

    Attributes:
        master: of Spark.
        url: the broker, without credentials.
        user_env, password_env: environment variables that hold the credentials.
        state: the directory of what the pipeline remembers; None: beside the file, named after it.
        checkpoints: the directory of the checkpoints, or its URL; None: within `state`.
        restarts: how often a part that fails is started again without getting any further in between.
        restart_delay_ms: how long the first restart waits; each further one waits twice as long.
        ship: whether a cluster's workers get this package from here.
        spark: settings of Spark.
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
    """Rows of a source of Spark, conflated, published to a queue.

    Attributes:
        format: the source, as Spark names it.
        path, options, schema: of the source.
        select: SQL expressions that the rows become; none: as they are.
        where: an SQL condition on the rows of the source.
        key: the column by which rows are conflated; None: every row is published.
        order_by: columns that tell which row is newer.
        policy, value, volume: what becomes of the rows of a key.
        time: the column of the time, for `every_ms`.
        every_ms: conflate by intervals of time; each is published when the watermark has passed it.
        watermark_ms: how late a row may come.
        trigger_ms: how often a micro-batch starts.
        partitions: how many tasks publish a micro-batch.
        message: SQL expressions by fields of the message.
        key_property: the application property that has the key; None: it is called as the column.
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
    key: str | None = None
    order_by: tuple[str, ...] = ()
    policy: str = "last"
    value: str | None = None
    volume: str | None = None
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
        every_ms: how long records wait at most.
        on_gap: what to do where records were dropped before they landed, one of ON_GAP.
    """

    name: str
    queues: tuple[str, ...]
    directory: str
    every_ms: int = 5000
    retention_days: float | None = None
    on_gap: str = "fail"
    url: str | None = None


@dataclass(frozen=True, slots=True)
class ReplaySettings:
    """A period of a queue's history that is published again.

    Attributes:
        history: the one whose tables have what the broker no longer has; None: the broker alone.
        start, end: texts as `lastvalue replay` takes them.
        speed: 0 is without waiting.
        every_ms: of each interval the last message of a key; 0 is every message.
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
    """A pipeline: how it runs, and its parts."""

    settings: PipelineSettings = field(default_factory=PipelineSettings)
    feeds: tuple[FeedSettings, ...] = ()
    histories: tuple[HistorySettings, ...] = ()
    replays: tuple[ReplaySettings, ...] = ()

    def parts(self) -> Iterator[tuple[tuple[str | int, ...], Part]]:
        """All parts, each with its place in the file."""
        tables: dict[str, tuple[Part, ...]] = {
            "feed": self.feeds,
            "history": self.histories,
            "replay": self.replays,
        }
        for table, parts in tables.items():
            for place, part in enumerate(parts):
                yield (table, place), part


def duration_ms(text: str) -> int | None:
    """The milliseconds of a text such as `250ms`, `5s`, `1m`, `1h` or `1d`; None where it is none."""
    match = re.fullmatch(r"(\d{1,12})\s*(ms|s|m|h|d)", text.strip())
    return int(match[1]) * _UNIT_MS[match[2]] if match else None
