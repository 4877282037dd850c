"""Publisher confirms of one channel [confirm.select]."""

from typing import final

from mypy_extensions import i64

from lastvalue.protocols.amqp091.channel import Channel


@final
class PublisherConfirms:
    """Numbers a channel's messages and confirms them to the peer."""

    __slots__ = ("_ahead", "_channel", "_confirmed", "_next")

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._next: i64 = 1
        # All numbers below `_confirmed` are confirmed; `_ahead` has the confirmed runs above, last by first.
        self._confirmed: i64 = 1
        self._ahead: dict[int, int] = {}

    def number(self, count: i64 = 1) -> i64:
        """Number the next messages; the number of the first."""
        number = self._next
        self._next = number + count
        return number

    def confirm(self, first: i64, last: i64, taken: bool) -> None:
        """Confirm a run: in one frame where all numbers before it are confirmed, else number by number."""
        channel = self._channel
        if not channel.open:
            return
        if first != self._confirmed:
            for number in range(first, last + 1):
                channel.confirm(number, False, taken)
            self._ahead[first] = last
            return
        channel.confirm(last, last > first, taken)
        self._confirmed = last + 1
        while self._ahead:
            last_ahead = self._ahead.pop(self._confirmed, None)
            if last_ahead is None:
                return
            self._confirmed = last_ahead + 1
