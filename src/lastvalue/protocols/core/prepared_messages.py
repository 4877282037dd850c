"""Messages whose bodies are made ready in steps, so that a large one does not hold the others."""

from abc import abstractmethod
from typing import Final, final

from mypy_extensions import i64

from lastvalue.codec.core.message_decoder import TEXT_HEAD_BYTES
from lastvalue.codec.core.reader import next_as_utf8
from lastvalue.model.errors import LastvalueError
from lastvalue.model.memory_budget import MemoryAccount
from lastvalue.protocols.core.events import Published
from lastvalue.protocols.message_parts import MessageParts

STEP_BYTES: Final = 256 * 1024
"""This many bytes are read and made in one call of `Connection.receive`: half a millisecond."""


class PreparedMessage:
    """A message whose body becomes another one, which takes memory from an account meanwhile.

    Args:
        published: the message; at the end it has the other body, or why it has none.
        memory: the account.

    Attributes:
        octets: the body that came; pos: how far it is read.
        parts: of the other one.
        is_over: nothing is left to do.
    """

    __slots__ = ("is_over", "octets", "parts", "pos", "published")

    def __init__(self, published: Published, memory: MemoryAccount) -> None:
        self.published = published
        self.octets = published.body
        published.body = b""
        self.parts = MessageParts(memory)
        self.pos: i64 = 0
        self.is_over = False

    @final
    @property
    def waiting_bytes(self) -> i64:
        """The memory of the body that came."""
        return len(self.octets)

    @final
    def step(self, most_bytes: i64) -> i64:
        """Read and make this many bytes together, or all that are left; returns how many."""
        done: i64 = most_bytes
        try:
            done = self.prepare(most_bytes)
        except LastvalueError as fault:
            self.parts.clear()
            self.published.fault = fault.with_traceback(None)
            self.is_over = True
        return done

    @abstractmethod
    def prepare(self, most_bytes: i64) -> i64:
        """Carry out a step; `end` follows the last one.

        Raises:
            LastvalueError: there is no other body.
        """
        raise NotImplementedError

    @final
    def end(self) -> None:
        """The other body is whole."""
        self.published.body = self.parts.join()
        self.octets = b""
        self.is_over = True


@final
class LargeText(PreparedMessage):
    """A text (`message_decoder.is_text`) that is converted from UTF-16 to UTF-8."""

    __slots__ = ()

    def __init__(self, published: Published, memory: MemoryAccount) -> None:
        super().__init__(published, memory)
        published.converted = True
        self.pos = TEXT_HEAD_BYTES

    def prepare(self, most_bytes: i64) -> i64:
        """See PreparedMessage."""
        done: i64 = 0
        size: i64 = len(self.octets)
        while done < most_bytes and self.pos < size:
            part, end = next_as_utf8(self.octets, self.pos, size)
            self.parts.add(part)
            done += end - self.pos + len(part)
            self.pos = end
        if self.pos == size:
            self.end()
        return done
