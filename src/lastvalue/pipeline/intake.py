"""What a queue reads of a message that comes, as columns: `lastvalue.queues.intake` for rows.

Each function restates a rule of the engine; tests/spark/test_retained.py holds them together.
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

from lastvalue.client.encoding import MOST_TTL_MS
from lastvalue.model.property_names import DELIVERY_DELAY, DELIVERY_TIME, DUPLICATE_ID, UPDATES
from lastvalue.pipeline.arrivals import (
    ARRIVAL,
    EXPIRES,
    NOT_BEFORE,
    SEQUENCE,
    Arrivals,
    Place,
    column,
    first_of,
)
from lastvalue.queues.spec import LARGEST, Expiry, LastValue, QueueSpec

NOT_VALID_BEFORE: Final = "x-qpid-not-valid-before"

_LATEST: Final = 2**62
"""Times beyond it are taken for it."""
_MOST_UPDATES: Final = 2**40
_WHOLE: Final = IntegralType
_FRACTION: Final = (FloatType, DoubleType)


def required(name: str) -> Column:
    """The column; the query fails where it is null."""
    fault = sf.raise_error(sf.lit(f"column {name!r} is null in a row; every message of a history has it"))
    return sf.coalesce(column(name), fault)


def sequence() -> Column:
    """The order of arrival."""
    return required(SEQUENCE).cast("long")


def arrival_ms() -> Column:
    """When the message came."""
    return sf.unix_millis(required(ARRIVAL))


def updates(arrivals: Arrivals) -> Column:
    """How many updates the message stands for."""
    noted = [place.value().cast("long") for place in arrivals.annotations(UPDATES) if _is_whole(place)]
    annotated = sf.greatest(sf.lit(1), *noted) if noted else sf.lit(1)
    count = annotated.cast("long")
    if "updates" in arrivals.types:
        given = column("updates").cast("long")
        fault = sf.concat(sf.lit("updates is 1 or more, not "), given.cast("string"))
        count = sf.when(given < 1, sf.raise_error(fault).cast("long")).when(given > 1, given).otherwise(count)
    return sf.least(count, sf.lit(_MOST_UPDATES))


def ids(arrivals: Arrivals, spec: QueueSpec) -> list[Place]:
    """Where ids stand by which the queue takes each message once; nowhere where it has no window."""
    places = arrivals.places(DUPLICATE_ID) if spec.duplicate_window else []
    return [place for place in places if place.column in ("key", "properties")]


# ---------------------------------------------------------------------- time


def may_expire(arrivals: Arrivals, expiry: Expiry) -> bool:
    """Whether any message may have a deadline."""
    if expiry.never:
        return False
    given = "ttl_ms" in arrivals.types or EXPIRES in arrivals.types
    return given or expiry.maximum_ttl_ms > 0 or expiry.default_ttl_ms > 0


def deadline_ms(arrivals: Arrivals, expiry: Expiry) -> Column:
    """When the message expires, or null: `queues.expiry.Lifetimes`."""
    if not may_expire(arrivals, expiry):
        return sf.lit(None).cast("long")
    arrived = arrival_ms()
    own = _own_deadline_ms(arrivals, arrived)
    bounded = own
    if expiry.minimum_ttl_ms:
        bounded = sf.when(own.isNotNull(), sf.greatest(own, arrived + expiry.minimum_ttl_ms))
    if expiry.maximum_ttl_ms:
        latest = arrived + expiry.maximum_ttl_ms
        # The least is that of those that are not null.
        bounded = sf.least(bounded, latest)
    if expiry.default_ttl_ms:
        return sf.when(own.isNull(), arrived + expiry.default_ttl_ms).otherwise(bounded)
    return bounded


def _own_deadline_ms(arrivals: Arrivals, arrived: Column) -> Column:
    """The earlier of what the message says."""
    found = [sf.lit(None).cast("long")] * 2
    if EXPIRES in arrivals.types:
        time_ms = sf.unix_millis(column(EXPIRES))
        found.append(sf.when(time_ms != 0, sf.greatest(time_ms, sf.lit(1))))
    if "ttl_ms" in arrivals.types:
        ttl_ms = column("ttl_ms").cast("long")
        fault = sf.concat(sf.lit(f"ttl_ms is 1 to {MOST_TTL_MS}, not "), ttl_ms.cast("string"))
        checked = sf.when(ttl_ms.between(1, MOST_TTL_MS), ttl_ms).when(
            ttl_ms.isNotNull(), sf.raise_error(fault).cast("long")
        )
        found.append(arrived + checked)
    return sf.least(*found)


def may_wait(arrivals: Arrivals, spec: QueueSpec) -> bool:
    """Whether any message may be held back or, by a queue that refuses delays, be refused."""
    return NOT_BEFORE in arrivals.types or any(map(_is_number, _times(arrivals, spec)))


def _times(arrivals: Arrivals, spec: QueueSpec) -> list[Place]:
    named = arrivals.annotations(DELIVERY_TIME) + arrivals.annotations(DELIVERY_DELAY)
    return named + (arrivals.places(NOT_VALID_BEFORE) if spec.holds else [])


def asked_ms(arrivals: Arrivals) -> Column:
    """The time before which its producer does not want the message delivered, or null."""
    found = [told_ms()] if NOT_BEFORE in arrivals.types else []
    found += [_milliseconds(place, _LATEST) for place in arrivals.annotations(DELIVERY_TIME)]
    found += [arrival_ms() + _milliseconds(place, _LATEST) for place in arrivals.annotations(DELIVERY_DELAY)]
    return sf.coalesce(*found, sf.lit(None).cast("long"))


def told_ms() -> Column:
    """The time that the column for it says."""
    time_ms = sf.unix_millis(column(NOT_BEFORE))
    return sf.when(time_ms.isNotNull(), sf.greatest(time_ms, sf.lit(0)))


def not_before_ms(arrivals: Arrivals, spec: QueueSpec) -> Column:
    """Until when the queue holds the message back; null where it does not: `queues.intake`."""
    time_ms = asked_ms(arrivals)
    if spec.holds:
        valid = first_of(
            [(place.value(), _milliseconds(place, LARGEST)) for place in arrivals.places(NOT_VALID_BEFORE)]
        )
        time_ms = sf.coalesce(time_ms, valid.cast("long"))
    return sf.when(time_ms > arrival_ms(), time_ms)


def _milliseconds(place: Place, most: int) -> Column:
    """A number as whole milliseconds of 0 to `most`; null where it is none."""
    value = place.value()
    if _is_whole(place):
        bounded = sf.greatest(sf.lit(0), sf.least(value.cast("long"), sf.lit(most)))
        return sf.when(value.isNotNull(), bounded)
    if isinstance(place.kind, _FRACTION):
        double = value.cast("double")
        bounded = sf.greatest(sf.lit(0.0), sf.least(double, sf.lit(float(most))))
        endless = double.isin(float("inf"), float("-inf")) if most == _LATEST else sf.lit(False)  # noqa: FBT003 - a value
        return sf.when(value.isNotNull() & ~sf.isnan(double) & ~endless, bounded.cast("long"))
    return sf.lit(None).cast("long")


# ---------------------------------------------------------------------- keys and order values


def key(arrivals: Arrivals, ordering: LastValue) -> Column:
    """A text that is equal for equal keys and no others; null where the message has none."""
    if ordering.keys_as_text:
        found = arrivals.text(ordering.key).cast("string")
    else:
        places = arrivals.places(ordering.key)
        if len(places) == 1 and isinstance(places[0].kind, StringType) and not ordering.keyless:
            return places[0].value()
        found = first_of([(place.value(), _canonical(place)) for place in places])
    return sf.coalesce(found, sf.lit("")) if ordering.keyless else found


def _canonical(place: Place) -> Column:
    """A text that no other value has, and none of another kind."""
    value = place.value()
    if isinstance(place.kind, StringType):
        return sf.concat(sf.lit("s"), value)
    if isinstance(place.kind, BooleanType):
        return sf.concat(sf.lit("b"), value.cast("string"))
    if isinstance(place.kind, BinaryType):
        return sf.concat(sf.lit("x"), sf.hex(value))
    if isinstance(place.kind, _FRACTION):
        # Zero is one key, whatever its sign.
        return sf.concat(sf.lit("f"), (value.cast("double") + 0.0).cast("string"))
    return sf.concat(sf.lit("i"), value.cast("string"))


def compares_alike(arrivals: Arrivals, ordering: LastValue) -> bool:
    """Whether Spark compares the order values as a queue does: all are texts, or whole, or fractions."""
    if ordering.order_by is None:
        return True
    kinds = [place.kind for place in arrivals.places(ordering.order_by)]
    return any(
        all(isinstance(kind, family) for kind in kinds) for family in (StringType, IntegralType, _FRACTION)
    )


def order_value(arrivals: Arrivals, name: str) -> Column:
    """The value that says which update is newer; null where it says nothing. For those that compare alike."""
    return first_of([(place.value(), _comparable(place)) for place in arrivals.places(name)])


def _comparable(place: Place) -> Column:
    value = place.value()
    if isinstance(place.kind, _FRACTION):
        return sf.when(~sf.isnan(value), value.cast("double") + 0.0)
    return value.cast("long") if _is_whole(place) else value


def _is_whole(place: Place) -> bool:
    return isinstance(place.kind, _WHOLE)


def _is_number(place: Place) -> bool:
    return isinstance(place.kind, (_WHOLE, *_FRACTION))
