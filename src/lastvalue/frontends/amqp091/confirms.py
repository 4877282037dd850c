"""How one channel's publisher hears of its messages [confirm.select]."""

from typing import TypeAlias, final

from mypy_extensions import i64

from lastvalue.delivery.confirmations import Confirmations, Run
from lastvalue.protocols.amqp091.channel import Channel


@final
class PublisherConfirms:
    """The numbers of a channel's messages, and which of them the peer knows the outcome of."""

    __slots__ = ("_ahead", "_channel", "_confirmations", "_confirmed", "_next")

    def __init__(self, channel: Channel, confirmations: "ChannelConfirmations") -> None:
        self._channel = channel
        self._confirmations = confirmations
        self._next: i64 = 1
        # All below that number are confirmed; of the runs behind it, by their first, the last.
        self._confirmed: i64 = 1
        self._ahead: dict[int, int] = {}

    def add(self, taken: bool, durable: bool) -> None:
        """The next message was taken, and where it is `durable` waits for the journal; or it was refused."""
        number = self._next
        self._next = number + 1
        self._confirmations.add(self, number, taken, durable)

    def confirm(self, first: i64, last: i64, taken: bool) -> None:
        """Tell the peer, at once where none before the first is open."""
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
            behind = self._ahead.pop(self._confirmed, None)
            if behind is None:
                return
            self._confirmed = behind + 1


ChannelConfirmations: TypeAlias = Confirmations[PublisherConfirms, bool]
"""The confirms and answers that one connection owes its peer."""


def confirm_run(run: Run[PublisherConfirms, bool]) -> None:
    """Tell a publisher what became of its messages."""
    run.source.confirm(run.first, run.last, run.outcome)
