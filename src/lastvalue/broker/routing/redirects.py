"""Redirects: pairs of queues that take what is published to each other."""

from dataclasses import replace
from typing import final

from mypy_extensions import i64, mypyc_attr

from lastvalue.broker.long_commands import LongCommands
from lastvalue.broker.message_walk import Choice, moving
from lastvalue.broker.observers import Observer
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.rights.owner import Owner
from lastvalue.broker.routing.definitions import Definitions
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import BrokerError, QueueNotFoundError
from lastvalue.queues.spec import Lifetime, QueueSpec, WhenFull
from lastvalue.selectors import parse_selector


@mypyc_attr(native_class=False)
class RedirectError(BrokerError):
    """A queue cannot be redirected, or cannot change as long as it is."""

    condition = Condition.PRECONDITION_FAILED


@final
class Redirects:
    """Begins and ends redirects [Qpid C++].

    The declaration of the first queue of a pair names the second. A queue is in one pair at most.
    """

    __slots__ = ("_definitions", "_long_commands", "_observers", "_queues")

    def __init__(
        self,
        queues: dict[str, HostedQueue],
        definitions: Definitions,
        long_commands: LongCommands,
        observers: list[Observer],
    ) -> None:
        self._queues = queues
        self._definitions = definitions
        self._long_commands = long_commands
        self._observers = observers

    def check(self, spec: QueueSpec) -> None:
        """Refuse a declaration that names a queue with which it cannot be a pair, or no longer suits its own.

        Raises:
            QueueNotFoundError: the queue that it names does not exist.
            RedirectError: they are not both permanent, or one of them is in another pair or alone durable.
        """
        present = self._queues.get(spec.name)
        peer = None if present is None else present.redirect
        name = spec.redirect
        if name is None:
            if peer is not None and peer.queue.spec.redirect == spec.name:
                _check_pair(peer.queue.spec, spec)
            return
        target = self._queues.get(name)
        if target is None:
            raise QueueNotFoundError(name)
        taken = peer is not None or target.redirect is not None
        if target.queue.spec.redirect is not None or (taken and target is not peer):
            raise RedirectError(f"{spec.name!r} or {name!r} is redirected already; end that first")
        _check_pair(spec, target.queue.spec)

    def begin(self, hosted: HostedQueue) -> None:
        """Have a queue and the one that its declaration names take what is published to each other."""
        name = hosted.queue.spec.redirect
        if name is None:
            return
        target = self._queues[name]
        _join(hosted, target)
        for observer in self._observers:
            observer.queue_redirected(hosted, target)

    def apply(self, hosted: HostedQueue, before: str | None, owner: Owner, now: i64) -> None:
        """Begin the redirect that a changed declaration names, or end the one that it named before.

        At the end the messages of the second queue go to the first one, which gets new ones meanwhile.
        """
        name = hosted.queue.spec.redirect
        if name == before:
            return
        target = hosted.redirect
        if name is not None or target is None:
            self.begin(hosted)
            return
        self._separate(hosted, target)
        moving(target, hosted, Choice(lambda _: True), owner).begin(self._long_commands, now)

    def queue_ends(self, hosted: HostedQueue, now: i64) -> None:
        """End the redirect of a queue that is about to be deleted; its messages stay where they are."""
        peer = hosted.redirect
        if peer is None:
            return
        spec = peer.queue.spec
        if spec.redirect is None:
            self._separate(hosted, peer)
            return
        selector = parse_selector(spec.filter) if spec.filter else None
        peer.queue.reconfigure(replace(spec, redirect=None), now, selector)
        peer.mark_changed()
        self._separate(peer, hosted)
        self._definitions.queue_declared(peer.queue.spec, peer.creator.principal)

    def _separate(self, source: HostedQueue, target: HostedQueue) -> None:
        source.redirect = target.redirect = None
        _tell_publishers(source, target)
        for observer in self._observers:
            observer.redirect_ended(source, target)


def _join(source: HostedQueue, target: HostedQueue) -> None:
    source.redirect, target.redirect = target, source
    _tell_publishers(source, target)


def _tell_publishers(*queues: HostedQueue) -> None:
    """Have publishers recompute their credit, which comes from another queue from now on."""
    for hosted in queues:
        hosted.resume_publishers()


def _check_pair(source: QueueSpec, target: QueueSpec) -> None:
    for spec in (source, target):
        if spec.lifetime is not Lifetime.PERMANENT or spec.limit.when_full is WhenFull.SELF_DESTRUCT:
            raise RedirectError(
                f"queue {spec.name!r} may be deleted by the broker; a redirect needs two permanent queues"
            )
    if source.durable != target.durable:
        raise RedirectError(
            f"of {source.name!r} and {target.name!r} one is durable; a redirect needs both to be, or none"
        )
