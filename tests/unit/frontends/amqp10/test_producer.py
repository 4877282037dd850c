"""What producers are given and told while the broker's gates are shut, and through exchanges."""

import pytest
from bare_queue import START_MS, encoded
from wired_broker import Clock, Line

from lastvalue.broker.broker import Broker
from lastvalue.broker.resource_alarms import CREDIT, StoreFaultError
from lastvalue.broker.rights.owner import NOBODY
from lastvalue.broker.routing.bindings import Binding
from lastvalue.broker.routing.exchange_spec import ExchangeSpec
from lastvalue.codec.amqp10.performatives import (
    SENDER_MIXED,
    SENDER_SETTLED,
    SENDER_UNSETTLED,
    Accepted,
    AmqpError,
    Rejected,
    Target,
)
from lastvalue.protocols.amqp10.sender import DeliverySettled, SenderLink
from lastvalue.queues.spec import QueueSpec
from lastvalue.queues.spec_arguments import spec_from_arguments

FULL = StoreFaultError("the disk is full", full=True)
ANONYMOUS = None


class Mill:
    """A broker with a queue that is kept and one that is not, both bound to an exchange, and producers."""

    def __init__(self) -> None:
        self.broker = Broker()
        self.broker.declare(QueueSpec("kept", durable=True))
        self.broker.declare(QueueSpec("light"))
        self.broker.declare_exchange(ExchangeSpec("news"))
        for name in ("kept", "light"):
            self.broker.bind("news", Binding(name, name), NOBODY, START_MS)
        self.line = Line(self.broker, Clock())
        self._links = 0

    def producer(self, address: str | None, mode: int = SENDER_MIXED) -> SenderLink:
        self._links += 1
        link = self.line.session.attach_sender(f"{self._links}", Target(address=address), settle_mode=mode)
        self.line.exchange()
        return link

    def send(
        self,
        link: SenderLink,
        subject: str = "",
        *,
        to: str | None = None,
        settled: bool,
        durable: bool = True,
    ) -> None:
        link.send(encoded("x", {}, None, subject=subject, to=to, durable=durable), settled=settled)
        self.line.exchange()

    def outcomes(self) -> list[object]:
        return [event.state for event in self.line.take(DeliverySettled)]

    def depth(self, name: str) -> int:
        return int(self.broker.lookup(name).queue.depth)


@pytest.fixture
def mill() -> Mill:
    return Mill()


# ---------------------------------------------------------------------- shut gates


def test_a_shut_gate_costs_an_idle_link_nothing_and_takes_the_credit_of_who_sends(mill: Mill) -> None:
    idle, busy = mill.producer("kept"), mill.producer("kept")
    mill.broker.alarms.set_store(True)
    mill.line.exchange()
    assert (idle.credit, busy.credit) == (CREDIT, CREDIT)
    mill.send(busy, settled=True)
    assert (idle.credit, busy.credit, mill.depth("kept")) == (CREDIT, 0, 1)
    mill.broker.alarms.set_store(False)
    mill.line.exchange()
    assert (idle.credit, busy.credit) == (CREDIT, CREDIT)


def test_what_is_under_way_when_a_gate_is_shut_is_taken(mill: Mill) -> None:
    link = mill.producer("kept")
    mill.broker.alarms.set_store(True)
    for _ in range(CREDIT):
        link.send(encoded("x", {}, None), settled=True)
    mill.line.exchange()
    assert (link.attached, link.credit, mill.depth("kept")) == (True, 0, CREDIT)
    mill.broker.alarms.set_store(False)
    mill.line.exchange()
    assert link.credit == CREDIT


@pytest.mark.parametrize("mode", [SENDER_SETTLED, SENDER_MIXED, SENDER_UNSETTLED])
def test_who_attaches_before_a_shut_gate_waits_until_it_opens(mill: Mill, mode: int) -> None:
    mill.broker.alarms.set_store(True)
    link = mill.producer("kept", mode)
    assert link.credit == 0
    mill.broker.alarms.set_store(False)
    mill.line.exchange()
    assert link.credit == CREDIT


