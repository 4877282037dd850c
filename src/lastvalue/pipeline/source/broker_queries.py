"""Queries of the driver to the broker about the queue that a source reads."""

import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
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
from lastvalue.pipeline.leader_urls import leader_urls
from lastvalue.pipeline.source.options import InvalidSourceError, SourceOptions

RETRY_S: Final = 0.2
"""The interval at which a lost broker is tried again."""
CONNECTION_ERRORS: Final = (ConnectionLostError, ConnectFailedError, NotOpenError)


class DataLossError(LastvalueError):
    """Messages left the queue before the query read them."""

    condition = Condition.NOT_FOUND


_Answer = TypeVar("_Answer")


@dataclass(frozen=True, slots=True)
class SourceQueue:
    """The queue that a source reads.

    Attributes:
        name: of the queue itself, or of its history.
        key_property: the property that is the column `key`.
        in_order: the queue delivers messages in the order of their sequences.
        has_keys: newer values replace older ones.
    """

    name: str
    key_property: str
    in_order: bool
    has_keys: bool


def at_leaders(options: SourceOptions) -> list[SourceOptions]:
    """The options for each broker that has the queue, or some of its keys.

    Raises:
        ClientError: the broker cannot be reached, or refuses the user.
    """
    with connect(options.url, options.ca_file) as connection:
        leaders = leader_urls(connection, options.url, options.queue)
    return [replace(options, url=url) for url in leaders] or [options]


class BrokerQueries:
    """The driver's queries about a queue, over one connection, which it opens when needed.

    The first query fails if the broker cannot be reached. Later ones wait for a lost broker.
    """

    def __init__(self, options: SourceOptions) -> None:
        self._options = options
        self._connection: blocking.Connection | None = None
        self._reached = False
        self._source_queue: SourceQueue | None = None

    def source_queue(self) -> SourceQueue:
        """The queue to read; asks the broker once.

        Raises:
            QueueNotFoundError: there is no such queue.
            InvalidSourceError: the options ask for effects, and the queue has no history.
        """
        if self._source_queue is None:
            options = self._options
            info = self._ask(lambda connection: connection.queue(options.queue).info())
            key = options.key_property or str(info.options.get("lvq_key") or "key")
            if options.effects:
                info = self._history_of(info)
            self._source_queue = SourceQueue(info.name, key, info.by_sequence, info.type == "lvq")
        return self._source_queue

    def sequences(self, after: int, messages: int | None) -> Sequences:
        """The sequences of the messages after a sequence."""
        name = self.source_queue().name
        return self._ask(lambda connection: connection.queue(name).sequences(after=after, messages=messages))

    def now_ms(self) -> int:
        """The broker's time."""
        return self._ask(lambda connection: connection.clock_ms())

    def close(self) -> None:
        """Close the connection; a further query opens it again."""
        connection, self._connection = self._connection, None
        if connection is not None:
            # A lost connection cannot be closed with a handshake.
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

    def _ask(self, query: Callable[[blocking.Connection], _Answer]) -> _Answer:
        deadline = time.monotonic() + self._options.timeout_s
        while True:
            try:
                if self._connection is None:
                    self._connection = connect(self._options.url, self._options.ca_file)
                answer = query(self._connection)
            except CONNECTION_ERRORS as error:
                self.close()
                permanent = not self._reached or isinstance(error, AuthenticationError)
                if permanent or time.monotonic() >= deadline:
                    raise
                time.sleep(RETRY_S)
            else:
                self._reached = True
                return answer
