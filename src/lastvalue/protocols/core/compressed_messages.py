"""Messages whose bodies are decompressed in steps, since a few bytes may become many."""

import zlib
from typing import Final, final

from mypy_extensions import i64

from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.model.memory_budget import MemoryAccount
from lastvalue.protocols.core.events import Published
from lastvalue.protocols.core.prepared_messages import PreparedMessage

_FEED_BYTES: Final = 16 * 1024
"""What zlib does not consume is copied, so it gets a little at a time."""

_DEFLATE: Final = 8
_CHECK: Final = 31


def may_be_compressed(data: bytes, pos: i64) -> bool:
    """Whether a header of zlib is there [RFC 1950 §2.2]: only bodies with one are decompressed."""
    return data[pos] & 15 == _DEFLATE and (data[pos] << 8 | data[pos + 1]) % _CHECK == 0


@final
class CompressedMessage(PreparedMessage):
    """A message whose body is decompressed.

    Args:
        published: the message.
        most_bytes: that the body may become.
        memory: the account.
    """

    __slots__ = ("_inflater", "_most_bytes")

    def __init__(self, published: Published, most_bytes: i64, memory: MemoryAccount) -> None:
        super().__init__(published, memory)
        published.inflated = True
        self._most_bytes: i64 = most_bytes
        self._inflater = zlib.decompressobj()

    def prepare(self, most_bytes: i64) -> i64:
        """See PreparedMessage."""
        inflater = self._inflater
        done: i64 = 0
        while done < most_bytes and not inflater.eof:
            feed = inflater.unconsumed_tail
            if not feed:
                feed = self.octets[self.pos : self.pos + _FEED_BYTES]
                self.pos += len(feed)
                # What makes nothing takes time, too.
                done += len(feed)
            try:
                plain = inflater.decompress(feed, int(max(1, most_bytes - done)))
            except zlib.error as error:
                raise DecodeError(f"a compressed body cannot be decompressed: {error}") from None
            done += len(plain)
            self.parts.add(plain)
            if self.parts.size_bytes > self._most_bytes:
                raise DecodeError(f"a compressed body becomes larger than {self._most_bytes} bytes")
            if not feed and not plain and not inflater.eof:
                raise DecodeError("a compressed body ends too early")
        if inflater.eof:
            self.end()
        return done
