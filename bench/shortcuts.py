"""What each shortcut of the codecs brings: the CPU time of the readable way over that of the quick one.

    .venv-compiled/bin/python bench/shortcuts.py
    .venv-compiled/bin/python bench/shortcuts.py --json

Messages are of the form that a shortcut is for, as the load generators send them: one property or header with
the key, another key each, and a body of 100 bytes; or with an identifier of its own each.
Times are the thread's CPU time, the best of several rounds that take turns. The loops around the calls are
interpreted, which a compiled server's are not: a call that does nothing is measured and taken off for each.
A shortcut that brings less than 1.5 times goes: the exit code is 1 then, on compiled modules.
"""

import argparse
import json
import struct
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from librt.strings import BytesWriter

import wire010
import wire091
import wirecore
from lastvalue.codec.amqp010 import encoded_message as amqp010_encoded
from lastvalue.codec.amqp010.command_layouts import (
    MESSAGE_DELIVERY_PROPERTIES,
    MESSAGE_MESSAGE_PROPERTIES,
    MESSAGE_TRANSFER,
)
from lastvalue.codec.amqp010.decoder import decode_record
from lastvalue.codec.amqp010.encoder import encode_struct
from lastvalue.codec.amqp010.frames import BODY, HEADER, LAST_SEGMENT, encode_segment
from lastvalue.codec.amqp010.frames import FrameReader as FrameReader010
from lastvalue.codec.amqp010.header_and_body import header_and_body
from lastvalue.codec.amqp010.layouts import Record
from lastvalue.codec.amqp010.names import Names
from lastvalue.codec.amqp010.properties import read_properties
from lastvalue.codec.amqp010.shortcuts.envelopes import Envelope
from lastvalue.codec.amqp010.shortcuts.message_decoder import MessageDecoder
from lastvalue.codec.amqp010.shortcuts.transfer_encoder import TransferEncoder
from lastvalue.codec.amqp010.shortcuts.transfers import TransferHead as TransferHead010
from lastvalue.codec.amqp091.fields import short_string
from lastvalue.codec.amqp091.frames import FrameReader
from lastvalue.codec.amqp091.message_decoder import decode_message
from lastvalue.codec.amqp091.message_encoder import encode_message
from lastvalue.codec.amqp091.methods import PublishHead, deliver_frame, method_of, place_of, put_content
from lastvalue.codec.amqp091.shortcuts.delivery_writer import DeliveryWriter
from lastvalue.codec.amqp091.shortcuts.properties import Properties
from lastvalue.codec.amqp091.shortcuts.publish_reader import PublishReader
from lastvalue.codec.amqp10.content import BodyKind, MessageContent, encode_content
from lastvalue.codec.amqp10.frames import encode_frame
from lastvalue.codec.amqp10.message import annotated, read_message
from lastvalue.codec.amqp10.performatives import (
    SENDER_SETTLED,
    Accepted,
    Disposition,
    Source,
    Target,
    Transfer,
    decode_performative,
    encode_performative,
)
from lastvalue.codec.amqp10.shortcuts.dispositions import (
    DispositionHead,
    encode_disposition,
    parse_disposition,
)
from lastvalue.codec.amqp10.shortcuts.plain_message import encode_plain_message
from lastvalue.codec.amqp10.shortcuts.quick_value import quick_value
from lastvalue.codec.amqp10.shortcuts.stamps import stamped
from lastvalue.codec.amqp10.shortcuts.transfers import (
    TransferHead,
    TransferWriter,
    parse_transfer,
)
from lastvalue.codec.amqp10.value_codec import encode_value
from lastvalue.codec.amqp10.values import Symbol, Timestamp, UByte
from lastvalue.codec.core.message_decoder import decode_message as decode_core_message
from lastvalue.codec.core.message_encoder import encode_message as encode_core_message
from lastvalue.codec.core.packets import RECEIVE, framed
from lastvalue.codec.core.shortcuts.message_reader import MessageReader
from lastvalue.codec.core.shortcuts.message_writer import MessageWriter
from lastvalue.codec.output_buffer import OutputBuffer
from lastvalue.model.message import NEVER
from lastvalue.model.property_names import ENQUEUED_TIME, SEQUENCE_NUMBER, UPDATES
from lastvalue.protocols.amqp10.connection import Connection
from lastvalue.protocols.amqp10.options import ConnectionOptions, Role
from lastvalue.protocols.amqp10.receiver import Delivery, ReceiverLink
from lastvalue.protocols.amqp10.session import LinkAttached
from lastvalue.protocols.amqp10.wire import Event

