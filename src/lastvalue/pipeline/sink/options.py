"""The options of the sink, checked."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

from lastvalue.client.url import DEFAULT_URL
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError
from lastvalue.pipeline.broker_access import ACCESS_OPTIONS, broker_url, certificate_file

FORMAT: Final = "lastvalue"
DEFAULT_TRANSACTION_ROWS: Final = 100_000

_FAIL: Final = "fail"
_FLAGS: Final = {"true": True, "false": False}
_OF_QUERIES: Final = ("checkpointlocation", "queryname")
_OPTIONS: Final = (
    "queue",
    *ACCESS_OPTIONS,
    "keyProperty",
    "timeoutSeconds",
    "delivery",
    "writeId",
    "transactionRows",
    "onRejected",
    "durable",
    "report",
)


class InvalidSinkError(LastvalueError):
    """The sink is asked for something that it cannot do."""

    condition = Condition.INVALID_FIELD


class Delivery(Enum):
    """What a row may count on when a task is run again."""

    EXACTLY_ONCE = "exactly-once"
    AT_LEAST_ONCE = "at-least-once"


@dataclass(frozen=True, slots=True)
class SinkOptions:
    """What the sink is to do.

    Attributes:
        queue: where rows go.
        url: the broker, with credentials.
        ca_file: whose certificates are believed over TLS; None: whom the machine believes.
        key_property: the application property that the column `key` becomes.
        timeout_s: how long one task waits for room, for confirmations, and for a broker that went away.
        delivery: what a row may count on.
        write_id: names the write, of which each partition is applied once; None: the query and its batch.
        transaction_rows: rows that take effect together; 0: a whole partition.
        dead_letters: the queue for rows that are rejected; None: the task fails.
        durable: of rows that do not say.
        report: the driver's file that is told what became of a batch, as JSON.
    """

    queue: str
    url: str = DEFAULT_URL
    ca_file: str | None = None
    key_property: str = "key"
    timeout_s: float = 60.0
    delivery: Delivery = Delivery.EXACTLY_ONCE
    write_id: str | None = None
    transaction_rows: int = DEFAULT_TRANSACTION_ROWS
    dead_letters: str | None = None
    durable: bool = True
    report: str | None = None


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
    # Spark's own options of a streaming query; they mean nothing to a sink.
    for name in _OF_QUERIES:
        given.pop(name, None)
    unknown = sorted(set(given) - {name.lower() for name in _OPTIONS})
    if unknown:
        raise InvalidSinkError(
            f"{FORMAT} has no option {unknown[0]!r}; its options are {', '.join(_OPTIONS)}"
        )
    if not given.get("queue"):
        raise InvalidSinkError(f"{FORMAT} needs the option 'queue', as in .option('queue', 'prices')")
    on_rejected = given.get("onrejected", _FAIL)
    if not on_rejected or on_rejected == given["queue"]:
        raise InvalidSinkError(f"onRejected is {on_rejected!r}; expected 'fail' or the name of another queue")
    return SinkOptions(
        queue=given["queue"],
        url=broker_url(given, InvalidSinkError),
        ca_file=certificate_file(given, InvalidSinkError),
        key_property=given.get("keyproperty", "key"),
        timeout_s=_seconds(given.get("timeoutseconds", "60")),
        delivery=_delivery(given.get("delivery", Delivery.EXACTLY_ONCE.value)),
        write_id=given.get("writeid") or None,
        transaction_rows=_rows(given.get("transactionrows", str(DEFAULT_TRANSACTION_ROWS))),
        dead_letters=None if on_rejected == _FAIL else on_rejected,
        durable=_flag(given.get("durable", "true")),
        report=given.get("report") or None,
    )


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not seconds > 0:
        raise InvalidSinkError(f"timeoutSeconds is not a number above 0: {text!r}")
    return seconds


def _delivery(text: str) -> Delivery:
    try:
        return Delivery(text.lower())
    except ValueError:
        known = " or ".join(repr(each.value) for each in Delivery)
        raise InvalidSinkError(f"delivery is {text!r}; expected {known}") from None


def _rows(text: str) -> int:
    if not text.isdecimal():
        raise InvalidSinkError(f"transactionRows is {text!r}; expected a number of rows, or 0 for all")
    return int(text)


def _flag(text: str) -> bool:
    if text.lower() not in _FLAGS:
        raise InvalidSinkError(f"durable is {text!r}; expected 'true' or 'false'")
    return _FLAGS[text.lower()]
