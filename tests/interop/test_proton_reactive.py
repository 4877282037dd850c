"""python-qpid-proton's reactive face against the real server."""

from typing import Any

import pytest
from proton import Delivery, Event, Message
from proton.handlers import MessagingHandler
from proton.reactor import AtMostOnce, Container, Copy
from served_broker import ServedBroker

pytestmark = pytest.mark.interop


class Publisher(MessagingHandler):  # type: ignore[misc]  # proton is untyped to us
    """Sends as credit comes; ends when all are settled, or once all are sent where they go settled."""

    def __init__(self, url: str, queue: str, sent: list[Any], *, settled: bool = False) -> None:
        super().__init__()
        self._url, self._queue, self._settled = url, queue, settled
        self._left = list(reversed(sent))
        self._open = len(sent)
        self.outcomes: list[str] = []

    def on_start(self, event: Event) -> None:
        connection = event.container.connect(self._url, reconnect=False)
        options = AtMostOnce() if self._settled else None
        event.container.create_sender(connection, self._queue, options=options)

    def on_sendable(self, event: Event) -> None:
        while self._left and event.sender.credit:
            event.sender.send(self._left.pop())
        if self._settled and not self._left:
            event.connection.close()

    def on_accepted(self, event: Event) -> None:
        self._record("accepted", event)

    def on_rejected(self, event: Event) -> None:
        self._record("rejected", event)

    def _record(self, outcome: str, event: Event) -> None:
        self.outcomes.append(outcome)
        self._open -= 1
        if not self._open:
            event.connection.close()


class Subscriber(MessagingHandler):  # type: ignore[misc]  # proton is untyped to us
    """Receives with a window of 10, settles each with its outcome, ends after the last."""

    def __init__(self, url: str, queue: str, outcomes: list[Any], *, options: Any = None) -> None:
        super().__init__(prefetch=10, auto_accept=False)
        self._url, self._queue, self._options = url, queue, options
        self._outcomes = list(reversed(outcomes))
        self.got: list[Any] = []
        self.settled: list[bool] = []

    def on_start(self, event: Event) -> None:
        connection = event.container.connect(self._url, reconnect=False)
        event.container.create_receiver(connection, self._queue, options=self._options)

    def on_message(self, event: Event) -> None:
        if not self._outcomes:
            return
        self.got.append(event.message.body)
        self.settled.append(event.delivery.settled)
        outcome = self._outcomes.pop()
        if not event.delivery.settled:
            event.delivery.update(outcome)
            event.delivery.settle()
        if not self._outcomes:
            event.connection.close()


class Drainer(MessagingHandler):  # type: ignore[misc]  # proton is untyped to us
    """Browses what is there: grants credit with drain and ends when the credit is used up or returned."""

    def __init__(self, url: str, queue: str) -> None:
        super().__init__(prefetch=0)
        self._url, self._queue = url, queue
        self.got: list[Any] = []

    def on_start(self, event: Event) -> None:
        connection = event.container.connect(self._url, reconnect=False)
        event.container.create_receiver(connection, self._queue, options=Copy())

    def on_link_opened(self, event: Event) -> None:
        event.receiver.drain(10_000)

    def on_message(self, event: Event) -> None:
        self.got.append(event.message.body)

    def on_link_flow(self, event: Event) -> None:
        if not event.receiver.draining():
            event.connection.close()


def publish(broker: ServedBroker, queue: str, sent: list[Any], *, settled: bool = False) -> list[str]:
    publisher = Publisher(broker.url, queue, [Message(body=body) for body in sent], settled=settled)
    Container(publisher).run()
    return publisher.outcomes


def present(broker: ServedBroker, queue: str) -> list[Any]:
    drainer = Drainer(broker.url, queue)
    Container(drainer).run()
    return drainer.got


@pytest.mark.capability("python-qpid-proton, reactive", "send")
def test_a_thousand_unsettled_messages_are_accepted_in_order(
    broker: ServedBroker, standard_queue: str
) -> None:
    assert publish(broker, standard_queue, list(range(1000))) == ["accepted"] * 1000
    assert present(broker, standard_queue) == list(range(1000))


def test_settled_messages_are_there_once_the_connection_has_closed(
    broker: ServedBroker, standard_queue: str
) -> None:
    assert publish(broker, standard_queue, list(range(1000)), settled=True) == []
    assert present(broker, standard_queue) == list(range(1000))


@pytest.mark.capability("python-qpid-proton, reactive", "outcomes")
def test_each_outcome_does_what_it_says(broker: ServedBroker, standard_queue: str) -> None:
    publish(broker, standard_queue, ["accept", "release", "reject", "accept too"])
    outcomes = [Delivery.ACCEPTED, Delivery.RELEASED, Delivery.REJECTED, Delivery.ACCEPTED]
    subscriber = Subscriber(broker.url, standard_queue, outcomes)
    Container(subscriber).run()
    assert subscriber.got == ["accept", "release", "reject", "accept too"]
    assert present(broker, standard_queue) == ["release"]


def test_a_settled_subscription_gets_settled_deliveries(broker: ServedBroker, standard_queue: str) -> None:
    publish(broker, standard_queue, list(range(50)))
    subscriber = Subscriber(broker.url, standard_queue, [None] * 50, options=AtMostOnce())
    Container(subscriber).run()
    assert subscriber.got == list(range(50))
    assert subscriber.settled == [True] * 50


@pytest.mark.capability("python-qpid-proton, reactive", "receive")
def test_many_accepted_messages_leave_nothing(broker: ServedBroker, standard_queue: str) -> None:
    publish(broker, standard_queue, list(range(500)))
    subscriber = Subscriber(broker.url, standard_queue, [Delivery.ACCEPTED] * 500)
    Container(subscriber).run()
    assert subscriber.got == list(range(500))
    assert present(broker, standard_queue) == []


@pytest.mark.capability("python-qpid-proton, reactive", "browse")
def test_a_browser_passes_through_its_window_many_times(broker: ServedBroker, standard_queue: str) -> None:
    publish(broker, standard_queue, list(range(500)))
    browser = Subscriber(broker.url, standard_queue, [Delivery.ACCEPTED] * 500, options=Copy())
    Container(browser).run()
    assert browser.got == list(range(500))
    assert present(broker, standard_queue) == list(range(500))
