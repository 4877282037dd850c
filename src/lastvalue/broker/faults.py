"""Faults of the broker itself: exceptions that no peer is to blame for, each kept to what it concerns.

A turn serves everybody, so an exception in it must not end with whoever's input began the turn. Who carries
out a part of a turn for one reader, queue or command notes the exception here, and the turn continues.
"""

from typing import Final, final

from mypy_extensions import i64

RETRY_MS: Final = 1000
"""After such a time a queue is looked at again whose own work has failed."""


@final
class Fault:
    """An exception in a turn.

    Attributes:
        queue: the name of the queue in whose work it was raised, or "".
        part: of the turn, in words.
        error: the exception.
        connection: the number of the connection that has to end by it, because what it asked for is not
            done; 0 is none.
    """

    __slots__ = ("connection", "error", "part", "queue")

    def __init__(self, queue: str, part: str, error: BaseException, connection: i64 = 0) -> None:
        self.queue = queue
        self.part = part
        self.error = error
        self.connection: i64 = connection


@final
class Faults:
    """The faults since the last call of `take`.

    Attributes:
        count: how many there were since the broker was made.
    """

    __slots__ = ("_found", "count")

    def __init__(self) -> None:
        self.count = 0
        self._found: list[Fault] = []

    def note(self, fault: Fault) -> None:
        """Keep a fault for the log."""
        self.count += 1
        self._found.append(fault)

    def take(self) -> list[Fault]:
        """Take them out."""
        found = self._found
        if found:
            self._found = []
        return found
