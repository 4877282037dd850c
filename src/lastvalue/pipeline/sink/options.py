"""The options of the sink."""

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
    """An option of the sink, or the way it is used, is invalid."""

    condition = Condition.INVALID_FIELD


class Delivery(Enum):
    """The guarantee for a row whose task runs again."""

    EXACTLY_ONCE = "exactly-once"
    AT_LEAST_ONCE = "at-least-once"


@dataclass(frozen=True, slots=True)
class SinkOptions:
    """The sink's options, checked.

    Attributes:
        queue: where rows go.
        url: the broker, with credentials.
        ca_file: the file of trusted authorities for TLS; None: those that the machine trusts.
        key_property: the application property that the column `key` becomes; None: the queue's key, which
            the driver asks the broker for (`check_target`).
        timeout_s: how long one task waits for room, for confirmations, or for a lost broker.
        delivery: the guarantee for a row.
        write_id: names the write, of which each partition is applied once; None: the query and its batch.
        transaction_rows: rows of one transaction; 0: a whole partition.
        dead_letters: the queue for rejected rows; None: the task fails.
        durable: the default for rows without the column `durable`.
        leaders: the URLs of the brokers that have the queue, each some of its keys; none: `url` alone. The
            driver asks the broker for them (`check_target`).
        report: the file on the driver's machine to which a batch writes its result, as JSON.
    """

    queue: str
    url: str = DEFAULT_URL
    ca_file: str | None = None
    key_property: str | None = None
    timeout_s: float = 60.0
    delivery: Delivery = Delivery.EXACTLY_ONCE
    write_id: str | None = None
    transaction_rows: int = DEFAULT_TRANSACTION_ROWS
    dead_letters: str | None = None
    durable: bool = True
    report: str | None = None
    leaders: tuple[str, ...] = ()

    @property
    def sent_key(self) -> str:
        """The application property that the column `key` becomes; a queue without keys has it as `key`."""
        return self.key_property or "key"


def parse_sink_options(options: Mapping[str, str]) -> SinkOptions:
    """Parse the options that Spark passes, with names in any case.

    Raises:
        InvalidSinkError: an option is unknown or missing, or contradicts another.
        InvalidUrlError: the URL names no broker.
    """
    values = {name.lower(): value for name, value in options.items()}
    # Spark adds `path` if save() or start() was called with a path.
    if "path" in values:
        raise InvalidSinkError(
            "a queue has no path: call save() or start() without one and give the option 'queue'"
        )
    # These options belong to Spark's streaming query.
    for name in _OF_QUERIES:
        values.pop(name, None)
    unknown = sorted(set(values) - {name.lower() for name in _OPTIONS})
    if unknown:
        raise InvalidSinkError(
            f"{FORMAT} has no option {unknown[0]!r}; its options are {', '.join(_OPTIONS)}"
        )
    if not values.get("queue"):
        raise InvalidSinkError(f"{FORMAT} needs the option 'queue', as in .option('queue', 'prices')")
    on_rejected = values.get("onrejected", _FAIL)
    if not on_rejected or on_rejected == values["queue"]:
        raise InvalidSinkError(f"onRejected is {on_rejected!r}; expected 'fail' or the name of another queue")
    return SinkOptions(
        queue=values["queue"],
        url=broker_url(values, InvalidSinkError),
        ca_file=certificate_file(values, InvalidSinkError),
        key_property=values.get("keyproperty") or None,
        timeout_s=_seconds(values.get("timeoutseconds", "60")),
        delivery=_delivery(values.get("delivery", Delivery.EXACTLY_ONCE.value)),
        write_id=values.get("writeid") or None,
        transaction_rows=_rows(values.get("transactionrows", str(DEFAULT_TRANSACTION_ROWS))),
        dead_letters=None if on_rejected == _FAIL else on_rejected,
        durable=_flag(values.get("durable", "true")),
        report=values.get("report") or None,
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
        values = " or ".join(repr(each.value) for each in Delivery)
        raise InvalidSinkError(f"delivery is {text!r}; expected {values}") from None


def _rows(text: str) -> int:
    if not text.isdecimal():
        raise InvalidSinkError(f"transactionRows is {text!r}; expected a number of rows, or 0 for all")
    return int(text)


def _flag(text: str) -> bool:
    if text.lower() not in _FLAGS:
        raise InvalidSinkError(f"durable is {text!r}; expected 'true' or 'false'")
    return _FLAGS[text.lower()]
