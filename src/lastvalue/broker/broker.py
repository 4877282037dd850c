"""The broker: commands in, deliveries and effects out. It knows no protocol, no file and no clock."""

from typing import final

from mypy_extensions import i64

from lastvalue.broker.administration.broker_process import BrokerProcess
from lastvalue.broker.administration.clock_requests import Time
from lastvalue.broker.administration.cluster_requests import Cluster
from lastvalue.broker.administration.configuration_requests import ConfigurationFile
from lastvalue.broker.administration.log_requests import LogTail
from lastvalue.broker.administration.permission_requests import PermittedUsers
from lastvalue.broker.administration.pipeline_requests import Pipeline
from lastvalue.broker.administration.snapshot_requests import Snapshots
from lastvalue.broker.authorization import Authorization, Target
from lastvalue.broker.histories import Histories
from lastvalue.broker.missing_nodes import MissingNodes
from lastvalue.broker.observers import Observer
from lastvalue.broker.ownership import OwnershipTable
from lastvalue.broker.publisher import Publisher
from lastvalue.broker.queue_host import HostedQueue, QueueReader, TurnWork
from lastvalue.broker.queue_names import owns
from lastvalue.broker.queue_quotas import QueueQuotas
from lastvalue.broker.queue_warnings import QueueWarning
from lastvalue.broker.receiver import NullReceiver, Receiver
from lastvalue.broker.resource_alarms import ResourceAlarms
from lastvalue.broker.rights.owner import NOBODY, Owner
from lastvalue.broker.rights.verbs import Verb
from lastvalue.broker.routing.alternates import Alternates, QueueCheck, check_equal
from lastvalue.broker.routing.bindings import Binding
from lastvalue.broker.routing.definitions import Definitions, survives
from lastvalue.broker.routing.exchange_spec import ExchangeSpec, kept_exchange
from lastvalue.broker.routing.exchanges import ExchangeCheck, Exchanges, InternalExchangeError
from lastvalue.broker.routing.forwarder import Forwarder
from lastvalue.broker.routing.nodes import Node, resolved
from lastvalue.broker.routing.redirects import Redirects
from lastvalue.broker.routing.router import Router, RoutingResult
from lastvalue.broker.statistics.connections import Connections
from lastvalue.broker.statistics.queue_statistics import QueueStatistics
from lastvalue.broker.statistics.removal_log import RemovalLogs
from lastvalue.broker.suspended_links import SuspendedLinks
from lastvalue.broker.topology import Topology
from lastvalue.broker.transactions import Transaction, commit
from lastvalue.broker.turn import Turn
from lastvalue.broker.turn_time import IsSpent
from lastvalue.model.errors import NodeUsedError, QueueNotFoundError
from lastvalue.model.memory_budget import MemoryBudget
from lastvalue.model.message import Message
from lastvalue.queues.claims import claim
from lastvalue.queues.effects import Effect
from lastvalue.queues.entry import Entry
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec import QueueSpec
from lastvalue.queues.subscription import ANY, UNBOUNDED, Mode, Modes, Terms
from lastvalue.selectors import parse_selector


