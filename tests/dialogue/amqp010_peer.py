"""A client of AMQP 0-10 that a test scripts: on its other side a broker, without a socket.

`do` sends a command and answers with what came of it; controls and transfers that the broker sent are kept.
"""

from collections.abc import Callable
from typing import Any

from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.owner import PeerIdentity
from lastvalue.codec.amqp010.command_layouts import (
    COMMANDS,
    CONTROLS,
    MESSAGE_DELIVERY_PROPERTIES,
    MESSAGE_MESSAGE_PROPERTIES,
)
from lastvalue.codec.amqp010.decoder import decode_record, decode_structs
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
    FrameReader,
    encode_segment,
)
from lastvalue.codec.amqp010.layouts import Layout, Record
from lastvalue.delivery.protocol_connection import ConnectionContext
from lastvalue.frontends.amqp010.broker_state import BrokerState
from lastvalue.frontends.amqp010.connection import Amqp010Connection
from lastvalue.frontends.amqp010.sessions import SessionState
from lastvalue.protocols.amqp010.connection import Options
from lastvalue.protocols.sasl import Authenticator

START_MS = 1_000_000
UNLIMITED = 0xFFFFFFFF
EVERYONE = Authenticator()

_BY_NAME: dict[str, Layout] = {
    layout.name: layout for table in (CONTROLS, COMMANDS) for layout in table.values()
}


class Transfer:
    """A message that came."""

    def __init__(self, number: int, record: Record, header: bytes, body: bytes | None) -> None:
        self.number = number
        self.destination = record.text("destination")
        self.body = body
        self.delivery: dict[str, Any] = {}
        self.properties: dict[str, Any] = {}
        for each in decode_structs(header):
            if each.layout is MESSAGE_DELIVERY_PROPERTIES:
                self.delivery = each.values
            else:
                self.properties = each.values

    @property
    def headers(self) -> dict[str, Any]:
        found: dict[str, Any] = self.properties.get("application_headers", {})
        return found


