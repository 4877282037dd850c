"""The target of a write: the driver asks the broker for it before any task starts."""

import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from lastvalue.client import blocking
from lastvalue.client.errors import (
    AuthenticationError,
    ConnectFailedError,
    ConnectionLostError,
    UntrustedBrokerError,
)
from lastvalue.client.message import FIELDS, names_of_field
from lastvalue.model.errors import QueueNotFoundError
from lastvalue.pipeline.broker_access import with_leader
from lastvalue.pipeline.leader_urls import leader_urls
from lastvalue.pipeline.sink.options import InvalidSinkError, SinkOptions

if TYPE_CHECKING:
    from pyspark.sql.types import StructType

RETRY_S: Final = 0.25
"""The interval at which a broker that does not answer is tried again."""


@dataclass(frozen=True, slots=True)
class Target:
    """What the broker says about the queue of a write.

    Attributes:
        keys: the properties that its keys are read from, the first one first; none: it is no last-value
            queue.
        leaders: the URLs of the brokers that have it, each some of its keys; none: it is at this one alone.
        order_by: the property by which it decides which update is newer, or None.
        needs_order: it refuses messages without that.
    """

    keys: tuple[str, ...] = ()
    leaders: tuple[str, ...] = ()
    order_by: str | None = None
    needs_order: bool = False


def check_target(options: SinkOptions, schema: "StructType", *, wait_s: float = 0.0) -> SinkOptions:
    """The options with the key property of the queue, after a check that the rows can be published to it.

    Args:
        options: the sink's.
        schema: of the rows.
        wait_s: how long to wait for a broker that does not answer.

    Raises:
        UnusableColumnsError: a column is unknown, missing or of a wrong type.
        InvalidSinkError: the key goes to another property than the queue reads, or the queue refuses messages
            without the property of `order_by`, which no column has; if it takes them, that is a warning.
        QueueNotFoundError: there is no such queue, or none for dead letters.
        ClientError: the broker does not answer, or refuses the user.
    """
    from lastvalue.pipeline.sink.sink_columns import check_columns  # noqa: PLC0415 - it imports pyarrow

    check_columns(schema)
    target = ask_target(options, wait_s=wait_s)
    _check_order(options, schema, target)
    return with_key_property(options, schema.names, target)


def _check_order(options: SinkOptions, schema: "StructType", target: Target) -> None:
    order_by = target.order_by
    if order_by is None or _may_have(schema, order_by):
        return
    fault = (
        f"queue {options.queue!r} decides by the property {order_by!r} which update is newer, and no column "
        f"has it: add F.struct({order_by!r}).alias('properties')"
    )
    if target.needs_order:
        raise InvalidSinkError(fault)
    warnings.warn(fault, stacklevel=4)


def _may_have(schema: "StructType", name: str) -> bool:
    """Whether messages of such rows may have a property of this name."""
    if any(name in names_of_field(column) for column in schema.names if column in FIELDS):
        return True
    tables = [field.dataType for field in schema.fields if field.name in ("properties", "annotations")]
    # Of a map nobody knows the names before its rows are read.
    return any(name in getattr(table, "names", (name,)) for table in tables)


def ask_target(options: SinkOptions, *, wait_s: float = 0.0) -> Target:
    """Ask the broker whether the user may publish to the queues, and how the queue reads keys.

    Raises:
        QueueNotFoundError, ClientError: as `check_target` says.
    """
    deadline = time.monotonic() + wait_s
    while True:
        try:
            return _asked(options.url, options, _ask)
        except (ConnectFailedError, ConnectionLostError) as error:
            if isinstance(error, AuthenticationError | UntrustedBrokerError) or time.monotonic() >= deadline:
                raise
        time.sleep(RETRY_S)


def with_key_property(options: SinkOptions, columns: list[str], target: Target) -> SinkOptions:
    """The options with the property that the column `key` becomes.

    Raises:
        InvalidSinkError: keys would not arrive as the queue reads them.
    """
    options = replace(options, leaders=target.leaders)
    named = options.key_property
    if named is None:
        return replace(options, key_property=target.keys[0]) if target.keys else options
    if target.keys and named not in target.keys and "key" in columns and "properties" not in columns:
        raise InvalidSinkError(
            f"queue {options.queue!r} has its keys in the property {target.keys[0]!r} and keyProperty is "
            f"{named!r}: leave it out"
        )
    return options


def _ask(connection: blocking.Connection, options: SinkOptions) -> Target:
    leaders = leader_urls(connection, options.url, options.queue)
    if not leaders:
        return _ask_one(connection, options)
    targets = [_asked(url, options, _ask_one) for url in leaders]
    return replace(targets[0], leaders=leaders)


def _asked(
    url: str, options: SinkOptions, ask: Callable[[blocking.Connection, SinkOptions], Target]
) -> Target:
    def ask_and_close(leader: blocking.Connection) -> Target:
        with leader:
            return ask(leader, options)

    return with_leader(url, options.ca_file, ask_and_close)


def _ask_one(connection: blocking.Connection, options: SinkOptions) -> Target:
    for name in (options.queue, options.dead_letters):
        if name is not None:
            sender = connection.queue(name).sender()
            sender.open()
            sender.close()
    try:
        info = connection.queue(options.queue).info()
    except QueueNotFoundError:
        # An exchange, or an address whose queue a message creates.
        return Target()
    names = (info.options.get("lvq_key"), info.options.get("lvq_fallback_key"))
    order_by = info.options.get("order_by")
    return Target(
        tuple(str(name) for name in names if name),
        order_by=str(order_by) if order_by else None,
        needs_order=info.options.get("order_missing") == "refuse",
    )
