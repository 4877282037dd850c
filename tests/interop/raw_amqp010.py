"""A peer of AMQP 0-10 over a socket, which says what it is told to."""

import socket
from collections.abc import Callable
from itertools import count
from types import TracebackType
from typing import Any, Final, Self

from lastvalue.codec.amqp010.command_layouts import (
    COMMANDS,
    CONNECTION_CLOSE,
    CONTROLS,
    EXECUTION_RESULT,
    MESSAGE_DELIVERY_PROPERTIES,
    MESSAGE_MESSAGE_PROPERTIES,
    MESSAGE_REPLY_TO,
    MESSAGE_TRANSFER,
    SESSION_COMPLETED,
)
from lastvalue.codec.amqp010.decoder import decode_record
from lastvalue.codec.amqp010.encoder import encode_fields, encode_map, encode_struct
from lastvalue.codec.amqp010.frames import (
    BODY,
    COMMAND,
    CONTROL,
    FIRST_SEGMENT,
    HEADER,
    LAST_SEGMENT,
    MIN_MAX_FRAME_SIZE,
    PROTOCOL_HEADER,
    Frame,
    FrameReader,
    encode_segment,
)
from lastvalue.codec.amqp010.layouts import Layout, Record

FRAME_BYTES: Final = 65535
_RESULT: Final = EXECUTION_RESULT.code.to_bytes(2, "big")
_SESSIONS: Final = count()
_UNLIMITED: Final = 0xFFFFFFFF
_TRANSFER: Final = MESSAGE_TRANSFER.code.to_bytes(2, "big")
_BY_NAME: Final[dict[str, Layout]] = {
    layout.name: layout for table in (CONTROLS, COMMANDS) for layout in table.values()
}