@final
class Broker:
    """Every queue and exchange of one process.

    The owner calls commands as they come, and once per turn `pump`, then `drain`. A command names its caller,
    an `Owner`, and checks all the rights that its verb needs (`broker.verbs`) before it changes anything.

    Args:
        all_effects: `drain` returns all effects; else not those that nobody reads (`Contents.notes_all`).

    Attributes:
        exchanges: by name, for reading; the broker's commands declare and delete them.
        router: which queues get a message.
        quotas: how many queues a user may have.
        removal_logs: why the last messages left the queues that remember it.
        missing: declares nodes on the use of a name that does not exist.
        authorization: decides what each caller may do.
        time, snapshots, process: the manual clock, the store's snapshots, the broker's process; or None.
        cluster: the brokers with which it shares a log; or None.
        configuration_file, users: the file that administrators let it read again, those of a file; or None.
        log, pipeline: the newest lines of the log, the pipeline of the file; or None.
        definitions: the outbox of durable nodes and bindings that were declared or deleted.
        deadlines: of the queues, and of all else that becomes due at a time of theirs.
        suspended_links: links that a client may resume.
        alarms: the resource alarms, by which the owner stops producers.
        stores: durable nodes and messages survive a restart.
        memory: the budget of what peers have begun and not finished; its owner sets the limits.
        connections: of every protocol. alternates: which nodes are those of others.
        statistics: sums over the queues, and facts about keys; the first of the observers.
        observers: of the queues, in the order in which they are called.
        long_commands: that take several turns, because they are on very many messages.
        faults: of the broker itself, which the owner logs.
    """

    __slots__ = (
        "_forwarder", "_histories", "_numbers", "_ownership", "_queues", "_redirects",
        "_topology", "_turn", "_turn_work", "alarms", "alternates", "authorization", "cluster",
        "configuration_file", "connections", "deadlines", "definitions", "exchanges", "faults", "log",
        "long_commands", "memory", "missing", "observers", "pipeline", "process", "quotas", "removal_logs",
        "router", "snapshots", "statistics", "stores", "suspended_links", "time", "users",
    )  # fmt: skip

    def __init__(self, all_effects: bool = True) -> None:
        self.exchanges = Exchanges()
        self.definitions = Definitions()
        self.alarms = ResourceAlarms()
        self.memory = MemoryBudget()
        self.stores = False
        self.time: Time | None = None
        self.process: BrokerProcess | None = None
        self.snapshots: Snapshots | None = None
        self.cluster: Cluster | None = None
        self.configuration_file: ConfigurationFile | None = None
        self.users: PermittedUsers | None = None
        self.log: LogTail | None = None
        self.pipeline: Pipeline | None = None
        self._queues: dict[str, HostedQueue] = {}
        self.statistics = QueueStatistics(self._queues)
        self.quotas = QueueQuotas()
        self.observers: list[Observer] = [*self.statistics.observers, self.quotas]
        self.authorization = Authorization(self._queues, self.exchanges, self.observers)
        self.removal_logs = RemovalLogs()
        self.observers.append(self.removal_logs)
        self.connections = Connections(self.authorization, self.observers)
        self._turn_work = TurnWork(self.memory, all_effects)
        self.long_commands = self._turn_work.long_commands
        self.deadlines = self._turn_work.deadlines
        self.faults = self._turn_work.faults
        self.suspended_links = SuspendedLinks(self.deadlines, self.memory)
        self.router = Router(self._queues, self.exchanges)
        self.alternates = Alternates(self._queues, self.exchanges)
        self._forwarder = Forwarder(self._queues, self.exchanges, self.router)
        self._histories = Histories(self._queues)
        self._redirects = Redirects(self._queues, self.definitions, self.long_commands, self.observers)
        self._ownership = OwnershipTable()
        parts = (self.exchanges, self.alternates, self.definitions, self.authorization, self.observers)
        self._topology = Topology(*parts)
        self.missing = MissingNodes(
            self._queues, self.alternates, self._histories, self.authorization, self._declare,
            self._declare_exchange,
        )  # fmt: skip
        self._turn = Turn(
            self._queues, self._turn_work, self._forwarder, self.alternates, self._histories,
            self._ownership, self._topology, self.definitions, self.suspended_links, self.observers,
            self.authorization,
        )  # fmt: skip
        self._numbers: i64 = 0

    def authorize(self, owner: Owner, verb: Verb, *names: str | None) -> None:
        """Refuse a verb unless the caller has every right that it needs (`verbs.NEEDS`).

        Each command checks its own verb. A caller checks only what no command would: before it runs several
        commands, so that a refusal leaves no trace, or where it runs none and tells whether a name exists.

        Raises:
            NotPermittedError: a right is missing.
        """
        self.authorization.check(owner, verb, names)

    def permissions_changed(self, now: i64) -> None:
        """Revoke the targets and end the subscriptions that the changed permissions no longer allow."""
        self.authorization.revoke()
        self._turn.stop_revoked(self.authorization, now)

    # ------------------------------------------------------------------ queues

    def declare(self, spec: QueueSpec, owner: Owner = NOBODY, suits: QueueCheck | None = None) -> bool:
        """Declare a queue; false if an equal one exists. It may leave out the queue's alternate.

        `suits` compares in its place with one that exists, once the rights are checked.

        Raises:
            QueueExistsError: one of that name exists with other options.
            AlternateFixedError: one of that name exists with another alternate, or with none.
            HistoryError, RedirectError: the queue that it names as such cannot be that.
            QueueLockedError: another owner has it.
            TooManyQueuesError: the caller's user has as many queues as one may have.
            NotPermittedError: the caller lacks a right.
        """
        self.authorization.check_spec(owner, Verb.DECLARE_QUEUE, spec)
        present = self._queues.get(spec.name)
        if present is not None and suits is not None:
            suits(present)
            return False
        return self._declare(spec, owner)

    def _declare(self, spec: QueueSpec, owner: Owner) -> bool:
        present = self._queues.get(spec.name)
        if present is not None:
            self._ownership.check(present, owner)
            check_equal(spec, present.queue.spec)
            return False
        self.missing.need_alternates(spec.alternate, spec.expiry_alternate)
        self._redirects.check(spec)
        self.quotas.check(owner)
        self.missing.need_history(spec)
        queue = Queue(spec, parse_selector(spec.filter) if spec.filter else None)
        hosted = HostedQueue(queue, self._turn_work, self.authorization.divided(spec.name))
        hosted.creator = owner
        self._queues[spec.name] = hosted
        self.exchanges.note_queue(spec.name)
        self.alternates.use_queue(spec)
        if spec.history is not None:
            hosted.mark_changed()
        self._ownership.declared(hosted, owner)
        self._turn.held_bytes += hosted.count_bytes()
        self.definitions.queue_declared(spec, owner.principal)
        for observer in self.observers:
            observer.queue_declared(hosted)
        self._redirects.begin(hosted)
        return self.authorization.note(owner, Verb.DECLARE_QUEUE, spec.name)

    def reconfigure(self, spec: QueueSpec, now: i64, owner: Owner = NOBODY) -> None:
        """Change the options of a queue; its messages stay.

        Raises:
            QueueNotFoundError: no queue has that name.
            InvalidSpecError: an option differs that a queue cannot change.
            QueueLockedError, NodeUsedError: another owner has it, or `exclusive` changes while it is used.
            HistoryError, RedirectError: the queue that it names as such cannot be that, or stay it.
            NotPermittedError: the caller lacks a right.
        """
        self.authorization.check_spec(owner, Verb.UPDATE_QUEUE, spec)
        hosted = self.lookup(spec.name)
        before = hosted.queue.spec
        self._ownership.check_change(hosted, spec, owner)
        selector = parse_selector(spec.filter) if spec.filter else None
        self.missing.need_alternates(spec.alternate, spec.expiry_alternate)
        self._redirects.check(spec)
        self.missing.need_history(spec)
        hosted.queue.reconfigure(spec, now, selector)
        self.alternates.use_queue(spec)
        self.alternates.release_queue(before)
        if before.history != spec.history:
            self._turn.record_elsewhere(hosted, now)
        self._ownership.changed(hosted, before, now)
        hosted.apply_spec()
        hosted.mark_changed()
        if before.flow != spec.flow:
            hosted.resume_publishers()
        self.definitions.queue_declared(spec, hosted.creator.principal)
        self._redirects.apply(hosted, before.redirect, owner, now)
        self.authorization.note_change(owner, spec, before)

    def record_anew(self, name: str, now: i64) -> None:
        """Begin the history that a queue has with what it holds, instead of with what has happened."""
        self._turn.record_anew(self.lookup(name), now)

    def lookup(self, name: str) -> HostedQueue:
        """The queue of that name.

        Raises:
            QueueNotFoundError: no queue has that name.
        """
        hosted = self._queues.get(name)
        if hosted is None:
            raise QueueNotFoundError(name)
        return hosted

    def show(self, name: str, owner: Owner = NOBODY) -> HostedQueue:
        """The queue of that name, for a caller that wants to see it.

        Raises:
            NotPermittedError: the caller has no right on the name, whether such a queue exists or not.
            QueueNotFoundError: no queue has that name.
        """
        self.authorize(owner, Verb.QUERY, name)
        return self.lookup(name)

    def check_owner(self, hosted: HostedQueue, owner: Owner) -> None:
        """Refuse a caller that is not the owner of an exclusive queue.

        Raises:
            QueueLockedError: another owner has it.
        """
        self._ownership.check(hosted, owner)

    def own(self, hosted: HostedQueue, owner: Owner) -> None:
        """Make the caller the owner of an exclusive queue that has no owner."""
        self._ownership.declared(hosted, owner)

    def has_queue(self, name: str) -> bool:
        """Whether a queue has that name."""
        return name in self._queues

    def queues(self) -> list[Queue]:
        """Every queue, by name."""
        return [self._queues[name].queue for name in sorted(self._queues)]

    def delete(
        self,
        name: str,
        now: i64,
        owner: Owner = NOBODY,
        unused_by: Modes = (),
        if_empty: bool = False,
        even_alternate: bool = False,
    ) -> int:
        """Delete a queue; returns how many messages it had. They go to its alternate, if it has one.

        Its readers and publishers get `queue_deleted`; until then it can be used. See `long_commands`.

        Raises:
            NodeUsedError: it has readers of the modes `unused_by`, or messages where `if_empty` is true.
            QueueNotFoundError: no queue has that name.
            QueueLockedError: another owner has it.
            NodeInUseError: it is a history or, where `even_alternate` is false, the alternate of a node.
            NotPermittedError: the caller lacks a right.
        """
        self.authorize(owner, Verb.DELETE_QUEUE, name)
        hosted = self.lookup(name)
        self._ownership.check(hosted, owner)
        self._ownership.check_unused(hosted, unused_by, if_empty)
        self.alternates.check_unused(name, even_alternate)
        self._redirects.queue_ends(hosted, now)
        self.authorization.note(owner, Verb.DELETE_QUEUE, name, "", f"{hosted.queue.depth} messages")
        return self._turn.delete_in_steps(hosted, owner.connection, now)

    def purge(self, name: str, owner: Owner = NOBODY) -> int:
        """Remove every available message of a queue; returns how many. See `long_commands`.

        Raises:
            QueueNotFoundError: no queue has that name.
            QueueLockedError: another owner has it.
            NotPermittedError: the caller lacks a right.
        """
        self.authorize(owner, Verb.PURGE_QUEUE, name)
        hosted = self.lookup(name)
        self._ownership.check(hosted, owner)
        self.authorization.note(owner, Verb.PURGE_QUEUE, name, "", f"{hosted.queue.depth} messages")
        return self._turn.purge(hosted, owner)

    # ------------------------------------------------------------------ exchanges

    def declare_exchange(
        self, spec: ExchangeSpec, owner: Owner = NOBODY, scope: i64 = 0, suits: ExchangeCheck | None = None
    ) -> bool:
        """Declare an exchange; false if an equal one exists; see `declare` about `suits`.

        It is deleted when the scope, a number of `identify`, ends.

        Raises:
            ExchangeNotAllowedError: one of that name exists with other options, or the name is reserved.
            TooManyBindingsError: the caller's user has too many exchanges and bindings.
            NotPermittedError: the caller lacks a right.
        """
        self.authorize(owner, Verb.DECLARE_EXCHANGE, spec.name, spec.alternate)
        present = self.exchanges.get(spec.name)
        if present is not None and suits is not None:
            suits(present)
            return False
        return self._declare_exchange(spec, owner, scope)

    def _declare_exchange(self, spec: ExchangeSpec, owner: Owner, scope: i64 = 0) -> bool:
        spec = kept_exchange(spec, scope > 0)
        if self.exchanges.get(spec.name) is None:
            self.missing.need_alternates(spec.alternate, None)
        made = self._topology.declare(spec, owner, scope)
        return made and self.authorization.note(owner, Verb.DECLARE_EXCHANGE, spec.name)

    def reconfigure_exchange(self, spec: ExchangeSpec, owner: Owner = NOBODY) -> None:
        """Change the options of an exchange; raises as `Topology.reconfigure`, and NotPermittedError."""
        self.authorize(owner, Verb.DECLARE_EXCHANGE, spec.name, spec.alternate)
        self.missing.need_alternates(spec.alternate, None)
        self._topology.reconfigure(spec, owner)

    def delete_exchange(
        self, name: str, owner: Owner = NOBODY, if_unused: bool = False, even_alternate: bool = False
    ) -> None:
        """Delete an exchange and its bindings; with `if_unused`, refuse if it has any; see also `delete`.

        Raises:
            NodeUsedError: it has bindings.
            ExchangeNotFoundError: no exchange has that name.
            DefaultExchangeError, ExchangeNotAllowedError: it is one of the broker's own.
            NodeInUseError: it is the alternate of another node.
            NotPermittedError: the caller lacks a right.
        """
        self.authorize(owner, Verb.DELETE_EXCHANGE, name)
        exchange = self.exchanges.check_deletable(name)
        if if_unused and exchange.bindings:
            raise NodeUsedError(f"exchange {name!r} is in use: it has {len(exchange.bindings)} bindings")
        self.alternates.check_unused(name, even_alternate)
        self._turn.delete_exchange(exchange, owner.connection)
        self.authorization.note(owner, Verb.DELETE_EXCHANGE, name)

    def bind(self, exchange: str, binding: Binding, owner: Owner, now: i64) -> bool:
        """Bind a queue or an exchange; false if the same binding exists.

        Raises:
            ExchangeNotFoundError, QueueNotFoundError: one of them does not exist.
            DefaultExchangeError, BindingError: the exchange takes none, or its type needs other arguments.
            TooManyBindingsError: the caller's user has too many.
            QueueLockedError, NotPermittedError: another owner has the queue, or the caller lacks a right.
        """
        self.authorize(owner, Verb.BIND, exchange, binding.destination)
        binding.made_by(owner)
        bound_to = self.exchanges.find(exchange)
        self.exchanges.check_quota(bound_to, binding, owner)
        if binding.to_exchange:
            lasts = self.exchanges.find(binding.destination).spec.durable
        else:
            hosted = self.lookup(binding.destination)
            self._ownership.check(hosted, owner)
            lasts = survives(hosted.queue.spec)
        if not self._topology.bind(bound_to, binding, lasts):
            return False
        self.authorization.note(owner, Verb.BIND, exchange, binding.destination, binding.key)
        last = bound_to.last
        if last is not None and not binding.to_exchange and binding in bound_to.match(*last):
            hosted = self.lookup(binding.destination).taker()
            hosted.mark_changed()
            hosted.queue.enqueue(last[1], now)
        return True

    def unbind(self, exchange: str, destination: str, key: str, owner: Owner = NOBODY) -> bool:
        """Remove a binding; false if it does not exist.

        Raises:
            ExchangeNotFoundError: no exchange has that name.
            DefaultExchangeError: it is the default exchange.
            QueueLockedError: another owner has the queue.
            NotPermittedError: the caller lacks a right.
        """
        if not owns(owner.principal, destination):
            self.authorize(owner, Verb.UNBIND, exchange, destination)
        bound_to = self.exchanges.find(exchange)
        hosted = self._queues.get(destination)
        if hosted is not None:
            self._ownership.check(hosted, owner)
        gone = self._topology.unbind(bound_to, destination, key)
        return gone and self.authorization.note(owner, Verb.UNBIND, exchange, destination, key)

    def resolve(self, name: str, prefers_exchange: bool = False) -> Node | None:
        """The node of a name: a queue, an exchange and a key, or an address; None if there is none."""
        return resolved(name, self._queues, self.exchanges, prefers_exchange)

    # ------------------------------------------------------------------ messages

    def target(self, node: Node, owner: Owner = NOBODY, name: str = "") -> Target:
        """The right to publish to a node; the caller ends it with `release`.

        Args:
            node: the node that gets the messages.
            owner: the caller.
            name: the queue's name, if the node is the default exchange.

        Raises:
            NotPermittedError: the caller lacks a right.
            InternalExchangeError: the node is an exchange to which no client publishes.
        """
        target = Target(node, name or node.name, owner)
        self.authorize(owner, Verb.PUBLISH, target.name)
        if node.exchange is not None and node.exchange.spec.internal and not owner.trusted:
            raise InternalExchangeError(node.name)
        self.authorization.add(target)
        return target

    def queue_target(self, name: str, owner: Owner = NOBODY) -> Target:
        """The right to publish to a queue.

        Raises:
            QueueNotFoundError: no queue has that name.
            NotPermittedError: the caller lacks a right.
        """
        self.authorize(owner, Verb.PUBLISH, name)
        return self.target(Node(name, self.lookup(name)), owner)

    def release(self, target: Target) -> None:
        """End the right to publish that `target` gave."""
        self.authorization.remove(target)

    def publish(self, target: Target, message: Message, now: i64) -> bool:
        """Publish a message to the target's queue; false if it is full and refuses it. See `Target.taker`."""
        hosted = target.taker()
        hosted.mark_changed()
        return hosted.take(message, now)

    def route(self, target: Target, key: str, message: Message, now: i64) -> RoutingResult:
        """Publish a message once to every queue that a target leads to; to none if one of them has no room.

        Raises:
            NotPermittedError: the target is revoked.
        """
        if target.revoked:
            target.check()
        return self.router.publish(target.node, key, message, now)

    def commit(self, transaction: Transaction, now: i64) -> None:
        """Commit a transaction atomically.

        Raises:
            TransactionError, DuplicateInTransactionError: it cannot be committed, and is rolled back.
        """
        commit(transaction, self.router, now)

    def read(
        self, hosted: HostedQueue, mode: Mode, receiver: Receiver, terms: Terms, owner: Owner, now: i64
    ) -> QueueReader:
        """A new reader of a queue; `QueueReader.wake` asks the pump to serve it.

        Raises:
            QueueLockedError: another owner has the queue.
            TooManyConsumersError, MemoryLimitError: no more consumers, no memory for a filter.
            NotPermittedError, NotLeaderError: see `Authorization.check_reader`.
        """
        self.authorization.check_reader(hosted, mode, owner, terms)
        self._ownership.check_reader(hosted, mode, owner)
        reader = QueueReader(hosted, mode, receiver, terms, now)
        return self._turn.begin(reader, owner)

    def take_next(self, hosted: HostedQueue, owner: Owner, now: i64) -> QueueReader:
        """A reader that asks for single messages and does not count as a consumer; the caller closes it.

        Raises:
            QueueLockedError: another owner has the queue.
            NotPermittedError: the caller lacks a right.
        """
        self.authorization.check_reader(hosted, Mode.CONSUME, owner)
        self._ownership.check_reader(hosted, Mode.CONSUME, owner)
        reader = QueueReader(hosted, Mode.CONSUME, NullReceiver(), ANY, now)
        reader.owner = owner
        return reader

    def acquire(self, reader: QueueReader, entry: Entry, now: i64) -> bool:
        """Acquire an entry that was browsed; false if another reader has it, or it has left the queue.

        Raises:
            NotPermittedError, QueueLockedError: its owner may only browse.
        """
        hosted = reader.hosted
        self.authorization.check_reader(hosted, Mode.CONSUME, reader.owner)
        self._ownership.check_reader(hosted, Mode.CONSUME, reader.owner)
        if not claim(hosted.queue, entry, now):
            return False
        hosted.mark_changed()
        return True

    def count_unused(self, hosted: HostedQueue, now: i64) -> None:
        """Start the time after which a queue without readers is deleted, unless it already runs."""
        self._ownership.idle(hosted, now)

    def stop(self, reader: QueueReader, now: i64) -> None:
        """End a reader; its entries become available again in their places. Its queue may be deleted."""
        self._turn.stop(reader, now)

    def join(self, hosted: HostedQueue, publisher: Publisher) -> None:
        """Add a link that publishes to a queue; it gets `queue_deleted`."""
        self._turn.join(hosted, publisher)

    def leave(self, hosted: HostedQueue, publisher: Publisher, now: i64) -> None:
        """Remove a link that published. The queue may be deleted with it."""
        self._turn.leave(hosted, publisher, now)

    def identify(self) -> i64:
        """A number for a connection, a session or a link, for `Owner` and `ended`."""
        self._numbers += 1
        return self._numbers

    def ended(self, number: i64, now: i64) -> None:
        """End a connection, a session or a link, and delete the nodes that live as long as it does."""
        self._turn.ended(number, now)

    @property
    def busy(self) -> bool:
        """Whether `pump` or `drain` has work."""
        return self._turn.busy

    @property
    def held_bytes(self) -> i64:
        """Bytes of memory: queues as of the last `drain`, exchanges, and what peers have begun."""
        return self._turn.held_bytes + self.exchanges.size_bytes + self.memory.used_bytes

    def pump(self, now: i64, is_spent: IsSpent | None = None) -> None:
        """Serve waiting readers until they want no more or the time is spent; forward to alternates."""
        self.alarms.note_time(now)
        self._turn.pump(now, is_spent)

    def quiesce(self) -> None:
        """Begin nothing new, for good: readers get no more messages, and producers no more credit."""
        self._turn.quiescing = True
        self.alarms.set_shutdown()

    def drain(self, now: i64) -> list[tuple[str, list[Effect]]]:
        """The effects since the last call, by queue; none of queues that are deleted."""
        return self._turn.drain(now)

    def take_warnings(self) -> list[QueueWarning]:
        """Take out the warnings about queues; each kind comes once for a queue."""
        return self._turn.take_warnings()

    def next_deadline(self) -> i64:
        """When `advance` next has work: milliseconds since the epoch, or NEVER."""
        return self._turn.next_deadline()

    def advance(self, now: i64, most: i64 = UNBOUNDED) -> None:
        """Do what is due on queues, and delete those that were unused for long enough."""
        self._turn.advance(now, most)
