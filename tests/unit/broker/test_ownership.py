"""Whose queues are, and when they go."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from bare_queue import START_MS
from broker_desk import LimitedReceiver, enqueue, made

from lastvalue.broker.broker import Broker
from lastvalue.broker.long_commands import HANDLED_AT_ONCE
from lastvalue.broker.publisher import Publisher
from lastvalue.broker.queue_host import QueueReader
from lastvalue.broker.rights.owner import Owner, QueueEndingError, QueueLockedError
from lastvalue.broker.rights.verbs import Verb
from lastvalue.broker.routing.bindings import Binding
from lastvalue.model.errors import InvalidSpecError, NodeUsedError
from lastvalue.model.message import NEVER
from lastvalue.queues.spec import Exclusive, Lifetime, QueueSpec
from lastvalue.queues.subscription import ALL_MODES, ANY, Mode, Modes, Outcome

ME = Owner(1, 2, 3, "mine", "me")
SAME_SESSION = Owner(1, 2, 4, "mine", "me")
SAME_CONNECTION = Owner(1, 5, 6, "mine", "me")
SAME_CONTAINER = Owner(7, 8, 9, "mine", "somebody")
SAME_USER = Owner(10, 11, 12, "other", "me")
STRANGER = Owner(13, 14, 15, "other", "somebody")
ALL = (ME, SAME_SESSION, SAME_CONNECTION, SAME_CONTAINER, SAME_USER, STRANGER)


class Press(Publisher):
    def __init__(self) -> None:
        self.deleted = False

    def queue_deleted(self) -> None:
        self.deleted = True


def read(broker: Broker, owner: Owner = ME, mode: Mode = Mode.CONSUME) -> QueueReader:
    receiver = LimitedReceiver(100)
    reader = broker.read(broker.lookup("q"), mode, receiver, ANY, owner, START_MS)
    receiver.reader = reader
    reader.wake()
    return reader


def exists(broker: Broker) -> bool:
    return broker.resolve("q") is not None


@pytest.mark.parametrize(
    ("exclusive", "let_in"),
    [
        (Exclusive.NONE, ALL),
        (Exclusive.SHARED_SUBSCRIPTION, ALL),
        (Exclusive.SESSION, (ME, SAME_SESSION)),
        (Exclusive.CONNECTION, (ME, SAME_SESSION, SAME_CONNECTION)),
        (Exclusive.CONTAINER, (ME, SAME_SESSION, SAME_CONNECTION, SAME_CONTAINER)),
        (Exclusive.PRINCIPAL, (ME, SAME_SESSION, SAME_CONNECTION, SAME_USER)),
    ],
)
def test_a_queue_lets_those_in_whom_it_belongs_to(exclusive: Exclusive, let_in: tuple[Owner, ...]) -> None:
    broker = Broker()
    broker.declare(QueueSpec("q", exclusive=exclusive), ME)
    admitted = []
    for owner in ALL:
        try:
            read(broker, owner)
            admitted.append(owner)
        except QueueLockedError:
            pass
    assert admitted == list(let_in)


@pytest.mark.parametrize("exclusive", [Exclusive.SESSION, Exclusive.CONNECTION])
def test_a_queue_of_a_session_or_connection_is_browsed_by_its_connection_alone(exclusive: Exclusive) -> None:
    broker = Broker()
    broker.declare(QueueSpec("q", exclusive=exclusive), ME)
    for owner in (ME, SAME_SESSION, SAME_CONNECTION):
        read(broker, owner, Mode.BROWSE)
    for owner in (SAME_CONTAINER, SAME_USER, STRANGER):
        with pytest.raises(QueueLockedError, match="others may only publish"):
            read(broker, owner, Mode.BROWSE)


@pytest.mark.parametrize("exclusive", [Exclusive.CONTAINER, Exclusive.PRINCIPAL])
def test_others_browse_a_queue_of_a_container_or_user(exclusive: Exclusive) -> None:
    broker = Broker()
    broker.declare(QueueSpec("q", exclusive=exclusive), ME)
    for owner in ALL:
        read(broker, owner, Mode.BROWSE)


def test_the_first_consumer_has_a_queue_that_nobody_declared_until_it_leaves() -> None:
    broker = made(QueueSpec("q", exclusive=Exclusive.CONNECTION))
    reader = read(broker)
    with pytest.raises(QueueLockedError, match="reserved for its connection"):
        read(broker, STRANGER)
    broker.stop(reader, START_MS)
    read(broker, STRANGER)


def test_others_may_not_bind_or_delete_what_is_somebodys() -> None:
    broker = Broker()
    broker.declare(QueueSpec("q", exclusive=Exclusive.SESSION), ME)
    forbidden_commands: tuple[Callable[[], object], ...] = (
        lambda: broker.delete("q", START_MS, STRANGER),
        lambda: broker.bind("amq.fanout", Binding("q", ""), STRANGER, START_MS),
        lambda: broker.unbind("amq.fanout", "q", "", STRANGER),
        lambda: broker.declare(QueueSpec("q", exclusive=Exclusive.SESSION), STRANGER),
    )
    for forbidden in forbidden_commands:
        with pytest.raises(QueueLockedError):
            forbidden()
    broker.bind("amq.fanout", Binding("q", ""), ME, START_MS)
    broker.delete("q", START_MS, ME)


def test_at_the_end_of_its_owner_a_queue_is_anybodys() -> None:
    broker = Broker()
    broker.declare(QueueSpec("q", exclusive=Exclusive.SESSION), ME)
    broker.ended(ME.session, START_MS)
    read(broker, STRANGER)


@pytest.mark.parametrize(
    ("lifetime", "ends", "stays"),
    [
        (Lifetime.CONNECTION_CLOSE, ME.connection, ME.session),
        (Lifetime.SESSION_END, ME.session, ME.link),
        (Lifetime.CREATING_LINK_CLOSE, ME.link, ME.session),
    ],
)
def test_a_queue_goes_with_who_made_it(lifetime: Lifetime, ends: int, stays: int) -> None:
    broker = Broker()
    broker.declare(QueueSpec("q", lifetime=lifetime), ME)
    broker.ended(stays, START_MS)
    assert exists(broker)
    broker.ended(ends, START_MS)
    assert not exists(broker)


def test_a_queue_of_that_name_made_later_is_not_taken_for_the_first() -> None:
    broker = Broker()
    broker.declare(QueueSpec("q", lifetime=Lifetime.CONNECTION_CLOSE), ME)
    broker.delete("q", START_MS)
    broker.declare(QueueSpec("q"), STRANGER)
    broker.ended(ME.connection, START_MS)
    assert exists(broker)


def test_a_queue_goes_with_its_last_reader_once_it_has_had_one() -> None:
    broker = made(QueueSpec("q", lifetime=Lifetime.NO_OUTBOUND_LINKS))
    press = Press()
    broker.join(broker.lookup("q"), press)
    first, second = read(broker), read(broker, mode=Mode.BROWSE)
    broker.stop(first, START_MS)
    assert exists(broker)
    broker.stop(second, START_MS)
    assert not exists(broker)
    assert press.deleted


def test_a_queue_goes_with_its_last_link() -> None:
    broker = made(QueueSpec("q", lifetime=Lifetime.NO_LINKS))
    press = Press()
    hosted = broker.lookup("q")
    broker.join(hosted, press)
    broker.stop(read(broker), START_MS)
    assert exists(broker)
    broker.leave(hosted, press, START_MS)
    assert not exists(broker)


def test_a_queue_goes_with_its_last_link_and_message() -> None:
    broker = made(QueueSpec("q", lifetime=Lifetime.NO_LINKS_OR_MESSAGES))
    enqueue(broker, "q", "1")
    reader = read(broker)
    broker.pump(START_MS)
    broker.stop(reader, START_MS)
    broker.pump(START_MS)
    assert exists(broker)
    broker.drain(START_MS)
    broker.purge("q")
    broker.pump(START_MS)
    assert not exists(broker)


def test_a_queue_of_an_exclusive_owner_goes_with_it_though_it_was_never_read() -> None:
    broker = Broker()
    spec = QueueSpec("q", lifetime=Lifetime.NO_OUTBOUND_LINKS, exclusive=Exclusive.SESSION)
    broker.declare(spec, ME)
    broker.ended(ME.session, START_MS)
    assert not exists(broker)


def test_a_temporary_queue_is_nobodys_while_it_is_deleted_after_its_owner_has_gone() -> None:
    broker = Broker()
    spec = QueueSpec("q", exclusive=Exclusive.CONNECTION, lifetime=Lifetime.CONNECTION_CLOSE)
    broker.declare(spec, ME)
    enqueue(broker, "q", *["x"] * (2 * HANDLED_AT_ONCE))
    broker.ended(ME.connection, START_MS)
    assert exists(broker)
    for verb in (Verb.BROWSE, Verb.CONSUME, Verb.PURGE_QUEUE):
        with pytest.raises(QueueEndingError):
            broker.authorize(STRANGER, verb, "q")


def test_an_auto_deleted_queue_leaves_its_messages_to_the_alternate() -> None:
    """S-265."""
    broker = made("dlq", QueueSpec("q", lifetime=Lifetime.NO_OUTBOUND_LINKS, alternate="dlq"))
    enqueue(broker, "q", "One", "Two", "Three")
    reader = read(broker)
    broker.pump(START_MS)
    broker.stop(reader, START_MS)
    assert broker.lookup("dlq").queue.depth == 3


def test_a_delayed_end_is_called_off_by_use() -> None:
    broker = made(QueueSpec("q", lifetime=Lifetime.NO_OUTBOUND_LINKS, auto_delete_delay_ms=100))
    broker.stop(read(broker), START_MS)
    assert broker.next_deadline() == START_MS + 100
    reader = read(broker)
    assert broker.next_deadline() == NEVER
    broker.advance(START_MS + 100)
    broker.stop(reader, START_MS + 150)
    broker.advance(START_MS + 249)
    assert exists(broker)
    broker.advance(START_MS + 250)
    assert not exists(broker)
    assert broker.next_deadline() == NEVER


def test_a_message_that_comes_while_an_empty_queue_waits_to_go_keeps_it() -> None:
    broker = made(QueueSpec("q", lifetime=Lifetime.NO_LINKS_OR_MESSAGES, auto_delete_delay_ms=100))
    broker.stop(read(broker), START_MS)
    enqueue(broker, "q", "1")
    broker.advance(START_MS + 100)
    assert exists(broker)
    broker.purge("q")
    broker.pump(START_MS + 200)
    broker.advance(START_MS + 300)
    assert not exists(broker)


def test_an_unread_queue_is_emptied_if_it_says_so() -> None:
    broker = made(QueueSpec("q", purge_unread=True))
    enqueue(broker, "q", "1", "2")
    reader = read(broker)
    broker.pump(START_MS)
    broker.stop(reader, START_MS)
    assert broker.lookup("q").queue.depth == 0


def test_a_reader_that_settles_after_its_queue_is_gone_does_no_harm() -> None:
    broker = made(QueueSpec("q", lifetime=Lifetime.NO_OUTBOUND_LINKS))
    enqueue(broker, "q", "1")
    reader = read(broker)
    broker.pump(START_MS)
    (entry,) = broker.lookup("q").queue.entries()
    broker.delete("q", START_MS)
    reader.settle(entry, Outcome.ACCEPTED, START_MS)
    broker.pump(START_MS)
    broker.drain(START_MS)
    assert not broker.busy


def test_a_lifetime_that_nothing_ends_is_not_an_error() -> None:
    broker = made(QueueSpec("q", lifetime=Lifetime.SESSION_END))
    broker.ended(0, START_MS)
    assert exists(broker)


def test_a_delay_is_not_negative() -> None:
    with pytest.raises(InvalidSpecError):
        QueueSpec("q", auto_delete_delay_ms=-1)


@pytest.mark.parametrize(
    ("mode", "unused_by", "stays"),
    [
        (Mode.CONSUME, (Mode.CONSUME,), True),
        (Mode.BROWSE, (Mode.CONSUME,), False),
        (Mode.BROWSE, ALL_MODES, True),
        (Mode.CONSUME, (), False),
    ],
)
def test_a_queue_is_not_deleted_while_it_has_readers_of_the_modes_that_are_named(
    mode: Mode, unused_by: Modes, *, stays: bool
) -> None:
    broker = Broker()
    broker.declare(QueueSpec("q"), ME)
    read(broker, mode=mode)
    if stays:
        with pytest.raises(NodeUsedError, match="'q' is in use: it has 1 readers"):
            broker.delete("q", START_MS, ME, unused_by)
    else:
        broker.delete("q", START_MS, ME, unused_by)
    assert exists(broker) is stays


def test_a_queue_with_messages_is_not_deleted_where_it_has_to_be_empty() -> None:
    broker = Broker()
    broker.declare(QueueSpec("q"), ME)
    enqueue(broker, "q", "1")
    with pytest.raises(NodeUsedError, match="'q' is not empty: it has 1 messages"):
        broker.delete("q", START_MS, ME, if_empty=True)
    broker.purge("q", ME)
    broker.delete("q", START_MS, ME, if_empty=True)
    assert not exists(broker)


def test_whose_queue_it_is_is_asked_before_whether_it_is_used() -> None:
    broker = Broker()
    broker.declare(QueueSpec("q", exclusive=Exclusive.PRINCIPAL), ME)
    read(broker)
    with pytest.raises(QueueLockedError):
        broker.delete("q", START_MS, STRANGER, ALL_MODES)


def changed(broker: Broker, **parts: Any) -> None:
    spec = broker.lookup("q").queue.spec
    broker.reconfigure(replace(spec, **parts), START_MS, ME)


def test_the_kind_of_owner_changes_only_while_nobody_owns_or_reads_the_queue() -> None:
    broker = Broker()
    broker.declare(QueueSpec("q"), ME)
    reader = read(broker)
    with pytest.raises(NodeUsedError, match="exclusive can change while nobody"):
        changed(broker, exclusive=Exclusive.CONTAINER)
    broker.stop(reader, START_MS)
    changed(broker, exclusive=Exclusive.CONTAINER)
    read(broker, STRANGER)
    with pytest.raises(QueueLockedError):
        read(broker, ME)
    with pytest.raises(QueueLockedError):
        changed(broker, description="mine")


@pytest.mark.parametrize("lifetime", [Lifetime.CONNECTION_CLOSE, Lifetime.SESSION_END])
def test_a_lifetime_that_belongs_to_who_declared_the_queue_cannot_be_given_later(lifetime: Lifetime) -> None:
    broker = made("q")
    with pytest.raises(InvalidSpecError, match="lifetime cannot change on queue 'q'"):
        changed(broker, lifetime=lifetime)


@pytest.mark.parametrize(
    ("parts", "stays"),
    [
        ({"lifetime": Lifetime.PERMANENT}, True),
        ({"auto_delete_delay_ms": 100}, True),
        ({"auto_delete_delay_ms": 5}, False),
    ],
)
def test_a_changed_lifetime_decides_when_an_unused_queue_is_deleted(
    parts: dict[str, Any], *, stays: bool
) -> None:
    broker = made(QueueSpec("q", lifetime=Lifetime.NO_OUTBOUND_LINKS, auto_delete_delay_ms=50))
    broker.stop(read(broker), START_MS)
    changed(broker, **parts)
    broker.advance(START_MS + 60)
    assert exists(broker) is stays
