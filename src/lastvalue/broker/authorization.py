"""Authorization: the broker asks here whether a caller may carry out a verb, before anything is changed."""

from collections.abc import Callable
from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.not_leader import NotLeaderError
from lastvalue.broker.observers import Observer
from lastvalue.broker.ownership import holder_of
from lastvalue.broker.partitions import Partition, Partitions
from lastvalue.broker.queue_host import HostedQueue
from lastvalue.broker.queue_names import owns
from lastvalue.broker.rights.audit import AuditRecord
from lastvalue.broker.rights.owner import Owner, QueueEndingError, QueueLockedError
from lastvalue.broker.rights.permissions import (
    ADMINISTER,
    BROWSE,
    READ,
    WRITE,
    ImpersonationError,
    NotPermittedError,
    Permissions,
)
from lastvalue.broker.rights.verbs import NEEDS, REACH, SENDERS, WITHOUT_LEADING, Verb
from lastvalue.broker.routing.bindings import Binding
from lastvalue.broker.routing.exchanges import DEFAULT, Exchange, ExchangeNotFoundError, Exchanges
from lastvalue.broker.routing.nodes import Node
from lastvalue.broker.watches.watch import may_lack
from lastvalue.model.errors import QueueNotFoundError
from lastvalue.queues.spec import SUBSCRIPTIONS, Exclusive, QueueSpec
from lastvalue.queues.spec_arguments import differences
from lastvalue.queues.subscription import ANY, Mode, Terms

_WORDS: Final = {REACH: "ask about"}
_UNNAMED: Final = ("", "anonymous")
"""Users of connections without a login, and of those that log in by ANONYMOUS."""


@final
class Target:
    """The right to publish to a node, which the broker gives and a change of permissions takes away.

    Only `Broker.target` makes one. Publishing tests `revoked` alone, so a message costs one test.

    Attributes:
        node: the node that gets the messages.
        revoked: the caller may not publish there any more.
    """

    __slots__ = ("name", "node", "owner", "revoked")

    def __init__(self, node: Node, name: str, owner: Owner) -> None:
        self.node = node
        self.name = name
        self.owner = owner
        self.revoked = False

    def check(self) -> None:
        """Refuse a message once the right is revoked.

        Raises:
            NotPermittedError: it is revoked.
        """
        if self.revoked:
            raise NotPermittedError(self.owner.principal, WRITE, self.name)

    def taker(self) -> HostedQueue:
        """The queue that takes what is published, where the node is a queue.

        Raises:
            NotPermittedError: the right is revoked.
            QueueNotFoundError: the node is no queue.
        """
        self.check()
        hosted = self.node.hosted
        if hosted is None:
            raise QueueNotFoundError(self.name)
        return hosted.taker()


