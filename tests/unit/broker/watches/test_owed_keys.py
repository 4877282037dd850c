"""Keys whose values a reader is owed before the marker."""

import pytest
from bare_queue import START_MS, encoded

from lastvalue.broker.watches.key_index import KeyIndex
from lastvalue.broker.watches.owed_keys import OwedKeys
from lastvalue.codec.amqp10.message import read_message
from lastvalue.model.memory_budget import MemoryAccount, MemoryBudget
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec import LastValue, QueueSpec


class World:
    """A queue, and what a reader of it is owed."""

    def __init__(self, position: int = 0, only: str = "abc") -> None:
        self.queue = Queue(QueueSpec("q", LastValue("k")))
        self.queue.contents.notes_all = True
        self.memory = MemoryAccount(MemoryBudget())
        self.index = KeyIndex(self.queue, self.memory)
        for key in "abc":
            self.update(key)
        keys = {self.queue.entries()["abc".index(key)].key for key in only}
        self.owed = OwedKeys(self.queue, self.index, self.memory, lambda key: key in keys, position)

    def update(self, key: str) -> None:
        self.queue.enqueue(read_message(encoded("x", {"k": key}, None)), START_MS)
        for effect in self.queue.drain():
            self.index.tell(effect)

    def sequences(self) -> list[int]:
        found = []
        while (entry := self.owed.next(START_MS)) is not None:
            found.append(int(entry.sequence))
        return found


def test_a_key_is_owed_if_its_value_was_replaced_before_the_reader_came_to_it() -> None:
    world = World(position=1)
    for key in "abcb":
        world.update(key)
    assert world.sequences() == [7, 6]
    assert world.memory.used_bytes == 0


def test_what_came_later_than_the_reader_is_not_owed() -> None:
    world = World()
    world.update("new")
    world.update("new")
    assert (world.sequences(), world.owed.is_over) == ([], True)


def test_keys_that_the_reader_does_not_ask_for_are_not_owed() -> None:
    world = World(only="b")
    for key in "abc":
        world.update(key)
    assert world.sequences() == [5]


def test_what_was_given_out_of_turn_is_known_when_its_turn_comes() -> None:
    world = World(position=2)
    world.update("c")
    world.update("a")
    (sequence,) = world.sequences()
    given, other = world.queue.entries()[1:]
    assert sequence == given.sequence
    assert (world.owed.is_again(given), world.owed.is_again(other), world.owed.is_over) == (True, False, True)


def test_a_key_whose_turn_comes_first_is_not_owed_any_more() -> None:
    world = World(position=2)
    world.update("c")
    assert world.owed.is_again(world.queue.entries()[-1]) is False
    assert world.sequences() == []


@pytest.mark.parametrize("keys", ["", "ab"])
def test_at_its_end_it_takes_no_memory_and_is_told_nothing_more(keys: str) -> None:
    world = World()
    for key in keys:
        world.update(key)
    world.owed.end()
    assert (world.memory.used_bytes, world.index.empty) == (0, True)
    world.update("c")
    assert world.sequences() == []
