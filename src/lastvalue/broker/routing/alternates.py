"""Which queues and exchanges may name which others as their alternates."""

from dataclasses import replace
from typing import final

from mypy_extensions import mypyc_attr

from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.routing.definitions import survives
from lastvalue.broker.routing.exchange_spec import ExchangeSpec
from lastvalue.broker.routing.exchanges import Exchanges
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import BrokerError, QueueExistsError
from lastvalue.queues.spec import QueueSpec
from lastvalue.queues.spec_arguments import differences


@mypyc_attr(native_class=False)
class UnknownAlternateError(BrokerError):
    """An alternate does not exist."""

    condition = Condition.NOT_FOUND

    def __init__(self, name: str, alternate: str) -> None:
        super().__init__(
            f"{name!r} names the alternate {alternate!r}, which does not exist; declare it first"
        )
        self.name = name


@mypyc_attr(native_class=False)
class AlternateError(BrokerError):
    """A durable node names an alternate that a restart removes."""

    condition = Condition.PRECONDITION_FAILED

    def __init__(self, name: str, alternate: str) -> None:
        super().__init__(
            f"{name!r} is durable; its alternate {alternate!r} must be durable too, "
            "and not end with a connection, session or link"
        )
        self.name = name


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
    """Counts the uses of every name as an alternate or a history."""

    __slots__ = ("_exchanges", "_queues", "_uses")

    def __init__(self, queues: dict[str, HostedQueue], exchanges: Exchanges) -> None:
        self._queues = queues
        self._exchanges = exchanges
        self._uses: dict[str, int] = {}

    def exists(self, name: str) -> bool:
        """Whether there is a queue or an exchange of that name."""
        return name in self._queues or self._exchanges.get(name) is not None

    def check_queue(self, spec: QueueSpec) -> None:
        """Refuse a queue whose alternates cannot serve it.

        Raises:
            UnknownAlternateError: an alternate does not exist.
            AlternateError: the queue survives a restart and an alternate does not.
        """
        for alternate in (spec.alternate, spec.expiry_alternate):
            self._check(spec.name, alternate, survives(spec))

    def check_exchange(self, spec: ExchangeSpec) -> None:
        """Refuse an exchange whose alternate cannot serve it; raises as `check_queue` does."""
        self._check(spec.name, spec.alternate, spec.durable)

    def _check(self, name: str, alternate: str | None, stays: bool) -> None:
        if alternate is None:
            return
        exchange = self._exchanges.get(alternate)
        hosted = self._queues.get(alternate)
        if exchange is None and hosted is None:
            raise UnknownAlternateError(name, alternate)
        lasts = exchange.spec.durable if exchange is not None else True
        if exchange is None and hosted is not None:
            lasts = survives(hosted.queue.spec)
        if stays and not lasts:
            raise AlternateError(name, alternate)

    def use(self, *names: str | None) -> None:
        """Count one more user of these alternates, or of this history."""
        for name in names:
            if name is not None:
                self._uses[name] = self._uses.get(name, 0) + 1

    def release(self, *names: str | None) -> None:
        """Count one user less of each."""
        for name in names:
            if name is not None:
                left = self._uses.get(name, 0) - 1
                if left > 0:
                    self._uses[name] = left
                else:
                    self._uses.pop(name, None)

    def is_used(self, name: str) -> bool:
        """Whether a node names this one as its alternate or history."""
        return name in self._uses

    def check_unused(self, name: str) -> None:
        """Refuse to delete a node that another one names.

        Raises:
            NodeInUseError: it is the alternate or the history of another node.
        """
        if name in self._uses:
            raise NodeInUseError(name)


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
