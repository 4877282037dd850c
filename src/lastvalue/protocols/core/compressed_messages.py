"""Messages whose bodies are compressed: they are decompressed in steps, since a few bytes may become many."""

import zlib
from typing import Final, final

from mypy_extensions import i64

from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.model.errors import LastvalueError
from lastvalue.model.memory_budget import MemoryAccount
from lastvalue.protocols.core.events import Published
from lastvalue.protocols.message_parts import MessageParts

STEP_BYTES: Final = 256 * 1024
"""This many bytes are read and made in one call of `Connection.receive`: half a millisecond."""

_FEED_BYTES: Final = 16 * 1024
"""What zlib does not consume is copied, so it gets a little at a time."""

_DEFLATE: Final = 8
_CHECK: Final = 31


def may_be_compressed(data: bytes, pos: i64) -> bool:
    """Whether a header of zlib is there [RFC 1950 §2.2]: only bodies with one are decompressed."""
    return data[pos] & 15 == _DEFLATE and (data[pos] << 8 | data[pos + 1]) % _CHECK == 0


@final
class CompressedMessage:
    """A message whose body is decompressed; what it becomes takes memory from an account meanwhile.

    Args:
        published: the message; at the end it has its body, or why that cannot be decompressed.
        most_bytes: that the body may become.
        memory: the account.

    Attributes:
        is_over: nothing is left to do.
    """

    __slots__ = ("_compressed", "_inflater", "_most_bytes", "_parts", "_pos", "is_over", "published")

    def __init__(self, published: Published, most_bytes: i64, memory: MemoryAccount) -> None:
        self.published = published
        published.inflated = True
        self._compressed = published.body
        published.body = b""
        self._most_bytes: i64 = most_bytes
        self._parts = MessageParts(memory)
        self._pos: i64 = 0
        self.is_over = False
        self._inflater = zlib.decompressobj()

    @property
    def waiting_bytes(self) -> i64:
        """The memory of what is not decompressed."""
        return len(self._compressed)

    def step(self, most_bytes: i64) -> i64:
        """Read and make this many bytes together, or all that are left; returns how many."""
        done: i64 = most_bytes
        try:
            done = self._step(most_bytes)
        except LastvalueError as fault:
            self._parts.clear()
            self.published.fault = fault.with_traceback(None)
            self.is_over = True
        return done

    def _step(self, most_bytes: i64) -> i64:
        inflater = self._inflater
        done: i64 = 0
        while done < most_bytes and not inflater.eof:
            feed = inflater.unconsumed_tail
            if not feed:
                feed = self._compressed[self._pos : self._pos + _FEED_BYTES]
                self._pos += len(feed)
                # What makes nothing takes time, too.
                done += len(feed)
            try:
                plain = inflater.decompress(feed, int(max(1, most_bytes - done)))
            except zlib.error as error:
                raise DecodeError(f"a compressed body cannot be decompressed: {error}") from None
            done += len(plain)
            self._parts.add(plain)
            if self._parts.size_bytes > self._most_bytes:
                raise DecodeError(f"a compressed body becomes larger than {self._most_bytes} bytes")
            if not feed and not plain and not inflater.eof:
                raise DecodeError("a compressed body ends too early")
        if inflater.eof:
            self.published.body = self._parts.join()
            self._compressed = b""
            self.is_over = True
        return done
