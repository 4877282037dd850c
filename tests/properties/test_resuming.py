"""However often its link and its connection break, a client with an unsettled map has each message once."""

from broker_peer import BrokerPeer, body_of
from example_counts import example_count
from hypothesis import event, given, settings
from hypothesis import strategies as st
from wired_broker import Clock

from lastvalue.broker.broker import Broker
from lastvalue.codec.amqp10.content import MessageContent, encode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.performatives import (
    ROLE_RECEIVER,
    Accepted,
    Detach,
    Disposition,
    Modified,
    Transfer,
)
from lastvalue.codec.amqp10.values import Described, ULong, Value
from lastvalue.queues.spec import QueueSpec

EXAMPLES = example_count(100)
ACCEPTED = Described(ULong(0x24), [])
VERBS = ["publish", "credit", "hear", "accept", "fail", "detach", "lose"]
STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            ["publish", "publish", "credit", "hear", "accept", "accept", "fail", "detach", "lose"]
        ),
        st.integers(0, 3),
        st.booleans(),
    ),
    max_size=40,
)


class Client:
    """Accepts every message once, and remembers what the broker may not have heard of that.

    Attributes:
        unsettled: by delivery tag: the body, and whether it was accepted.
        done: the bodies that were accepted.
    """

    def __init__(self) -> None:
        self.clock = Clock()
        self.broker = Broker()
        self.broker.declare(QueueSpec("q"))
        self.published = 0
        self.done: list[object] = []
        self.unsettled: dict[bytes, tuple[object, bool]] = {}
        self._ids: dict[bytes, int] = {}
        self._seen = 0
        self._partial = b""
        self._resumes_only = False
        self._peer = BrokerPeer(self.broker, self.clock)
        self._attach()

    def _attach(self, most: int = 0) -> None:
        """Attach again, and name that many of the unsettled deliveries; 0 is all of them."""
        states: dict[Value, Value] = {
            tag: ACCEPTED if accepted else None for tag, (_, accepted) in self.unsettled.items()
        }
        incomplete = 0 < most < len(states)
        if incomplete:
            event("incomplete")
            states = dict(list(states.items())[-most:])
        answer = self._peer.reads(
            0, unsettled=states, incomplete=incomplete, expiry_policy="connection-close", timeout=60
        )
        known = answer.unsettled or {}
        assert not answer.incomplete_unsettled
        self._resumes_only = incomplete
        # What the broker does not have any more is settled.
        self.unsettled = {tag: one for tag, one in self.unsettled.items() if tag in known}
        self._ids = {}
        self._seen = 0
        self._partial = b""

    def publish(self, count: int, _flag: bool) -> None:
        for _ in range(count):
            self.published += 1
            content = MessageContent(body=self.published)
            self.broker.publish(
                self.broker.queue_target("q"), read_message(encode_content(content)), self.clock.now
            )
        self._peer.turn()

    def credit(self, credit: int, _: bool) -> None:
        self._peer.flow(handle=0, delivery_count=self._seen, credit=credit)

    def hear(self, most: int = 1 << 30, _flag: bool = True) -> None:
        """Hear that many frames; what is not heard before a loss is lost."""
        for _ in range(most):
            frame = self._peer.next_frame()
            if frame is None:
                return
            if isinstance(frame.performative, Transfer):
                self._take(frame.performative, frame.payload)

    def _take(self, transfer: Transfer, payload: bytes) -> None:
        tag, number = transfer.delivery_tag, transfer.delivery_id
        assert tag is not None
        assert number is not None
        self._seen += 1
        body = body_of(payload)
        if transfer.resume:
            event("resumed")
            known, accepted = self.unsettled[tag]
            if transfer.settled:
                assert accepted
                del self.unsettled[tag]
                return
            assert (body, accepted) == (known, False)
        else:
            assert not self._resumes_only
            assert body not in self.done, "accepted before, and sent again"
            assert tag not in self.unsettled
            self.unsettled[tag] = (body, False)
        self._ids[tag] = number

    def accept(self, which: int, is_heard: bool) -> None:
        """Accept a message; the broker hears of it now, or with the next attach."""
        open_ones = [
            tag for tag, (_, accepted) in self.unsettled.items() if not accepted and tag in self._ids
        ]
        if not open_ones:
            return
        tag = open_ones[which % len(open_ones)]
        body, _ = self.unsettled[tag]
        self.done.append(body)
        if is_heard:
            self._settle(tag, Accepted())
        else:
            self.unsettled[tag] = (body, True)

    def fail(self, which: int, _: bool) -> None:
        open_ones = [
            tag for tag, (_, accepted) in self.unsettled.items() if not accepted and tag in self._ids
        ]
        if open_ones:
            self._settle(open_ones[which % len(open_ones)], Modified(delivery_failed=True))

    def _open(self) -> list[bytes]:
        return [tag for tag, (_, accepted) in self.unsettled.items() if not accepted and tag in self._ids]

    def _settle(self, tag: bytes, state: Accepted | Modified) -> None:
        del self.unsettled[tag]
        number = self._ids[tag]
        self._peer.say(Disposition(role=ROLE_RECEIVER, first=number, last=number, settled=True, state=state))

    def detach(self, most: int, is_heard: bool) -> None:
        """Detach without closing; what was sent before may be heard."""
        if is_heard:
            self.hear()
        self._peer.detach(closed=False)
        frames = self._peer.frames()
        assert isinstance(frames[-1].performative, Detach)
        self._attach(most)

    def lose(self, most: int, is_heard: bool) -> None:
        if is_heard:
            self.hear()
        self._peer.vanish()
        self._peer = BrokerPeer(self.broker, self.clock)
        self._attach(most)

    def finish(self) -> None:
        """Take everything that is left."""
        self.hear()
        self.detach(0, True)
        self.credit(1000, True)
        self.hear()
        for _ in range(len(self.unsettled)):
            self.accept(0, True)


@settings(max_examples=EXAMPLES, deadline=None)
@given(STEPS)
def test_each_message_is_accepted_once_whatever_breaks(steps: list[tuple[str, int, bool]]) -> None:
    client = Client()
    for verb, number, flag in steps:
        getattr(client, verb)(number, flag)
    client.finish()
    assert sorted(client.done, key=str) == sorted(range(1, client.published + 1), key=str)
    queue = client.broker.lookup("q").queue
    assert (queue.depth, queue.available) == (0, 0)
