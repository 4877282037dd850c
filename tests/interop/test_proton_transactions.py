"""python-qpid-proton's transactions against the real server."""

from typing import Any

import pytest
from proton import Event, Message
from proton.handlers import MessagingHandler, TransactionHandler
from proton.reactor import Container
from served_broker import ServedBroker

pytestmark = pytest.mark.interop


class TransactedPublisher(MessagingHandler, TransactionHandler):  # type: ignore[misc]  # proton is untyped to us
    """Sends three messages in each transaction and ends these as it is told."""

    def __init__(self, url: str, queue: str, ends: list[str]) -> None:
        super().__init__()
        self._url, self._queue, self._ends = url, queue, list(ends)
        self._transaction: Any = None
        self._sender: Any = None
        self._confirmed = 0
        self.told: list[str] = []

    def on_start(self, event: Event) -> None:
        self._container = event.container
        self._connection = event.container.connect(self._url, reconnect=False)
        self._sender = event.container.create_sender(self._connection, self._queue)
        self._container.declare_transaction(self._connection, handler=self)

    def on_transaction_declared(self, event: Event) -> None:
        self._transaction = event.transaction
        self._confirmed = 0
        self._send()

    def on_sendable(self, event: Event) -> None:
        self._send()

    def _send(self) -> None:
        if self._transaction is not None and self._sender.credit and not self._confirmed:
            self._confirmed = 3
            for number in range(3):
                self._transaction.send(self._sender, Message(body=f"{self._ends[0]} {number}"))
            self._transaction.commit() if self._ends[0] == "commit" else self._transaction.abort()
            self._transaction = None

    def on_transaction_committed(self, event: Event) -> None:
        self._over("committed")

    def on_transaction_aborted(self, event: Event) -> None:
        self._over("aborted")

    def on_transaction_commit_failed(self, event: Event) -> None:
        self._over("failed")

    def _over(self, how: str) -> None:
        self.told.append(how)
        self._ends.pop(0)
        if self._ends:
            self._container.declare_transaction(self._connection, handler=self)
        else:
            self._connection.close()


class TransactedConsumer(MessagingHandler, TransactionHandler):  # type: ignore[misc]  # proton is untyped to us
    """Accepts what it gets in one transaction and ends that."""

    def __init__(self, url: str, queue: str, count: int, end: str, *, settles: bool) -> None:
        super().__init__(prefetch=0, auto_accept=False)
        self._url, self._queue, self._count, self._end = url, queue, count, end
        self._settles = settles
        self.got: list[tuple[Any, int]] = []
        self.told = ""

    def on_start(self, event: Event) -> None:
        connection = event.container.connect(self._url, reconnect=False)
        self._receiver = event.container.create_receiver(connection, self._queue)
        event.container.declare_transaction(connection, handler=self, settle_before_discharge=self._settles)

    def on_transaction_declared(self, event: Event) -> None:
        self._transaction = event.transaction
        self._receiver.flow(self._count)

    def on_message(self, event: Event) -> None:
        self.got.append((event.message.body, event.message.delivery_count))
        self._transaction.accept(event.delivery)
        if len(self.got) == self._count:
            self._transaction.commit() if self._end == "commit" else self._transaction.abort()

    def on_transaction_committed(self, event: Event) -> None:
        self.told = "committed"
        event.connection.close()

    def on_transaction_aborted(self, event: Event) -> None:
        self.told = "aborted"
        event.connection.close()


@pytest.mark.capability("python-qpid-proton, reactive", "transaction")
def test_what_proton_commits_comes_and_what_it_aborts_does_not(
    broker: ServedBroker, standard_queue: str
) -> None:
    publisher = TransactedPublisher(broker.url, standard_queue, ["commit", "abort", "commit"])
    Container(publisher).run()
    assert publisher.told == ["committed", "aborted", "committed"]
    consumer = TransactedConsumer(broker.url, standard_queue, 6, "commit", settles=True)
    Container(consumer).run()
    assert [body for body, _ in consumer.got] == [f"commit {number}" for number in (0, 1, 2)] * 2


def test_a_commit_that_does_not_fit_fails_at_proton(broker: ServedBroker) -> None:
    queue = broker.declare(max_messages=2)
    publisher = TransactedPublisher(broker.url, queue, ["commit"])
    Container(publisher).run()
    assert publisher.told == ["failed"]
    assert broker.depth(queue) == 0


@pytest.mark.capability("python-qpid-proton, reactive", "transaction")
@pytest.mark.parametrize("settles", [False, True])
def test_what_proton_accepts_in_a_transaction_leaves_at_its_commit(
    broker: ServedBroker, standard_queue: str, settles: bool
) -> None:
    Container(TransactedPublisher(broker.url, standard_queue, ["commit"])).run()
    aborting = TransactedConsumer(broker.url, standard_queue, 3, "abort", settles=settles)
    Container(aborting).run()
    assert aborting.told == "aborted"
    assert broker.depth(standard_queue) == 3
    committing = TransactedConsumer(broker.url, standard_queue, 3, "commit", settles=settles)
    Container(committing).run()
    assert committing.told == "committed"
    # What proton has settled and rolled back has failed; what it has kept, it releases itself.
    assert committing.got == [(f"commit {number}", int(settles)) for number in range(3)]
    assert broker.depth(standard_queue) == 0
