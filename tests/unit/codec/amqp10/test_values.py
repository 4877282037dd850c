import pytest

from lastvalue.codec.amqp10.values import Array, Decimal, Described, Symbol, UInt


@pytest.mark.parametrize(
    "other",
    [
        Array("uint", (UInt(1),)),
        Array("int", (UInt(1), UInt(2))),
        Array("uint", (UInt(1), UInt(2)), Symbol("x")),
    ],
)
def test_arrays_are_equal_by_type_elements_and_descriptor(other: Array) -> None:
    array = Array("uint", [UInt(1), UInt(2)])
    assert array == Array("uint", (UInt(1), UInt(2)))
    assert hash(array) == hash(Array("uint", (UInt(1), UInt(2))))
    assert array != other
    assert array != [UInt(1), UInt(2)]


def test_described_values_and_decimals_are_equal_by_what_they_hold() -> None:
    assert Described(Symbol("x"), 1) == Described(Symbol("x"), 1)
    assert Described(Symbol("x"), 1) != Described(Symbol("y"), 1)
    assert len({Decimal(b"\x00" * 4), Decimal(b"\x00" * 8)}) == 2