GATE = 1.5
COUNT = 2000
LARGEST = 65535
NOW_MS = 1_700_000_000_000
QUEUE = "bench"
BODY_OF = b"x" * 100
KEYS = [f"key-{number:06}" for number in range(COUNT)]
NUMBERS = list(range(COUNT))

Work = Callable[[], None]


class KnownHeader(Names):
    """A broker with the one queue."""

    def is_exchange(self, name: str) -> bool:
        return name == "none"

    def is_queue(self, name: str) -> bool:
        return name == QUEUE


NAMES = KnownHeader()


@dataclass(frozen=True, slots=True)
class Shortcut:
    """Two ways to the same bytes.

    Attributes:
        name: what the quick one is, and of which messages.
        quick, readable: COUNT messages each way.
        quick_calls, readable_calls: into the codec, for each message.
    """

    name: str
    quick: Work
    quick_calls: int
    readable: Work
    readable_calls: int


# ---------------------------------------------------------------------- AMQP 0-9-1


def publishes_091() -> Shortcut:
    data = b"".join([wire091.message(QUEUE, key) for key in KEYS])

    def quick() -> None:
        reader = PublishReader(LARGEST)
        pos, end = 0, len(data)
        while pos < end:
            pos = reader.read(data, pos, LARGEST)

    def readable() -> None:
        reader = FrameReader(LARGEST)
        reader.feed(data)
        while reader.next():
            method_of(data, reader.start, reader.end)
            head = PublishHead(data, reader.start, reader.end)
            reader.next()
            header = data[reader.start : reader.end]
            reader.next()
            decode_message(header, head.raw_exchange, head.raw_key, data[reader.start : reader.end])

    return Shortcut("0-9-1 publish: PublishReader", quick, 1, readable, 6)


def contents_091(*, identified: bool) -> list[bytes]:
    return [
        encode_content(
            MessageContent(
                durable=True,
                message_id=f"id-{key}" if identified else None,
                subject=QUEUE,
                content_type="text/plain",
                application_properties={"key": key},
                body=BODY_OF,
                body_kind=BodyKind.DATA,
            )
        )
        for key in KEYS
    ]


def deliveries_091(*, identified: bool) -> Shortcut:
    payloads = contents_091(identified=identified)
    tag = short_string(b"consumer")

    def quick() -> None:
        writer = DeliveryWriter(1, tag, QUEUE.encode(), LARGEST)
        for number, payload in enumerate(payloads):
            place = writer.read(payload)
            assert place is not None
            writer.frames(place, number)

    def readable() -> None:
        output = OutputBuffer()
        for number, payload in enumerate(payloads):
            message = encode_message(payload)
            header = message.header(0)
            output.put(deliver_frame(1, tag, number, False, place_of(b"", message.subject or b"")))
            put_content(output, 1, header, message.body, LARGEST)
        output.take()

    form = ", identifiers" if identified else ""
    return Shortcut(f"0-9-1 delivery: DeliveryWriter{form}", quick, 2, readable, 5)


def sends_core(*, of_jms: bool) -> Shortcut:
    heads = [wirecore.head(QUEUE, key, of_jms=of_jms) for key in KEYS]

    def quick() -> None:
        reader = MessageReader()
        for head in heads:
            assert reader.read(head, 0, len(head), BODY_OF) is not None

    def readable() -> None:
        for head in heads:
            read_message(decode_core_message(head, BODY_OF))

    form = ", of JMS" if of_jms else ""
    return Shortcut(f"CORE send: MessageReader{form}", quick, 1, readable, 2)


