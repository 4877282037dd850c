import pytest

from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.codec.core.reader import CoreReader
from lastvalue.codec.mqtt.errors import MqttError
from lastvalue.codec.mqtt.fields import FieldReader
from lastvalue.codec.octet_reader import OctetReader

DATA = bytes(range(1, 9))
READERS = [(CoreReader, DecodeError), (FieldReader, MqttError)]


@pytest.mark.parametrize(("kind", "error"), READERS)
def test_values_follow_one_another_up_to_the_end(kind: type[OctetReader], error: type[Exception]) -> None:
    reader = kind(DATA, 1, 8)
    assert (reader.uint16(), reader.uint32(), reader.left()) == (0x0203, 0x04050607, 1)
    with pytest.raises(error):
        reader.uint16()
    assert (reader.octets(1), reader.left()) == (b"\x08", 0)


@pytest.mark.parametrize("size", [-1, 9, 1 << 40])
@pytest.mark.parametrize(("kind", "error"), READERS)
def test_a_size_that_cannot_be_is_refused_and_nothing_is_read(
    kind: type[OctetReader], error: type[Exception], size: int
) -> None:
    reader = kind(DATA)
    with pytest.raises(error):
        reader.octets(size)
    assert reader.left() == len(DATA)
