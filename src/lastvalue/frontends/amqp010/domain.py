"""What the AMQP 0-10 connections of one broker share."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.broker import Broker
from lastvalue.broker.reading import HostedQueue
from lastvalue.frontends.amqp010.branches import Branches
from lastvalue.frontends.amqp010.messages import Names
from lastvalue.frontends.amqp010.outlet import Subscription

DIRECT: Final = "qmf.default.direct"
TOPIC: Final = "qmf.default.topic"
MANAGEMENT: Final = "qpid.management"


@final
class Domain(Names):
    """Sessions by name, and what declarations said that the broker has no word for.

    Attributes:
        broker: whose it is.
        queue_arguments: by queue: the arguments it was declared with, as they were given.
        exchange_arguments: the same by exchange.
        branches: of distributed transactions.
        wire_now: the time of connections when one was heard last.
    """

    __slots__ = (
        "_names",
        "_subscriptions",
        "branches",
        "broker",
        "exchange_arguments",
        "queue_arguments",
        "wire_now",
    )

    def __init__(self, broker: Broker) -> None:
        self.broker = broker
        self.queue_arguments: dict[str, dict[str, object]] = {}
        self.exchange_arguments: dict[str, dict[str, object]] = {}
        self.branches = Branches()
        self.wire_now: i64 = 0
        self._names: dict[tuple[str, bytes], object] = {}
        self._subscriptions: dict[HostedQueue, list[Subscription]] = {}

    def claim(self, identity: str, name: bytes, owner: object) -> bool:
        """Let somebody have a session of a user's by name; false where somebody else has it."""
        place = (identity, name)
        if place in self._names:
            return False
        self._names[place] = owner
        return True

    def let_go(self, identity: str, name: bytes, owner: object) -> None:
        """A session is over."""
        if self._names.get((identity, name)) is owner:
            del self._names[(identity, name)]

    def subscriptions(self, hosted: HostedQueue) -> list[Subscription]:
        """The subscriptions to a queue over this protocol."""
        return self._subscriptions.get(hosted, [])

    def joined(self, hosted: HostedQueue, subscription: Subscription) -> None:
        """There is a subscription more."""
        self._subscriptions.setdefault(hosted, []).append(subscription)

    def left(self, hosted: HostedQueue, subscription: Subscription) -> None:
        """There is one less."""
        left = [each for each in self._subscriptions.get(hosted, []) if each is not subscription]
        if left:
            self._subscriptions[hosted] = left
        else:
            self._subscriptions.pop(hosted, None)

    def is_exchange(self, name: str) -> bool:
        """Whether there is an exchange of that name."""
        return self.broker.exchanges.get(name) is not None

    def is_queue(self, name: str) -> bool:
        """Whether there is a queue of that name."""
        return self.broker.has_queue(name)
