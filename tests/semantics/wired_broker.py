"""Runs scenarios on a broker behind its AMQP 1.0 frontend, engine to engine, without a socket.

Each reader has a connection of its own, as clients do. Bytes go to and fro until both sides are silent, with
a turn of the broker in between, as the server's runtime does it.
"""

from dataclasses import replace
from typing import Any

from bare_queue import START_MS, encoded, expiry_of
from scenario import EVERYTHING, Asked, Given, KeyChange, ReaderRefusedError, key_in

from lastvalue.broker.broker import Broker
from lastvalue.broker.requests.management import Request, describe, manage
from lastvalue.client import Message
from lastvalue.client.message_codec import decode_message
from lastvalue.codec.amqp10.content import decode_content
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
from lastvalue.codec.amqp10.values import Described, Symbol, Value
from lastvalue.frontends.amqp10.frontend import Frontend
from lastvalue.protocols.amqp10.connection import Connection
from lastvalue.protocols.amqp10.options import ConnectionOptions, Role
from lastvalue.protocols.amqp10.receiver import Delivery, Drained, ReceiverLink
from lastvalue.protocols.amqp10.sender import DeliverySettled, SenderLink
from lastvalue.protocols.amqp10.session import LinkDetached
from lastvalue.protocols.amqp10.wire import Event
from lastvalue.queues.spec_arguments import spec_from_arguments

OUTCOMES: dict[str, DeliveryState] = {
    "accepted": Accepted(),
    "rejected": Rejected(),
    "released": Released(),
    "modified": Modified(delivery_failed=True),
}

_MODES = {"browse": "copy", "acquire": "move"}
FIRST_OF_GROUP = "first"
"""What scenarios give to group_first_key."""


class Clock:
    def __init__(self) -> None:
        self.now = START_MS


