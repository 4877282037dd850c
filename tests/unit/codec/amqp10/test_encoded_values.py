"""Values that are put together from encoded octets are those that the general encoder makes."""

import pytest

from lastvalue.codec.amqp10.encoded_values import (
    binary,
    binary_start,
    encoded_list,
    encoded_map,
    string,
    symbol,
)
from lastvalue.codec.amqp10.value_codec import encode_value
from lastvalue.codec.amqp10.values import Symbol

SIZES = (1, 255, 256, 70_000)


@pytest.mark.parametrize("size", SIZES)
def test_texts_and_octets_of_any_size(size: int) -> None:
    octets = b"a" * size
    assert string(octets) == encode_value("a" * size)
    assert symbol(octets) == encode_value(Symbol("a" * size))
    assert binary(octets) == binary_start(size) + octets == encode_value(octets)


@pytest.mark.parametrize("count", [1, 100, 300])
def test_lists_and_maps_of_any_size(count: int) -> None:
    assert encoded_list([string(b"a")] * count) == encode_value(["a"] * count)
    names = [f"name {number}" for number in range(count)]
    parts = [part for name in names for part in (string(name.encode()), b"\x41")]
    assert encoded_map(parts) == encode_value(dict.fromkeys(names, True))
