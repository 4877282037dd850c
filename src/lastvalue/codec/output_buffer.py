"""Bytes that wait to be written to a peer."""

from abc import abstractmethod
from typing import Final

from librt.strings import BytesWriter
from mypy_extensions import i64

LARGEST_COPIED: Final = 8192
"""Larger parts are not copied when they are put, in bytes."""

STEP_BYTES: Final = 256 * 1024
"""How many bytes of a large body's frames are made at a time; a smaller body is put whole."""


class BodyFrames:
    """The frames of a large body, which are made when they are written.

    Args:
        body: the body; it is not copied.
        room: the most bytes of it in a frame.
        overhead: the bytes of a frame besides them.

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
        size: the number of bytes.
        blocked: the transport takes no bytes: no frames of large bodies are made.
    """

    __slots__ = ("_bodies", "_parts", "_writer", "blocked", "size")

    def __init__(self) -> None:
        # Of very many connections most have nothing to write: what is not needed takes no memory.
        self._parts: list[bytes] | None = None
        # Large bodies, each with the bytes before it; the other bytes follow the last one.
        self._bodies: list[tuple[bytes, BodyFrames]] | None = None
        self._writer: BytesWriter | None = None
        self.size: i64 = 0
        self.blocked = False

    def writer(self) -> BytesWriter:
        """The writer of the latest bytes, until they are taken. Who writes to it adds to `size`."""
        writer = self._writer
        if writer is None:
            writer = self._writer = BytesWriter()
        return writer

    def put(self, data: bytes) -> None:
        """Add bytes."""
        self.size += len(data)
        if len(data) <= LARGEST_COPIED:
            self.writer().write(data)
        else:
            if self._parts is None:
                self._parts = []
            if self._writer is not None:
                self._parts.append(self._writer.getvalue())
                self._writer = None
            self._parts.append(data)

    def put_frames(self, frames: BodyFrames) -> None:
        """Add the frames of a large body."""
        if self._bodies is None:
            self._bodies = []
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
        bodies = self._bodies
        return self.size - bodies[0][1].size - len(bodies[0][0]) if bodies else 0

    def _cut(self) -> bytes:
        """Take what is put and stands behind the last large body."""
        parts = self._parts
        writer = self._writer
        latest = b"" if writer is None else writer.getvalue()
        self._writer = None
        if parts is None:
            return latest
        self._parts = None
        if len(latest) > 0:
            parts.append(latest)
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def _take_step(self) -> bytes:
        taken: list[bytes] = []
        size: i64 = 0
        bodies = self._bodies
        while bodies and size < STEP_BYTES:
            before, frames = bodies[0]
            size += len(before) + frames.size
            taken.append(before)
            taken += frames.step()
            size -= frames.size
            if frames.size > 0:
                bodies[0] = (b"", frames)
            else:
                bodies.pop(0)
        self.size -= size
        if not bodies:
            self._bodies = None
            taken.append(self._cut())
            self.size = 0
        return b"".join(taken)