@pytest.mark.parametrize(
    ("address", "subject", "to"),
    [("light", "", None), ("news", "light", None), (ANONYMOUS, "", "light")],
)
def test_the_stores_gate_is_no_matter_of_who_publishes_what_is_not_kept(
    mill: Mill, address: str | None, subject: str, to: str | None
) -> None:
    mill.broker.alarms.set_store(True)
    link = mill.producer(address)
    for _ in range(CREDIT):
        mill.send(link, subject, to=to, settled=True)
    assert (link.credit > 0, mill.depth("light")) == (True, CREDIT)


@pytest.mark.parametrize(("address", "subject", "to"), [("news", "kept", None), (ANONYMOUS, "", "kept")])
def test_who_reaches_a_kept_queue_by_another_way_is_stopped_with_its_first_message(
    mill: Mill, address: str | None, subject: str, to: str | None
) -> None:
    mill.broker.alarms.set_store(True)
    link = mill.producer(address)
    assert link.credit == CREDIT
    mill.send(link, subject, to=to, settled=True)
    assert (link.credit, mill.depth("kept")) == (0, 1)
    mill.broker.alarms.set_store(False)
    mill.line.exchange()
    assert link.credit == CREDIT


@pytest.mark.parametrize(("address", "subject"), [("light", ""), ("kept", ""), ("news", "nobody")])
def test_the_memorys_gate_stops_everybody(mill: Mill, address: str, subject: str) -> None:
    link = mill.producer(address)
    mill.broker.alarms.set_memory(True)
    mill.send(link, subject, settled=True)
    assert link.credit == 0
    mill.broker.alarms.set_store(True)
    mill.broker.alarms.set_store(False)
    mill.line.exchange()
    assert link.credit == 0
    mill.broker.alarms.set_memory(False)
    mill.line.exchange()
    assert link.credit == CREDIT


def test_flow_control_and_a_gate_both_have_to_be_open(mill: Mill) -> None:
    limited = {"durable": True, "when_full": "block", "max_messages": 1, "flow_resume_messages": 1}
    mill.broker.declare(spec_from_arguments("tight", limited))
    link = mill.producer("tight")
    mill.broker.alarms.set_store(True)
    mill.send(link, settled=True)
    assert link.credit == 0
    mill.broker.alarms.set_store(False)
    mill.line.exchange()
    assert link.credit == 1
    mill.send(link, settled=True)
    mill.broker.alarms.set_store(True)
    mill.broker.alarms.set_store(False)
    mill.line.exchange()
    assert link.credit == 0
    mill.broker.purge("tight")
    mill.line.exchange()
    assert link.credit == 2


@pytest.mark.parametrize("address", ["kept", "news", ANONYMOUS])
def test_links_that_ended_are_not_thought_of_again(mill: Mill, address: str | None) -> None:
    link = mill.producer(address)
    link.detach()
    mill.line.exchange()
    for name in ("kept", "news"):
        mill.producer(name)
    assert mill.broker.alarms.producers == 2
    mill.broker.delete("kept", START_MS)
    mill.broker.delete_exchange("news")
    assert mill.broker.alarms.producers == 0


def test_credit_is_given_at_the_pace_of_the_disk_to_who_publishes_what_is_kept(mill: Mill) -> None:
    kept, light = mill.producer("kept"), mill.producer("light")
    mill.broker.alarms.pace(100)
    for _ in range(CREDIT - 40):
        mill.send(kept, settled=True)
    assert 50 < kept.credit <= 100
    mill.broker.alarms.pace(0)
    mill.line.exchange()
    assert (kept.credit, light.credit, mill.producer("kept").credit) == (CREDIT, CREDIT, CREDIT)