def deliveries_core(*, of_jms: bool) -> Shortcut:
    heads = [wirecore.head(QUEUE, key, of_jms=of_jms) for key in KEYS]
    payloads = [decode_core_message(head, BODY_OF) for head in heads]

    def quick() -> None:
        writer = MessageWriter(QUEUE, wirecore.SESSION, 1, 1 << 20)
        for number, payload in enumerate(payloads):
            assert writer.write(BytesWriter(), payload, NEVER, number, 1)

    def readable() -> None:
        for number, payload in enumerate(payloads):
            message = encode_core_message(payload, QUEUE, NEVER)
            framed(RECEIVE.code, wirecore.SESSION, message.body + message.head(number))

    form = ", of JMS" if of_jms else ""
    return Shortcut(f"CORE delivery: MessageWriter{form}", quick, 1, readable, 3)


def properties_091() -> Shortcut:
    """Delivery mode, message-id, which differs, and timestamp."""
    flags = 1 << 12 | 1 << 7 | 1 << 6
    after = [b"\x02" + wire091.short(key) + bytes(3) + bytes((1, 2, 3, 4, 5)) for key in KEYS]

    def quick() -> None:
        properties = Properties(b"", QUEUE.encode())
        for octets in after:
            properties.take(flags, b"", octets)

    def readable() -> None:
        head = struct.pack(">HHQH", 60, 0, 0, flags)
        for octets in after:
            decode_message(head + octets, b"", QUEUE.encode(), b"")

    return Shortcut("0-9-1 publish: Properties, identifiers", quick, 1, readable, 1)


# ---------------------------------------------------------------------- AMQP 0-10


def transfers_010() -> Shortcut:
    data = b"".join([wire010.message(QUEUE, key, explicit=True) for key in KEYS])

    def quick() -> None:
        head = TransferHead010(LARGEST)
        pos, end = 0, len(data)
        while pos < end and head.find(data, pos):
            pos = head.end

    def readable() -> None:
        reader = FrameReader010(LARGEST)
        reader.feed(data)
        while (frame := reader.next()) is not None:
            decode_record(frame.payload, 4, len(frame.payload), MESSAGE_TRANSFER)
            reader.next()
            reader.next()

    return Shortcut("0-10 transfer in: TransferHead", quick, 1, readable, 4)


def segments_010(*, identified: bool) -> list[bytes]:
    delivery = encode_struct(
        Record(MESSAGE_DELIVERY_PROPERTIES, {"routing_key": QUEUE, "delivery_mode": UByte(2)})
    )
    segments = []
    for number, key in enumerate(KEYS):
        values: dict[str, object] = {"content_length": len(BODY_OF), "application_headers": {"key": key}}
        if identified:
            values["message_id"] = UUID(int=number)
        segments.append(delivery + encode_struct(Record(MESSAGE_MESSAGE_PROPERTIES, values)))
    return segments


def messages_010(*, identified: bool) -> Shortcut:
    segments = segments_010(identified=identified)
    decoder = MessageDecoder("", NAMES)
    decoder.learn(segments[0], read_properties(segments[0]))

    def quick() -> None:
        for segment in segments:
            message = decoder.message(segment, BODY_OF)
            assert message is not None

    def readable() -> None:
        for segment in segments:
            read_message(amqp010_encoded.encoded_message("", read_properties(segment), BODY_OF, NAMES))

    form = ", identifiers" if identified else ""
    return Shortcut(f"0-10 message in: MessageDecoder{form}", quick, 1, readable, 3)


def deliveries_010(*, identified: bool) -> Shortcut:
    segments = segments_010(identified=identified)
    payloads = [
        amqp010_encoded.encoded_message("", read_properties(segment), BODY_OF, NAMES) for segment in segments
    ]
    command = b"the frame of a command"
    encoder, envelope = TransferEncoder(NAMES), Envelope(command, 1, LARGEST)

    def quick() -> None:
        for payload in payloads:
            assert encoder.write(payload, envelope, NEVER, NOW_MS)

    def readable() -> None:
        for payload in payloads:
            header, body = header_and_body(payload, NAMES, {}, 0, NEVER, NOW_MS)
            encode_segment(0, HEADER, 1, header, LARGEST)
            encode_segment(LAST_SEGMENT, BODY, 1, body or b"", LARGEST)

    form = ", identifiers" if identified else ""
    return Shortcut(f"0-10 delivery: TransferEncoder{form}", quick, 1, readable, 3)


