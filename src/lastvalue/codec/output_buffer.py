"""Bytes that wait to be written to a peer."""

from abc import abstractmethod
from typing import Final

from librt.strings import BytesWriter
from mypy_extensions import i64

LARGEST_COPIED: Final = 8192
"""Larger parts are not copied when they are put, in bytes."""

STEP_BYTES: Final = 256 * 1024
"""Of the frames of a large body so many bytes are made at a time; a smaller body is put whole."""


_KEPT_BYTES: Final = 256
"""A writer of so many bytes has no memory beside its own."""


class BodyFrames:
    """The frames of a large body, which are made when they are written.

    Args:
        body: the body; it is not copied.
        room: the most bytes of it in a frame.
        overhead: the bytes of a frame beside them.

    Attributes:
        size: the number of bytes of the frames that are not made.
    """

    __slots__ = ("_body", "_pos", "_room", "size")

    def __init__(self, body: bytes, room: i64, overhead: i64) -> None:
        self._body = body
        self._room: i64 = room
        self._pos: i64 = 0
        whole: i64 = len(body)
        self.size: i64 = whole + overhead * ((whole + room - 1) // room)

    def step(self) -> list[bytes]:
        """The parts of the next frames: at least one frame, unless all are made."""
        parts: list[bytes] = []
        body = self._body
        stop: i64 = min(len(body), self._pos + max(self._room, STEP_BYTES))
        pos = self._pos
        while pos < stop:
            end = min(pos + self._room, len(body))
            self.frame(body[pos:end], pos == 0, end == len(body), parts)
            pos = end
        self._pos = pos
        for part in parts:
            self.size -= len(part)
        return parts

    @abstractmethod
    def frame(self, piece: bytes, first: bool, last: bool, into: list[bytes]) -> None:
        """Append the parts of the frame that has this piece of the body."""
        raise NotImplementedError


class OutputBuffer:
    """Bytes for one peer, in the order in which they are written.

    Attributes:
        writer: the latest bytes. Who writes to it adds to `size`.
        size: the number of bytes.
        blocked: the transport takes no bytes: no frames of large bodies are made.
    """

    __slots__ = ("_bodies", "_parts", "blocked", "size", "writer")

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        # Large bodies, each with the bytes before it; the other bytes follow the last one.
        self._bodies: list[tuple[bytes, BodyFrames]] = []
        self.writer = BytesWriter()
        self.size: i64 = 0
        self.blocked = False

    def put(self, data: bytes) -> None:
        """Add bytes."""
        self.size += len(data)
        if len(data) <= LARGEST_COPIED:
            self.writer.write(data)
        else:
            if len(self.writer) > 0:
                self._parts.append(self.writer.getvalue())
                self.writer = BytesWriter()
            self._parts.append(data)

    def put_frames(self, frames: BodyFrames) -> None:
        """Add the frames of a large body."""
        self._bodies.append((self._cut(), frames))
        self.size += frames.size

    def take(self) -> bytes:
        """Remove and return all bytes; where there are large bodies, some of them, or none while blocked."""
        if self._bodies:
            return b"" if self.blocked else self._take_step()
        data = self._cut()
        self.size = 0
        return data

    def take_all(self) -> bytes:
        """Remove and return all bytes."""
        steps: list[bytes] = []
        while self._bodies:
            steps.append(self._take_step())
        steps.append(self.take())
        return b"".join(steps)

    @property
    def has_large_body(self) -> bool:
        """Whether more is to be taken once the last bytes are written."""
        return bool(self._bodies)

    @property
    def behind_body(self) -> i64:
        """The number of bytes that wait for the frames of a large body before them."""
        return self.size - self._bodies[0][1].size - len(self._bodies[0][0]) if self._bodies else 0

    def _cut(self) -> bytes:
        """Take what is put and stands behind the last large body."""
        parts = self._parts
        if len(self.writer) > 0:
            latest = self.writer.getvalue()
            if len(latest) <= _KEPT_BYTES:
                self.writer.truncate(0)
            else:
                self.writer = BytesWriter()
            if not parts:
                return latest
            parts.append(latest)
        elif not parts:
            return b""
        self._parts = []
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def _take_step(self) -> bytes:
        taken: list[bytes] = []
        size: i64 = 0
        while self._bodies and size < STEP_BYTES:
            before, frames = self._bodies[0]
            size += len(before) + frames.size
            taken.append(before)
            taken += frames.step()
            size -= frames.size
            if frames.size > 0:
                self._bodies[0] = (b"", frames)
            else:
                self._bodies.pop(0)
        self.size -= size
        if not self._bodies:
            taken.append(self._cut())
            self.size = 0
        return b"".join(taken)
