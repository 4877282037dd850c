"""What reads octets one after the other, for the codecs of protocols whose fields stand so."""

from abc import abstractmethod
from typing import final

from mypy_extensions import i64

from lastvalue.codec.octets import number_at
from lastvalue.model.errors import LastvalueError


class OctetReader:
    """Reads octets one after the other; raises its protocol's error if they end within a value.

    Attributes:
        data: that is read.
        pos: of the next value.
        end: where the data ends.
    """

    __slots__ = ("data", "end", "pos")

    def __init__(self, data: bytes, pos: i64 = 0, end: i64 = -1) -> None:
        self.data = data
        self.pos: i64 = pos
        self.end: i64 = len(data) if end < 0 else end

    @abstractmethod
    def too_short(self, size: i64) -> LastvalueError:
        """The error that is raised where a value of this size is longer than what is left."""
        raise NotImplementedError

    @final
    def left(self) -> i64:
        """The number of bytes that are not read."""
        return self.end - self.pos

    @final
    def octets(self, size: i64) -> bytes:
        """This many bytes."""
        pos = self._skip(size)
        return self.data[pos : pos + size]

    @final
    def uint16(self) -> i64:
        """A number of two octets."""
        pos = self._skip(2)
        return self.data[pos] << 8 | self.data[pos + 1]

    @final
    def uint32(self) -> i64:
        """A number of four octets."""
        return number_at(self.data, self._skip(4))

    @final
    def _skip(self, size: i64) -> i64:
        """The position of the next bytes, which are read with that."""
        pos = self.pos
        if size < 0 or size > self.end - pos:
            raise self.too_short(size)
        self.pos = pos + size
        return pos