def values_10() -> Shortcut:
    values = [[key, Symbol(key), True, UByte(2), None] for key in KEYS]

    def quick() -> None:
        for some in values:
            for value in some:
                quick_value(value)

    def readable() -> None:
        for some in values:
            for value in some:
                encode_value(value)

    return Shortcut("1.0 values of a message: quick_value", quick, 5, readable, 5)


# ---------------------------------------------------------------------- AMQP 1.0


def frames_10() -> list[bytes]:
    writer = TransferWriter(0, 0)
    payload = encode_plain_message(False, {"key": KEYS[0]}, BODY_OF)
    return [writer.first(number, len(payload), settled=True, more=False) + payload for number in NUMBERS]


def transfers_in_10() -> Shortcut:
    frames = frames_10()

    def quick() -> None:
        head = TransferHead()
        for frame in frames:
            parse_transfer(frame, 8, len(frame), head)

    def readable() -> None:
        head = TransferHead()
        for frame in frames:
            performative, start = decode_performative(frame, 8, len(frame))
            assert isinstance(performative, Transfer)
            head.take(performative, start)

    return Shortcut("1.0 transfer in: parse_transfer", quick, 1, readable, 2)


def transfers_out_10() -> Shortcut:
    def quick() -> None:
        writer = TransferWriter(0, 0)
        for number in NUMBERS:
            writer.first(number, 100, settled=True, more=False)

    def readable() -> None:
        for number in NUMBERS:
            tag = number.to_bytes(4, "big")
            transfer = Transfer(
                handle=0, delivery_id=number, delivery_tag=tag, message_format=0, settled=True
            )
            encode_frame(encode_performative(transfer), 1)

    return Shortcut("1.0 transfer out: TransferWriter", quick, 1, readable, 4)


def attached_link() -> tuple[Connection, ReceiverLink]:
    """A client's engine with a link that may be sent any number of messages."""
    client = Connection(Role.CLIENT, ConnectionOptions("client", incoming_window=2**30), 0)
    server = Connection(Role.SERVER, ConnectionOptions("server"), 0)

    def talk() -> list[Event]:
        server.receive(client.data_to_send(), 0)
        happened = server.events()
        client.receive(server.data_to_send(), 0)
        client.events()
        return happened

    client.open()
    talk()
    session = client.begin()
    talk()
    link = session.attach_receiver(QUEUE, Source(address=QUEUE), Target(), settle_mode=SENDER_SETTLED)
    for event in talk():
        if isinstance(event, LinkAttached):
            event.link.accept(Source(address=QUEUE), Target())
    talk()
    link.add_credit(2**31 - 2)
    client.data_to_send()
    return client, link


def found_frames_10() -> Shortcut:
    """Against the engine's deliveries, of which one event may have several."""
    data = b"".join(frames_10())
    pattern = TransferWriter(0, 0).pattern(settled=True)
    _, link = attached_link()
    engine, _ = attached_link()

    def quick() -> None:
        bounds: list[int] = []
        assert link.take_frames(data, 0, pattern, bounds) == len(data)

    def readable() -> None:
        engine.receive(data, 0)
        assert sum(len(event.each()) for event in engine.events() if isinstance(event, Delivery)) == COUNT

    return Shortcut("1.0 transfers in bulk: find_frames", quick, 0, readable, 0)


def dispositions_in_10() -> Shortcut:
    frames = [
        encode_disposition(1, number, number, Accepted(), role=True, settled=True) for number in NUMBERS
    ]

    def quick() -> None:
        head = DispositionHead()
        for frame in frames:
            parse_disposition(frame, 8, len(frame), head)

    def readable() -> None:
        for frame in frames:
            decode_performative(frame, 8, len(frame))

    return Shortcut("1.0 disposition in: parse_disposition", quick, 1, readable, 1)


