"""The writer writes the octets that Artemis writes."""

from collections.abc import Callable

import pytest

from lastvalue.codec.core.writer import CoreWriter

pytestmark = pytest.mark.pure


@pytest.mark.parametrize(
    ("write", "octets"),
    [
        (lambda writer: writer.int8(-1), "ff"),
        (lambda writer: writer.boolean(True), "01"),
        (lambda writer: writer.int16(-2), "fffe"),
        (lambda writer: writer.int32(-1), "ffffffff"),
        (lambda writer: writer.int64(-1), "ffffffffffffffff"),
        (lambda writer: writer.float32(1.0), "3f800000"),
        (lambda writer: writer.float64(1.0), "3ff0000000000000"),
        (lambda writer: writer.binary(b"ab"), "000000026162"),
        (lambda writer: writer.simple_string("ab"), "0000000461006200"),
        (lambda writer: writer.string("ab"), "0000000200610062"),
        (lambda writer: writer.nullable_boolean(None), "00"),
        (lambda writer: writer.nullable_boolean(False), "0100"),
        (lambda writer: writer.nullable_int32(5), "0100000005"),
    ],
)
def test_each_type_is_written_as_artemis_writes_it(write: Callable[[CoreWriter], None], octets: str) -> None:
    writer = CoreWriter()
    write(writer)
    assert writer.data().hex() == octets
