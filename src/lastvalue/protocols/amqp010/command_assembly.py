"""Commands of AMQP 0-10 that arrive in frames."""

from typing import final

from mypy_extensions import i64

from lastvalue.codec.amqp010.frames import BODY, HEADER
from lastvalue.model.memory_budget import MemoryAccount
from lastvalue.protocols.message_parts import MessageParts


@final
class CommandAssembly:
    """A command that arrives in frames; `has_body` where its body has begun, which may be empty."""

    __slots__ = ("body", "command", "has_body", "header")

    def __init__(self, memory: MemoryAccount) -> None:
        self.command = MessageParts(memory)
        self.header = MessageParts(memory)
        self.body = MessageParts(memory)
        self.has_body = False

    @property
    def size_bytes(self) -> i64:
        """Of what has come."""
        return self.command.size_bytes + self.header.size_bytes + self.body.size_bytes

    def add(self, kind: i64, part: bytes) -> None:
        """Add a part of a segment.

        Raises:
            MemoryLimitError: the connection has no room for it.
        """
        if kind == BODY:
            self.has_body = True
            self.body.add(part)
        elif kind == HEADER:
            self.header.add(part)
        else:
            self.command.add(part)

    def head(self) -> tuple[bytes, bytes]:
        """The command and the message's header as far as they have come; they stay."""
        command, header = self.command.join(), self.header.join()
        self.command.add(command)
        self.header.add(header)
        return command, header

    def clear(self) -> None:
        """Drop what has come."""
        self.command.clear()
        self.header.clear()
        self.body.clear()