class Line:
    """One client's connection to the broker.

    Attributes:
        flushed: up to where the journal is safe; what is published is at 1.
    """

    def __init__(self, broker: Broker, clock: Clock, options: ConnectionOptions | None = None) -> None:
        self._broker = broker
        self._clock = clock
        self.client = Connection(Role.CLIENT, options or ConnectionOptions("client"), clock.now)
        self.server = Connection(Role.SERVER, ConnectionOptions("broker"), clock.now)
        self.frontend = Frontend(self.server, broker, lambda: None)
        self.events: list[Event] = []
        self.flushed = 1
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
            self._broker.drain(now)
            self.frontend.confirmations.seal(1)
            self.frontend.confirmations.confirm(self.flushed, now)
            to_client = self.server.data_to_send()
            self.client.receive(to_client, now)
            for event in self.client.events():
                self.events += event.each() if isinstance(event, Delivery) else [event]
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
        spec = spec_from_arguments("q", options)
        self._alternates = sorted({name for name in (spec.alternate, spec.expiry_alternate) if name})
        for name in self._alternates:
            self.broker.declare(spec_from_arguments(name, {}))
        self.broker.declare(spec)
        self.lines: dict[str, Line] = {}
        self._links: dict[str, ReceiverLink] = {}
        self._held: dict[str, list[tuple[str, int]]] = {}
        self._tokens: dict[str, str] = {}
        self._producer = Line(self.broker, self.clock)
        self._sender: SenderLink = self._producer.session.attach_sender(
            "producer", Target(address="q"), settle_mode=SENDER_UNSETTLED
        )
        self._producer.exchange()

    @property
    def now(self) -> int:
        return self.clock.now

    def send(self, body: str, properties: dict[str, Any], ttl_ms: int | None, **more: Any) -> bool:
        self._producer.exchange()
        assert self._sender.credit > 0, f"the producer has no credit for {body!r}"
        self._sender.send(encoded(body, properties, ttl_ms, **more), settled=False)
        outcomes = self._producer.take(DeliverySettled)
        if not outcomes:
            assert self.gone(), f"{body!r} was neither taken nor refused"
            return True
        return isinstance(outcomes[0].state, Accepted)

    def attach(self, by: str, reads: str, asked: Asked, queue: str = "q") -> None:
        if by in self.lines:
            return
        line = self.lines[by] = Line(self.broker, self.clock)
        filters = _filters(asked)
        link = self._links[by] = line.session.attach_receiver(
            by,
            Source(address=queue, distribution_mode=_MODES[reads], filter=filters),
            properties={} if asked.priority is None else {"priority": asked.priority},
        )
        line.exchange()
        refusals = line.take(LinkDetached)
        if refusals:
            raise ReaderRefusedError(str(refusals[0].error.description))
        answered = link.link_state.remote
        assert answered is not None
        assert isinstance(answered.source, Source)
        assert answered.source.filter.keys() == filters.keys()

    def read(self, by: str, reads: str, count: int, asked: Asked) -> list[Given]:
        self.attach(by, reads, asked)
        line, link = self.lines[by], self._links[by]
        link.add_credit(count)
        line.exchange()
        link.request_drain()
        assert len(line.take(Drained)) == 1 or link.credit == 0
        return self._given(by, reads)

    def listen(self, by: str, credit: int, asked: Asked) -> None:
        self.attach(by, "acquire", asked)
        self._links[by].add_credit(credit)
        self.lines[by].exchange()

    def hears(self, by: str) -> list[Given]:
        return self._given(by, "acquire")

    def _given(self, by: str, reads: str) -> list[Given]:
        line = self.lines[by]
        given = []
        for event in line.take(Delivery):
            content = decode_content(event.payload)
            marked = content.application_properties.get(FIRST_OF_GROUP) is True
            expires_ms = expiry_of(content, self.now)
            given.append(Given(str(content.body), content.delivery_count, marked, expires_ms))
            if reads == "acquire":
                self._held.setdefault(by, []).append((str(content.body), event.delivery_id))
        return given

    def watch(self, by: str, asked: Asked, *, resumes: bool) -> list[str]:
        terms = {"removals": True, "snapshot": True, **(asked.watch or {})}
        if resumes:
            terms["token"] = self._tokens[by]
        self.attach(by, "browse", replace(asked, watch=terms))
        self._links[by].add_credit(EVERYTHING)
        told = [decode_message(event.payload) for event in self.lines[by].take(Delivery)]
        for message in told:
            self._tokens[by] = message.token or self._tokens.get(by, "")
        return [_heard(message) for message in told]

    def held(self, by: str) -> list[str]:
        return [body for body, _ in self._held.get(by, ())]

    def settle(self, by: str, body: str, outcome: str) -> None:
        _, delivery_id = self._held[by].pop(self.held(by).index(body))
        self._links[by].settle(delivery_id, delivery_id, OUTCOMES[outcome])
        self.lines[by].exchange()

    def close(self, by: str) -> None:
        line = self.lines.pop(by)
        self._held.pop(by, None)
        line.client.close()
        line.exchange()
        assert line.server.finished

    def wait(self, milliseconds: int) -> None:
        self.clock.now += milliseconds
        self.broker.advance(self.clock.now)

    def purge(self) -> int:
        return self.broker.purge("q")

    def change(self, change: KeyChange) -> str:
        body = {
            "messages": [encoded(body, properties, None) for body, properties in change.put],
            "delete": change.delete,
            "if_sequences": [list(each) for each in change.if_sequences.items()],
        }
        answer = manage(self.broker, Request("PUT_MANY", "queue", "q", body), self.clock.now)
        return answer.description if answer.status >= 400 else ""

    def delete(self) -> int:
        return self.broker.delete("q", self.clock.now)

    def gone(self) -> bool:
        return all(queue.spec.name != "q" for queue in self.broker.queues())

    def reconfigure(self, options: dict[str, Any]) -> None:
        self.broker.reconfigure(spec_from_arguments("q", options), self.clock.now)

    def alternate(self) -> list[str]:
        return [given.body for name in self._alternates for given in self._emptied(name)]

    def _emptied(self, name: str) -> list[Given]:
        reader = f"reader of {name}"
        self.attach(reader, "acquire", Asked(), name)
        given = self.read(reader, "acquire", EVERYTHING, Asked())
        for each in given:
            self.settle(reader, each.body, "accepted")
        return given

    def figures(self) -> dict[str, Any]:
        hosted = self.broker.lookup("q")
        return {**describe(hosted), "blocked": hosted.queue.blocked}

    def refusal(self, options: dict[str, Any]) -> str:
        asked = Request("CREATE", name="other", body=options)
        answer = manage(self.broker, asked, self.clock.now)
        return answer.description if answer.status >= 400 else ""

    def meaning(self, options: dict[str, Any]) -> dict[str, Any]:
        answer = manage(self.broker, Request("CREATE", name="other", body=options), self.clock.now)
        assert answer.status == 201, answer
        manage(self.broker, Request("DELETE", name="other"), self.clock.now)
        return dict(answer.body["options"])


def _heard(message: Message) -> str:
    if message.snapshot is not None:
        return f"<{message.snapshot}>"
    key = key_in(message.properties)
    return f"{key}={message.body}" if message.removed is None else f"-{key} {message.removed}"


def _filters(asked: Asked) -> dict[str, Value]:
    period_s = 0 if asked.only_new else asked.replay_period_s
    filters: dict[str, Value] = {}
    if asked.selector:
        filters["selector"] = Described(Symbol("apache.org:selector-filter:string"), asked.selector)
    if asked.watch is not None:
        filters["watch"] = Described(Symbol("lastvalue:watch:map"), asked.watch)
    if period_s is not None:
        filters["replay"] = Described(Symbol("x-qpid-replay-period"), period_s)
    return filters
