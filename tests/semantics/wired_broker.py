"""Runs scenarios on a broker behind its AMQP 1.0 frontend, engine to engine, without a socket.

Each reader has a connection of its own, as clients do. Bytes go to and fro until both sides are silent, with
a turn of the broker in between, as the server's runtime does it.
"""

from typing import Any

from bare_queue import START_MS, body_of, encoded

from lastvalue.broker.broker import Broker
from lastvalue.broker.management import describe
from lastvalue.codec.amqp10.performatives import (
    SENDER_UNSETTLED,
    Accepted,
    DeliveryState,
    Modified,
    Rejected,
    Released,
    Source,
    Target,
)
from lastvalue.frontends.amqp10.frontend import Frontend
from lastvalue.protocols.amqp10.connection import Connection
from lastvalue.protocols.amqp10.events import Delivery, DeliverySettled, Drained, Event
from lastvalue.protocols.amqp10.options import ConnectionOptions, Role
from lastvalue.protocols.amqp10.receiver import ReceiverLink
from lastvalue.protocols.amqp10.sender import SenderLink
from lastvalue.queues.declaration import spec_from_arguments

OUTCOMES: dict[str, DeliveryState] = {
    "accepted": Accepted(),
    "rejected": Rejected(),
    "released": Released(),
    "modified": Modified(delivery_failed=True),
}


class Clock:
    def __init__(self) -> None:
        self.now = START_MS


class Line:
    """One client's connection to the broker."""

    def __init__(self, broker: Broker, clock: Clock) -> None:
        self._broker = broker
        self._clock = clock
        self.client = Connection(Role.CLIENT, ConnectionOptions("client"), clock.now)
        self.server = Connection(Role.SERVER, ConnectionOptions("broker"), clock.now)
        self.frontend = Frontend(self.server, broker, lambda: None)
        self.events: list[Event] = []
        self.client.open()
        self.exchange()
        self.session = self.client.begin()
        self.exchange()

    def exchange(self) -> None:
        """Move bytes until nobody has any to send."""
        now = self._clock.now
        moved = True
        while moved:
            to_server = self.client.data_to_send()
            self.server.receive(to_server, now)
            self.frontend.handle(now)
            self._broker.pump(now)
            self._broker.drain()
            self.frontend.seal(1)
            self.frontend.confirm(1)
            to_client = self.server.data_to_send()
            self.client.receive(to_client, now)
            self.events += self.client.events()
            self.frontend.resume()
            moved = bool(to_server or to_client)

    def take(self, kind: type[Event]) -> list[Any]:
        """The events of a kind that came since the last call."""
        self.exchange()
        found = [event for event in self.events if isinstance(event, kind)]
        self.events = [event for event in self.events if not isinstance(event, kind)]
        return found


class WiredBroker:
    def __init__(self, options: dict[str, Any]) -> None:
        self.clock = Clock()
        self.broker = Broker()
        self.broker.declare(spec_from_arguments("q", options))
        self.lines: dict[str, Line] = {}
        self._links: dict[str, ReceiverLink] = {}
        self._held: dict[tuple[str, str], int] = {}
        self._producer = Line(self.broker, self.clock)
        self._sender: SenderLink = self._producer.session.attach_sender(
            "producer", Target(address="q"), settle_mode=SENDER_UNSETTLED
        )
        self._producer.exchange()

    def send(self, body: str, properties: dict[str, Any], ttl_ms: int | None) -> bool:
        self._sender.send(encoded(body, properties, ttl_ms), settled=False)
        (outcome,) = self._producer.take(DeliverySettled)
        return isinstance(outcome.state, Accepted)

    def browse(self, by: str) -> list[str]:
        return [body for body, _ in self._read(by, 100, "copy")]

    def acquire(self, by: str, count: int) -> list[str]:
        got = self._read(by, count, "move")
        self._held.update({(by, body): delivery_id for body, delivery_id in got})
        return [body for body, _ in got]

    def _read(self, by: str, count: int, mode: str) -> list[tuple[str, int]]:
        if by not in self.lines:
            line = self.lines[by] = Line(self.broker, self.clock)
            self._links[by] = line.session.attach_receiver(by, Source(address="q", distribution_mode=mode))
            line.exchange()
        line, link = self.lines[by], self._links[by]
        link.add_credit(count)
        line.exchange()
        link.request_drain()
        assert len(line.take(Drained)) == 1 or link.credit == 0
        return [(body_of(event.payload), event.delivery_id) for event in line.take(Delivery)]

    def settle(self, by: str, body: str, outcome: str) -> None:
        delivery_id = self._held.pop((by, body))
        self._links[by].settle(delivery_id, delivery_id, OUTCOMES[outcome])
        self.lines[by].exchange()

    def close(self, by: str) -> None:
        line = self.lines.pop(by)
        line.client.close()
        line.exchange()
        assert line.server.finished

    def wait(self, milliseconds: int) -> None:
        self.clock.now += milliseconds
        self.broker.advance(self.clock.now)

    def purge(self) -> int:
        return self.broker.purge("q")

    def figures(self) -> dict[str, Any]:
        return describe(self.broker.lookup("q").queue)
