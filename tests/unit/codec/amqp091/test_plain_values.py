"""Tables of methods as the broker keeps them."""

from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal

from lastvalue.codec.amqp091.plain_values import plain


def test_no_table_is_an_empty_one() -> None:
    assert plain(None) == {}


def test_times_are_milliseconds_and_decimals_their_digits_at_every_depth() -> None:
    moment = datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC)
    east = moment.astimezone(timezone(timedelta(hours=2)))
    table = {
        "a": [moment, {"b": moment.replace(tzinfo=None)}],
        "c": Decimal("1.50"),
        "d": bytearray(b"x"),
        "e": east,
    }
    assert plain(table) == {"a": [1000, {"b": 1000}], "c": "1.50", "d": b"x", "e": 1000}
