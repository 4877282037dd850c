"""Clients of AMQP 0-9-1: publishers with confirms and without, and consumers."""

from dataclasses import dataclass, field
from typing import Any, Final

from ledger import CONFIRMED, UNKNOWN
from pamqp import base, body, commands, exceptions, frame, header, heartbeat
from simulated_clients import WORK
from simulated_mqtt import TOPIC
from simulated_wire import WireClient

HEADER: Final = b"AMQP\0\0\x09\x01"
CONFIRMED_CHANNEL: Final = 1
PLAIN_CHANNEL: Final = 2
HEARTBEAT_S: Final = 4
CAPABILITIES: Final = ("publisher_confirms", "basic.nack", "consumer_cancel_notify")


@dataclass(slots=True)
class Came:
    """A delivery whose content is coming."""

    tag: int = 0
    size: int = -1
    content: bytes = b""


@dataclass
class Life:
    """What belongs to one connection.

    Attributes:
        sent: the last tag of the channel with confirms.
        unconfirmed: names by tag.
        held: deliveries that are not settled, names by tag.
        taking: deliveries are wanted.
    """

    data: bytes = b""
    sent: int = 0
    unconfirmed: dict[int, str] = field(default_factory=dict)
    held: dict[int, str] = field(default_factory=dict)
    taking: bool = False
    cancelled: bool = False
    coming: Came = field(default_factory=Came)


class Amqp091Client(WireClient):
    """Has a connection with two channels."""

    life: Life

    def hello(self) -> None:
        self.life = Life()
        self.wire.transport.write(HEADER)

    def say(self, *methods: Any, channel: int = CONFIRMED_CHANNEL) -> None:
        """Send frames."""
        self.wire.transport.write(b"".join(frame.marshal(each, channel) for each in methods))

    def beat(self) -> None:
        self.say(heartbeat.Heartbeat(), channel=0)

    def arrived(self, data: bytes) -> None:
        life = self.life
        life.data += data
        while life.data and life is self.life and not self.wire.lost:
            try:
                used, channel, heard = frame.unmarshal(life.data)
            except exceptions.UnmarshalingException:
                # The rest of the frame is still to come.
                return
            life.data = life.data[used:]
            self._take(channel, heard)

    def _take(self, channel: int, heard: Any) -> None:
        match heard:
            case commands.Connection.Start():
                said: Any = {"capabilities": dict.fromkeys(CAPABILITIES, True)}
                self.say(commands.Connection.StartOk(said, "ANONYMOUS", "me"), channel=0)
            case commands.Connection.Tune():
                self.say(commands.Connection.TuneOk(0, 131072, HEARTBEAT_S), channel=0)
                self.say(commands.Connection.Open("/"), channel=0)
            case commands.Connection.OpenOk():
                for number in (CONFIRMED_CHANNEL, PLAIN_CHANNEL):
                    self.say(commands.Channel.Open(), channel=number)
            case commands.Channel.OpenOk():
                if channel == PLAIN_CHANNEL:
                    # A broker that follows refuses it.
                    self.say(commands.Queue.Declare(queue=WORK, durable=True))
            case commands.Queue.DeclareOk():
                self.say(commands.Confirm.Select())
            case commands.Confirm.SelectOk():
                self.ready = True
            case commands.Connection.Close() | commands.Channel.Close():
                self.world.counts[f"0-9-1 {heard.reply_code}"] += 1
                self.leave()
            case _:
                self.hear(heard)

    def hear(self, heard: Any) -> None:
        """Something has come that concerns messages."""
        match heard:
            case commands.Basic.Ack() | commands.Basic.Nack():
                tags = self.life.unconfirmed
                for tag in [each for each in tags if each <= heard.delivery_tag]:
                    if heard.multiple or tag == heard.delivery_tag:
                        self._confirm(tags.pop(tag), isinstance(heard, commands.Basic.Ack))
            case commands.Basic.Deliver():
                self.life.coming = Came(heard.delivery_tag or 0)
            case header.ContentHeader():
                self.life.coming.size = heard.body_size
            case body.ContentBody():
                self.life.coming.content += heard.value
                if len(self.life.coming.content) == self.life.coming.size:
                    self._delivered(self.life.coming)
            case commands.Basic.CancelOk():
                self.life.cancelled = True

    def _confirm(self, name: str, taken: bool) -> None:
        known = self.ledger.topics if name in self.ledger.topics else self.ledger.work
        known[name] = CONFIRMED if taken else UNKNOWN
        self.world.counts["0-9-1 confirms"] += 1

    def _delivered(self, came: Came) -> None:
        if self.life.taking:
            self.life.held[came.tag] = came.content.decode()
        else:
            self.say(commands.Basic.Nack(came.tag, requeue=True))


class Amqp091Publisher(Amqp091Client):
    """Publishes to queues by the default exchange, and to the topic of the MQTT clients."""

    _number = 0

    async def send(self, count: int, to: str, confirmed: bool) -> None:
        """Publish several messages, and wait for what is to be confirmed."""
        await self.until(lambda: self.ready)
        wire, life = self.wire, self.life
        for _ in range(count):
            self._number += 1
            name = f"{self.name}-{self._number}"
            if to == TOPIC:
                self.ledger.topics[name] = UNKNOWN
            else:
                self.ledger.send([name], to)
            if confirmed:
                life.sent += 1
                life.unconfirmed[life.sent] = name
            self.say(*_message(name, to), channel=CONFIRMED_CHANNEL if confirmed else PLAIN_CHANNEL)
        await self.until_or_lost(lambda: not life.unconfirmed, wire)


def _message(name: str, to: str) -> list[Any]:
    content = name.encode()
    properties = commands.Basic.Properties(delivery_mode=2)
    exchange = "amq.topic" if to == TOPIC else ""
    return [
        commands.Basic.Publish(exchange=exchange, routing_key=to),
        header.ContentHeader(body_size=len(content), properties=properties),
        body.ContentBody(content),
    ]


class Amqp091Consumer(Amqp091Client):
    """Takes messages, and settles them in all ways."""

    async def take(self, most: int, outcome: str, queue: str) -> None:
        """Take so many messages, if they come in a second."""
        await self.until(lambda: self.ready)
        wire, life = self.wire, self.life
        life.taking, life.cancelled = True, False
        self.say(
            commands.Basic.Qos(prefetch_count=most), commands.Basic.Consume(queue=queue, consumer_tag="c")
        )
        await self.at_most(1.0, lambda: wire.lost or len(life.held) >= most)
        life.taking = False
        for tag, name in life.held.items():
            if self.ledger.sent_to.get(name) != queue:
                self.world.break_law(f"{self.name} got {name!r}, which nobody has sent")
            if outcome != "requeue":
                # The broker may get the outcome even if this program does not live to know.
                self.ledger.done.add(name)
            self.say(_settled(tag, outcome))
            self.world.counts[f"0-9-1 {outcome}"] += 1
        life.held.clear()
        self.say(commands.Basic.Cancel("c"))
        await self.until_or_lost(lambda: life.cancelled, wire)


def _settled(tag: int, outcome: str) -> base.Frame:
    if outcome == "ack":
        return commands.Basic.Ack(tag)
    return commands.Basic.Reject(tag, requeue=outcome == "requeue")