@final
class Authorization:
    """Decides what callers may do, and records what they did and were refused, see `broker.audit`.

    Attributes:
        permissions: gives the permissions of a user by name; None allows everybody everything.
        denied: the number of refusals, by the verb.
        partitions: which brokers have which queues; None if this one has all.
        leader: where this broker follows another one, the address of that, or "" while it is not known;
            None if it decides itself.
    """

    __slots__ = (
        "_audit", "_exchanges", "_observers", "_queues", "_targets", "denied", "leader", "partitions",
        "permissions",
    )  # fmt: skip

    def __init__(
        self, queues: dict[str, HostedQueue], exchanges: Exchanges, observers: list[Observer]
    ) -> None:
        self.permissions: Callable[[str], Permissions] | None = None
        self._queues = queues
        self._exchanges = exchanges
        self._observers = observers
        self._audit: list[AuditRecord] = []
        self.denied: dict[str, int] = {verb.spelling: 0 for verb in Verb}
        self.leader: str | None = None
        self.partitions: Partitions | None = None
        self._targets: dict[Target, None] = {}

    def check(self, owner: Owner, verb: Verb, names: tuple[str | None, ...] = ()) -> None:
        """Refuse a verb unless the caller has every right that it needs.

        Args:
            owner: the caller.
            verb: the verb that it asks for.
            names: one name for each need of the verb but those with `sends_on`, in that order; None if the
                need does not apply.

        Raises:
            NotPermittedError: a right is missing.
            QueueLockedError: the verb does more than publish to another connection's temporary node.
            NotLeaderError: only the leader carries out the verb, and this broker follows it.
            OtherPartitionError: it is a message for a queue that another broker has.
        """
        self._check_rights(owner, verb, names)
        self._check_holders(owner, verb, names)
        self._check_leads(owner, verb)
        if self.partitions is not None and verb is Verb.PUBLISH and names[0] and not owner.trusted:
            self.partitions.check_here(names[0])

    def check_here(self, owner: Owner, name: str) -> None:
        """Refuse the use of a missing name that another broker has, once the caller may know of it.

        Raises:
            OtherPartitionError: it has.
        """
        if self.partitions is not None and self.reaches(owner, name):
            self.partitions.check_here(name)

    def divided(self, name: str) -> Partition | None:
        """The partition of a queue whose keys several brokers have, or None."""
        return None if self.partitions is None else self.partitions.divided(name)

    def visible_partitions(self, owner: Owner) -> list[Partition]:
        """The partitions that could have a queue which the caller may see."""
        if self.partitions is None:
            return []
        if self.permissions is None or owner.trusted:
            return list(self.partitions)
        permissions = self.permissions(owner.principal)
        return [each for each in self.partitions if permissions.could_reach(each.pattern)]

    def _check_leads(self, owner: Owner, verb: Verb) -> None:
        if self.leader is not None and verb not in WITHOUT_LEADING and not owner.trusted:
            raise NotLeaderError(verb.value, self.leader)

    def _check_rights(self, owner: Owner, verb: Verb, names: tuple[str | None, ...]) -> None:
        need = self._missing(owner, verb, names)
        if need is not None:
            self._refuse(owner, verb, *need)

    def _refuse(self, owner: Owner, verb: Verb, right: str, name: str) -> None:
        word = _WORDS.get(right, right)
        self._note_refusal(AuditRecord(owner, verb, name, "", "", word))
        raise NotPermittedError(owner.principal, word, name)

    def _note_refusal(self, record: AuditRecord) -> None:
        self._audit.append(record)
        self.denied[record.verb.spelling] += 1
        for observer in self._observers:
            observer.command_refused(record)

    def check_sender(self, owner: Owner, user_id: str) -> None:
        """Refuse a message with another user's id, unless the caller may send such messages.

        Without permissions an anonymous caller may be anybody, so only those who have logged in are refused.

        Raises:
            ImpersonationError: the caller may not.
        """
        if self.permissions is None:
            refused = owner.principal not in _UNNAMED
        else:
            refused = self._missing(owner, Verb.IMPERSONATE, (None,)) is not None
        if refused and user_id != owner.principal:
            self._note_refusal(AuditRecord(owner, Verb.IMPERSONATE, SENDERS, "", user_id, ADMINISTER))
            raise ImpersonationError(owner.principal, user_id)

    def allows(self, owner: Owner, verb: Verb, names: tuple[str | None, ...] = ()) -> bool:
        """Whether `check` would pass; this records no refusal."""
        return self._missing(owner, verb, names) is None and self._held(owner, verb, names) is None

    def check_owned(self, owner: Owner, principal: str, verb: Verb) -> None:
        """Refuse a verb on another user's object, unless the caller has the rights for that.

        Raises:
            NotPermittedError: the object is another user's, and a right is missing.
        """
        if owner.principal != principal:
            self.check(owner, verb)

    def allows_owned(self, owner: Owner, principal: str, verb: Verb) -> bool:
        """Whether `check_owned` would pass; this records no refusal."""
        return owner.principal == principal or self.allows(owner, verb)

    # ------------------------------------------------------------------ temporary nodes

    def _check_holders(self, owner: Owner, verb: Verb, names: tuple[str | None, ...]) -> None:
        held = self._held(owner, verb, names)
        if held is None:
            return
        hosted = self._queues.get(held)
        if hosted is not None and hosted.ownership.over:
            raise QueueEndingError(held)
        raise QueueLockedError(held, Exclusive.CONNECTION.value)

    def _held(self, owner: Owner, verb: Verb, names: tuple[str | None, ...]) -> str | None:
        """The first name of another connection's temporary node, if the verb does more than publish to it.

        Who may close that connection may also see its nodes; where there are no permissions, everybody may.
        """
        for need, name in zip(NEEDS[verb], names, strict=False):
            if need.right == WRITE or name is None or not self._is_anothers(owner, name):
                continue
            if self.permissions is None and verb is not Verb.QUERY:
                return name
            if self._missing(owner, Verb.CLOSE_CONNECTION, ()) is not None:
                return name
        return None

    def _is_anothers(self, owner: Owner, name: str) -> bool:
        """Whether a node is temporary, and another connection's."""
        hosted, exchange = self._queues.get(name), self._exchanges.get(name)
        holder: i64 = 0 if hosted is None else holder_of(hosted)
        if holder == 0 and exchange is not None:
            holder = exchange.holder
        return holder not in (0, owner.connection) and not owner.trusted

    # ------------------------------------------------------------------ what callers may see

    def reaches(self, owner: Owner, name: str) -> bool:
        """Whether the caller may know that the name is there, for example to publish to it."""
        verbs = (Verb.QUERY, Verb.PUBLISH)
        return any(self.allows(owner, verb, (name,)) for verb in verbs)

    def check_reached(self, owner: Owner, verb: Verb, asked: str, *names: str) -> None:
        """Refuse a caller that has no right on any of these names, which an address may stand for.

        It is refused in the same words whether there is such a node or not. The names are `asked` by default.

        Raises:
            NotPermittedError: it has none.
        """
        if all(self._missing(owner, Verb.QUERY, (each,)) is not None for each in names or (asked,)):
            self._refuse(owner, verb, NEEDS[verb][0].right, asked)

    def check_address(self, owner: Owner, verb: Verb, address: str, node: Node | None) -> None:
        """Refuse a caller without any right where an address leads, or would lead if there were such a node.

        Raises:
            NotPermittedError: it has none; in the same words whether there is such a node or not.
        """
        if node is not None:
            self.check_reached(owner, verb, address, node.name)
        else:
            parts = (address.partition("/")[0], *address.split("::"))
            self.check_reached(owner, verb, address, address, *parts)

    def find(self, owner: Owner, verb: Verb, name: str) -> HostedQueue:
        """The queue of a name, for a caller that asks for a verb on it alone.

        Raises:
            NotPermittedError: a right is missing; without any right on the name, whether it exists or not.
            QueueLockedError: it is another connection's temporary queue.
            QueueNotFoundError: no queue has that name, and the caller has some right on it.
        """
        self.check_reached(owner, verb, name)
        hosted = self._queues.get(name)
        if hosted is None:
            raise QueueNotFoundError(name)
        self._check_rights(owner, verb, (name,))
        self._check_holders(owner, verb, (name,))
        return hosted

    def find_exchange(self, owner: Owner, verb: Verb, name: str) -> Exchange:
        """The exchange of a name, for a caller that asks for a verb on it; that checks the verb's rights.

        Raises:
            NotPermittedError: there is none, and the caller has no right on the name.
            ExchangeNotFoundError: there is none, and the caller has some right on it.
        """
        exchange = self._exchanges.get(name)
        if exchange is None:
            self.check_reached(owner, verb, name)
            raise ExchangeNotFoundError(name)
        return exchange

    def shows(self, owner: Owner, name: str) -> bool:
        """Whether the caller may see the queue or exchange of that name, in lists and with what it has."""
        return self.allows(owner, Verb.QUERY, (name,))

    def queue_names(self) -> list[str]:
        """The names of all queues, in any order; `shown_queue` says which of them a caller may see."""
        return list(self._queues)

    def shown_queue(self, owner: Owner, name: str) -> HostedQueue | None:
        """The queue of that name, if it exists and the caller may see it in lists."""
        return self._queues.get(name) if self.shows(owner, name) else None

    def visible_queue(self, owner: Owner, name: str) -> HostedQueue | None:
        """The queue of that name, if it exists and the caller may know it."""
        return self._queues.get(name) if self.reaches(owner, name) else None

    def visible_exchange(self, owner: Owner, name: str) -> Exchange | None:
        """The exchange of that name, if it exists and the caller may know it; the default one is for all."""
        return self._exchanges.get(name) if name == DEFAULT or self.reaches(owner, name) else None

    def visible_bindings(self, owner: Owner, exchange: Exchange, name: str) -> list[Binding]:
        """The bindings of queues to an exchange; to the default exchange, that of the queue `name` alone."""
        if exchange is not self._exchanges.default:
            return [each for each in exchange.bindings.values() if not each.to_exchange]
        return [Binding(name, name)] if not name or self.visible_queue(owner, name) is not None else []

    def _missing(self, owner: Owner, verb: Verb, names: tuple[str | None, ...]) -> tuple[str, str] | None:
        """The first right that the caller lacks, and on which name."""
        permissions = self.permissions
        if permissions is None or owner.trusted:
            return None
        for at, need in enumerate(NEEDS[verb]):
            if need.sends_on:
                others = [each for each in names[1:] if each is not None]
                name = names[0] if others else None
            else:
                name = need.subject if need.fixed else names[at]
            if name is not None and not _has(permissions(owner.principal), owner.principal, need.right, name):
                return need.right, name
        return None

    def missing_right(self, user: str, verb: Verb, name: str, other: str | None) -> tuple[str, str] | None:
        """The first right that a user lacks for a verb on a name, and on which name; None if there is none.

        `other` is the destination of verbs that have one, or None.
        """
        needs = [need for need in NEEDS[verb] if not need.sends_on]
        subject = needs[0].subject
        names: list[str | None] = [name if need.subject == subject else other for need in needs]
        return self._missing(Owner(principal=user), verb, tuple(names))

    # ------------------------------------------------------------------ commands that touch several names

    def check_spec(self, owner: Owner, verb: Verb, spec: QueueSpec) -> None:
        """Refuse a queue's declaration unless the caller may let its messages go to the nodes that it names.

        A history that does not exist yet is declared with the queue. A redirect is both queues' affair, also
        when it ends.

        Raises:
            NotPermittedError: a right is missing.
            OtherPartitionError: another broker has the queue.
            InvalidSpecError: several have it, and it needs one order of all messages.
        """
        self.check(owner, verb, (spec.name, spec.alternate, spec.expiry_alternate, spec.history))
        # What a store has is restored whatever the partitions are now.
        if self.partitions is not None and not owner.trusted:
            self.partitions.check_here(spec.name)
            self.partitions.check_spec(spec)
        if spec.history is not None and spec.history not in self._queues:
            self.check(owner, Verb.DECLARE_QUEUE, (spec.history, None, None, None))
        present = self._queues.get(spec.name) if verb is Verb.UPDATE_QUEUE else None
        before = None if present is None else present.queue.spec.redirect
        for peer in (spec.redirect, before):
            if peer is not None:
                self.check(owner, Verb.REDIRECT_QUEUE, (spec.name,) * 3 + (peer,) * 3)

    def check_reader(self, hosted: HostedQueue, mode: Mode, owner: Owner, terms: Terms = ANY) -> None:
        """Refuse a reader that may not read the queue, or the exchanges behind a subscription's queue.

        Raises:
            NotPermittedError: a right is missing.
            QueueLockedError: the queue or the exchange is another connection's temporary one.
            NotLeaderError: the reader would take messages, or may have had more than is here; and this broker
                follows another one.
        """
        for verb, name in self._read(hosted, mode):
            self._check_rights(owner, verb, (name,))
            self._check_holders(owner, verb, (name,))
        if mode is Mode.CONSUME and not hosted.queue.spec.readers.non_destructive:
            self._check_leads(owner, Verb.CONSUME)
        if self.leader is not None and terms.watch is not None and may_lack(hosted.queue, terms.watch):
            raise NotLeaderError("continue after this token, up to which it has not read yet", self.leader)

    def may_read(self, hosted: HostedQueue, mode: Mode, owner: Owner) -> bool:
        """Whether `check_reader` would pass; this records no refusal."""
        return all(self.allows(owner, verb, (name,)) for verb, name in self._read(hosted, mode))

    def _read(self, hosted: HostedQueue, mode: Mode) -> list[tuple[Verb, str]]:
        name = hosted.queue.spec.name
        reads = [(Verb.CONSUME if mode is Mode.CONSUME else Verb.BROWSE, name)]
        if name.startswith(SUBSCRIPTIONS):
            reads += [(Verb.CONSUME, exchange.name) for exchange, _ in self._exchanges.bindings_of(name)]
        return reads

    # ------------------------------------------------------------------ the right to publish

    def add(self, target: Target) -> None:
        """Watch a target, to revoke it when its caller loses the right."""
        if self.permissions is not None:
            self._targets[target] = None

    def remove(self, target: Target) -> None:
        """Stop watching a target."""
        self._targets.pop(target, None)

    def revoke(self) -> None:
        """Revoke the targets that the changed permissions no longer allow."""
        for target in list(self._targets):
            target.revoked = not self.allows(target.owner, Verb.PUBLISH, (target.name,))

    # ------------------------------------------------------------------ the audit

    def note(self, owner: Owner, verb: Verb, name: str, destination: str = "", detail: str = "") -> bool:
        """Record a command that has changed something, unless it was the broker's own; always true."""
        if not owner.trusted:
            self._audit.append(AuditRecord(owner, verb, name, destination, detail))
        return True

    def note_end(self, creator: Owner, verb: Verb, name: str, cause: str) -> None:
        """Record that the broker has deleted a node by itself; it counts as its creator's."""
        self._audit.append(AuditRecord(creator, verb, name, "", cause))

    def note_change(self, owner: Owner, spec: QueueSpec, before: QueueSpec) -> None:
        """Record the options of a queue that a caller has changed."""
        changed = differences(spec, before)
        if spec.redirect != before.redirect:
            self.note(owner, Verb.REDIRECT_QUEUE, spec.name, spec.redirect or "", changed)
        elif changed:
            self.note(owner, Verb.UPDATE_QUEUE, spec.name, "", changed)

    def pending_audit(self) -> list[AuditRecord]:
        """What was done and refused since `take_audit`, oldest first; not to be changed."""
        return self._audit

    def take_audit(self) -> list[AuditRecord]:
        """What was done and refused since the last call, oldest first."""
        audit = self._audit
        if audit:
            self._audit = []
        return audit


def _has(permissions: Permissions, user: str, right: str, name: str) -> bool:
    if owns(user, name):
        return True
    if right == REACH:
        return permissions.reaches(name)
    # The right to consume includes the right to browse.
    return permissions.allows(right, name) or (right == BROWSE and permissions.allows(READ, name))
