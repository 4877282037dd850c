"""How large the messages of an answer are, so that a page of large ones is short."""

from lastvalue.client import Message, QueueInfo
from lastvalue.model.admission import PAGE_BYTES

_MOST_AHEAD = 16
_FIRST_PART = 8


class PageSize:
    """The messages that an answer may still have; the first one always."""

    def __init__(self) -> None:
        self._left_bytes = PAGE_BYTES.most
        self._part = _FIRST_PART

    @property
    def is_full(self) -> bool:
        """Whether no message is added any more."""
        return self._left_bytes <= 0

    @property
    def part(self) -> int:
        """How many messages to ask for at once: more each time, while they are small."""
        return self._part

    def add(self, *messages: Message) -> None:
        """Count messages that came together."""
        size = sum(map(_size, messages))
        self._left_bytes -= size
        if size < PAGE_BYTES.most // 16:
            self._part *= 2


def ahead_of(info: QueueInfo, most: int) -> int:
    """How many messages of a queue may be on their way: all if they are small, and of large ones few."""
    if info.depth_bytes <= PAGE_BYTES.most:
        return most
    usual = info.depth_bytes // max(1, info.depth)
    return max(1, min(most, _MOST_AHEAD, PAGE_BYTES.most // (2 * usual + 1)))


def _size(message: Message) -> int:
    """The bytes of a message, about."""
    body = message.body
    size = len(body) if isinstance(body, bytes | str) else len(repr(body))
    return size + len(repr(message.properties))
