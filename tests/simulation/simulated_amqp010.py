"""Clients of AMQP 0-10: publishers that hear of each command, also in transactions, and consumers."""

from dataclasses import dataclass, field
from typing import Any, Final

from amqp010_peer import Transfer
from ledger import CONFIRMED, REFUSED, UNKNOWN
from simulated_clients import LEFT, RIGHT, WORK
from simulated_wire import WireClient

from lastvalue.codec.amqp010.command_layouts import COMMANDS, CONTROLS, MESSAGE_DELIVERY_PROPERTIES
from lastvalue.codec.amqp010.decoder import decode_record
from lastvalue.codec.amqp010.encoder import encode_fields, encode_struct
from lastvalue.codec.amqp010.frames import (
    BODY,
    COMMAND,
    CONTROL,
    FIRST_SEGMENT,
    HEADER,
    LAST_FRAME,
    LAST_SEGMENT,
    PROTOCOL_HEADER,
    Frame,
    FrameReader,
    encode_segment,
)
from lastvalue.codec.amqp010.layouts import Layout, Record

FRAME_BYTES: Final = 65535
HEARTBEAT_S: Final = 4
PLAIN: Final = 1
TRANSACTED: Final = 2
UNLIMITED: Final = 0xFFFFFFFF
DURABLE: Final = 2
ENDS: Final = ("connection.close", "session.detached")
LAYOUTS: Final[dict[str, Layout]] = {
    each.name: each for table in (CONTROLS, COMMANDS) for each in table.values()
}


@dataclass
class Attached:
    """A session, as long as its connection lives.

    Attributes:
        sent, received: how many commands.
        completed: the numbers of those that the broker has carried out.
        segments: of the command that comes.
        held: messages that are not settled, names by the number of their transfer.
    """

    sent: int = 0
    received: int = 0
    completed: set[int] = field(default_factory=set)
    segments: list[bytes] = field(default_factory=list)
    held: dict[int, str] = field(default_factory=dict)


class Amqp010Client(WireClient):
    """Has a connection with two sessions, of which the second one is transacted."""

    _connections = 0

    def hello(self) -> None:
        self._connections += 1
        self.sessions = {PLAIN: Attached(), TRANSACTED: Attached()}
        self._reader = FrameReader(FRAME_BYTES)
        self._start = b""
        self.wire.transport.write(PROTOCOL_HEADER)

    def control(self, name: str, channel: int = 0, /, **fields: Any) -> None:
        """Send a control."""
        payload = LAYOUTS[name].code.to_bytes(2, "big") + encode_fields(Record(LAYOUTS[name], fields))
        whole = FIRST_SEGMENT | LAST_SEGMENT
        self.wire.transport.write(encode_segment(whole, CONTROL, channel, payload, FRAME_BYTES))

    def command(self, name: str, channel: int = PLAIN, /, *content: tuple[int, bytes], **fields: Any) -> int:
        """Send a command, and its header and body if it has them; its number."""
        # [0-10 1.10.3] A session header of one octet, without the bit that asks for a completion at once.
        payload = LAYOUTS[name].code.to_bytes(2, "big") + b"\x01\x00"
        segments = [(COMMAND, payload + encode_fields(Record(LAYOUTS[name], fields))), *content]
        data = b""
        for place, (kind, octets) in enumerate(segments):
            flags = (FIRST_SEGMENT if place == 0 else 0) | (LAST_SEGMENT if place == len(content) else 0)
            data += encode_segment(flags, kind, channel, octets, FRAME_BYTES)
        self.wire.transport.write(data)
        session = self.sessions[channel]
        session.sent += 1
        return session.sent - 1

    def transfer(self, name: str, queue: str, channel: int = PLAIN) -> int:
        """Send a durable message to a queue; the number of the command."""
        properties = {"routing_key": queue, "delivery_mode": DURABLE}
        header = encode_struct(Record(MESSAGE_DELIVERY_PROPERTIES, properties))
        return self.command("message.transfer", channel, (HEADER, header), (BODY, name.encode()))

    async def completed(self, number: int, channel: int = PLAIN) -> None:
        """Wait until the broker has carried out a command.

        Raises:
            WireLostError: the connection is lost, so nobody knows.
        """
        done = self.sessions[channel].completed
        await self.until_or_lost(lambda: number in done, self.wire)

    def beat(self) -> None:
        self.control("connection.heartbeat")

    def arrived(self, data: bytes) -> None:
        if len(self._start) < len(PROTOCOL_HEADER):
            missing = len(PROTOCOL_HEADER) - len(self._start)
            self._start, data = self._start + data[:missing], data[missing:]
        reader = self._reader
        reader.feed(data)
        while reader is self._reader and not self.wire.lost and (frame := reader.next()) is not None:
            if frame.kind == CONTROL:
                self._take_control(int(frame.channel), frame.payload)
            else:
                self._take_part(frame)

    def _take_control(self, channel: int, payload: bytes) -> None:
        layout = CONTROLS[int.from_bytes(payload[:2], "big")]
        record = decode_record(payload, 2, len(payload), layout)[0] if len(payload) > 2 else Record(layout)
        match layout.name:
            case "connection.start":
                login = {"mechanism": "ANONYMOUS", "response": b"me", "locale": "en_US"}
                self.control("connection.start-ok", client_properties={}, **login)
            case "connection.tune":
                sizes = {"channel_max": 10, "max_frame_size": FRAME_BYTES}
                self.control("connection.tune-ok", **sizes, heartbeat=HEARTBEAT_S)
                self.control("connection.open", virtual_host="/")
            case "connection.open-ok":
                for number in self.sessions:
                    name = f"{self.name} {self._connections} {number}".encode()
                    self.control("session.attach", number, name=name)
                    self.control("session.command-point", number, command_id=0, command_offset=0)
                self.command("tx.select", TRANSACTED)
                # A broker that follows refuses it.
                self.command("queue.declare", queue=WORK, durable=True)
            case "session.command-point":
                self.sessions[channel].received = record.number("command_id")
            case "session.completed":
                for first, last in record.ranges("commands"):
                    self.sessions[channel].completed.update(range(first, last + 1))
                self.ready = self.ready or (channel == PLAIN and 0 in self.sessions[PLAIN].completed)
                self.heard()
            case name if name in ENDS:
                self._end(name)

    def _end(self, why: str) -> None:
        self.world.counts[f"0-10 {why}"] += 1
        self.leave()

    def _take_part(self, frame: Frame) -> None:
        """Take a frame of a command: each segment of this broker's is one for messages of this size."""
        session = self.sessions[int(frame.channel)]
        session.segments.append(frame.payload)
        if not frame.flags & LAST_SEGMENT or not frame.flags & LAST_FRAME:
            return
        parts, session.segments = session.segments, []
        layout = COMMANDS[int.from_bytes(parts[0][:2], "big")]
        number, session.received = session.received, session.received + 1
        if layout.name == "execution.exception":
            self._end(layout.name)
        elif layout.name == "message.transfer":
            record, _ = decode_record(parts[0], 4, len(parts[0]), layout)
            body = Transfer(number, record, parts[1], parts[2]).body
            session.held[number] = (body or b"").decode()

    def heard(self) -> None:
        """The broker has carried out commands."""


