"""Who owns queues and when they are deleted: exclusivity and lifetimes."""

from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.rights.owner import Owner, QueueEndingError, QueueLockedError
from lastvalue.model.errors import NodeUsedError
from lastvalue.model.message import NEVER
from lastvalue.queues.spec import Exclusive, Lifetime, QueueSpec
from lastvalue.queues.spec_arguments import check_changeable
from lastvalue.queues.subscription import Mode, Modes

_OWNED: Final = (Exclusive.SESSION, Exclusive.CONNECTION, Exclusive.CONTAINER, Exclusive.PRINCIPAL)
_TEMPORARY: Final = (Exclusive.SESSION, Exclusive.CONNECTION)
_BY_USE: Final = (Lifetime.NO_OUTBOUND_LINKS, Lifetime.NO_LINKS, Lifetime.NO_LINKS_OR_MESSAGES)


@final
class OwnershipTable:
    """Knows the owner of each queue and decides which lifetimes are over; the broker deletes the queues."""

    __slots__ = ("_scoped",)

    def __init__(self) -> None:
        self._scoped: dict[int, dict[str, HostedQueue]] = {}

    # ------------------------------------------------------------------ exclusivity

    def declared(self, hosted: HostedQueue, owner: Owner) -> None:
        """Register a new queue and the caller that declared it."""
        spec = hosted.queue.spec
        if spec.exclusive in _OWNED and _part(spec.exclusive, owner):
            hosted.ownership.owner = owner
        scope: i64 = 0
        if spec.lifetime is Lifetime.CONNECTION_CLOSE:
            scope = owner.connection
        elif spec.lifetime is Lifetime.SESSION_END:
            scope = owner.session
        elif spec.lifetime is Lifetime.CREATING_LINK_CLOSE:
            scope = owner.link
        self._enter(scope, hosted)
        if spec.exclusive is Exclusive.SESSION:
            self._enter(owner.session, hosted)
        elif spec.exclusive is Exclusive.CONNECTION:
            self._enter(owner.connection, hosted)

    def _enter(self, number: i64, hosted: HostedQueue) -> None:
        if number > 0:
            self._scoped.setdefault(number, {})[hosted.queue.spec.name] = hosted
            hosted.ownership.scopes.append(number)

    def check(self, hosted: HostedQueue, owner: Owner) -> None:
        """Refuse a caller that is not the owner of an exclusive queue.

        Raises:
            QueueLockedError: another owner has it.
            QueueEndingError: its lifetime is over.
        """
        if hosted.ownership.over and not owner.trusted:
            raise QueueEndingError(hosted.queue.spec.name)
        exclusive = hosted.queue.spec.exclusive
        present = hosted.ownership.owner
        if present is not None and not owner.trusted and _part(exclusive, present) != _part(exclusive, owner):
            raise QueueLockedError(hosted.queue.spec.name, exclusive.value)

    def check_reader(self, hosted: HostedQueue, mode: Mode, owner: Owner) -> None:
        """Refuse a consumer that is not the owner of an exclusive queue; who browses needs only rights.

        Raises:
            QueueLockedError: another owner has it.
        """
        if mode is not Mode.CONSUME:
            return
        exclusive = hosted.queue.spec.exclusive
        if exclusive is Exclusive.NONE and not hosted.ownership.over:
            return
        if exclusive is Exclusive.LINK and hosted.consumers > 0:
            raise QueueLockedError(hosted.queue.spec.name, "link")
        self.check(hosted, owner)

    def check_change(self, hosted: HostedQueue, wanted: QueueSpec, owner: Owner) -> None:
        """Refuse a change of what a queue has for life, or of its kind of owner while somebody uses it.

        Raises:
            InvalidSpecError: an option differs that a queue cannot change.
            QueueLockedError: another owner has it.
            NodeUsedError: somebody owns or reads it.
        """
        self.check(hosted, owner)
        spec = hosted.queue.spec
        check_changeable(spec, wanted)
        used = hosted.ownership.owner is not None or hosted.consumers > 0
        # Who reads from a follower is unknown to the leader, whose changes come here.
        if spec.exclusive is not wanted.exclusive and used and not hosted.queue.contents.follows:
            raise NodeUsedError(
                f"queue {spec.name!r} is in use: exclusive can change while nobody owns or reads it"
            )

    def changed(self, hosted: HostedQueue, before: QueueSpec, now: i64) -> None:
        """Restart the time after which an unused queue is deleted, if lifetime or delay have changed.

        Who owned the queue does so no more, if `exclusive` has changed: only a follower has such an owner.
        """
        spec = hosted.queue.spec
        if before.exclusive is not spec.exclusive:
            hosted.ownership.owner = None
            hosted.ownership.by_use = False
        if before.lifetime is spec.lifetime and before.auto_delete_delay_ms == spec.auto_delete_delay_ms:
            return
        hosted.end_at(NEVER)
        if _is_unused(hosted) and spec.auto_delete_delay_ms > 0:
            hosted.end_at(now + spec.auto_delete_delay_ms)

    def check_unused(self, hosted: HostedQueue, modes: Modes, if_empty: bool) -> None:
        """Refuse a deletion while there are readers of these modes, or messages where it asks for none.

        Raises:
            NodeUsedError: there are.
        """
        name = hosted.queue.spec.name
        readers = len([1 for reader in hosted.readers if reader.subscription.mode in modes])
        if readers > 0:
            raise NodeUsedError(f"queue {name!r} is in use: it has {readers} readers")
        if if_empty and hosted.queue.depth > 0:
            raise NodeUsedError(f"queue {name!r} is not empty: it has {hosted.queue.depth} messages")

    def joined(self, hosted: HostedQueue, owner: Owner, reads: bool) -> None:
        """Note a link to or from the queue; its caller may become the owner."""
        ownership = hosted.ownership
        ownership.linked = True
        if ownership.ends_ms != NEVER:
            hosted.end_at(NEVER)
        if not reads:
            return
        ownership.read = True
        exclusive = hosted.queue.spec.exclusive
        if ownership.owner is None and exclusive in _OWNED and _part(exclusive, owner):
            ownership.owner = owner
            ownership.by_use = True

    # ------------------------------------------------------------------ lifetimes

    def left(self, hosted: HostedQueue, now: i64) -> bool:
        """Note that a link has ended; whether the queue's lifetime ends with it."""
        ownership = hosted.ownership
        if ownership.by_use and hosted.consumers == 0:
            ownership.owner = None
            ownership.by_use = False
        return self.is_over(hosted, now)

    def idle(self, hosted: HostedQueue, now: i64) -> None:
        """Restart the time after which a queue without readers is deleted, if it has one."""
        ownership = hosted.ownership
        spec = hosted.queue.spec
        if spec.lifetime in _BY_USE and spec.auto_delete_delay_ms > 0 and not hosted.readers:
            ownership.read = ownership.linked = True
            hosted.end_at(now + spec.auto_delete_delay_ms)

    def is_over(self, hosted: HostedQueue, now: i64) -> bool:
        """Whether the broker must delete the queue now because it is unused."""
        return not hosted.ownership.over and _is_unused(hosted) and self._falls_due(hosted, now)

    def ended(self, number: i64, now: i64) -> list[HostedQueue]:
        """Note the end of a connection, session or link; returns the queues whose lifetime ends with it."""
        queues = self._scoped.pop(number, None)
        if queues is None:
            return []
        ended = []
        for hosted in queues.values():
            spec = hosted.queue.spec
            ownership = hosted.ownership
            scoped = spec.lifetime not in _BY_USE and spec.lifetime is not Lifetime.PERMANENT
            owner = ownership.owner
            if owner is not None and number in (owner.session, owner.connection):
                ownership.owner = None
            # [Qpid C++] An exclusive queue that is deleted when unused is also deleted when its owner ends.
            over = ownership.over or ownership.ending
            if (scoped or spec.lifetime in _BY_USE) and not over and self._falls_due(hosted, now):
                ended.append(hosted)
        return ended

    def _falls_due(self, hosted: HostedQueue, now: i64) -> bool:
        spec = hosted.queue.spec
        ownership = hosted.ownership
        if spec.auto_delete_delay_ms <= 0:
            return True
        if ownership.ends_ms == NEVER:
            hosted.end_at(now + spec.auto_delete_delay_ms)
        return ownership.ends_ms <= now

    def forget(self, hosted: HostedQueue) -> None:
        """Forget a deleted queue."""
        for number in hosted.ownership.scopes:
            queues = self._scoped.get(number)
            if queues is not None:
                queues.pop(hosted.queue.spec.name, None)
                if not queues:
                    del self._scoped[number]

    def is_due(self, hosted: HostedQueue, now: i64) -> bool:
        """Whether the queue was unused for long enough; messages count as use where the lifetime says so."""
        ownership = hosted.ownership
        if ownership.ending or ownership.over or ownership.ends_ms > now:
            return False
        if hosted.queue.spec.lifetime is Lifetime.NO_LINKS_OR_MESSAGES and hosted.queue.depth > 0:
            hosted.end_at(NEVER)
            return False
        return True


