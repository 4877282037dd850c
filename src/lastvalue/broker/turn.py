"""The work of a turn: what the broker does with queues at its end, and when they are due."""

from collections.abc import Iterator
from typing import Final, final

from mypy_extensions import i64

from lastvalue.broker.authorization import Authorization
from lastvalue.broker.deadlines import Deadline
from lastvalue.broker.faults import RETRY_MS, Fault
from lastvalue.broker.histories import Histories
from lastvalue.broker.history.recorder import DELETED, ENDED
from lastvalue.broker.long_commands import ENDED_IN_A_STEP, FORWARDED_AT_ONCE, HANDLED_AT_ONCE, Steps
from lastvalue.broker.observers import Observer
from lastvalue.broker.ownership import OwnershipTable
from lastvalue.broker.publisher import Publisher
from lastvalue.broker.purge import Purge
from lastvalue.broker.queue_host import HostedQueue, QueueReader, TurnWork
from lastvalue.broker.queue_warnings import QueueWarning
from lastvalue.broker.rights.owner import NOBODY, Owner
from lastvalue.broker.rights.verbs import Verb
from lastvalue.broker.routing.alternates import Alternates
from lastvalue.broker.routing.definitions import Definitions
from lastvalue.broker.routing.exchanges import Exchange
from lastvalue.broker.routing.forwarder import Forwarder
from lastvalue.broker.settlement import Settlement
from lastvalue.broker.suspended_links import SuspendedLink, SuspendedLinks
from lastvalue.broker.topology import Topology
from lastvalue.broker.turn_time import IsSpent
from lastvalue.model.message import NEVER
from lastvalue.queues.backlog_share import ENTRY_BYTES
from lastvalue.queues.effects import Effect, Reason
from lastvalue.queues.entry import ACQUIRED, Entry
from lastvalue.queues.subscription import Outcome

_UNUSED: Final = "its lifetime has ended"
_DUE: Final = "doing what is due"
_OBSERVING: Final = "observing the queues"
_FULL: Final = "it was full"


