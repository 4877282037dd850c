"""The options of the source."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

from lastvalue.client.url import DEFAULT_URL
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError
from lastvalue.pipeline.broker_access import ACCESS_OPTIONS, broker_url, certificate_file
from lastvalue.selectors import parse_selector

_FORMAT: Final = "lastvalue"
_OPTIONS: Final = (
    "queue",
    *ACCESS_OPTIONS,
    "keyProperty",
    "read",
    "startingOffsets",
    "replayPeriod",
    "selector",
    "maxRecordsPerBatch",
    "numPartitions",
    "failOnDataLoss",
    "timeoutSeconds",
    "columns",
)
_STARTS: Final = "snapshot, earliest, latest, sequence:N or timestamp:T"
_FLAGS: Final = {"true": True, "false": False}


class InvalidSourceError(LastvalueError):
    """An option of the source, or the way it is used, is invalid."""

    condition = Condition.INVALID_FIELD


class StartKind(Enum):
    """Where a new query begins."""

    SNAPSHOT = "snapshot"
    LATEST = "latest"
    SEQUENCE = "sequence"
    TIMESTAMP = "timestamp"


@dataclass(frozen=True, slots=True)
class Start:
    """Where a new query begins; `number` is a sequence, or milliseconds since the epoch."""

    kind: StartKind = StartKind.SNAPSHOT
    number: int = 0


@dataclass(frozen=True, slots=True)
class SourceOptions:
    """The source's options, checked.

    Attributes:
        queue: the queue to read.
        url: the broker, with credentials.
        ca_file: the file of trusted authorities for TLS; None: those that the machine trusts.
        key_property: the property that is the column `key`; None: the queue's own key, or `key`.
        effects: read the queue's history instead of the queue.
        start: where a new query, or a batch, begins.
        replay_period_s: of the messages on the queue, read those that arrived within this many seconds;
            None: read all.
        selector: a JMS selector, or None.
        most_records: the largest number of messages in a micro-batch, or None.
        partitions: tasks that read a batch.
        fail_on_data_loss: fail the query if messages left the queue before they were read.
        timeout_s: how long to wait for an answer of the broker, or for a lost broker.
        columns: the columns of the rows, in this order; empty: all.
    """

    queue: str
    url: str = DEFAULT_URL
    ca_file: str | None = None
    key_property: str | None = None
    effects: bool = False
    start: Start = Start()
    replay_period_s: int | None = None
    selector: str | None = None
    most_records: int | None = None
    partitions: int = 1
    fail_on_data_loss: bool = True
    timeout_s: float = 60.0
    columns: tuple[str, ...] = ()


def parse_source_options(options: Mapping[str, str]) -> SourceOptions:
    """Parse the options that Spark passes, with names in any case.

    Raises:
        InvalidSourceError: an option is unknown or missing, has an invalid value, or contradicts another.
        InvalidUrlError: the URL names no broker.
        InvalidSelectorError: the selector is invalid.
    """
    values = {name.lower(): value for name, value in options.items()}
    # Spark adds `path` if load() was called with a path.
    if "path" in values:
        raise InvalidSourceError("a queue has no path: call load() without one and give the option 'queue'")
    unknown = sorted(set(values) - {name.lower() for name in _OPTIONS})
    if unknown:
        raise InvalidSourceError(
            f"{_FORMAT} has no option {unknown[0]!r}; its options are {', '.join(_OPTIONS)}"
        )
    if not values.get("queue"):
        raise InvalidSourceError(f"{_FORMAT} needs the option 'queue', as in .option('queue', 'prices')")
    parsed = SourceOptions(
        queue=values["queue"],
        url=broker_url(values, InvalidSourceError),
        ca_file=certificate_file(values, InvalidSourceError),
        key_property=values.get("keyproperty"),
        effects=_effects(values.get("read", "values")),
        start=_start(values.get("startingoffsets", "snapshot")),
        replay_period_s=_whole(values, "replayPeriod", least=0),
        selector=values.get("selector"),
        most_records=_whole(values, "maxRecordsPerBatch", least=1),
        partitions=_whole(values, "numPartitions", least=1) or 1,
        fail_on_data_loss=_flag(values, "failOnDataLoss", default="true"),
        timeout_s=_seconds(values.get("timeoutseconds", "60")),
        columns=_columns(values.get("columns")),
    )
    if parsed.replay_period_s is not None and parsed.start.kind is not StartKind.SNAPSHOT:
        raise InvalidSourceError(
            "replayPeriod says how much of the snapshot is read: leave it out, or startingOffsets"
        )
    if parsed.selector is not None:
        parse_selector(parsed.selector)
    return parsed


def _columns(text: str | None) -> tuple[str, ...]:
    if text is None:
        return ()
    names = tuple(name.strip() for name in text.split(","))
    if not all(names) or len(set(names)) < len(names):
        raise InvalidSourceError(f"columns is {text!r}; expected names with commas between, each once")
    return names


def _effects(text: str) -> bool:
    if text.lower() not in ("values", "effects"):
        raise InvalidSourceError(f"read is {text!r}; expected 'values' or 'effects'")
    return text.lower() == "effects"


def _start(text: str) -> Start:
    kind, _, number = text.strip().partition(":")
    match kind.lower():
        case "snapshot" | "earliest" if not number:
            return Start()
        case "latest" if not number:
            return Start(StartKind.LATEST)
        case "sequence" if number.isdecimal():
            return Start(StartKind.SEQUENCE, int(number))
        case "timestamp" if number:
            return Start(StartKind.TIMESTAMP, _milliseconds(number))
        case _:
            raise InvalidSourceError(f"startingOffsets is {text!r}; expected {_STARTS}")


def _milliseconds(text: str) -> int:
    if text.isdecimal():
        return int(text)
    try:
        moment = dt.datetime.fromisoformat(text)
    except ValueError:
        raise InvalidSourceError(
            f"startingOffsets has the timestamp {text!r}; "
            "expected milliseconds since the epoch, or as in 2026-01-31T12:00:00Z"
        ) from None
    if moment.tzinfo is None:
        raise InvalidSourceError(
            f"startingOffsets has the timestamp {text!r} without a time zone; write {text}Z for UTC"
        )
    return round(moment.timestamp() * 1000)


def _whole(values: Mapping[str, str], name: str, *, least: int) -> int | None:
    text = values.get(name.lower())
    if text is None:
        return None
    if not text.isdecimal() or int(text) < least:
        raise InvalidSourceError(f"{name} is {text!r}; expected a whole number from {least}")
    return int(text)


def _flag(values: Mapping[str, str], name: str, *, default: str) -> bool:
    text = values.get(name.lower(), default)
    if text.lower() not in _FLAGS:
        raise InvalidSourceError(f"{name} is {text!r}; expected 'true' or 'false'")
    return _FLAGS[text.lower()]


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise InvalidSourceError(f"timeoutSeconds is {text!r}; expected a number above 0")
    return seconds
