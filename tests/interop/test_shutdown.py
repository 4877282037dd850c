"""A TERM signal under load: what was taken is confirmed and kept, and peers are told why."""

import signal
from pathlib import Path
from typing import Any

import pytest
from proton import Event, Message
from proton.handlers import MessagingHandler
from proton.reactor import Container
from raw_peer import RawPeer
from served_broker import EVENT_LOOPS, HOST, ServedBroker

from lastvalue.client import blocking
from lastvalue.codec.amqp10.performatives import Close

pytestmark = pytest.mark.interop

CONFIRMED_BEFORE = 500


class Flood(MessagingHandler):  # type: ignore[misc]  # proton is untyped to us
    """Sends durable messages as fast as it may, and has the broker stopped in the middle of it."""

    def __init__(self, broker: ServedBroker, queue: str) -> None:
        super().__init__()
        self._broker, self._queue = broker, queue
        self._numbers: dict[Any, int] = {}
        self.confirmed: set[int] = set()
        self.reason = ""

    def on_start(self, event: Event) -> None:
        connection = event.container.connect(self._broker.url, reconnect=False)
        event.container.create_sender(connection, self._queue)

    def on_sendable(self, event: Event) -> None:
        while event.sender.credit:
            number = len(self._numbers)
            self._numbers[event.sender.send(Message(number, durable=True)).tag] = number

    def on_accepted(self, event: Event) -> None:
        self.confirmed.add(self._numbers[event.delivery.tag])
        if len(self.confirmed) == CONFIRMED_BEFORE:
            self._broker.process.send_signal(signal.SIGTERM)

    def on_disconnected(self, event: Event) -> None:
        # proton does not answer this condition: it takes it for a lost connection, to be made again.
        self.reason = event.connection.remote_condition.name
        event.connection.close()
        event.container.stop()

    @property
    def sent(self) -> int:
        return len(self._numbers)


@pytest.mark.parametrize("event_loop", EVENT_LOOPS)
def test_everything_that_was_taken_before_the_end_is_confirmed_and_there_afterwards(
    tmp_path: Path, event_loop: str
) -> None:
    with ServedBroker("--store", str(tmp_path), "--event-loop", event_loop) as broker:
        queue = broker.declare(durable=True)
        flood = Flood(broker, queue)
        Container(flood).run()
        code, _, complaints = broker.ended()
        assert (code, complaints) == (0, "")
    with ServedBroker("--store", str(tmp_path)) as broker, blocking.connect(broker.url) as connection:
        kept = {message.body for message in connection.queue(queue).browse()}

    assert flood.reason == "amqp:connection:forced"
    assert len(flood.confirmed) < flood.sent
    assert kept == flood.confirmed


@pytest.mark.parametrize("event_loop", EVENT_LOOPS)
def test_peers_that_do_not_answer_do_not_hold_up_the_end(tmp_path: Path, event_loop: str) -> None:
    patient = tmp_path / "lastvalue.toml"
    patient.write_text("[server]\nidle_timeout_ms = 0\nopen_timeout_ms = 0\n")
    with (
        ServedBroker("--config", str(patient), "--event-loop", event_loop) as broker,
        RawPeer(HOST, broker.port) as silent,
        RawPeer(HOST, broker.port) as half,
    ):
        silent.open()
        half.send(b"AMQP\x03")
        code, _, complaints = broker.stop()
        assert (code, complaints) == (0, "")
        error = silent.expect(Close).error

    assert error is not None
    assert (error.condition, error.description) == ("amqp:connection:forced", "the broker is shutting down")
