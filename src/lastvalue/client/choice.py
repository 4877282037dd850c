"""Which messages of a queue a command handles, and which it handled."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Choice:
    """Messages of a queue that meet all these conditions; those that a consumer holds are left out.

    Attributes:
        selector: a JMS selector.
        sequences: their numbers on the queue.
        limit: at most this many, the oldest first.
    """

    selector: str | None = None
    sequences: Sequence[int] | None = None
    limit: int | None = None

    def arguments(self) -> dict[str, object]:
        """The body of the request."""
        sequences = None if self.sequences is None else list(self.sequences)
        values = {"selector": self.selector, "messageIds": sequences, "limit": self.limit}
        return {name: value for name, value in values.items() if value is not None}


@dataclass(frozen=True, slots=True)
class HandledMessages:
    """What a command did.

    Attributes:
        messages: the sequences of the messages that it handled.
        stayed: those of messages that it chose and left where they are, the first 1000 at most.
    """

    messages: tuple[int, ...]
    stayed: tuple[int, ...]


def handled_messages(answer: object) -> HandledMessages:
    """Decode the answer to a command; fields that are missing are empty."""
    fields = answer if isinstance(answer, dict) else {}
    return HandledMessages(_sequences(fields.get("messages")), _sequences(fields.get("stayed")))


def _sequences(values: object) -> tuple[int, ...]:
    return tuple(int(value) for value in values) if isinstance(values, list) else ()