class RawAmqp010:
    """One blocking connection with one session, on channel 1; of one name there is one at a time."""

    def __init__(
        self,
        host: str,
        port: int,
        channels: int = 1,
        timeout_s: float = 60,
        login: tuple[str, bytes] = ("ANONYMOUS", b"anonymous"),
        session: str = "",
    ) -> None:
        self.socket = socket.create_connection((host, port), timeout=timeout_s)
        self._commands = 0
        self._reader = FrameReader(FRAME_BYTES)
        self.send(PROTOCOL_HEADER)
        properties = {"mechanism": login[0], "response": login[1], "locale": "en_US"}
        self.control("connection.start-ok", client_properties={}, **properties)
        self.control("connection.tune-ok", channel_max=255, max_frame_size=FRAME_BYTES)
        self.control("connection.open", virtual_host="/")
        for channel in range(1, channels + 1):
            self.control("session.attach", channel, name=session.encode() or b"raw %d" % next(_SESSIONS))
            self.control("session.command-point", channel, command_id=0, command_offset=0)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.socket.close()

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def control(self, name: str, channel: int = 0, /, **fields: Any) -> None:
        payload = _BY_NAME[name].code.to_bytes(2, "big") + encode_fields(Record(_BY_NAME[name], fields))
        frame_bytes = FRAME_BYTES if channel else MIN_MAX_FRAME_SIZE
        self.send(encode_segment(FIRST_SEGMENT | LAST_SEGMENT, CONTROL, channel, payload, frame_bytes))

    def command(self, name: str, channel: int = 1, /, **fields: Any) -> None:
        self._commands += 1
        self.send(_command(name, channel, FIRST_SEGMENT | LAST_SEGMENT, fields))

    def publish_confirmed(self, key: str, body: bytes, exchange: str = "", **properties: int) -> None:
        """Send a durable message, and wait until the broker has completed it."""
        self._commands += 1
        given = {"routing_key": key, "delivery_mode": 2, **properties}
        header = encode_struct(Record(MESSAGE_DELIVERY_PROPERTIES, given))
        self.send(
            _command("message.transfer", 1, FIRST_SEGMENT, {"destination": exchange})
            + encode_segment(0, HEADER, 1, header, FRAME_BYTES)
            + encode_segment(LAST_SEGMENT, BODY, 1, body, FRAME_BYTES)
        )
        while not self._has_completed(self._commands - 1):
            self._read()

    def _has_completed(self, number: int) -> bool:
        while (frame := self._reader.next()) is not None:
            code = int.from_bytes(frame.payload[:2], "big") if frame.kind == CONTROL else 0
            if code == CONNECTION_CLOSE.code:
                raise ConnectionResetError(f"the broker closes the connection: {frame.payload!r}")
            if code == SESSION_COMPLETED.code:
                record, _ = decode_record(frame.payload, 2, len(frame.payload), SESSION_COMPLETED)
                runs: Any = record.values.get("commands", [])
                if any(first <= number <= last for first, last in runs):
                    return True
        return False

    def _read(self) -> None:
        data = self.socket.recv(1 << 16)
        if not data:
            raise ConnectionResetError("the broker closed the connection")
        self._reader.feed(data.removeprefix(PROTOCOL_HEADER))

    def begin_transfer(self, key: str, body: bytes, channel: int = 1) -> None:
        """Send the begin of a message whose body does not end."""
        header = encode_struct(Record(MESSAGE_DELIVERY_PROPERTIES, {"routing_key": key}))
        self.send(
            _command("message.transfer", channel, FIRST_SEGMENT, {"destination": ""})
            + encode_segment(0, HEADER, channel, header, FRAME_BYTES)
            + _unended(encode_segment(LAST_SEGMENT, BODY, channel, body, FRAME_BYTES))
        )

    def publish(self, key: str, body: bytes, **properties: Any) -> None:
        """Send a whole message to a queue."""
        header = encode_struct(Record(MESSAGE_DELIVERY_PROPERTIES, {"routing_key": key}))
        header += encode_struct(Record(MESSAGE_MESSAGE_PROPERTIES, properties))
        self.send(
            _command("message.transfer", 1, FIRST_SEGMENT, {"destination": ""})
            + encode_segment(0, HEADER, 1, header, FRAME_BYTES)
            + encode_segment(LAST_SEGMENT, BODY, 1, body, FRAME_BYTES)
        )

    def query_queue(self, queue: str) -> None:
        """Ask for a queue's state, and wait for the answer: what was sent before is processed then."""
        self.command("queue.query", queue=queue)
        self._expect(lambda frame: frame.kind == COMMAND and frame.payload.startswith(_RESULT))

    def read(self, binding_key: str) -> None:
        """Read what comes with a key from the exchange of the answers of QMF."""
        self.command("queue.declare", queue=binding_key, exclusive=True, auto_delete=True)
        bound = {"queue": binding_key, "binding_key": binding_key}
        self.command("exchange.bind", exchange="qmf.default.direct", **bound)
        self.consume(binding_key)

    def consume(self, queue: str, *, accept_mode: int = 1, messages: int = _UNLIMITED) -> None:
        """Read a queue, without limit unless there is one, and accept at once unless the mode is 0."""
        self.command("message.subscribe", queue=queue, destination="a", accept_mode=accept_mode)
        for unit, value in enumerate((messages, _UNLIMITED)):
            self.command("message.flow", destination="a", unit=unit, value=value)

    def expect_message(self) -> None:
        """Read until a message has come to a consumer."""
        self._expect(lambda frame: frame.kind == COMMAND and frame.payload.startswith(_TRANSFER))

    def create_by_qmf(self, kind: str, name: str, properties: dict[str, Any]) -> None:
        """Have QMF create an object; nobody reads the answer."""
        asked = {
            "_object_id": {"_object_name": "org.apache.qpid.broker:broker:amqp-broker"},
            "_method_name": "create",
            "_arguments": {"type": kind, "name": name, "properties": properties},
        }
        self._ask_qmf("_method_request", asked, "nobody")
        self.query_queue("any")

    def query(self, reply_key: str, body: dict[str, Any]) -> None:
        """Send a query of QMF."""
        self._ask_qmf("_query_request", body, reply_key)

    def _ask_qmf(self, opcode: str, body: dict[str, Any], reply_key: str) -> None:
        reply_to = Record(MESSAGE_REPLY_TO, {"exchange": "qmf.default.direct", "routing_key": reply_key})
        asked = {
            "content_type": "amqp/map",
            "reply_to": reply_to,
            "app_id": b"qmf2",
            "application_headers": {"method": "request", "qmf.opcode": opcode},
        }
        header = encode_struct(Record(MESSAGE_DELIVERY_PROPERTIES, {"routing_key": "broker"}))
        header += encode_struct(Record(MESSAGE_MESSAGE_PROPERTIES, asked))
        self._commands += 1
        self.send(
            _command("message.transfer", 1, FIRST_SEGMENT, {"destination": "qmf.default.direct"})
            + encode_segment(0, HEADER, 1, header, FRAME_BYTES)
            + encode_segment(LAST_SEGMENT, BODY, 1, encode_map(body), FRAME_BYTES)
        )

    def expect_answer(self) -> None:
        """Read until the last part of an answer has come."""
        self._expect(
            lambda frame: (
                frame.kind == HEADER
                and b"_query_response" in frame.payload
                and b"partial" not in frame.payload
            )
        )

    def _expect(self, is_it: Callable[[Frame], bool]) -> None:
        """Read until this frame has come."""
        while True:
            while (frame := self._reader.next()) is not None:
                if is_it(frame):
                    return
            self._read()


def _command(name: str, channel: int, flags: int, fields: dict[str, Any]) -> bytes:
    payload = (
        _BY_NAME[name].code.to_bytes(2, "big") + b"\x01\x00" + encode_fields(Record(_BY_NAME[name], fields))
    )
    return encode_segment(flags, COMMAND, channel, payload, FRAME_BYTES)


def _unended(frames: bytes) -> bytes:
    """The frames of a segment, with a last one that does not say that it is."""
    at = last = 0
    while at < len(frames):
        last = at
        at += int.from_bytes(frames[at + 2 : at + 4], "big")
    return frames[:last] + bytes((frames[last] & ~1,)) + frames[last + 1 :]
