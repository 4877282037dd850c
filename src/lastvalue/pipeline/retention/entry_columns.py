"""The values that a queue reads from an arriving message, as Spark columns.

Each function restates a rule of the queue engine; tests/spark/test_retained.py compares both.
"""

from typing import Final

from pyspark.sql import Column
from pyspark.sql import functions as sf
from pyspark.sql.types import (
    BinaryType,
    BooleanType,
    DoubleType,
    FloatType,
    IntegralType,
    StringType,
)

from lastvalue.client.message_codec import MOST_TTL_MS
from lastvalue.model.composite_key import SEPARATOR, is_composite_key, names_of_key
from lastvalue.model.property_names import DELIVERY_DELAY, DELIVERY_TIME, DUPLICATE_ID, UPDATES
from lastvalue.pipeline.columns import capped, column
from lastvalue.pipeline.retention.arrivals import (
    ARRIVAL,
    EXPIRES,
    NOT_BEFORE,
    SEQUENCE,
    Arrivals,
    PropertyColumn,
    first_of,
)
from lastvalue.queues.spec import LARGEST, Expiry, LastValue, QueueSpec

NOT_VALID_BEFORE: Final = "x-qpid-not-valid-before"

_LATEST: Final = 2**62
"""Later times count as this one."""
_WHOLE: Final = IntegralType
_FRACTION: Final = (FloatType, DoubleType)


def required(name: str) -> Column:
    """The column; the query fails if it is null in a row."""
    fault = sf.raise_error(sf.lit(f"column {name!r} is null in a row; every message of a history has it"))
    return sf.coalesce(column(name), fault)


def sequence() -> Column:
    """The order of arrival."""
    return required(SEQUENCE).cast("long")


def arrival_ms() -> Column:
    """When the message arrived."""
    return sf.unix_millis(required(ARRIVAL))


def updates(arrivals: Arrivals) -> Column:
    """The number of updates that the message stands for."""
    annotations = [each.value().cast("long") for each in arrivals.annotations(UPDATES) if _is_whole(each)]
    annotated = sf.greatest(sf.lit(1), *annotations) if annotations else sf.lit(1)
    count = annotated.cast("long")
    if "updates" in arrivals.types:
        own = column("updates").cast("long")
        fault = sf.concat(sf.lit("updates is 1 or more, not "), own.cast("string"))
        count = sf.when(own < 1, sf.raise_error(fault).cast("long")).when(own > 1, own).otherwise(count)
    return capped(count)


def duplicate_id_columns(arrivals: Arrivals, spec: QueueSpec) -> list[PropertyColumn]:
    """The columns of ids for duplicate detection; none if the queue has no window of ids."""
    columns = arrivals.property_columns(DUPLICATE_ID) if spec.duplicate_window else []
    return [each for each in columns if each.column in ("key", "properties")]


# ---------------------------------------------------------------------- time


def any_entry_may_expire(arrivals: Arrivals, expiry: Expiry) -> bool:
    """Whether a message can have a deadline."""
    if expiry.never:
        return False
    has_columns = "ttl_ms" in arrivals.types or EXPIRES in arrivals.types
    return has_columns or expiry.maximum_ttl_ms > 0 or expiry.default_ttl_ms > 0


def deadline_ms(arrivals: Arrivals, expiry: Expiry) -> Column:
    """When the message expires, or null: `queues.deadlines.Lifetimes`."""
    if not any_entry_may_expire(arrivals, expiry):
        return sf.lit(None).cast("long")
    arrived = arrival_ms()
    own = _own_deadline_ms(arrivals, arrived)
    bounded = own
    if expiry.minimum_ttl_ms:
        bounded = sf.when(own.isNotNull(), sf.greatest(own, arrived + expiry.minimum_ttl_ms))
    if expiry.maximum_ttl_ms:
        latest = arrived + expiry.maximum_ttl_ms
        # least() ignores nulls.
        bounded = sf.least(bounded, latest)
    if expiry.default_ttl_ms:
        return sf.when(own.isNull(), arrived + expiry.default_ttl_ms).otherwise(bounded)
    return bounded


def _own_deadline_ms(arrivals: Arrivals, arrived: Column) -> Column:
    """The earlier of the message's expiry time and the end of its time to live."""
    deadlines = [sf.lit(None).cast("long")] * 2
    if EXPIRES in arrivals.types:
        time_ms = sf.unix_millis(column(EXPIRES))
        deadlines.append(sf.when(time_ms != 0, sf.greatest(time_ms, sf.lit(1))))
    if "ttl_ms" in arrivals.types:
        ttl_ms = column("ttl_ms").cast("long")
        fault = sf.concat(sf.lit(f"ttl_ms is 1 to {MOST_TTL_MS}, not "), ttl_ms.cast("string"))
        checked = sf.when(ttl_ms.between(1, MOST_TTL_MS), ttl_ms).when(
            ttl_ms.isNotNull(), sf.raise_error(fault).cast("long")
        )
        deadlines.append(arrived + checked)
    return sf.least(*deadlines)


def any_entry_may_wait(arrivals: Arrivals, spec: QueueSpec) -> bool:
    """Whether a message can be held back or, on a queue that refuses delays, refused."""
    return NOT_BEFORE in arrivals.types or any(map(_is_number, _times(arrivals, spec)))


def _times(arrivals: Arrivals, spec: QueueSpec) -> list[PropertyColumn]:
    annotations = arrivals.annotations(DELIVERY_TIME) + arrivals.annotations(DELIVERY_DELAY)
    return annotations + (arrivals.property_columns(NOT_VALID_BEFORE) if spec.holds else [])


