"""What python-qpid-proton's receivers ask for: selectors, periods, priorities; and messages for later."""

from collections.abc import Iterator
from typing import Any

import pytest
from proton import Delivery, Described, Link, Message, Timeout, symbol
from proton.reactor import AtLeastOnce, Copy, Filter, Move, ReceiverOption, Selector
from proton.utils import BlockingConnection, BlockingReceiver, LinkDetached, SendException
from served_broker import ServedBroker

from lastvalue.client import blocking

pytestmark = pytest.mark.interop

SECONDS = 60
SOON_SECONDS = 0.2


class LinkPriority(ReceiverOption):  # type: ignore[misc]  # proton is untyped to us
    """Where a consumer stands among the others."""

    def __init__(self, priority: int) -> None:
        self._priority = priority

    def apply(self, receiver: Link) -> None:
        receiver.properties = {symbol("priority"): self._priority}


def replay_period(seconds: object) -> Filter:
    return Filter({symbol("replay"): Described(symbol("x-qpid-replay-period"), seconds)})


@pytest.fixture
def connection(broker: ServedBroker) -> Iterator[BlockingConnection]:
    opened = BlockingConnection(broker.url, timeout=SECONDS)
    yield opened
    opened.close()


def send_all(connection: BlockingConnection, queue: str, *sent: Message) -> None:
    sender = connection.create_sender(queue)
    for message in sent:
        sender.send(message)
    sender.close()


def drained(connection: BlockingConnection, queue: str, *options: Any, name: str = "all") -> list[Any]:
    """What a receiver with these options gets until there is no more for it, each accepted."""
    receiver = connection.create_receiver(queue, credit=0, name=name, options=[*options, AtLeastOnce()])
    receiver.link.drain(1000)
    connection.wait(lambda: not receiver.link.draining() and not receiver.link.queued)
    found = []
    while receiver.fetcher.has_message:
        found.append(receiver.fetcher.pop().body)
        receiver.accept()
    receiver.close()
    return found


def nothing_comes(receiver: BlockingReceiver) -> bool:
    with pytest.raises(Timeout):
        receiver.receive(timeout=SOON_SECONDS)
    return True


# ---- selectors


def animals(connection: BlockingConnection, queue: str) -> None:
    for number, (colour, body) in enumerate(
        [("red", "dog"), ("green", "dragon"), ("blue", "bird"), ("grey", "squirrel")], 1
    ):
        send_all(connection, queue, Message(body=body, properties={"colour": colour, "sequence": number}))


SOME_ANIMALS = "colour IN ('red','grey') AND (sequence > 3 OR sequence = 1)"


@pytest.mark.capability("python-qpid-proton, blocking", "selector")
def test_a_selector_leaves_what_it_does_not_select(
    connection: BlockingConnection, standard_queue: str
) -> None:
    """S-284, S-212"""
    animals(connection, standard_queue)
    assert drained(connection, standard_queue, Selector(SOME_ANIMALS)) == ["dog", "squirrel"]
    assert drained(connection, standard_queue) == ["dragon", "bird"]


def test_a_selector_selects_for_a_browser(connection: BlockingConnection, standard_queue: str) -> None:
    """S-205: with the selector language's own arithmetic."""
    for index in range(1, 11):
        send_all(connection, standard_queue, Message(body=index, properties={"index": index}))
    even = Selector("index / 2 * 2 = index")
    assert drained(connection, standard_queue, Copy(), even) == [2, 4, 6, 8, 10]
    assert drained(connection, standard_queue, Copy()) == list(range(1, 11))


@pytest.mark.parametrize(
    ("selector", "selected"),
    [
        ("amqp.message_id = 'c'", "c"),
        ("amqp.correlation_id = 'b'", "b"),
        ("amqp.priority = 1", "a"),
        ("JMSMessageID = 'c'", "c"),
        ("JMSCorrelationID = 'b'", "b"),
        ("JMSPriority = 1", "a"),
        ("JMSDestination = 'd'", "d"),
        ("JMSReplyTo = 'e'", "e"),
        ("JMSType = 'f'", "f"),
    ],
)
def test_a_selector_reads_the_fields_of_a_message(
    connection: BlockingConnection, standard_queue: str, selector: str, selected: str
) -> None:
    """S-285"""
    send_all(
        connection,
        standard_queue,
        Message(body="a", priority=1),
        Message(body="b", correlation_id="b"),
        Message(body="c", id="c"),
        Message(body="d", address="d"),
        Message(body="e", reply_to="e"),
        Message(body="f", subject="f"),
    )
    assert drained(connection, standard_queue, Selector(selector)) == [selected]