# ---------------------------------------------------------------------- a disk that takes nothing


@pytest.mark.parametrize(
    ("address", "subject", "to"), [("kept", "", None), ("news", "kept", None), (ANONYMOUS, "", "kept")]
)
def test_a_durable_message_is_rejected_with_the_reason_and_the_next_may_be_tried(
    mill: Mill, address: str | None, subject: str, to: str | None
) -> None:
    link = mill.producer(address)
    mill.broker.alarms.set_fault(FULL)
    mill.line.exchange()
    for _ in range(3):
        assert link.credit > 0
        mill.send(link, subject, to=to, settled=False)
        (outcome,) = mill.outcomes()
        assert outcome == Rejected(AmqpError("amqp:resource-limit-exceeded", "the disk is full"))
    assert mill.depth("kept") == 0
    mill.broker.alarms.set_fault(None)
    mill.line.exchange()
    assert link.credit == CREDIT
    mill.send(link, subject, to=to, settled=False)
    assert mill.outcomes() == [Accepted()]


def test_a_broken_disk_is_an_internal_error(mill: Mill) -> None:
    link = mill.producer("kept")
    mill.broker.alarms.set_fault(StoreFaultError("the disk is broken", full=False))
    mill.send(link, settled=False)
    (outcome,) = mill.outcomes()
    assert outcome == Rejected(AmqpError("amqp:internal-error", "the disk is broken"))


def test_who_waited_for_credit_is_told_of_the_fault(mill: Mill) -> None:
    mill.broker.alarms.set_store(True)
    link = mill.producer("kept")
    assert link.credit == 0
    mill.broker.alarms.set_fault(FULL)
    mill.line.exchange()
    assert link.credit == 1
    mill.send(link, settled=False)
    assert isinstance(mill.outcomes()[0], Rejected)
    mill.broker.alarms.set_fault(None)
    mill.line.exchange()
    assert link.credit == 0
    mill.broker.alarms.set_store(False)
    mill.line.exchange()
    assert link.credit == CREDIT


@pytest.mark.parametrize(("address", "subject"), [("kept", ""), ("news", "kept")])
def test_what_is_settled_is_taken_and_its_producer_stopped(mill: Mill, address: str, subject: str) -> None:
    link = mill.producer(address)
    mill.broker.alarms.set_fault(FULL)
    mill.line.exchange()
    mill.send(link, subject, settled=True)
    assert (link.credit, mill.depth("kept")) == (0, 1)
    mill.broker.alarms.set_fault(None)
    mill.line.exchange()
    assert link.credit == CREDIT


def test_who_only_sends_settled_gets_no_credit_while_the_disk_takes_nothing(mill: Mill) -> None:
    mill.broker.alarms.set_fault(FULL)
    assert mill.producer("kept", SENDER_SETTLED).credit == 0


@pytest.mark.parametrize(
    ("address", "subject", "durable"),
    [("light", "", True), ("kept", "", False), ("news", "light", True), ("news", "kept", False)],
)
def test_what_costs_no_disk_is_taken_and_confirmed(
    mill: Mill, address: str, subject: str, durable: bool
) -> None:
    link = mill.producer(address)
    mill.broker.alarms.set_fault(FULL)
    for _ in range(3):
        mill.send(link, subject, settled=False, durable=durable)
        assert mill.outcomes() == [Accepted()]


# ---------------------------------------------------------------------- flow control through exchanges


@pytest.fixture
def tight(mill: Mill) -> Mill:
    """One more queue, which stops its producers beyond one message."""
    limited = {"when_full": "block", "max_messages": 1, "flow_resume_messages": 1}
    mill.broker.declare(spec_from_arguments("tight", limited))
    mill.broker.bind("news", Binding("tight", "tight"), NOBODY, START_MS)
    return mill


