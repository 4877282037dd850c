"""A run of messages without any protocol."""

from collections.abc import Sequence

from lastvalue.model.message import Message, MessageRun


class Listed(MessageRun):
    """The messages of a list; one that is an error is raised.

    Attributes:
        left: how many follow the one at which it stands.
    """

    def __init__(self, messages: Sequence[Message | Exception]) -> None:
        self._messages = list(messages)
        self.left = len(self._messages)

    def next(self) -> Message | None:
        if self.left == 0:
            return None
        message = self._messages[-self.left]
        self.left -= 1
        if isinstance(message, Exception):
            raise message
        return message
