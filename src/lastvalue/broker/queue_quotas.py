"""How many queues a user may have, and what may wait on those that drop their oldest messages."""

from typing import final

from mypy_extensions import i64, mypyc_attr

from lastvalue.broker.observers import Observer
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.rights.owner import Owner
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import BrokerError
from lastvalue.model.memory_budget import UNLIMITED
from lastvalue.queues.backlog_share import BacklogShare, UserBacklog
from lastvalue.queues.spec import Exclusive, WhenFull


@mypyc_attr(native_class=False)
class TooManyQueuesError(BrokerError):
    """A user has as many queues as one may have."""

    condition = Condition.RESOURCE_LIMIT_EXCEEDED

    def __init__(self, user: str, most: int) -> None:
        super().__init__(
            f"user {user!r} has {most} queues, and may have no more (max_queues_per_user); delete one"
        )
        self.user = user


@final
class QueueQuotas(Observer):
    """Counts the queues that each user has declared; the broker itself has no limit.

    Those that belong to a client and drop their oldest messages share the backlog of their user. Callers
    without a name are one user.

    Attributes:
        most: queues of a user; 0 is any number.
    """

    __slots__ = ("_backlog_bytes", "_backlogs", "_numbers", "most")

    def __init__(self) -> None:
        self.most: i64 = 0
        self._numbers: dict[str, int] = {}
        self._backlog_bytes: i64 = UNLIMITED
        self._backlogs: dict[str, UserBacklog] = {}

    def limit_backlogs(self, most_bytes: i64) -> None:
        """Let the backlog of each user take this much of the memory."""
        self._backlog_bytes = most_bytes
        for backlog in self._backlogs.values():
            backlog.most_bytes = most_bytes

    def check(self, owner: Owner, besides: i64 = 0) -> None:
        """Refuse the caller's user one more queue, besides those it has and this many others.

        Raises:
            TooManyQueuesError: the user has as many as one may have.
        """
        if not owner.trusted and 0 < self.most <= self._numbers.get(owner.principal, 0) + besides:
            raise TooManyQueuesError(owner.principal, self.most)

    def restored(self, hosted: HostedQueue, user: str) -> None:
        """Count a queue, which the broker has restored, for the user that had declared it."""
        hosted.creator = Owner(principal=user)
        self.queue_declared(hosted)

    def queue_declared(self, hosted: HostedQueue) -> None:
        """See Observer."""
        if not hosted.creator.trusted:
            user = hosted.creator.principal
            self._numbers[user] = self._numbers.get(user, 0) + 1
            spec = hosted.queue.spec
            if spec.limit.when_full is WhenFull.DROP_OLDEST and spec.exclusive is not Exclusive.NONE:
                hosted.queue.contents.share = BacklogShare(self._backlog_of(user))

    def queue_deleted(self, hosted: HostedQueue) -> None:
        """See Observer."""
        if hosted.creator.trusted:
            return
        share = hosted.queue.contents.share
        if share is not None:
            share.leave()
            hosted.queue.contents.share = None
        user = hosted.creator.principal
        number = self._numbers[user] - 1
        if number > 0:
            self._numbers[user] = number
        else:
            del self._numbers[user]
            self._backlogs.pop(user, None)

    def _backlog_of(self, user: str) -> UserBacklog:
        backlog = self._backlogs.get(user)
        if backlog is None:
            backlog = self._backlogs[user] = UserBacklog(self._backlog_bytes)
        return backlog