class Peer:
    """One connection; `flushed` is up to where the journal is safe, what is published is at 1.

    `record` is what ends a turn: it takes what became of the queues.
    """

    def __init__(
        self,
        broker_state: BrokerState,
        *,
        options: Options | None = None,
        authenticator: Authenticator = EVERYONE,
        opens: bool = True,
    ) -> None:
        self.now = START_MS
        self.flushed = 1
        self.broker: Broker = broker_state.broker
        peer = PeerIdentity("10.0.0.10:1")
        context = ConnectionContext(self.broker, authenticator, lambda: None, lambda _: None, peer)
        self.conversation = Amqp010Connection(context, options or Options(), broker_state, self.now)
        self.start = b""
        self.controls: list[Record] = []
        self.results: dict[int, Record | None] = {}
        self.failures: list[Record] = []
        self.transfers: list[Transfer] = []
        self.completed: set[int] = set()
        self._sent = 0
        self._received = 0
        self.record: Callable[[], object] = lambda: self.broker.drain(self.now)
        self._reader = FrameReader(65535)
        self._segments: list[bytes] = []
        self._kinds: list[int] = []
        if opens:
            self.open()

    # ------------------------------------------------------------------ bytes

    def exchange(self, data: bytes = b"") -> None:
        """Hand bytes over, have a turn, and take what the broker sends, until it is silent."""
        moved = True
        while moved:
            if data or not self.conversation.busy:
                self.conversation.receive(data, self.now, self.now)
            self.broker.pump(self.now)
            self.record()
            self.broker.definitions.drain()
            self.conversation.seal(1, self.now)
            self.conversation.confirm(self.flushed, self.now)
            answer = self.conversation.data_to_send()
            self.conversation.resume()
            self._read(answer)
            data = b""
            moved = bool(answer) or self.broker.busy

    def _read(self, data: bytes) -> None:
        if not self.start and data:
            self.start, data = data[:8], data[8:]
        self._reader.feed(data)
        while (frame := self._reader.next()) is not None:
            if frame.kind == CONTROL:
                self._control(frame.payload)
                continue
            if frame.kind not in self._kinds:
                self._kinds.append(int(frame.kind))
                self._segments.append(b"")
            self._segments[-1] += frame.payload
            if frame.flags & LAST_FRAME and frame.flags & LAST_SEGMENT:
                segments, self._segments, self._kinds = self._segments, [], []
                self._command(segments)

    def _control(self, payload: bytes) -> None:
        layout = CONTROLS[int.from_bytes(payload[:2], "big")]
        record = decode_record(payload, 2, len(payload), layout)[0] if len(payload) > 2 else Record(layout)
        if record.layout.name == "session.completed":
            for first, last in record.ranges("commands"):
                self.completed |= set(range(first, last + 1))
        elif record.layout.name == "session.command-point":
            self._received = record.number("command_id")
        self.controls.append(record)

    def _command(self, segments: list[bytes]) -> None:
        payload = segments[0]
        layout = COMMANDS[int.from_bytes(payload[:2], "big")]
        record, _ = decode_record(payload, 4, len(payload), layout)
        number = self._received
        self._received += 1
        if layout.name == "execution.result":
            self.results[record.number("command_id")] = record.record("value")
        elif layout.name == "execution.exception":
            self.failures.append(record)
        else:
            self.transfers.append(
                Transfer(number, record, segments[1], segments[2] if len(segments) > 2 else None)
            )

    # ------------------------------------------------------------------ what the test does

    def control(self, name: str, channel: int = 0, /, **fields: Any) -> None:
        self.exchange(self.control_bytes(name, channel, **fields))

    def control_bytes(self, name: str, channel: int = 0, /, **fields: Any) -> bytes:
        record = Record(_BY_NAME[name], fields)
        payload = record.layout.code.to_bytes(2, "big") + encode_fields(record)
        return encode_segment(FIRST_SEGMENT | LAST_SEGMENT, CONTROL, channel, payload, 65535)

    def open(self, name: bytes = b"test", product: str = "") -> None:
        self.exchange(PROTOCOL_HEADER)
        properties = {"product": product} if product else {}
        self.control(
            "connection.start-ok",
            mechanism="ANONYMOUS",
            response=b"anonymous",
            locale="en_US",
            client_properties=properties,
        )
        self.control("connection.tune-ok", channel_max=10, max_frame_size=65535)
        self.control("connection.open", virtual_host="/")
        self.attach(name)

    def states(self) -> list[SessionState]:
        """What the broker has of its sessions."""
        return self.conversation.states()

    def attach(self, name: bytes = b"test", channel: int = 1) -> None:
        self.control("session.attach", channel, name=name)
        self.control("session.command-point", channel, command_id=self._sent, command_offset=0)

    def command_bytes(self, name: str, /, *segments: tuple[int, bytes], **fields: Any) -> bytes:
        record = Record(_BY_NAME[name], fields)
        payload = record.layout.code.to_bytes(2, "big") + b"\x01\x00" + encode_fields(record)
        flags = FIRST_SEGMENT if segments else FIRST_SEGMENT | LAST_SEGMENT
        data = encode_segment(flags, COMMAND, 1, payload, 4096)
        for number, (kind, content) in enumerate(segments):
            flags = LAST_SEGMENT if number == len(segments) - 1 else 0
            data += encode_segment(flags, kind, 1, content, 4096)
        return data

    def do(self, name: str, /, **fields: Any) -> Record | None:
        """Send a command; its result, where it has one."""
        return self.results.get(self.numbered(name, **fields))

    def numbered(self, name: str, /, **fields: Any) -> int:
        """Send a command; its number."""
        number = self._sent
        self._sent += 1
        self.exchange(self.command_bytes(name, **fields))
        return number

    def do_together(self, commands: list[tuple[str, dict[str, Any]]]) -> None:
        """Send commands in one piece."""
        self._sent += len(commands)
        self.exchange(b"".join(self.command_bytes(name, **fields) for name, fields in commands))

    def fails(self, name: str, /, **fields: Any) -> int:
        """Send a command that is refused; the error's code. The session is over."""
        self.do(name, **fields)
        return self.failures[-1].number("error_code")

    def send(
        self,
        key: str,
        body: bytes | None = b"",
        *,
        exchange: str = "",
        delivery: dict[str, Any] | None = None,
        properties: dict[str, Any] | None = None,
    ) -> int:
        """Publish a message; its command's id."""
        header = encode_struct(Record(MESSAGE_DELIVERY_PROPERTIES, {"routing_key": key, **(delivery or {})}))
        if properties is not None:
            header += encode_struct(Record(MESSAGE_MESSAGE_PROPERTIES, properties))
        number = self._sent
        self._sent += 1
        segments = [(HEADER, header)] if body is None else [(HEADER, header), (BODY, body)]
        data = self.command_bytes("message.transfer", *segments, destination=exchange)
        self.exchange(data)
        return number

    def subscribe(self, queue: str, destination: str = "d", **fields: Any) -> None:
        """Subscribe, with credit without end."""
        self.do("message.subscribe", queue=queue, destination=destination, **fields)
        for unit in (0, 1):
            self.do("message.flow", destination=destination, unit=unit, value=UNLIMITED)

    def take(self) -> list[Transfer]:
        """What came since the last call."""
        self.exchange()
        transfers, self.transfers = self.transfers, []
        return transfers

    def bodies(self) -> list[bytes | None]:
        return [transfer.body for transfer in self.take()]

    def last(self, name: str) -> Record:
        """The last control of a name that came."""
        return [record for record in self.controls if record.layout.name == name][-1]
