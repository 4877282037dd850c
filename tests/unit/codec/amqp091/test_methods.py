import struct

import pytest
from pamqp import commands, frame

from lastvalue.codec.amqp091.dialects import (
    DIALECTS,
    EXCHANGE_BOUND,
    HEADER_08,
    HEADER_09,
    PING,
    Method,
    OldMethod,
)
from lastvalue.codec.amqp091.errors import COMMAND_INVALID, FRAME_ERROR, SYNTAX_ERROR, ReplyError
from lastvalue.codec.amqp091.methods import (
    ACK,
    MAX_METHOD_BYTES,
    NACK,
    PUBLISH,
    PublishHead,
    confirm_frame,
    decode_method,
    deliver_frame,
    encode_method,
    get_ok_frame,
    method_of,
    place_of,
    put_content,
    return_frame,
    settlement,
)
from lastvalue.codec.output_buffer import OutputBuffer

PLACE = place_of(b"x", b"k")


def octets(method: Method) -> bytes:
    """A method as pamqp writes it."""
    assert not isinstance(method, OldMethod)
    return frame.marshal(method, 7)


def payload_of(method: commands.Basic.Publish) -> bytes:
    return frame.marshal(method, 1)[7:-1]


@pytest.mark.parametrize(
    ("written", "method"),
    [
        (deliver_frame(7, b"\x01c", 5, True, PLACE), commands.Basic.Deliver("c", 5, True, "x", "k")),
        (get_ok_frame(7, 5, False, PLACE, 9), commands.Basic.GetOk(5, False, "x", "k", 9)),
        (return_frame(7, 312, "NO_ROUTE", PLACE), commands.Basic.Return(312, "NO_ROUTE", "x", "k")),
        (confirm_frame(7, ACK, 5, True), commands.Basic.Ack(5, True)),
        (confirm_frame(7, NACK, 5, False), commands.Basic.Nack(5, False, False)),
    ],
)
def test_a_frame_that_is_written_by_hand_is_what_others_read(written: bytes, method: Method) -> None:
    assert written == octets(method)


def test_a_publish_says_where_to_and_how() -> None:
    payload = PUBLISH.to_bytes(4, "big") + b"\x00\x00\x02\xc3\xa9\x01k\x01"
    head = PublishHead(payload, 0, len(payload))
    assert (head.exchange, head.raw_exchange, head.key) == ("é", "é".encode(), "k")
    assert (head.mandatory, head.immediate) == (True, False)
    assert method_of(payload, 0, len(payload)) == PUBLISH


@pytest.mark.parametrize(
    "change", [lambda data: data[:-1], lambda data: data + b"\x00", lambda data: data[:6]]
)
def test_a_publish_whose_fields_do_not_fit_is_a_syntax_error(change: object) -> None:
    assert callable(change)
    payload = change(payload_of(commands.Basic.Publish(exchange="x", routing_key="k")))
    with pytest.raises(ReplyError) as refused:
        PublishHead(payload, 0, len(payload))
    assert refused.value.code == SYNTAX_ERROR


def test_tags_that_no_delivery_has_are_one() -> None:
    ack = b"\x00\x3c\x00\x50" + b"\xff" * 8 + b"\x01"
    assert settlement(ack, 0, len(ack)) == (2**63 - 1, 1)
    with pytest.raises(ReplyError):
        settlement(ack, 0, len(ack) - 1)


@pytest.mark.parametrize(
    ("body", "bodies"),
    [(b"", []), (b"x" * 92, [b"x" * 92]), (b"x" * 93, [b"x" * 92, b"x"])],
)
def test_a_body_is_cut_into_frames_of_the_size_that_is_agreed(body: bytes, bodies: list[bytes]) -> None:
    output = OutputBuffer()
    put_content(output, 7, b"header", body, 100)
    data = output.take()
    frames = [(2, b"header"), *((3, each) for each in bodies)]
    assert data == b"".join(
        bytes((kind, 0, 7)) + len(each).to_bytes(4, "big") + each + b"\xce" for kind, each in frames
    )


def test_a_method_comes_back_as_it_was() -> None:
    method = commands.Queue.Declare(queue="q", durable=True, arguments={"x-max-length": 5})
    assert octets(decode_method(encode_method(method, 7)[7:-1])) == octets(method)


def test_the_oldest_version_numbers_its_closes_otherwise() -> None:
    dialect = DIALECTS[HEADER_08]
    close = commands.Connection.Close(200, "bye", 0, 0)
    payload = encode_method(close, 0, dialect)[7:-1]
    assert payload[:4] == b"\x00\x0a\x00\x3c"
    assert octets(decode_method(payload, dialect)) == octets(close)


def test_methods_that_only_older_versions_have_are_read_there_alone() -> None:
    payload = PING.to_bytes(4, "big")
    assert isinstance(decode_method(payload, DIALECTS[HEADER_09]), OldMethod)
    with pytest.raises(ReplyError) as refused:
        decode_method(payload)
    assert refused.value.code == COMMAND_INVALID


@pytest.mark.parametrize("header", DIALECTS)
def test_exchange_bound_is_read_in_every_version(header: bytes) -> None:
    payload = EXCHANGE_BOUND.to_bytes(4, "big") + b"\x01x\x01k\x01q"
    old = decode_method(payload, DIALECTS[header])
    assert isinstance(old, OldMethod)
    assert old.fields == {"exchange": "x", "routing_key": "k", "queue": "q"}


@pytest.mark.parametrize(
    ("payload", "code"),
    [
        (b"\x00\x63\x00\x63", COMMAND_INVALID),
        (b"\x00\x32\x00\x0a\x00", FRAME_ERROR),
    ],
)
def test_what_is_no_method_is_refused_with_its_number(payload: bytes, code: int) -> None:
    with pytest.raises(ReplyError) as refused:
        decode_method(payload)
    assert (refused.value.code, refused.value.method) == (code, (payload[1], payload[3]))


def test_a_method_is_as_large_as_may_be_and_no_larger() -> None:
    start = commands.Connection.SecureOk("")
    room = MAX_METHOD_BYTES - len(start.marshal()) - 4
    payload = struct.pack(">I", start.index) + commands.Connection.SecureOk("x" * room).marshal()
    assert decode_method(payload).index == start.index
    with pytest.raises(ReplyError, match=f"at most {MAX_METHOD_BYTES}"):
        decode_method(payload + b"x")


def test_a_refused_method_keeps_nothing_of_what_was_decoded() -> None:
    nested = b"\x00\x00\x00\x00"
    while len(nested) < MAX_METHOD_BYTES - 100:
        nested = struct.pack(">I", len(nested) + 3) + b"\x01aF" + nested
    declare = struct.pack(">IH", commands.Queue.Declare.index, 0) + b"\x00\x00" + nested
    with pytest.raises(ReplyError, match="invalid method") as refusal:
        decode_method(declare)
    assert refusal.value.__cause__ is None
    assert refusal.value.__context__ is None
