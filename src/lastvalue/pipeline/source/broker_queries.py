"""What a source asks the broker about its queue, on the driver."""

import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from lastvalue.client import blocking
from lastvalue.client.errors import (
    AuthenticationError,
    ClientError,
    ConnectFailedError,
    ConnectionLostError,
    NotOpenError,
)
from lastvalue.client.queue_info import QueueInfo, Sequences
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError
from lastvalue.pipeline.broker_access import connect
from lastvalue.pipeline.source.options import InvalidSourceError, SourceOptions

AGAIN_S: Final = 0.2
"""How long a broker that went away is left alone before it is asked again."""
LOST: Final = (ConnectionLostError, ConnectFailedError, NotOpenError)


class DataLossError(LastvalueError):
    """Messages left the queue before the query read them."""

    condition = Condition.NOT_FOUND


_Answer = TypeVar("_Answer")


@dataclass(frozen=True, slots=True)
class Place:
    """Where the messages are that a source reads.

    Attributes:
        queue: the queue itself, or its history.
        key_property: the property that is the column `key`.
        in_order: the queue gives its messages in the order of their sequences.
        has_keys: newer values replace older ones there.
    """

    queue: str
    key_property: str
    in_order: bool
    has_keys: bool


class BrokerQueries:
    """A connection on which the driver asks about a queue; made when needed, and anew where it was lost.

    The first question has to be answered at once. Later ones wait for a broker that went away.
    """

    def __init__(self, options: SourceOptions) -> None:
        self._options = options
        self._connection: blocking.Connection | None = None
        self._reached = False
        self._place: Place | None = None

    def place(self) -> Place:
        """What is read; asked once.

        Raises:
            QueueNotFoundError: there is no such queue.
            InvalidSourceError: its effects are wanted, and it has no history.
        """
        if self._place is None:
            options = self._options
            info = self._ask(lambda connection: connection.queue(options.queue).info())
            key = options.key_property or str(info.options.get("lvq_key") or "key")
            if options.effects:
                info = self._history_of(info)
            self._place = Place(info.name, key, _is_in_order(info), info.type == "lvq")
        return self._place

    def sequences(self, after: int, messages: int | None) -> Sequences:
        """Where the messages behind a sequence are."""
        name = self.place().queue
        return self._ask(lambda connection: connection.queue(name).sequences(after=after, messages=messages))

    def now_ms(self) -> int:
        """The broker's time."""
        return self._ask(lambda connection: connection.clock_ms())

    def close(self) -> None:
        """Close the connection; a further question opens it again."""
        connection, self._connection = self._connection, None
        if connection is not None:
            # A connection that is lost cannot say goodbye.
            with contextlib.suppress(ClientError):
                connection.close()

    def _history_of(self, info: QueueInfo) -> QueueInfo:
        history = info.options.get("history")
        if not history:
            raise InvalidSourceError(
                f"queue {info.name!r} has no history to read effects from; "
                f"give it one: lastvalue queue set {info.name} --history {info.name}.history"
            )
        return self._ask(lambda connection: connection.queue(str(history)).info())

    def _ask(self, question: Callable[[blocking.Connection], _Answer]) -> _Answer:
        patience_ends = time.monotonic() + self._options.timeout_s
        while True:
            try:
                if self._connection is None:
                    self._connection = connect(self._options.url, self._options.ca_file)
                answer = question(self._connection)
            except LOST as error:
                self.close()
                gone_for_good = not self._reached or isinstance(error, AuthenticationError)
                if gone_for_good or time.monotonic() >= patience_ends:
                    raise
                time.sleep(AGAIN_S)
            else:
                self._reached = True
                return answer


def _is_in_order(info: QueueInfo) -> bool:
    if info.type == "lvq":
        return info.options.get("lvq_placement", "tail") == "tail"
    return info.type == "standard"
