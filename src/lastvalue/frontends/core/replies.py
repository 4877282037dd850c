"""The answers and confirmations of one session's commands, in the order of the commands."""

from collections import deque
from typing import Any, final

from mypy_extensions import i64

from lastvalue.delivery.confirmations import Confirmations
from lastvalue.delivery.output import Output
from lastvalue.protocols.core.channel import Channel


@final
class Replies:
    """What one session's commands wait for on one connection: that the journal has what they did."""

    __slots__ = ("_channel", "_confirmations", "_number", "_output", "_waiting")

    def __init__(self, channel: Channel, confirmations: Confirmations[Any, bool], output: Output) -> None:
        self._channel = channel
        self._confirmations = confirmations
        self._output = output
        self._number: i64 = 0
        self._waiting: deque[tuple[int, bytes]] = deque()

    @property
    def waiting(self) -> int:
        """How many commands wait."""
        return len(self._waiting)

    def add(self, size_bytes: i64, answer: bytes, durable: bool) -> None:
        """A command is done: confirm and answer it once the journal has what it did, and those before it.

        Args:
            size_bytes: of the command.
            answer: the packet, or b"".
            durable: it has changed something.
        """
        if durable or self._waiting:
            self._waiting.append((int(size_bytes), answer))
            self._number += 1
            self._confirmations.add(self, self._number, True, True)
            self._output.schedule_write()
        else:
            self._reply(size_bytes, answer)

    def send(self, count: i64) -> None:
        """The journal has what this many more commands did."""
        for _ in range(min(count, len(self._waiting))):
            size_bytes, answer = self._waiting.popleft()
            self._reply(size_bytes, answer)

    def _reply(self, size_bytes: i64, answer: bytes) -> None:
        self._channel.carried_out(size_bytes)
        if answer:
            self._channel.put(answer)
