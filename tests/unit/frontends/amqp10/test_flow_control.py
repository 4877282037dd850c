"""What producers of a queue with flow control are given."""

from typing import Any

from bare_queue import encoded
from wired_broker import Clock, Line

from lastvalue.broker.administration.request import Request
from lastvalue.broker.broker import Broker
from lastvalue.broker.requests.management import manage
from lastvalue.broker.resource_alarms import CREDIT
from lastvalue.codec.amqp10.performatives import Accepted, Source, Target
from lastvalue.frontends.amqp10.producer import LinkProducer
from lastvalue.protocols.amqp10.receiver import Delivery
from lastvalue.protocols.amqp10.sender import SenderLink
from lastvalue.queues.spec_arguments import spec_from_arguments


class Flowing:
    def __init__(self, **options: Any) -> None:
        self.broker = Broker()
        self.broker.declare(spec_from_arguments("q", options))
        self.clock = Clock()
        self.lines: list[Line] = []
        consumer = self.line()
        self._consumer = consumer
        self._link = consumer.session.attach_receiver("consumer", Source(address="q"))
        consumer.exchange()

    def line(self) -> Line:
        self.lines.append(Line(self.broker, self.clock))
        return self.lines[-1]

    def producer(self) -> SenderLink:
        line = self.line()
        link = line.session.attach_sender("producer", Target(address="q"))
        line.exchange()
        return link

    def send(self, link: SenderLink, count: int = 1, size: int = 1) -> None:
        for _ in range(count):
            link.send(encoded("x" * size, {}, None), settled=True)
            self.exchange()

    def consume(self, count: int = 1) -> None:
        for _ in range(count):
            self._link.add_credit(1)
            self._consumer.exchange()
            (delivery,) = self._consumer.take(Delivery)
            self._link.settle(delivery.delivery_id, delivery.delivery_id, Accepted())
            self.exchange()

    def exchange(self) -> None:
        for line in self.lines:
            line.exchange()


def test_the_message_beyond_the_limit_is_taken_and_then_there_is_no_credit_until_the_depth_has_sunk() -> None:
    """S-194"""
    flowing = Flowing(when_full="block", max_messages=3, flow_resume_messages=2)
    link = flowing.producer()
    flowing.send(link, 4)
    assert (link.credit, flowing.broker.lookup("q").queue.depth) == (0, 4)
    flowing.consume()
    assert link.credit == 0
    flowing.consume()
    assert link.credit > 0


def test_where_resuming_is_at_the_limit_one_message_less_is_enough() -> None:
    """S-195"""
    flowing = Flowing(when_full="block", max_messages=3, flow_resume_messages=3)
    link = flowing.producer()
    flowing.send(link, 4)
    assert link.credit == 0
    flowing.consume()
    assert link.credit > 0


def test_of_a_limit_in_bytes_one_message_at_a_time_is_asked_for() -> None:
    flowing = Flowing(when_full="block", max_bytes=300, flow_resume_bytes=100)
    link = flowing.producer()
    assert link.credit == 1
    flowing.send(link, 2, size=100)
    assert link.credit == 1
    flowing.send(link, 1, size=100)
    assert link.credit == 0
    flowing.consume(3)
    assert link.credit == 1


def test_producers_share_what_is_left() -> None:
    flowing = Flowing(when_full="block", max_messages=99)
    assert flowing.producer().credit == 100
    assert flowing.producer().credit == 50


def test_who_attaches_to_a_blocked_queue_waits_with_the_others() -> None:
    flowing = Flowing(when_full="block", max_messages=1, flow_resume_messages=1)
    first = flowing.producer()
    flowing.send(first, 2)
    second = flowing.producer()
    assert (first.credit, second.credit) == (0, 0)
    flowing.consume()
    assert first.credit > 0
    assert second.credit > 0


def test_a_blocked_queue_that_is_deleted_lets_its_producers_go() -> None:
    """S-197"""
    flowing = Flowing(when_full="block", max_messages=1)
    link = flowing.producer()
    flowing.send(link, 2)
    flowing.broker.delete("q", flowing.clock.now)
    flowing.exchange()
    assert not link.attached
    flowing.broker.declare(spec_from_arguments("q", {}))
    assert flowing.producer().credit > 100


def test_flow_control_that_is_taken_from_a_queue_lets_its_producers_send_as_usual() -> None:
    flowing = Flowing(when_full="block", max_messages=1)
    link = flowing.producer()
    flowing.send(link, 2)
    flowing.broker.reconfigure(spec_from_arguments("q", {}), flowing.clock.now)
    flowing.exchange()
    flowing.send(link, CREDIT)
    assert link.credit > 0


def test_a_higher_limit_lets_the_producers_of_a_blocked_queue_go_on() -> None:
    flowing = Flowing(when_full="block", max_messages=2)
    link = flowing.producer()
    flowing.send(link, 3)
    assert link.credit == 0
    request = Request("UPDATE", "queue", "q", {"max_messages": 20})
    assert manage(flowing.broker, request, flowing.clock.now).status == 200
    flowing.exchange()
    assert link.credit == 18
    flow = flowing.broker.lookup("q").queue.spec.flow
    assert (flow.stop_messages, flow.resume_messages) == (20, 16)


def test_flow_control_that_is_given_to_a_queue_stops_the_producers_that_it_has() -> None:
    flowing = Flowing()
    link = flowing.producer()
    flow = spec_from_arguments("q", {"when_full": "block", "max_messages": 1})
    flowing.broker.reconfigure(flow, flowing.clock.now)
    flowing.exchange()
    flowing.send(link, CREDIT)
    assert (link.credit, flowing.broker.lookup("q").queue.blocked) == (0, True)


def test_a_link_to_a_full_queue_says_that_it_waits_for_it_and_since_when() -> None:
    flowing = Flowing(when_full="block", max_messages=1)
    link = flowing.producer()
    engine_link = next(iter(flowing.lines[-1].frontend.engine.sessions.values())).links
    (producer,) = [each.context for each in engine_link.values() if isinstance(each.context, LinkProducer)]

    def waits() -> tuple[str, int]:
        statistics = producer.statistics("producer", "q")
        return statistics.waits_for, int(statistics.waits_since_ms)

    assert waits() == ("", 0)
    flowing.send(link, 2)
    since_ms = flowing.clock.now
    assert waits() == ("queue", since_ms)
    flowing.clock.now += 10
    flowing.exchange()
    assert waits() == ("queue", since_ms)
    flowing.consume(2)
    assert waits() == ("", 0)
