"""One session's channel: what it has sent and not been confirmed, and what it has to confirm itself."""

from collections import deque
from struct import Struct
from typing import Final, final

from mypy_extensions import i64

from lastvalue.codec.core.packets import (
    HEADER_BYTES,
    NULL_RESPONSE,
    PACKETS_CONFIRMED,
    PacketType,
    write_packet,
)
from lastvalue.codec.output_buffer import OutputBuffer
from lastvalue.model.memory_budget import MemoryAccount

_NULL_HEAD: Final = Struct(">ibq")
_CORRELATION_BYTES: Final = 8
_UNCONFIRMED: Final = -1
_UNCONFIRMED_BYTES: Final = 64
"""The memory of an unconfirmed packet besides its bytes."""
_MOST_KEPT_BYTES: Final = 32 * 1024 * 1024
"""What is kept at most: all of it is sent at once to a client that attaches the session again."""


@final
class Channel:
    """A channel, from one connection to the next where its client attaches it again.

    Commands and answers are numbered from 0, in each direction.

    Attributes:
        number: of the channel on its connection.
        version: of the protocol that the client speaks.
        window: after how many bytes of commands they are confirmed; -1 is never, and nothing is kept then.
        output: of its connection.
        memory: of its session.
        open: its connection lives, and neither side has closed the channel.
        last_command: the number of the last command that was carried out.
    """

    __slots__ = (
        "_first_kept", "_kept", "_kept_bytes", "_null_head", "_overrun", "_unconfirmed_bytes",
        "last_command", "memory", "number", "open", "output", "version", "window",
    )  # fmt: skip

    def __init__(
        self, number: i64, version: i64, window: i64, output: OutputBuffer, memory: MemoryAccount
    ) -> None:
        self.number: i64 = number
        self.version: i64 = version
        self.window: i64 = window
        self.output = output
        self.memory = memory
        self.open = True
        self.last_command: i64 = _UNCONFIRMED
        self._unconfirmed_bytes: i64 = 0
        self._kept: deque[bytes] = deque()
        self._kept_bytes: i64 = 0
        size = HEADER_BYTES + _CORRELATION_BYTES - 4
        self._null_head = _NULL_HEAD.pack(size, NULL_RESPONSE.code, number)
        self._first_kept: i64 = 0
        self._overrun = False

    @property
    def reattaches(self) -> bool:
        """Whether its client can attach it to another connection."""
        return self.window > 0 and not self._overrun

    # ------------------------------------------------------------------ output

    @property
    def keeps(self) -> bool:
        """Whether it keeps each packet until the peer has confirmed it, so that all go through `put`."""
        return self.window >= 0 and not self._overrun

    def put(self, packet: bytes) -> None:
        """Send a packet that the peer confirms.

        Without room for what it has not confirmed, nothing is kept any more: its client cannot attach the
        session again.
        """
        if self.keeps:
            size: i64 = len(packet) + _UNCONFIRMED_BYTES
            if self._kept_bytes + size <= _MOST_KEPT_BYTES and self.memory.has_room(size):
                self.memory.take(size)
                self._kept_bytes += size
                self._kept.append(packet)
            else:
                self._overrun = True
                self._drop()
        if self.open:
            self.output.put(packet)

    def send(self, packet_type: PacketType, values: dict[str, object]) -> None:
        """Send a packet; see `put`."""
        self.put(write_packet(packet_type, self.number, self.version, values))

    def null_response(self, correlation: bytes) -> bytes:
        """The answer of a command that has no other one: as `write_packet` has it, quickly.

        Args:
            correlation: the octets of the command's.
        """
        return self._null_head + correlation

    # ------------------------------------------------------------------ confirmations

    def carried_out(self, size_bytes: i64) -> None:
        """The next command was carried out, and is in the journal."""
        if self.window < 0:
            return
        self.last_command += 1
        self._unconfirmed_bytes += size_bytes
        if self._unconfirmed_bytes >= self.window:
            self.confirm()

    def confirm(self) -> None:
        """Confirm all commands that were carried out."""
        if self._unconfirmed_bytes > 0 and self.open:
            self._unconfirmed_bytes = 0
            values = {"command": self.last_command}
            self.output.put(write_packet(PACKETS_CONFIRMED, self.number, self.version, values))

    def confirmed(self, last: i64) -> None:
        """The peer has received what was sent up to this number."""
        while self._kept and self._first_kept <= last:
            size: i64 = len(self._kept.popleft()) + _UNCONFIRMED_BYTES
            self.memory.release(size)
            self._kept_bytes -= size
            self._first_kept += 1

    # ------------------------------------------------------------------ from one connection to the next

    def detach(self) -> None:
        """Its connection is lost: what is sent waits for the next one."""
        self.open = False

    def attach(self, output: OutputBuffer, last: i64) -> None:
        """Continue with another connection, whose peer has received what was sent up to this number."""
        self.confirmed(last)
        self.output = output
        self.open = True
        for packet in self._kept:
            output.put(packet)

    def close(self) -> None:
        """Keep nothing any more; what is sent now is the end."""
        self._overrun = True
        self._drop()

    def _drop(self) -> None:
        self.memory.release(self._kept_bytes)
        self._kept_bytes = 0
        self._kept.clear()
