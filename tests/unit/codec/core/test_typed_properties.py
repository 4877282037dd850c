"""Typed properties are read as they were written, and malformed ones are refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.codec.core import typed_properties as types
from lastvalue.codec.core.reader import CoreReader
from lastvalue.codec.core.typed_properties import TypedProperties, read_properties, write_properties
from lastvalue.codec.core.writer import CoreWriter

pytestmark = pytest.mark.pure

TEXTS = st.text(alphabet=st.characters(exclude_categories=["Cs"]))
VALUES = st.one_of(
    st.tuples(st.just(types.NULL), st.none()),
    st.tuples(st.just(types.BOOLEAN), st.booleans()),
    st.tuples(st.just(types.BYTE), st.integers(-(2**7), 2**7 - 1)),
    st.tuples(st.just(types.BYTES), st.binary()),
    st.tuples(st.just(types.SHORT), st.integers(-(2**15), 2**15 - 1)),
    st.tuples(st.just(types.INT), st.integers(-(2**31), 2**31 - 1)),
    st.tuples(st.just(types.LONG), st.integers(-(2**63), 2**63 - 1)),
    st.tuples(st.just(types.FLOAT), st.floats(width=32, allow_nan=False)),
    st.tuples(st.just(types.DOUBLE), st.floats(allow_nan=False)),
    st.tuples(st.just(types.STRING), TEXTS),
    st.tuples(st.just(types.CHAR), st.characters(max_codepoint=0xFFFF, exclude_categories=["Cs"])),
)


@given(st.dictionaries(TEXTS, VALUES))
def test_properties_are_read_as_they_were_written(properties: TypedProperties) -> None:
    writer = CoreWriter()
    write_properties(writer, properties)
    reader = CoreReader(writer.data())
    assert read_properties(reader) == properties
    assert reader.left() == 0


def test_a_property_is_its_name_type_and_value() -> None:
    writer = CoreWriter()
    write_properties(writer, {"a": (types.INT, 7)})
    assert writer.data().hex(" ") == "01 00 00 00 01 00 00 00 02 61 00 06 00 00 00 07"


@pytest.mark.parametrize(
    ("octets", "fault"),
    [
        ("01 7f ff ff ff", "2147483647 properties cannot be in 0 bytes"),
        ("01 00 00 00 01 00 00 00 02 61 00 0c", "0 or 2 to 11, not 12"),
        ("01 00 00 00 01 00 00 00 01 61 00 00", "even number of octets"),
        ("01 00 00 00 01 00 00 00 02 61 00 06 00", "4 bytes are expected where 1 are left"),
    ],
)
def test_malformed_properties_are_refused(octets: str, fault: str) -> None:
    with pytest.raises(DecodeError, match=fault):
        read_properties(CoreReader(bytes.fromhex(octets)))
