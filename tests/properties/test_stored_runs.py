"""A journal has the same of messages that came in runs as of messages whose effects stand alone."""

from itertools import product
from typing import Any

from canned_message import Bell
from example_counts import example_count
from hypothesis import given, settings
from hypothesis import strategies as st
from kept_log import KeptLog, state_of
from message_run import Encoded, take_all

from lastvalue.broker.broker import Broker
from lastvalue.codec.amqp10.content import MessageContent, encode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.values import Value
from lastvalue.queues.entry import Entry
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.queues.subscription import ANY, Mode, Outcome, Subscription
from lastvalue.store.records import ADDED_SIZE, added_size
from lastvalue.store.store_contents import StoreContents

EXAMPLES = example_count(200)
QUEUES: dict[str, dict[str, Any]] = {
    "values": {"lvq_key": "k"},
    "standard": {},
    "ordered": {"lvq_key": "k", "order_by": "o"},
    "timed": {"lvq_key": "k", "default_ttl_ms": 3},
    "ring": {"max_messages": 3, "when_full": "drop-oldest"},
}


def payload(key: str, body: str, durable: bool, order: int = 300) -> bytes:
    properties: dict[str, Value] = {"k": key, "o": order}
    return encode_content(MessageContent(durable=durable, application_properties=properties, body=body))


@st.composite
def payloads(draw: st.DrawFn) -> list[bytes]:
    """Messages of which most are alike, and are as long as others of theirs."""
    rare = draw(st.integers(0, 5))
    bodies = st.sampled_from(["a", "b"]) if rare else st.sampled_from(["a", "longer", "the longest"])
    durable = st.just(True) if rare != 1 else st.booleans()
    sent = st.tuples(st.sampled_from("abcd"), bodies, durable, st.sampled_from([300, 400, 500]))
    return [payload(*each) for each in draw(st.lists(sent, min_size=1, max_size=8))]


NAMES = st.sampled_from(sorted(QUEUES))
STEPS = st.one_of(
    st.tuples(st.just("send"), NAMES, payloads()),
    st.tuples(st.just("send"), st.just("values"), payloads()),
    st.tuples(st.just("turn"), NAMES, st.just(())),
    st.tuples(st.just("flush"), NAMES, st.just(())),
    st.tuples(st.just("take"), NAMES, st.integers(1, 3)),
    st.tuples(st.just("settle"), NAMES, st.sampled_from([Outcome.ACCEPTED, Outcome.RELEASED])),
    st.tuples(st.just("amend"), NAMES, st.sampled_from([("b", "us"), ("a longer one", "a container")])),
    st.tuples(st.just("purge"), NAMES, st.just(())),
    st.tuples(st.just("change"), NAMES, st.sampled_from([{}, {"maximum_ttl_ms": 50}, {"removal_log": 2}])),
    st.tuples(st.just("delete"), NAMES, st.just(())),
)


