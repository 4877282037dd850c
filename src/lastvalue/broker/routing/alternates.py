"""Which nodes others name as their alternates, and what that means for them."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias, final

from mypy_extensions import mypyc_attr

from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.routing.exchanges import Exchanges
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import BrokerError, QueueExistsError
from lastvalue.queues.spec import DEFAULT_EXCHANGE, QueueSpec
from lastvalue.queues.spec_arguments import differences

QueueCheck: TypeAlias = Callable[[HostedQueue], None]
"""Refuses a declaration, by an error, if the queue of that name that exists does not do for it."""


@mypyc_attr(native_class=False)
class AlternateFixedError(BrokerError):
    """The queue that is declared exists with another alternate."""

    condition = Condition.NOT_ALLOWED

    def __init__(self, name: str, asked: str, held: str | None) -> None:
        super().__init__(
            f"queue {name!r} exists with the alternate {held!r}; a declaration cannot make it {asked!r}"
        )
        self.name = name


@mypyc_attr(native_class=False)
class NodeInUseError(BrokerError):
    """The node cannot be deleted, because another one names it as its alternate or history."""

    condition = Condition.NOT_ALLOWED

    def __init__(self, name: str) -> None:
        super().__init__(f"{name!r} is an alternate or the history of a queue or exchange; delete that first")
        self.name = name


@final
class Alternates:
    """Counts the uses of every name as an alternate, and those as a history. Alternates may be missing.

    Attributes:
        histories: the uses of names as histories.
    """

    __slots__ = ("_exchanges", "_queues", "_uses", "histories")

    def __init__(self, queues: dict[str, HostedQueue], exchanges: Exchanges) -> None:
        self._queues = queues
        self._exchanges = exchanges
        self._uses: dict[str, int] = {}
        self.histories: dict[str, int] = {}

    def exists(self, name: str) -> bool:
        """Whether there is a queue or an exchange of that name."""
        return name == DEFAULT_EXCHANGE or name in self._queues or self._exchanges.get(name) is not None

    def use_queue(self, spec: QueueSpec) -> None:
        """Count a queue as a user of its alternates and of its history."""
        self.use(spec.name, spec.alternate, spec.expiry_alternate)
        _count(self.histories, spec.history, 1)

    def release_queue(self, spec: QueueSpec) -> None:
        """Undo `use_queue`."""
        self.release(spec.name, spec.alternate, spec.expiry_alternate)
        _count(self.histories, spec.history, -1)

    def use(self, user: str, *names: str | None) -> None:
        """Count one more user of these alternates; a node does not use itself."""
        for name in names:
            if name != user:
                _count(self._uses, name, 1)

    def release(self, user: str, *names: str | None) -> None:
        """Undo `use`."""
        for name in names:
            if name != user:
                _count(self._uses, name, -1)

    def is_used(self, name: str) -> bool:
        """Whether a node names this one as its alternate or history."""
        return name in self._uses or name in self.histories

    def check_unused(self, name: str, even_alternate: bool) -> None:
        """Refuse to delete a history and, without `even_alternate`, the alternate of another node.

        Raises:
            NodeInUseError: it is one.
        """
        if name in self.histories or (name in self._uses and not even_alternate):
            raise NodeInUseError(name)


def _count(uses: dict[str, int], name: str | None, change: int) -> None:
    if name is None:
        return
    count = uses.get(name, 0) + change
    if count > 0:
        uses[name] = count
    else:
        uses.pop(name, None)


def check_equal(wanted: QueueSpec, present: QueueSpec) -> None:
    """Accept a declaration equal to the queue that exists; it may leave out the alternate and the redirect.

    Raises:
        AlternateFixedError: only the alternate differs.
        QueueExistsError: another option differs.
    """
    if wanted == present:
        return
    same = replace(
        wanted,
        alternate=present.alternate,
        expiry_alternate=present.expiry_alternate,
        redirect=present.redirect if wanted.redirect is None else wanted.redirect,
    )
    if same != present:
        raise QueueExistsError(wanted.name, differences(wanted, present))
    for asked, held in (
        (wanted.alternate, present.alternate),
        (wanted.expiry_alternate, present.expiry_alternate),
    ):
        if asked is not None and asked != held:
            raise AlternateFixedError(wanted.name, asked, held)