def test_the_answer_to_the_attach_says_which_filters_are_in_place(
    connection: BlockingConnection, standard_queue: str
) -> None:
    """S-212"""
    known = Described(symbol("apache.org:selector-filter:string"), "a = 1")
    strange = Described(symbol("example.org:strange"), "x")
    asked = Filter({symbol("known"): known, symbol("strange"): strange})
    receiver = connection.create_receiver(standard_queue, options=asked)
    answered = receiver.link.remote_source.filter
    answered.rewind()
    assert answered.next()
    assert answered.get_dict() == {"known": known}


def test_a_selector_that_cannot_be_read_refuses_the_link(
    connection: BlockingConnection, standard_queue: str
) -> None:
    with pytest.raises(LinkDetached, match="column 5") as refused:
        connection.create_receiver(standard_queue, options=Selector("a = "))
    assert refused.value.condition == "amqp:invalid-field"


def test_a_default_selector_is_for_those_who_bring_none(
    broker: ServedBroker, connection: BlockingConnection
) -> None:
    """S-179, S-180"""
    default = '{"x-filter-jms-selector": {"x-filter-jms-selector": ["foo = 1"]}}'
    queue = broker.declare(default_filters=default)
    send_all(connection, queue, *(Message(body=foo, properties={"foo": foo}) for foo in (0, 1)))
    assert drained(connection, queue, Copy()) == [1]
    assert drained(connection, queue, Copy(), Selector("foo = 0")) == [0]


# ---- who reads


def test_copies_leave_the_messages_for_who_moves_them(
    connection: BlockingConnection, standard_queue: str
) -> None:
    send_all(connection, standard_queue, Message(body="one"), Message(body="two"))
    assert drained(connection, standard_queue, Copy()) == ["one", "two"]
    assert drained(connection, standard_queue, Move()) == ["one", "two"]
    assert drained(connection, standard_queue, Copy()) == []


def test_on_a_queue_that_gives_nothing_away_each_receiver_gets_everything_once(
    broker: ServedBroker, connection: BlockingConnection
) -> None:
    """S-163"""
    queue = broker.declare(ensureNondestructiveConsumers=True)
    send_all(connection, queue, *(Message(body=number) for number in range(5)))
    receivers = [connection.create_receiver(queue, credit=10, name=name) for name in ("c1", "c2")]
    for receiver in receivers:
        assert [receiver.receive().body for _ in range(5)] == list(range(5))
        receiver.accept()
        assert nothing_comes(receiver)
    send_all(connection, queue, Message(body="one more"))
    assert [receiver.receive().body for receiver in receivers] == ["one more"] * 2


@pytest.mark.parametrize("outcome", [Delivery.REJECTED, Delivery.RELEASED, Delivery.MODIFIED])
def test_what_they_say_of_a_message_changes_nothing(
    broker: ServedBroker, connection: BlockingConnection, outcome: int
) -> None:
    """S-164"""
    queue = broker.declare(ensureNondestructiveConsumers=True)
    send_all(connection, queue, Message(body="one"))
    receiver = connection.create_receiver(queue, credit=10)
    assert receiver.receive().body == "one"
    receiver.settle(outcome)
    assert nothing_comes(receiver)
    late = connection.create_receiver(queue, credit=10, name="late").receive()
    assert (late.body, late.delivery_count) == ("one", 0)


def test_a_consumer_of_higher_priority_is_served_first_while_it_has_credit(
    connection: BlockingConnection, standard_queue: str
) -> None:
    low = connection.create_receiver(standard_queue, credit=0, name="low", options=LinkPriority(1))
    high = connection.create_receiver(standard_queue, credit=0, name="high", options=LinkPriority(5))
    low.link.flow(5)
    high.link.flow(2)
    send_all(connection, standard_queue, *(Message(body=number) for number in range(3)))
    connection.wait(lambda: len(low.fetcher.incoming) + len(high.fetcher.incoming) == 3)
    assert [high.fetcher.pop().body, high.fetcher.pop().body, low.fetcher.pop().body] == [0, 1, 2]


# ---- producers who have to wait


def test_flow_control_takes_the_credit_away_until_the_depth_has_sunk(
    broker: ServedBroker, connection: BlockingConnection
) -> None:
    """S-194"""
    queue = broker.declare(when_full="block", max_messages=3, flow_resume_messages=2)
    sender = connection.create_sender(queue)
    for number in range(4):
        sender.send(Message(body=number))
    assert sender.link.credit == 0
    receiver = connection.create_receiver(queue, credit=1)
    for _ in range(2):
        receiver.receive()
        receiver.accept()
    connection.wait(lambda: sender.link.credit > 0)
    sender.send(Message(body="the fifth"))


