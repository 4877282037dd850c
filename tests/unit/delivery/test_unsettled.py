"""Unsettled deliveries: by number, through transactions, and when their reader or queue goes."""

import pytest
from consumed_queue import ConsumedQueue

from lastvalue.broker.transactions import Transaction
from lastvalue.delivery.unsettled import PINNED_BYTES, UnsettledDeliveries, keep_held
from lastvalue.model.memory_budget import MemoryAccount
from lastvalue.queues.effects import Reason
from lastvalue.queues.subscription import Mode, Outcome

BODIES = ["a", "b", "c", "d"]


class Channel:
    """Four deliveries, numbered 10, 20, 30 and 40, of one consumer."""

    def __init__(self, mode: Mode = Mode.CONSUME) -> None:
        self.queue = ConsumedQueue(bodies=BODIES)
        self.consumer = self.queue.consumer(mode)
        self.unsettled = UnsettledDeliveries()
        for number in (10, 20, 30, 40):
            self.unsettled.add(self.queue.delivery(self.consumer, number))

    def numbers(self, first: int, last: int) -> list[int]:
        return [int(each.number) for each in self.unsettled.between(first, last)]

    @property
    def available(self) -> int:
        return self.queue.hosted.queue.available


@pytest.mark.parametrize(
    ("first", "last", "numbers"),
    [(1, 40, [10, 20, 30, 40]), (15, 30, [20, 30]), (20, 22, [20]), (41, 90, []), (30, 30, [30])],
)
def test_deliveries_are_found_by_their_numbers_in_order(first: int, last: int, numbers: list[int]) -> None:
    assert Channel().numbers(first, last) == numbers


def test_a_delivery_is_removed_once() -> None:
    channel = Channel()
    removed = channel.unsettled.remove(20)
    assert removed is not None
    assert channel.unsettled.remove(20) is None
    assert channel.numbers(1, 40) == [10, 30, 40]


def test_a_delivery_is_settled_once() -> None:
    channel = Channel()
    [delivery] = channel.unsettled.between(10, 10)
    delivery.settle(Outcome.RELEASED, 0)
    delivery.settle(Outcome.ACCEPTED, 0)
    assert (channel.available, channel.unsettled.held) == (1, 3)


def test_what_was_only_shown_is_not_held() -> None:
    channel = Channel(Mode.BROWSE)
    for delivery in channel.unsettled.between(1, 40):
        delivery.settle(Outcome.ACCEPTED, 0)
    assert (channel.available, channel.unsettled.held) == (4, 0)


def test_what_was_sent_stays_the_peers_when_its_reader_goes() -> None:
    channel = Channel()
    reader = channel.consumer.reader
    assert reader is not None
    keep_held(reader)
    channel.queue.broker.stop(reader, 0)
    assert channel.available == 0
    for delivery in channel.unsettled.take_all():
        delivery.settle(Outcome.RELEASED, 0)
    assert channel.available == 4


def test_an_outcome_means_nothing_once_the_queue_is_gone() -> None:
    channel = Channel()
    channel.queue.broker.delete("q", 0)
    for delivery in channel.unsettled.take_all():
        delivery.settle(Outcome.ACCEPTED, 0)
    assert channel.unsettled.between(1, 40) == []


def test_an_outcome_in_a_transaction_takes_effect_at_the_commit() -> None:
    channel = Channel()
    transaction = Transaction(MemoryAccount())
    delivery = channel.unsettled.remove(20)
    assert delivery is not None
    channel.unsettled.retire(delivery, Outcome.REJECTED, transaction, False)
    assert channel.queue.hosted.queue.depth == 4
    channel.queue.broker.commit(transaction, 0)
    assert channel.queue.hosted.queue.depth == 3
    assert channel.unsettled.take_retired() == [delivery]
    assert channel.unsettled.take_retired() == []


def test_what_a_rolled_back_transaction_settled_is_the_peers_again_in_its_place() -> None:
    channel = Channel()
    transaction = Transaction(MemoryAccount())
    delivery = channel.unsettled.remove(20)
    assert delivery is not None
    channel.unsettled.retire(delivery, Outcome.ACCEPTED, transaction, False)
    transaction.roll_back(0)
    for retired in channel.unsettled.take_retired():
        channel.unsettled.add(retired)
    channel.unsettled.sort()
    assert channel.numbers(1, 40) == [10, 20, 30, 40]
    assert channel.available == 0


def test_what_the_peer_has_forgotten_is_not_given_back_to_it() -> None:
    channel = Channel()
    transaction = Transaction(MemoryAccount())
    delivery = channel.unsettled.remove(20)
    assert delivery is not None
    channel.unsettled.retire(delivery, Outcome.ACCEPTED, transaction, True)
    assert channel.unsettled.take_retired() == []
    transaction.roll_back(0)
    assert channel.available == 1


def test_a_delivery_lets_go_of_a_message_that_has_left_its_queue_once_much_was_sent() -> None:
    channel = Channel(Mode.BROWSE)
    shown = channel.unsettled.between(1, 40)
    queue = channel.queue.hosted.queue
    gone = shown[0].entry
    assert gone is not None
    queue.remove([gone], Reason.PURGED)
    shown[3].size_bytes = PINNED_BYTES
    channel.unsettled.add(shown[3])
    assert [each.entry is None for each in shown] == [True, False, False, False]
    # A peer that answers for it now is not told that anything is wrong.
    shown[0].settle(Outcome.ACCEPTED, 0)
    shown[0].keep()


def test_a_delivery_does_not_let_go_of_a_message_that_is_held() -> None:
    channel = Channel()
    held = channel.unsettled.between(1, 40)
    held[3].size_bytes = PINNED_BYTES
    channel.unsettled.add(held[3])
    assert all(each.entry is not None for each in held)