@final
class Turn:
    """Serves readers, forwards removed messages, deletes unused queues and collects the effects.

    Attributes:
        held_bytes: bytes of memory that queues and their messages take, as of the last `drain`.
        quiescing: readers get nothing more.
    """

    __slots__ = (
        "_alternates",
        "_authorization",
        "_definitions",
        "_draining",
        "_forwarder",
        "_gone",
        "_histories",
        "_observers",
        "_ownership",
        "_publishing",
        "_queues",
        "_sorted",
        "_suspended_links",
        "_timed",
        "_topology",
        "_turn_work",
        "held_bytes",
        "quiescing",
    )

    def __init__(  # noqa: PLR0913, PLR0917 - the broker's parts, made by it alone
        self,
        queues: dict[str, HostedQueue],
        turn_work: TurnWork,
        forwarder: Forwarder,
        alternates: Alternates,
        histories: Histories,
        ownership: OwnershipTable,
        topology: Topology,
        definitions: Definitions,
        suspended_links: SuspendedLinks,
        observers: list[Observer],
        authorization: Authorization,
    ) -> None:
        self.held_bytes: i64 = 0
        self.quiescing = False
        self._queues = queues
        self._turn_work = turn_work
        self._forwarder = forwarder
        self._alternates = alternates
        self._histories = histories
        self._ownership = ownership
        self._topology = topology
        self._definitions = definitions
        self._suspended_links = suspended_links
        self._observers = observers
        # Of how many observers it is known which look at effects, have deadlines, and may publish.
        self._sorted: i64 = 0
        self._draining: list[Observer] = []
        self._timed: list[Observer] = []
        self._publishing: list[Observer] = []
        self._authorization = authorization
        self._gone: list[tuple[HostedQueue, list[Effect]]] = []

    @property
    def _follows(self) -> bool:
        """Whether another broker leads and decides the effects on the queues."""
        return self._authorization.leader is not None

    def delete(self, hosted: HostedQueue, now: i64) -> int:
        """Delete a queue; returns its number of messages. Readers and publishers get `queue_deleted`."""
        name = hosted.queue.spec.name
        hosted.ownership.ending = True
        count = hosted.queue.depth
        hosted.queue.delete()
        # The queue does not hold its owner any more: nothing waits for a collection.
        hosted.queue.passing.request_pass = None
        for reader in list(hosted.readers):
            self.stop(reader, now)
            reader.receiver.queue_deleted()
        for publisher in list(hosted.publishers):
            publisher.queue_deleted()
        hosted.publishers = {}
        hosted.resume_publishers()
        del self._queues[name]
        self._ownership.forget(hosted)
        self._turn_work.warnings.forget(name)
        spec = hosted.queue.spec
        self._alternates.release_queue(spec)
        for observer in self._observers:
            observer.queue_deleted(hosted)
        self._topology.queue_deleted(name)
        if not self._follows:
            self._forwarder.forward(hosted, now)
        self._definitions.queue_deleted(spec)
        self._take_effects(hosted, now)
        self._histories.end(hosted, DELETED, now)
        self.held_bytes += hosted.count_bytes()
        return count

    def delete_in_steps(self, hosted: HostedQueue, connection: i64, now: i64) -> int:
        """Delete a queue for a connection, its bindings and messages first; returns their number."""
        count = hosted.queue.depth
        self._turn_work.long_commands.begin(Steps(self._deletion(hosted, now), connection), now)
        return count

    def delete_exchange(self, exchange: Exchange, connection: i64) -> None:
        """Delete an exchange for a connection, its bindings first."""
        # Removing takes no time of the exchange's.
        self._turn_work.long_commands.begin(Steps(self._topology.removal(exchange), connection), 0)

    def _deletion(self, hosted: HostedQueue, now: i64) -> Iterator[None]:
        yield from self._topology.unbind_queue(hosted.queue.spec.name)
        purge = Purge(hosted, Reason.DELETED)
        while purge.step(now):
            yield
        if not hosted.ownership.ending:
            self.delete(hosted, now)

    def _give_up(self, hosted: HostedQueue, cause: str, now: i64) -> None:
        """Delete a queue that no command deletes; nobody joins it until that is done."""
        if self._follows:
            hosted.end_at(NEVER)
            return
        name, detail = hosted.queue.spec.name, f"{cause}, {hosted.queue.depth} messages"
        self._authorization.note_end(hosted.creator, Verb.DELETE_QUEUE, name, detail)
        hosted.ownership.over = True
        hosted.end_at(NEVER)
        self._turn_work.long_commands.begin(Steps(self._deletion(hosted, now), 0), now)

    def purge(self, hosted: HostedQueue, owner: Owner = NOBODY) -> int:
        """Remove the messages of a queue that nobody holds, for a caller; returns their number."""
        count = hosted.queue.contents.purgeable
        # Removing takes no time of the queue's.
        self._turn_work.long_commands.begin(Purge(hosted, Reason.PURGED, owner), 0)
        return count

    def _take_effects(self, hosted: HostedQueue, now: i64) -> None:
        """Keep the effects on a queue until the end of the turn; what follows on it is recorded otherwise."""
        effects = hosted.queue.drain()
        self._histories.record(hosted, effects, now)
        self._gone.append((hosted, effects))

    def record_elsewhere(self, hosted: HostedQueue, now: i64) -> None:
        """Begin to record a queue in another history, or stop recording it."""
        if self._follows:
            return
        self._take_effects(hosted, now)
        self._histories.end(hosted, ENDED, now)
        self._histories.begin(hosted, now)

    def record_anew(self, hosted: HostedQueue, now: i64) -> None:
        """Begin a queue's history with what it holds; what has happened on it is not recorded."""
        self._gone.append((hosted, hosted.queue.drain()))
        self._histories.begin(hosted, now)

    def begin(self, reader: QueueReader, owner: Owner) -> QueueReader:
        """Add a reader of this owner to its queue."""
        hosted = reader.hosted
        reader.owner = owner
        if reader.watch is not None:
            reader.watch.memory.belong(owner.principal)
        if reader.memory is not None:
            reader.memory.belong(owner.principal)
        hosted.join(reader)
        # The queue may wait for more consumers from now on, which is a deadline.
        hosted.schedule()
        self._ownership.joined(hosted, owner, True)
        for observer in self._observers:
            observer.reader_joined(reader)
        return reader

    def stop(self, reader: QueueReader, now: i64) -> None:
        """End a reader; its entries become available again in their places. Its queue may be deleted.

        Where there are very many of them, that takes several turns. It follows what is under way for the
        reader's connection, which may be the end of these very deliveries.
        """
        held = reader.subscription.held.entries()
        hosted = reader.hosted
        hosted.leave(reader)
        under_way = self._turn_work.long_commands.runs_for(reader.owner.connection)
        if hosted.ownership.ending or not held or (len(held) <= HANDLED_AT_ONCE and not under_way):
            self._end(reader, now)
            return
        reader.retire()
        release = Settlement(
            held[::-1],
            [hosted],
            lambda entry, now: _release(reader, entry, now),
            lambda now: self._end(reader, now),
            reader.owner.connection,
        )
        self._turn_work.long_commands.begin(release, now)

    def _end(self, reader: QueueReader, now: i64) -> None:
        reader.close(now)
        hosted = reader.hosted
        for observer in self._observers:
            observer.reader_left(reader)
        if hosted.ownership.ending:
            return
        if hosted.queue.spec.purge_unread and not hosted.readers and not self._follows:
            self.purge(hosted)
        self._left(hosted, now)

    def stop_revoked(self, authorization: Authorization, now: i64) -> None:
        """End the readers that may not read their queues any more."""
        for hosted in list(self._queues.values()):
            for reader in list(hosted.readers):
                if not authorization.may_read(hosted, reader.subscription.mode, reader.owner):
                    self.stop(reader, now)
                    reader.receiver.revoked()

    def join(self, hosted: HostedQueue, publisher: Publisher) -> None:
        """Add a link that publishes to a queue; it gets `queue_deleted`."""
        hosted.publishers[publisher] = None
        self._ownership.joined(hosted, NOBODY, False)

    def leave(self, hosted: HostedQueue, publisher: Publisher, now: i64) -> None:
        """Remove a link that published. The queue may be deleted with it."""
        hosted.publishers.pop(publisher, None)
        if not hosted.ownership.ending:
            self._left(hosted, now)

    def _left(self, hosted: HostedQueue, now: i64) -> None:
        if self._ownership.left(hosted, now):
            self._give_up(hosted, _UNUSED, now)

    def ended(self, number: i64, now: i64) -> None:
        """End a connection, a session or a link, and delete the queues that live as long as it does."""
        ended = self._ownership.ended(number, now)
        for hosted in ended:
            hosted.ownership.over = True
        self._turn_work.long_commands.begin(Steps(self._end_all(ended, number, now), 0), now)

    def _end_all(self, queues: list[HostedQueue], number: i64, now: i64) -> Iterator[None]:
        for ended, hosted in enumerate(queues, 1):
            if not hosted.ownership.ending:
                self._give_up(hosted, _UNUSED, now)
            if ended % ENDED_IN_A_STEP == 0:
                yield
        yield from self._topology.ended(number)

    @property
    def busy(self) -> bool:
        """Whether `pump` or `drain` has work."""
        turn_work = self._turn_work
        return bool(
            turn_work.pumps
            or turn_work.changed
            or turn_work.watched
            or turn_work.scans
            or self._gone
            or self._definitions.waiting
            or turn_work.long_commands.busy
        )

    def pump(self, now: i64, is_spent: IsSpent | None) -> None:
        """Carry out a step of a long command, serve the waiting readers, forward messages to alternates."""
        self._turn_work.time.begin(is_spent)
        self._turn_work.long_commands.step(now)
        self._turn_work.scan_on()
        self._watch(now)
        if self.quiescing:
            self._turn_work.pumps = []
        else:
            self._serve(now)
            self._end_failed(now)
        self._watch(now)

    def _end_failed(self, now: i64) -> None:
        """End the readers that a fault has stopped: what they held becomes available to others."""
        if not self._turn_work.failed:
            return
        failed = self._turn_work.failed
        self._turn_work.failed = []
        for reader in failed:
            try:
                if reader in reader.hosted.readers:
                    self.stop(reader, now)
                reader.receiver.failed()
            except Exception as error:  # noqa: BLE001 - see `lastvalue.broker.faults`
                reader.hosted.note_fault("ending a reader", error)

    def _serve(self, now: i64) -> None:
        """Serve the readers that wait, for the time of the turn; the rest continue in the next one.

        Queues whose readers took all the time when they were last served have the second share of it.
        """
        turn_work = self._turn_work
        time = turn_work.time
        pumps = turn_work.pumps
        if not pumps:
            return
        turn_work.pumps = []
        if len(pumps) == 1 and not pumps[0].late:
            pumps[0].pump(now)
            return
        late: list[HostedQueue] = []
        left: list[HostedQueue] = []
        for hosted in pumps:
            if hosted.late:
                late.append(hosted)
            elif time.is_over:
                left.append(hosted)
            else:
                hosted.pump(now)
        if late:
            time.begin_second()
        for hosted in late:
            if time.is_over:
                left.append(hosted)
            else:
                hosted.pump(now)
        if left:
            turn_work.pumps = left + turn_work.pumps

    def _watch(self, now: i64) -> None:
        """Act on the effects on watched queues, until that causes no more effects."""
        turn_work = self._turn_work
        moved = bool(turn_work.watched)
        while moved:
            moved = False
            for hosted in list(turn_work.watched):
                if hosted.ownership.ending:
                    continue
                if self._follows:
                    # The leader's log says what became of them.
                    hosted.queue.take_removals()
                    continue
                moved = self._forward(hosted, now) or moved
                asked = hosted.queue.delete_requested and not hosted.ownership.over
                if asked or self._ownership.is_over(hosted, now):
                    self._give_up(hosted, _FULL if asked else _UNUSED, now)
                    moved = True
        for hosted in turn_work.watched:
            hosted.apply_flow_control(now)

    def _forward(self, hosted: HostedQueue, now: i64) -> bool:
        try:
            return self._forwarder.forward(hosted, now)
        except Exception as error:  # noqa: BLE001 - see `lastvalue.broker.faults`
            hosted.note_fault("forwarding messages to the alternate", error)
            return False

    def drain(self, now: i64) -> list[tuple[str, list[Effect]]]:
        """The effects since the last call, by queue.

        Those on deleted queues are only for the observers: the journal has the deletions, and a queue of the
        same name may have been declared since.
        """
        if self._turn_work.watched:
            self._watch(now)
            self._turn_work.watched = []
        if self._sorted != len(self._observers):
            self._sort_observers()
        drained: list[tuple[str, list[Effect]]] = []
        for hosted, effects in self._take_gone():
            if effects and self._queues.get(hosted.queue.spec.name) is hosted:
                drained.append((hosted.queue.spec.name, effects))
            self._tell_observers(hosted, effects, now)
        self._drain_changed(drained, now)
        published = len(self._publishing) > 0
        while published:
            published = False
            for observer in self._publishing:
                try:
                    published = observer.end_turn(now) or published
                except Exception as error:  # noqa: BLE001 - see `lastvalue.broker.faults`
                    self._turn_work.faults.note(Fault("", _OBSERVING, error))
            self._drain_changed(drained, now)
        return drained

    def _sort_observers(self) -> None:
        """Find those that look at effects, have deadlines or may publish; others do nothing then."""
        observers = self._observers
        self._draining = [
            each for each in observers if type(each).effects_drained is not Observer.effects_drained
        ]
        self._timed = [each for each in observers if type(each).next_deadline is not Observer.next_deadline]
        self._publishing = [each for each in observers if type(each).end_turn is not Observer.end_turn]
        self._sorted = len(observers)

    def _take_gone(self) -> list[tuple[HostedQueue, list[Effect]]]:
        gone = self._gone
        if gone:
            self._gone = []
        return gone

    def _drain_changed(self, drained: list[tuple[str, list[Effect]]], now: i64) -> None:
        # Records are effects on the history's queue and belong to the same batch.
        while self._turn_work.changed:
            changed = self._turn_work.changed
            self._turn_work.changed = []
            for hosted in changed:
                hosted.drained()
                self.held_bytes += hosted.count_bytes()
                contents = hosted.queue.contents
                if contents.share is not None:
                    contents.share.count(contents.depth_bytes + contents.depth * ENTRY_BYTES)
                effects = hosted.queue.drain()
                # The journal gets them whatever becomes of the rest.
                if effects:
                    drained.append((hosted.queue.spec.name, effects))
                if hosted.recorder is not None:
                    self._record(hosted, effects, now)
                self._tell_observers(hosted, effects, now)

    def _record(self, hosted: HostedQueue, effects: list[Effect], now: i64) -> None:
        try:
            self._histories.record(hosted, effects, now)
        except Exception as error:  # noqa: BLE001 - see `lastvalue.broker.faults`
            hosted.note_fault("writing the history", error)

    def _tell_observers(self, hosted: HostedQueue, effects: list[Effect], now: i64) -> None:
        for observer in self._draining:
            try:
                observer.effects_drained(hosted, effects, now)
            except Exception as error:  # noqa: BLE001 - see `lastvalue.broker.faults`
                hosted.note_fault(_OBSERVING, error)

    def take_warnings(self) -> list[QueueWarning]:
        """Take out the warnings about queues."""
        return self._turn_work.warnings.take()

    def next_deadline(self) -> i64:
        """When `advance` next has work: milliseconds since the epoch, or NEVER."""
        self._schedule_changed()
        soonest = self._turn_work.deadlines.next()
        if self._sorted != len(self._observers):
            self._sort_observers()
        for observer in self._timed:
            soonest = min(soonest, observer.next_deadline())
        return soonest

    def _schedule_changed(self) -> None:
        for hosted in self._turn_work.changed:
            hosted.schedule()

    def advance(self, now: i64, most: i64) -> None:
        """Do what is due on queues, and delete those that were unused for long enough.

        At most this many messages expire, each queue counted as one; if more are due, `next_deadline` stays
        past.
        """
        self._schedule_changed()
        left: i64 = most
        queues: list[HostedQueue] = []
        for deadline in self._turn_work.deadlines.take_due(now, most):
            try:
                if not isinstance(deadline, HostedQueue):
                    self._fall_due(deadline, now)
                else:
                    if left != 0:
                        left = self._advance(deadline, now, left)
                    queues.append(deadline)
            except Exception as error:  # noqa: BLE001 - see `lastvalue.broker.faults`
                self._put_off(deadline, error, now)
        for hosted in queues:
            if self._ownership.is_due(hosted, now):
                self._give_up(hosted, _UNUSED, now)
            else:
                hosted.schedule()
        self._watch(now)
        for observer in self._observers:
            try:
                observer.advance(now)
            except Exception as error:  # noqa: BLE001 - see `lastvalue.broker.faults`
                self._turn_work.faults.note(Fault("", _OBSERVING, error))

    def _fall_due(self, deadline: Deadline, now: i64) -> None:
        if isinstance(deadline, SuspendedLink):
            self._suspended_links.expire(deadline, now)
        else:
            deadline.fall_due(now)

    def _put_off(self, deadline: Deadline, error: Exception, now: i64) -> None:
        """Note a fault in what is due; a queue is looked at again later."""
        if isinstance(deadline, HostedQueue):
            deadline.note_fault(_DUE, error)
            self._turn_work.deadlines.set(deadline, now + RETRY_MS)
        else:
            self._turn_work.faults.note(Fault("", _DUE, error))

    def _advance(self, hosted: HostedQueue, now: i64, most: i64) -> i64:
        """Do what is due on a queue; returns how many messages may still expire."""
        queue = hosted.queue
        if queue.next_deadline() > now or queue.passing.since_ms != NEVER:
            return most
        before = queue.depth + queue.contents.held_back
        queue.advance(now, min(most, FORWARDED_AT_ONCE) if hosted.watched else most)
        hosted.mark_changed()
        return most if most < 0 else max(0, most - 1 - (before - queue.depth - queue.contents.held_back))


def _release(reader: QueueReader, entry: Entry, now: i64) -> None:
    """Make an entry available that a reader still holds."""
    hosted = reader.hosted
    if entry.state == ACQUIRED and entry.holder == reader.subscription.number and not hosted.ownership.ending:
        hosted.queue.settle(entry, Outcome.RELEASED, now)
        hosted.mark_changed()