# ---- time


class TimedBroker:
    """A broker whose clock is moved by hand."""

    def __init__(self, served: ServedBroker) -> None:
        self.served = served
        self._admin = blocking.connect(served.url)

    @property
    def now_ms(self) -> int:
        return self._admin.clock_ms()

    def advance(self, by_ms: int) -> None:
        self._admin.advance_clock(by_ms)

    def close(self) -> None:
        self._admin.close()


@pytest.fixture(scope="module")
def timed() -> Iterator[TimedBroker]:
    with ServedBroker("--clock", "manual") as served:
        broker = TimedBroker(served)
        yield broker
        broker.close()
        code, _, complaints = served.stop()
        assert (code, complaints) == (0, "")


@pytest.fixture
def timed_connection(timed: TimedBroker) -> Iterator[BlockingConnection]:
    opened = BlockingConnection(timed.served.url, timeout=SECONDS)
    yield opened
    opened.close()


def test_a_delivery_time_is_waited_for(timed: TimedBroker, timed_connection: BlockingConnection) -> None:
    """S-114"""
    queue = timed.served.declare()
    at = timed.now_ms + 120_000
    send_all(timed_connection, queue, Message(body="later", annotations={symbol("x-opt-delivery-time"): at}))
    receiver = timed_connection.create_receiver(queue, credit=1)
    timed.advance(119_999)
    assert nothing_comes(receiver)
    timed.advance(1)
    assert receiver.receive().body == "later"


def test_a_delivery_delay_is_waited_for_and_others_overtake(
    timed: TimedBroker, timed_connection: BlockingConnection
) -> None:
    """S-115, S-183, S-184"""
    queue = timed.served.declare(hold_on_publish=True)
    late = Message(body="late", annotations={symbol("x-opt-delivery-delay"): 6_000})
    send_all(timed_connection, queue, late, Message(body="soon"))
    receiver = timed_connection.create_receiver(queue, credit=2)
    assert receiver.receive().body == "soon"
    timed.advance(2_000)
    assert nothing_comes(receiver)
    timed.advance(4_000)
    assert receiver.receive().body == "late"


def test_a_queue_that_does_not_hold_messages_rejects_those_with_a_delay(
    broker: ServedBroker, connection: BlockingConnection
) -> None:
    """S-185"""
    queue = broker.declare(delayed_delivery="refuse")
    with pytest.raises(SendException) as refused:
        send_all(connection, queue, Message(body="x", annotations={symbol("x-opt-delivery-delay"): 3_000}))
    assert refused.value.state == Delivery.REJECTED


@pytest.mark.parametrize(
    ("seconds", "seen"),
    [(0, []), ("0", []), (10, ["late"]), ("10", ["late"]), (3600, ["early", "late"])],
    ids=repr,
)
def test_a_replay_period_is_how_far_back_a_reader_goes(
    timed: TimedBroker, timed_connection: BlockingConnection, seconds: object, seen: list[str]
) -> None:
    """S-175"""
    queue = timed.served.declare()
    send_all(timed_connection, queue, Message(body="early"))
    timed.advance(20_000)
    send_all(timed_connection, queue, Message(body="late"))
    timed.advance(5_000)
    browser = timed_connection.create_receiver(queue, credit=9, options=[Copy(), replay_period(seconds)])
    send_all(timed_connection, queue, Message(body="new"))
    expected = [*seen, "new"]
    assert [browser.receive().body for _ in expected] == expected


def test_a_default_replay_period_is_for_those_who_bring_none(
    timed: TimedBroker, timed_connection: BlockingConnection
) -> None:
    """S-173, S-177"""
    default = '{"x-qpid-replay-period": {"x-qpid-replay-period": ["0"]}}'
    queue = timed.served.declare(default_filters=default)
    send_all(timed_connection, queue, Message(body="A"))
    receiver = timed_connection.create_receiver(queue, credit=9, options=Copy())
    own = timed_connection.create_receiver(
        queue, credit=9, name="own", options=[Copy(), replay_period("3600")]
    )
    send_all(timed_connection, queue, Message(body="B"))
    assert receiver.receive().body == "B"
    assert [own.receive().body for _ in range(2)] == ["A", "B"]


def test_a_period_that_is_no_number_refuses_the_link(
    connection: BlockingConnection, standard_queue: str
) -> None:
    """S-178"""
    with pytest.raises(LinkDetached, match="cannot parse") as refused:
        connection.create_receiver(standard_queue, options=replay_period("abc"))
    assert refused.value.condition == "amqp:invalid-field"
