"""Which of several brokers has a key, where a queue is divided by its keys; the same in every program."""

import zlib


def key_partition(key: bytes, count: int) -> int:
    """The number of the partition of a key, 0 to `count` - 1.

    It is the CRC-32 of the key, modulo `count`. A key that is a text is its UTF-8, an integer is `i` and its
    decimal digits.
    """
    return zlib.crc32(key) % count


def key_octets(key: object) -> bytes | None:
    """The octets of a key by which it is divided; None if keys of its type are not divided."""
    if isinstance(key, str):
        return key.encode("utf-8", "surrogatepass")
    if isinstance(key, int) and not isinstance(key, bool):
        return b"i%d" % key
    return None
