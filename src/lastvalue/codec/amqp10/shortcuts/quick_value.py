"""The fast path for the values of most messages, which skips the general dispatch by type."""

from lastvalue.codec.amqp10.value_codec import encode_value
from lastvalue.codec.amqp10.values import Symbol, UByte, Value


def quick_value(value: Value) -> bytes:
    """The same as `encode_value`, except that a text of fewer than 256 bytes may have surrogates.

    Raises:
        EncodeError: the value has no encoding.
    """
    kind = type(value)
    if value is None:
        return b"\x40"
    if kind is str or kind is Symbol:
        text = str(value).encode("utf-8", "surrogatepass")
        size = len(text)
        if size < 256:
            return (b"\xa1" if kind is str else b"\xa3") + bytes((size,)) + text
    elif kind is bool:
        return b"\x41" if value else b"\x42"
    elif kind is UByte and isinstance(value, int):
        return bytes((0x50, value))
    return encode_value(value)
