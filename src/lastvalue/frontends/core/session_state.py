"""The state that the parts of one session share."""

from collections.abc import Callable
from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.rights.owner import Owner
from lastvalue.broker.transactions import Transaction
from lastvalue.codec.core.packets import Packet
from lastvalue.frontends.core.connection_state import CoreConnectionState
from lastvalue.protocols.core.channel import Channel

_MOST_WHOLE_BYTES: Final = 1 << 20
"""Bodies of this size are sent in parts whatever a client says: a whole one is converted at once."""


@final
class SessionState:
    """What a session is, and what it works in.

    Attributes:
        connection: of the session; another one after its client has attached it there.
        channel: of the session.
        number: of the broker's `identify`.
        name: by which its client attaches it to another connection.
        owner: of what the session does.
        started: messages are delivered.
        min_large_message_size: bodies of this size are sent in parts.
        auto_commit_sends, auto_commit_acks: sends, and acknowledgements, take effect at once.
        pre_acknowledge: what is sent to consumers is acknowledged with that.
        transaction: what the session works in otherwise, or None; of a branch, while it works in one.
        on_consumer_ended: called with the number of a consumer whose queue is gone.
    """

    __slots__ = (
        "auto_commit_acks", "auto_commit_sends", "channel", "connection", "min_large_message_size", "name",
        "number", "on_consumer_ended", "owner", "pre_acknowledge", "started", "transaction",
    )  # fmt: skip

    def __init__(self, connection: CoreConnectionState, channel: Channel, request: Packet) -> None:
        self.connection = connection
        self.channel = channel
        self.number: i64 = connection.broker.identify()
        self.name = request.text("name")
        self.owner: Owner = connection.owner(self.number)
        self.started = False
        large = request.number("min_large_message_size")
        self.min_large_message_size: i64 = min(max(1024, large), _MOST_WHOLE_BYTES)
        self.auto_commit_sends = request.flag("auto_commit_sends")
        self.auto_commit_acks = request.flag("auto_commit_acks")
        self.pre_acknowledge = request.flag("pre_acknowledge")
        self.transaction: Transaction | None = None
        if not request.flag("xa") and not (self.auto_commit_sends and self.auto_commit_acks):
            self.transaction = Transaction(channel.memory)
        self.on_consumer_ended: Callable[[i64], None] = nobody_told

    @property
    def works(self) -> bool:
        """Whether what it works in has work that is not committed."""
        return self.transaction is not None and self.transaction.has_work


def nobody_told(number: i64) -> None:
    """What `on_consumer_ended` is before a session has consumers, and after its end."""
    del number