def requested_not_before_ms(arrivals: Arrivals) -> Column:
    """The earliest time of delivery that the producer requests, or null."""
    times = [declared_not_before_ms()] if NOT_BEFORE in arrivals.types else []
    times += [_milliseconds(each, _LATEST) for each in arrivals.annotations(DELIVERY_TIME)]
    times += [arrival_ms() + _milliseconds(each, _LATEST) for each in arrivals.annotations(DELIVERY_DELAY)]
    return sf.coalesce(*times, sf.lit(None).cast("long"))


def declared_not_before_ms() -> Column:
    """The time in the column `not_before_time`."""
    time_ms = sf.unix_millis(column(NOT_BEFORE))
    return sf.when(time_ms.isNotNull(), sf.greatest(time_ms, sf.lit(0)))


def not_before_ms(arrivals: Arrivals, spec: QueueSpec) -> Column:
    """The time until which the queue holds the message back; null if it does not."""
    time_ms = requested_not_before_ms(arrivals)
    if spec.holds:
        valid = first_of(
            [
                (each.value(), _milliseconds(each, LARGEST))
                for each in arrivals.property_columns(NOT_VALID_BEFORE)
            ]
        )
        time_ms = sf.coalesce(time_ms, valid.cast("long"))
    return sf.when(time_ms > arrival_ms(), time_ms)


def _milliseconds(source: PropertyColumn, most: int) -> Column:
    """A number as whole milliseconds from 0 to `most`; null if it is not a number."""
    value = source.value()
    if _is_whole(source):
        bounded = sf.greatest(sf.lit(0), sf.least(value.cast("long"), sf.lit(most)))
        return sf.when(value.isNotNull(), bounded)
    if isinstance(source.kind, _FRACTION):
        double = value.cast("double")
        bounded = sf.greatest(sf.lit(0.0), sf.least(double, sf.lit(float(most))))
        endless = double.isin(float("inf"), float("-inf")) if most == _LATEST else sf.lit(col=False)
        return sf.when(value.isNotNull() & ~sf.isnan(double) & ~endless, bounded.cast("long"))
    return sf.lit(None).cast("long")


# ---------------------------------------------------------------------- keys and order values


def key(arrivals: Arrivals, ordering: LastValue) -> Column:
    """A text that is equal exactly for equal keys; null if the message has no key."""
    if is_composite_key(ordering.key):
        composed = _composite(arrivals, names_of_key(ordering.key))
        return sf.coalesce(composed, sf.lit("")) if ordering.keyless else composed
    names = [name for name in (ordering.key, ordering.fallback_key) if name is not None]
    if ordering.keys_as_text:
        texts = [arrivals.text(name).cast("string") for name in names]
    else:
        columns = [each for name in names for each in arrivals.property_columns(name)]
        if len(columns) == 1 and isinstance(columns[0].kind, StringType) and not ordering.keyless:
            return columns[0].value()
        texts = [first_of([(each.value(), _canonical(each)) for each in columns])]
    return sf.coalesce(*texts, *([sf.lit("")] if ordering.keyless else []))


def _composite(arrivals: Arrivals, names: list[str]) -> Column:
    """The text of a key of several properties: `model.composite_key`; null if one is missing."""
    texts = [arrivals.text(name).cast("string") for name in names]
    escaped = [sf.regexp_replace(text, r"([\\,])", r"\\$1") for text in texts]
    parts = [part for text in escaped for part in (sf.lit(SEPARATOR), text)]
    return sf.concat(*parts[1:])


def _canonical(source: PropertyColumn) -> Column:
    """A text that is different for different values, and for values of different types."""
    value = source.value()
    if isinstance(source.kind, StringType):
        return sf.concat(sf.lit("s"), value)
    if isinstance(source.kind, BooleanType):
        return sf.concat(sf.lit("b"), value.cast("string"))
    if isinstance(source.kind, BinaryType):
        return sf.concat(sf.lit("x"), sf.hex(value))
    if isinstance(source.kind, _FRACTION):
        # Zero is one key with either sign.
        return sf.concat(sf.lit("f"), (value.cast("double") + 0.0).cast("string"))
    return sf.concat(sf.lit("i"), value.cast("string"))


def compares_alike(arrivals: Arrivals, ordering: LastValue) -> bool:
    """Whether Spark compares order values as a queue does: if all are texts, whole numbers, or fractions."""
    if ordering.order_by is None:
        return True
    kinds = [each.kind for each in arrivals.property_columns(ordering.order_by)]
    return any(
        all(isinstance(kind, family) for kind in kinds) for family in (StringType, IntegralType, _FRACTION)
    )


def order_value(arrivals: Arrivals, name: str) -> Column:
    """The order value, or null; only for values for which `compares_alike` holds."""
    return first_of([(each.value(), _comparable(each)) for each in arrivals.property_columns(name)])


def _comparable(source: PropertyColumn) -> Column:
    value = source.value()
    if isinstance(source.kind, _FRACTION):
        return sf.when(~sf.isnan(value), value.cast("double") + 0.0)
    return value.cast("long") if _is_whole(source) else value


def _is_whole(source: PropertyColumn) -> bool:
    return isinstance(source.kind, _WHOLE)


def _is_number(source: PropertyColumn) -> bool:
    return isinstance(source.kind, (_WHOLE, *_FRACTION))
