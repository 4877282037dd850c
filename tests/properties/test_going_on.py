"""A browser whose connection breaks continues after the last message that it had, and gets each one once."""

import os
import random

from bare_queue import START_MS
from canned_message import Bell

from lastvalue.client.message import Message
from lastvalue.client.message_codec import encode_message
from lastvalue.client.reconnection import Place
from lastvalue.client.wanted import Wanted
from lastvalue.codec.amqp10.message import read_message
from lastvalue.queues.entry import Entry
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec import QueueSpec
from lastvalue.queues.subscription import Mode, Terms

BREAKS = int(os.environ.get("LASTVALUE_DISCONNECTS", "200"))
DELAYS = (0, 0, 0, 7, 20)


class Reader:
    """A browser over all its connections, each of which begins where the one before had come to."""

    def __init__(self, queue: Queue) -> None:
        self.queue = queue
        self.place = Place()
        self.seen: list[int] = []
        self.breaks = -1
        self.connect(0)

    def connect(self, now: int) -> None:
        wanted = self.place.wanted(Wanted(), 0.0)
        terms = Terms(after=-1 if wanted.after is None else wanted.after)
        terms.after_ms = -1 if wanted.after_ms is None else wanted.after_ms
        self.subscription = self.queue.subscribe(Mode.BROWSE, Bell(), terms, now)
        self.breaks += 1

    def read(self, most: int, delays: dict[int, int], now: int) -> None:
        while most > 0:
            entry = self.queue.next(self.subscription, now)
            if entry is not None:
                self.take(entry, delays)
                most -= 1
            elif not self.subscription.scans_on:
                return

    def take(self, entry: Entry, delays: dict[int, int]) -> None:
        sequence = int(entry.sequence)
        notes = {"x-opt-delivery-delay": delays[sequence]} if delays[sequence] else {}
        time_ms = int(entry.arrival_ms)
        if self.place.note(Message(None, annotations=notes, sequence=sequence, arrival_time_ms=time_ms)):
            self.seen.append(sequence)


def test_a_browser_that_goes_on_gets_each_message_once_also_those_that_were_held_back() -> None:
    chance = random.Random(1)
    queue = Queue(QueueSpec("q"))
    reader = Reader(queue)
    delays: dict[int, int] = {}
    now = START_MS
    while reader.breaks < BREAKS:
        now += chance.randrange(1, 6)
        queue.advance(now)
        for _ in range(chance.randrange(3)):
            delay_ms = chance.choice(DELAYS)
            notes = {"x-opt-delivery-delay": delay_ms} if delay_ms else {}
            assert queue.enqueue(read_message(encode_message(Message("x", annotations=notes))), now)
            delays[int(queue.sequence)] = delay_ms
        reader.read(chance.choice((0, 1, 2, 100)), delays, now)
        if chance.random() < 0.3:
            queue.unsubscribe(reader.subscription, now)
            reader.connect(now)
    now += max(DELAYS)
    queue.advance(now)
    reader.read(len(delays), delays, now)
    assert len(reader.seen) == len(set(reader.seen))
    assert sorted(reader.seen) == sorted(delays)