def dispositions_out_10() -> Shortcut:
    accepted = Accepted()

    def quick() -> None:
        for number in NUMBERS:
            encode_disposition(1, number, number, accepted, role=True, settled=True)

    def readable() -> None:
        for number in NUMBERS:
            told = Disposition(role=True, first=number, last=number, settled=True, state=accepted)
            encode_frame(encode_performative(told), 1)

    return Shortcut("1.0 disposition out: encode_disposition", quick, 1, readable, 3)


def stamps_10() -> Shortcut:
    payload = encode_plain_message(False, {"key": KEYS[0]}, BODY_OF)

    def quick() -> None:
        for number in NUMBERS:
            stamped(payload, number, NOW_MS, 1)

    def readable() -> None:
        for number in NUMBERS:
            place = {SEQUENCE_NUMBER: number, ENQUEUED_TIME: Timestamp(NOW_MS), UPDATES: 1}
            annotated(payload, place)

    return Shortcut("1.0 place on a queue: stamped", quick, 1, readable, 2)


def plain_messages_10() -> Shortcut:
    def quick() -> None:
        for key in KEYS:
            encode_plain_message(True, {"key": key, "price": 1.5}, BODY_OF)

    def readable() -> None:
        for key in KEYS:
            encode_content(
                MessageContent(
                    durable=True,
                    application_properties={"key": key, "price": 1.5},
                    body=BODY_OF,
                    body_kind=BodyKind.DATA,
                )
            )

    return Shortcut("1.0 message of a client: encode_plain_message", quick, 1, readable, 2)


def shortcuts() -> list[Shortcut]:
    """Every one."""
    return [
        publishes_091(),
        properties_091(),
        deliveries_091(identified=False),
        deliveries_091(identified=True),
        *(sends_core(of_jms=each) for each in (False, True)),
        *(deliveries_core(of_jms=each) for each in (False, True)),
        transfers_010(),
        messages_010(identified=False),
        messages_010(identified=True),
        values_10(),
        deliveries_010(identified=False),
        deliveries_010(identified=True),
        transfers_in_10(),
        transfers_out_10(),
        found_frames_10(),
        dispositions_in_10(),
        dispositions_out_10(),
        stamps_10(),
        plain_messages_10(),
    ]


def nanoseconds(work: Work) -> float:
    """CPU time of one message."""
    began = time.thread_time_ns()
    work()
    return (time.thread_time_ns() - began) / COUNT


def calls_that_do_nothing() -> None:
    for number in NUMBERS:
        callable(number)


def measure(shortcut: Shortcut, rounds: int, call_ns: float) -> tuple[float, float]:
    """The net time of a message by the quick way, and by the readable one."""
    quick, readable = [], []
    for _ in range(rounds):
        quick.append(nanoseconds(shortcut.quick))
        readable.append(nanoseconds(shortcut.readable))
    return min(quick) - shortcut.quick_calls * call_ns, min(readable) - shortcut.readable_calls * call_ns


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--json", action="store_true", help="one line of JSON for each shortcut")
    options = parser.parse_args()
    compiled = not str(sys.modules[read_message.__module__].__file__).endswith(".py")
    call_ns = min(nanoseconds(calls_that_do_nothing) for _ in range(options.rounds)) if compiled else 0.0
    low = False
    for shortcut in shortcuts():
        quick_ns, readable_ns = measure(shortcut, options.rounds, call_ns)
        ratio = readable_ns / quick_ns
        low |= compiled and ratio < GATE
        if options.json:
            told = {"shortcut": shortcut.name, "compiled": compiled, "quick_ns": quick_ns}
            print(json.dumps({**told, "readable_ns": readable_ns, "ratio": ratio}), flush=True)
        else:
            mark = f"  under {GATE}" if ratio < GATE else ""
            print(f"{shortcut.name:46}{quick_ns:9.0f} ns{readable_ns:9.0f} ns{ratio:7.1f}{mark}", flush=True)
    return int(low)


if __name__ == "__main__":
    sys.exit(main())
