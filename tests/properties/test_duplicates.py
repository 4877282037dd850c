"""Duplicate detection against a list of ids, and what effects and a restart rebuild of it."""

from typing import Any

from canned_message import Bell, CannedMessage
from example_counts import example_count
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from lastvalue.queues.duplicates import DEFAULT_WINDOW
from lastvalue.queues.effects import Effect, Reason
from lastvalue.queues.ids import explicit_id
from lastvalue.queues.once import enqueue_once
from lastvalue.queues.queue import Queue
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.queues.subscription import ANY, Mode, Outcome

EXAMPLES = example_count(200)
IDS = st.integers(0, 6)
PRODUCERS = st.sampled_from("pq")
WINDOWS = st.sampled_from([0, 1, 2, 4])


class OncePerId(RuleBasedStateMachine):
    """Only the newest ids count, a known one changes nothing, and what is refused is not known."""

    @initialize(window=WINDOWS, keyed=st.booleans(), most=st.sampled_from([0, 3]))
    def declare(self, window: int, keyed: bool, most: int) -> None:
        self.options: dict[str, Any] = {"duplicate_window": window, "max_messages": most}
        self.options |= {"lvq_key": "k", "order_by": "o"} if keyed else {}
        self.first = dict(self.options)
        self.queue = Queue(spec_from_arguments("q", self.options))
        self.consumer = self.queue.subscribe(Mode.CONSUME, Bell(), ANY, 0)
        self.known: list[int] = []
        self.counted: set[tuple[str, int]] = set()
        self.duplicates = 0
        self.history: list[Effect] = []

    @property
    def window(self) -> int:
        return self.options["duplicate_window"] or DEFAULT_WINDOW

    @rule(number=IDS, marked=st.booleans(), key=st.sampled_from("ab"), order=st.integers(0, 3))
    def send(self, number: int, marked: bool, key: str, order: int) -> None:
        message = CannedMessage({"k": key, "o": order, "_AMQ_DUPL_ID": f"id-{number}"})
        if marked:
            message.duplicate_id = explicit_id(f"id-{number}".encode())
        detected = marked or self.options["duplicate_window"] > 0
        depth, refused = self.queue.depth, self.queue.refused
        taken = enqueue_once(self.queue, message, 0)
        assert taken == (self.queue.refused == refused)
        if not detected or not taken:
            return
        if number in self.known:
            self.duplicates += 1
            assert self.queue.depth == depth
        else:
            self.known = [*self.known, number][-self.window :]

    @rule(producer=PRODUCERS, number=IDS, durable=st.booleans())
    def count(self, producer: str, number: int, durable: bool) -> None:
        """A producer that counts sends a number, in any order."""
        message = CannedMessage({"k": "a", "o": 1})
        message.durable = durable
        message.duplicate_id = explicit_id(f"lastvalue:{producer}-{number}".encode())
        depth, refused = self.queue.depth, self.queue.refused
        enqueue_once(self.queue, message, 0)
        if self.queue.refused > refused:
            return
        if (producer, number) in self.counted:
            self.duplicates += 1
            assert self.queue.depth == depth
        self.counted.add((producer, number))

    @rule(accepted=st.booleans())
    def consume(self, accepted: bool) -> None:
        entry = self.queue.next(self.consumer, 0)
        if entry is not None:
            self.queue.settle(entry, Outcome.ACCEPTED if accepted else Outcome.RELEASED, 0)

    @rule()
    def purge(self) -> None:
        self.queue.purge()

    @rule(window=WINDOWS)
    def reconfigure(self, window: int) -> None:
        self.options["duplicate_window"] = window
        self.queue.reconfigure(spec_from_arguments("q", self.options), 0)

    @rule()
    def restart(self) -> None:
        """A queue of what a store would have kept knows as much, but never more than its window."""
        restored = Queue(self.queue.spec)
        restored.restore(self.queue.entries(), self.queue.sequence, self.queue.duplicates.ids())
        assert remembered(restored) == remembered(self.queue)[-self.window :]
        assert restored.sequence == self.queue.sequence
        assert counted(restored) == self.counted

    @invariant()
    def what_is_counted_adds_up(self) -> None:
        queue = self.queue
        assert queue.published == queue.depth + sum(queue.removed(reason) for reason in Reason)
        assert queue.removed(Reason.DUPLICATE) == self.duplicates

    @invariant()
    def the_newest_ids_are_known(self) -> None:
        assert remembered(self.queue) == [f"=id-{number}".encode() for number in self.known]
        assert counted(self.queue) == self.counted

    @invariant()
    def effects_rebuild_it(self) -> None:
        self.history += self.queue.drain()
        rebuilt = Queue(spec_from_arguments("q", self.first))
        rebuilt.replay(self.history)
        assert remembered(rebuilt) == remembered(self.queue)
        assert counted(rebuilt) == self.counted
        assert [known.sequence for known in rebuilt.duplicates.ids()] == [
            known.sequence for known in self.queue.duplicates.ids()
        ]
        assert rebuilt.removed(Reason.DUPLICATE) == self.duplicates


def remembered(queue: Queue) -> list[bytes]:
    return [known.duplicate_id for known in queue.duplicates.ids() if known.duplicate_id[:1] == b"="]


def counted(queue: Queue) -> set[tuple[str, int]]:
    """What it knows of the producers that count."""
    return {
        (producer, number)
        for producer in ("p", "q")
        for number in range(7)
        if queue.duplicates.knows(explicit_id(f"lastvalue:{producer}-{number}".encode()))
    }


TestOncePerId = OncePerId.TestCase
TestOncePerId.settings = settings(max_examples=EXAMPLES, stateful_step_count=30, deadline=None)
