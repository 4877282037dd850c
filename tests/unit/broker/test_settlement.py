"""Very many deliveries end in several turns, and their queue gives nothing meanwhile."""

from bare_queue import START_MS
from broker_desk import LimitedReceiver, enqueue, made

from lastvalue.broker.broker import Broker
from lastvalue.broker.long_commands import HANDLED_AT_ONCE
from lastvalue.broker.queue_host import QueueReader
from lastvalue.broker.rights.owner import NOBODY
from lastvalue.broker.settlement import Settlement
from lastvalue.queues.subscription import ANY, Mode

MANY = 2 * HANDLED_AT_ONCE + 500


def turn(broker: Broker) -> None:
    broker.pump(START_MS)
    broker.drain(START_MS)


def reader(broker: Broker, receiver: LimitedReceiver, mode: Mode = Mode.CONSUME) -> QueueReader:
    reader = broker.read(broker.lookup("q"), mode, receiver, ANY, NOBODY, START_MS)
    reader.wake()
    turn(broker)
    return reader


def test_deliveries_end_in_their_order_and_then_the_owner_hears_of_it() -> None:
    broker = made("q")
    ended: list[object] = []
    queues = [broker.lookup("q")]
    deliveries = list(range(MANY))
    settlement = Settlement(deliveries, queues, lambda each, _: ended.append(each), ended.append, 7)
    broker.long_commands.begin(settlement, START_MS)
    assert len(ended) == HANDLED_AT_ONCE
    while broker.long_commands.busy:
        turn(broker)
    assert ended == [*deliveries, START_MS]


def test_a_reader_that_held_very_many_messages_ends_in_several_turns() -> None:
    broker = made("q")
    enqueue(broker, "q", *["x"] * MANY)
    holder = reader(broker, LimitedReceiver(MANY))
    hosted = broker.lookup("q")
    browser = LimitedReceiver(MANY)
    reader(broker, browser, Mode.BROWSE)
    broker.stop(holder, START_MS)
    assert (hosted.queue.available, hosted.consumers, browser.got) == (HANDLED_AT_ONCE, 0, [])
    available = []
    while broker.long_commands.busy:
        turn(broker)
        available.append(int(hosted.queue.available))
    assert available == [2 * HANDLED_AT_ONCE, MANY]
    turn(broker)
    assert len(browser.got) == MANY


def test_a_queue_may_be_deleted_while_its_messages_become_available() -> None:
    broker = made("q")
    enqueue(broker, "q", *["x"] * MANY)
    holder = reader(broker, LimitedReceiver(MANY))
    broker.stop(holder, START_MS)
    broker.delete("q", START_MS)
    while broker.busy:
        turn(broker)
    assert not broker.has_queue("q")