@pytest.mark.parametrize(("address", "subject", "to"), [("news", "tight", None), (ANONYMOUS, "", "tight")])
def test_who_fills_a_queue_by_another_way_waits_until_it_opens(
    tight: Mill, address: str | None, subject: str, to: str | None
) -> None:
    link = tight.producer(address)
    tight.send(link, subject, to=to, settled=True)
    assert link.credit == CREDIT - 1
    tight.send(link, subject, to=to, settled=True)
    assert link.credit == 0
    tight.broker.purge("tight")
    tight.line.exchange()
    assert link.credit == CREDIT


def test_others_at_the_exchange_are_not_held_up(tight: Mill) -> None:
    first, second = tight.producer("news"), tight.producer("news")
    for _ in range(2):
        tight.send(first, "tight", settled=True)
    tight.send(second, "light", settled=True)
    assert (first.credit, second.credit) == (0, CREDIT - 1)


@pytest.mark.parametrize("ending", ["deleted", "freed"])
def test_a_blocked_queue_that_goes_or_is_freed_lets_those_go_whom_it_held_up(
    tight: Mill, ending: str
) -> None:
    link = tight.producer("news")
    for _ in range(2):
        tight.send(link, "tight", settled=True)
    assert link.credit == 0
    if ending == "deleted":
        tight.broker.delete("tight", START_MS)
    else:
        tight.broker.reconfigure(QueueSpec("tight"), START_MS)
    tight.line.exchange()
    assert link.credit == CREDIT


def test_a_link_that_was_held_up_and_ended_is_forgotten(tight: Mill) -> None:
    link = tight.producer("news")
    for _ in range(2):
        tight.send(link, "tight", settled=True)
    link.detach()
    tight.line.exchange()
    assert not tight.broker.lookup("tight").held


def test_a_queue_that_is_shut_and_opens_in_one_turn_lets_its_producer_go_on(tight: Mill) -> None:
    link = tight.producer("tight")
    tight.send(link, settled=True)
    link.send(encoded("x", {}, None), settled=True)
    tight.line.server.receive(tight.line.client.data_to_send(), START_MS)
    tight.line.frontend.handle(START_MS)
    tight.broker.purge("tight")
    tight.line.exchange()
    assert link.credit == 2


def test_a_redirected_producer_waits_for_the_queue_that_takes_its_messages(tight: Mill) -> None:
    link = tight.producer("light")
    tight.broker.reconfigure(QueueSpec("light", redirect="tight"), START_MS)
    for _ in range(2):
        tight.send(link, settled=True)
    assert (tight.depth("tight"), link.credit) == (2, CREDIT - 2)
    late = tight.producer("light")
    assert late.credit == 0
    tight.broker.purge("tight")
    tight.line.exchange()
    assert late.credit == 2
    tight.broker.reconfigure(QueueSpec("light"), START_MS)
    tight.line.exchange()
    assert late.credit == CREDIT


# ---------------------------------------------------------------------- messages that come together


def test_of_messages_that_come_together_each_has_its_own_outcome(mill: Mill) -> None:
    mill.broker.declare(spec_from_arguments("small", {"max_messages": 3}))
    link = mill.producer("small")
    good = encoded("x", {}, None)
    for payload in (good, b"\x00\x53\x74\xc1\xff", good, good, good, good):
        link.send(payload, settled=False)
    mill.line.exchange()
    states = mill.outcomes()
    accepted = [isinstance(state, Accepted) for state in states]
    assert sorted(accepted) == [False, False, False, True, True, True]
    assert mill.depth("small") == 3
    queue = mill.broker.lookup("small").queue
    assert (queue.published, queue.refused) == (3, 2)


def test_settled_messages_after_a_malformed_one_are_not_taken(mill: Mill) -> None:
    link = mill.producer("light")
    good = encoded("x", {}, None)
    for payload in (good, good, b"\x00\x53\x74\xc1\xff", good):
        link.send(payload, settled=True)
    mill.line.exchange()
    assert not link.attached
    assert mill.depth("light") == 2