class Amqp010Publisher(Amqp010Client):
    """Publishes to queues, alone and in transactions."""

    _number = 0

    def hello(self) -> None:
        self._unconfirmed: dict[int, str] = {}
        super().hello()

    def _next(self) -> str:
        self._number += 1
        return f"{self.name}-{self._number}"

    def heard(self) -> None:
        for number in [each for each in self._unconfirmed if each in self.sessions[PLAIN].completed]:
            self.ledger.work[self._unconfirmed.pop(number)] = CONFIRMED
            self.world.counts["0-10 completions"] += 1

    async def send(self, count: int, queue: str) -> None:
        """Publish several messages, and wait until all are carried out."""
        await self.until(lambda: self.ready)
        wire, unconfirmed = self.wire, self._unconfirmed
        for _ in range(count):
            name = self._next()
            self.ledger.send([name], queue)
            self.ledger.work[name] = UNKNOWN
            unconfirmed[self.transfer(name, queue)] = name
        await self.until_or_lost(lambda: not unconfirmed, wire)

    async def transact(self, count: int, end: str) -> None:
        """Send to two queues in one transaction."""
        await self.until(lambda: self.ready)
        names = [self._next() for _ in range(count)]
        self.ledger.pairs.update(dict.fromkeys(names, UNKNOWN))
        for name in names:
            for queue in (LEFT, RIGHT):
                self.transfer(name, queue, TRANSACTED)
        commits = end == "commit"
        await self.completed(self.command("tx.commit" if commits else "tx.rollback", TRANSACTED), TRANSACTED)
        self.ledger.pairs.update(dict.fromkeys(names, CONFIRMED if commits else REFUSED))
        self.world.counts["0-10 transactions"] += 1


class Amqp010Consumer(Amqp010Client):
    """Takes messages, and settles them in all ways."""

    async def take(self, most: int, outcome: str, queue: str) -> None:
        """Take so many messages, if they come in a second."""
        await self.until(lambda: self.ready)
        wire, held = self.wire, self.sessions[PLAIN].held
        self.command("message.subscribe", queue=queue, destination="c", accept_mode=0, acquire_mode=0)
        for unit, value in enumerate((most, UNLIMITED)):
            self.command("message.flow", destination="c", unit=unit, value=value)
        await self.at_most(1.0, lambda: wire.lost or len(held) >= most)
        if wire.lost:
            return
        # What was under way when it was cancelled is held, too.
        await self.completed(self.command("message.cancel", destination="c"))
        numbers = [(number, number) for number in held]
        for name in held.values():
            if self.ledger.sent_to.get(name) != queue:
                self.world.break_law(f"{self.name} got {name!r}, which nobody has sent")
            if outcome != "release":
                # The broker may get the outcome even if this program does not live to know.
                self.ledger.done.add(name)
            self.world.counts[f"0-10 {outcome}"] += 1
        held.clear()
        if numbers:
            await self.completed(self.command(f"message.{outcome}", transfers=numbers))