class Side:
    """A broker and its journal."""

    def __init__(self, *, all_effects: bool) -> None:
        self.log = KeptLog()
        self.journal = self.log.journal()
        self.broker = Broker(all_effects=all_effects)
        self.readers: dict[str, Subscription] = {}
        self.held: dict[str, list[Entry]] = {}
        for name in QUEUES:
            self._declare(name)

    def _declare(self, name: str) -> None:
        self.broker.declare(spec_from_arguments(name, {"durable": True, **QUEUES[name]}))
        queue = self.broker.lookup(name).queue
        self.readers[name] = queue.subscribe(Mode.CONSUME, Bell(), ANY, 0)
        self.held[name] = []

    def step(self, action: str, name: str, how: Any, now: int) -> None:
        hosted = self.broker.lookup(name)
        queue = hosted.queue
        if action == "send":
            run = Encoded(how)
            while run.left > 0:
                assert take_all(hosted, run, now) is True
        elif action == "take":
            taken = [queue.next(self.readers[name], now) for _ in range(how)]
            self.held[name] += [entry for entry in taken if entry is not None]
        elif action == "settle":
            for entry in self.held[name]:
                queue.settle(entry, how, now)
            self.held[name] = []
        elif action == "amend":
            for entry in self.held[name]:
                # One of them is its key, where it has one.
                for key, order in product("abcd", (300, 400, 500)):
                    message = read_message(payload(key, how[0], entry.message.durable, order))
                    message.origin = how[1]
                    queue.amend(entry, message)
        elif action == "purge":
            self.broker.purge(name)
        elif action == "change":
            spec = spec_from_arguments(name, {"durable": True, **QUEUES[name], **how})
            self.broker.reconfigure(spec, now)
        elif action == "delete":
            self.broker.delete(name, now)
            self._declare(name)
        else:
            self.turn(now)
            if action == "flush":
                self.journal.flush(lambda: None)
            return
        self.broker.lookup(name).mark_changed()

    def turn(self, now: int) -> None:
        drained = self.broker.drain(now)
        for definition in self.broker.definitions.drain():
            self.journal.define(definition.kind, definition.name, definition.arguments)
        for queue, effects in drained:
            self.journal.append(queue, effects)

    def stored(self) -> tuple[dict[Any, Any], dict[Any, Any], int]:
        """What a broker that starts finds, and how much of it is needed."""
        contents = self.log.contents()
        return messages_of(contents), dict(contents.sequences), self.journal.live_bytes

    def restored_bytes(self) -> int:
        """The size of the records that a broker reads that starts."""
        present = [each for messages in self.log.contents().messages.values() for each in messages.values()]
        return sum(ADDED_SIZE + len(each.encoded) + len(each.origin) for _, each in present)

    def needed_bytes(self) -> int:
        present = [entry for queue in self.broker.queues() for entry in queue.entries()]
        return sum(added_size(entry) for entry in present if entry.message.durable)


def messages_of(contents: StoreContents) -> dict[int, Any]:
    fields = ("encoded", "origin", "arrival_ms", "expires_ms", "place", "updates", "delivery_count", "state")
    return {
        number: {
            sequence: [getattr(message, name) for name in fields]
            for sequence, (_, message) in sorted(messages.items())
        }
        for number, messages in contents.messages.items()
        if messages
    }


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.lists(STEPS, min_size=1, max_size=14))
def test_a_journal_has_what_it_has_of_messages_one_by_one(steps: list[tuple[str, str, Any]]) -> None:
    runs, single = Side(all_effects=False), Side(all_effects=True)
    now = 10
    for action, name, how in [*steps, ("flush", "values", ())]:
        for side in (runs, single):
            side.step(action, name, how, now)
        assert state_of(runs.broker, timed=True) == state_of(single.broker, timed=True)
        if action == "flush":
            assert runs.stored() == single.stored()
            assert runs.journal.live_bytes == runs.needed_bytes()
        now += 5


def test_segments_of_values_that_were_replaced_in_runs_go() -> None:
    side = Side(all_effects=False)
    sent = [payload(key, "x" * 200, True) for key in "abcd"]
    for number in range(200):
        side.step("send", "values", sent, number)
        side.step("flush", "values", (), number)
        assert side.journal.live_bytes == side.needed_bytes()
    assert len(side.journal.segment_bytes) < 15
    assert sorted(next(iter(messages_of(side.log.contents()).values()))) == [797, 798, 799, 800]


def test_what_was_amended_is_counted_as_it_was_stored_when_its_entry_gets_the_next_value() -> None:
    side = Side(all_effects=False)
    side.step("send", "values", [payload("a", "a", True)], 1)
    side.step("flush", "values", (), 1)
    side.step("take", "values", 1, 2)
    for body, origin in (("longer", "a container"), ("the longest of all", "us")):
        side.step("amend", "values", (body, origin), 2)
    side.step("settle", "values", Outcome.RELEASED, 2)
    entry = side.broker.lookup("values").queue.entries()[0]
    side.step("send", "values", [payload("a", "new", True)], 3)
    assert side.broker.lookup("values").queue.entries() == [entry]
    side.step("flush", "values", (), 3)
    assert side.journal.live_bytes == side.needed_bytes()


def test_a_stored_message_may_be_amended_to_one_of_another_container() -> None:
    side = Side(all_effects=True)
    side.step("send", "standard", [payload("a", "a", True)], 1)
    side.step("flush", "standard", (), 1)
    side.step("take", "standard", 1, 2)
    for origin in ("a container", "", "another"):
        side.step("amend", "standard", ("b", origin), 2)
        side.step("flush", "standard", (), 2)
        assert side.journal.live_bytes == side.needed_bytes() == side.restored_bytes()
