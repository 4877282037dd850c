"""The order in which a queue delivers its messages."""

from collections.abc import Mapping
from typing import Final

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as sf
from pyspark.sql.types import BinaryType

from lastvalue.model.message import Message
from lastvalue.pipeline.columns import column
from lastvalue.pipeline.retention.arrivals import QUEUE, SEQUENCE, Arrivals, InvalidHistoryError
from lastvalue.pipeline.retention.schema import AVAILABLE
from lastvalue.queues.entry import FIRST
from lastvalue.queues.ranks import Ranking
from lastvalue.queues.spec import LastValue, Ordering, Placement, Priority, QueueSpec, Sorted
from lastvalue.queues.spec_arguments import spec_from_arguments

PLACE: Final = "place"
RANK: Final = "rank"
POSITION: Final = "position"
STATE: Final = "state"

_PRIORITIES: Final = 256
_DEFAULT_PRIORITY: Final = 4

Declaration = QueueSpec | Mapping[str, object]
"""A queue's declaration, or its arguments in any spelling."""


def in_delivery_order(df: DataFrame, declaration: Declaration, *, key_property: str = "key") -> DataFrame:
    """The messages of a queue in delivery order, with a column `position` that counts from 1.

    If `df` has a column `queue`, each queue has its own positions. If it has a column `state`, rows in
    another state than `available` have no position and come last, by sequence. Fairshare and groups decide
    which consumer receives a message and when; they change no position.

    Each queue is sorted in one task.

    Args:
        df: the messages that stand on the queue; columns as in `retention.arrivals`. It may have
            `rank` and `place` as in a history: the bytes by which the queue orders, or null for no bytes; and
            the sequence of the message whose place each took, or null for its own. A queue that replaces in
            place needs `place`.
        declaration: the queue's.
        key_property: the property that the column `key` holds.

    Raises:
        InvalidSpecError: the arguments are not a valid declaration.
        InvalidHistoryError: a column that the order needs is missing, or of a wrong type.
    """
    ordering = read_declaration(declaration).ordering
    arrivals = Arrivals.of(df.schema, key_property)
    arrivals.require(SEQUENCE, "the order of arrival")
    if isinstance(arrivals.types.get(RANK), BinaryType):
        ranks = [sf.coalesce(column(RANK), sf.lit(FIRST))]
    else:
        check_order(arrivals, ordering)
        ranks = rank(arrivals, ordering)
    in_place = isinstance(ordering, LastValue) and ordering.placement is not Placement.TAIL
    if in_place and PLACE not in arrivals.types:
        raise InvalidHistoryError(
            f"there is no column {PLACE!r}: on a queue that replaces in place it says whose place "
            "each message took"
        )
    place = column(SEQUENCE)
    if PLACE in arrivals.types:
        place = sf.coalesce(column(PLACE), place)
    return with_positions(df, [*ranks, place])


def read_declaration(declaration: Declaration) -> QueueSpec:
    """The declaration as a QueueSpec.

    Raises:
        InvalidSpecError: the arguments are not a valid declaration.
    """
    if isinstance(declaration, QueueSpec):
        return declaration
    return spec_from_arguments("retained", declaration)


def check_order(arrivals: Arrivals, ordering: Ordering) -> None:
    """Check that there are columns for the order of messages.

    Raises:
        InvalidHistoryError: a column is missing.
    """
    arrivals.require(SEQUENCE, "the order of arrival")
    if isinstance(ordering, Sorted):
        arrivals.require_property(ordering.key, "by which the queue sorts (sort_key)")
    elif isinstance(ordering, Priority | LastValue) and ordering.levels:
        arrivals.require("priority", "by which the queue orders deliveries (priorities)")


def rank(arrivals: Arrivals, ordering: Ordering) -> list[Column]:
    """The column of bytes by which the queue orders before the place; empty if it has none."""
    if isinstance(ordering, Sorted):
        code_units = sf.encode(arrivals.text(ordering.key), "UTF-16BE")
        return [sf.coalesce(sf.concat(sf.lit(b"\x01"), code_units), sf.lit(FIRST))]
    if not (isinstance(ordering, Priority | LastValue) and ordering.levels):
        return []
    # A table of the queue engine's own ranks.
    ranking = Ranking(ordering)
    ranks = [ranking.rank(Message(b"", priority=level)) for level in range(_PRIORITIES)]
    return [sf.array(*map(sf.lit, ranks))[priority()]]


def priority() -> Column:
    """The row's priority; the query fails if it is invalid."""
    value = sf.coalesce(column("priority"), sf.lit(_DEFAULT_PRIORITY))
    fault = sf.concat(sf.lit(f"priority is 0 to {_PRIORITIES - 1}, not "), value.cast("string"))
    return sf.when(value.between(0, _PRIORITIES - 1), value).otherwise(sf.raise_error(fault).cast("int"))


def with_positions(df: DataFrame, order: list[Column]) -> DataFrame:
    """The rows with their position, sorted by queue and position."""
    queue = [column(QUEUE)] if QUEUE in df.columns else []
    available = sf.lit(col=True)
    if STATE in df.columns:
        available = sf.coalesce(column(STATE) == AVAILABLE, sf.lit(col=True))
        sort_order = [available.desc(), *(sf.when(available, part) for part in order), column(SEQUENCE)]
    else:
        sort_order = order
    number = sf.row_number().over(Window.partitionBy(*queue).orderBy(*sort_order))
    numbered = df.withColumn(POSITION, sf.when(available, number))
    return numbered.orderBy(*queue, *sort_order)