def holder_of(hosted: HostedQueue) -> i64:
    """The number of the connection that alone uses a queue; 0 if there is none, -1 once that has ended."""
    if hosted.queue.spec.exclusive not in _TEMPORARY:
        return 0
    ownership = hosted.ownership
    if ownership.over:
        return -1
    return 0 if ownership.owner is None or ownership.by_use else ownership.owner.connection


def _part(exclusive: Exclusive, owner: Owner) -> str | int:
    """The part of the owner to which an exclusive queue belongs; empty if the owner has no such part."""
    if exclusive is Exclusive.SESSION:
        return owner.session
    if exclusive is Exclusive.CONNECTION:
        return owner.connection
    return owner.principal if exclusive is Exclusive.PRINCIPAL else owner.container


def _is_unused(hosted: HostedQueue) -> bool:
    lifetime = hosted.queue.spec.lifetime
    ownership = hosted.ownership
    if lifetime is Lifetime.NO_OUTBOUND_LINKS:
        return ownership.read and not hosted.readers
    if lifetime is Lifetime.NO_LINKS:
        return ownership.linked and not hosted.readers and not hosted.publishers
    if lifetime is Lifetime.NO_LINKS_OR_MESSAGES:
        return ownership.linked and not hosted.readers and not hosted.publishers and hosted.queue.depth == 0
    return False
