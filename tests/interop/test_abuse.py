"""Peers that break the rules: each is told why, and nobody else notices."""

import struct
from collections.abc import Iterator

import pytest
from proton import Message
from proton.utils import BlockingConnection
from raw_peer import RawPeer
from served_broker import HOST, PASSWORD, USER, ServedBroker

from lastvalue.codec.amqp10.frames import AMQP_HEADER, SASL_HEADER, encode_frame
from lastvalue.codec.amqp10.performatives import (
    Attach,
    Begin,
    Close,
    Detach,
    Disposition,
    End,
    Flow,
    Open,
    SaslInit,
    SaslOutcome,
    Source,
    Target,
    Transfer,
    encode_performative,
)

pytestmark = pytest.mark.interop

SECONDS = 60
BODY = b"\x00\x53\x75\xa0\x03abc"
ABSURD_CHANNEL = 65_535


@pytest.fixture
def peer(broker: ServedBroker) -> Iterator[RawPeer]:
    with RawPeer(HOST, broker.port) as connected:
        yield connected


@pytest.fixture
def opened(peer: RawPeer) -> RawPeer:
    assert peer.open().code == 0
    return peer


@pytest.fixture(autouse=True)
def bystander(broker: ServedBroker, standard_queue: str) -> Iterator[None]:
    """Another connection, open all the while, works before and after."""
    connection = BlockingConnection(broker.url, timeout=SECONDS)
    queue = broker.declare()
    sender = connection.create_sender(queue)
    receiver = connection.create_receiver(queue, credit=2)
    sender.send(Message(body="before"))
    yield
    sender.send(Message(body="after"))
    assert [receiver.receive().body for _ in range(2)] == ["before", "after"]
    receiver.accept()
    receiver.accept()
    connection.close()
    assert broker.depth(queue) == 0


def transfer(delivery: int, payload_more: bool = False, *, settled: bool = True) -> Transfer:
    tag = struct.pack(">I", delivery)
    return Transfer(
        handle=0,
        delivery_id=delivery,
        delivery_tag=tag,
        message_format=0,
        settled=settled,
        more=payload_more,
    )


@pytest.mark.parametrize(
    "greeting",
    [
        b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    ],
    ids=["http", "tls"],
)
def test_another_protocol_is_answered_with_ours_and_closed(peer: RawPeer, greeting: bytes) -> None:
    peer.send(greeting)
    assert peer.protocol_header() in (SASL_HEADER, AMQP_HEADER)
    assert peer.is_closed()


def test_a_later_revision_of_a_protocol_is_answered_with_the_one_that_is_spoken(peer: RawPeer) -> None:
    peer.send(b"AMQP\x00\x00\x09\x07")
    assert peer.protocol_header() == b"AMQP\x00\x00\x09\x01"
    assert peer.is_closed()


@pytest.mark.parametrize(
    ("body", "condition"),
    [
        (b"\xff" * 40, "amqp:decode-error"),
        (b"\x00\x53\x12\xc0\xff\x01", "amqp:decode-error"),
        (b"\x00\x53\x99\x45", "amqp:decode-error"),
        (b"\x40", "amqp:decode-error"),
        (bytes(200_000), "amqp:connection:framing-error"),
        (bytes(30_000), "amqp:decode-error"),
    ],
    ids=["no type", "size beyond the frame", "unknown performative", "null", "huge frame", "deep nesting"],
)
def test_a_malformed_frame_closes_the_connection(opened: RawPeer, body: bytes, condition: str) -> None:
    opened.send(encode_frame(body, 0))
    error = opened.expect(Close).error
    assert error is not None
    assert error.condition == condition
    assert opened.is_closed()


@pytest.mark.parametrize(
    "head",
    [
        b"\xff\xff\xff\xff\x02\x00\x00\x00",
        b"\x00\x00\x00\x04\x02\x00\x00\x00",
        b"\x00\x00\x00\x08\x01\x00\x00\x00",
    ],
    ids=["4 GB", "smaller than a header", "data offset within the header"],
)
def test_an_impossible_frame_size_closes_at_once(opened: RawPeer, head: bytes) -> None:
    opened.send(head)
    error = opened.expect(Close).error
    assert error is not None
    assert error.condition == "amqp:connection:framing-error"
    assert opened.is_closed()


def test_a_million_zero_bytes_close_the_connection(opened: RawPeer) -> None:
    opened.send(bytes(1_000_000))
    error = opened.expect(Close).error
    assert error is not None
    assert error.condition == "amqp:connection:framing-error"


def test_a_message_that_nests_too_deeply_is_refused_alone(opened: RawPeer, standard_queue: str) -> None:
    opened.attach_sender(standard_queue)
    opened.say(transfer(0), b"\x00\x53\x77" + bytes(20_000))
    error = opened.expect(Detach).error
    assert error is not None
    assert error.condition == "amqp:decode-error"


def test_a_malformed_message_never_reaches_the_queue(
    opened: RawPeer, broker: ServedBroker, standard_queue: str
) -> None:
    opened.attach_sender(standard_queue)
    opened.say(transfer(0), b"\x00\x53\x75\xb0\xff\xff\xff\xff")
    assert opened.expect(Detach).error is not None
    assert broker.depth(standard_queue) == 0


def test_an_unknown_node_is_refused_with_a_null_target(opened: RawPeer) -> None:
    # [1.0 §2.6.3] The refusing side attaches without a terminus, then detaches with the error.
    assert opened.attach_sender("no-such-queue").target is None
    detach = opened.expect(Detach)
    assert detach.closed
    assert detach.error is not None
    assert detach.error.condition == "amqp:not-found"


def test_a_second_attach_under_the_same_handle_ends_the_session(opened: RawPeer, standard_queue: str) -> None:
    opened.attach_receiver(standard_queue, name="first")
    opened.say(Attach(name="second", handle=0, role=True))
    error = opened.expect(End).error
    assert error is not None
    assert error.condition == "amqp:session:handle-in-use"


def test_a_second_attach_under_the_same_name_steals_the_link(opened: RawPeer, standard_queue: str) -> None:
    opened.attach_receiver(standard_queue, name="same")
    opened.say(Attach(name="same", handle=1, role=True, source=Source(address=standard_queue)))
    detach = opened.expect(Detach)
    assert detach.error is not None
    assert detach.error.condition == "amqp:link:stolen"
    assert opened.expect(Attach).name == "same"


def test_a_transfer_on_no_link_ends_the_session(opened: RawPeer) -> None:
    opened.say(transfer(0), BODY)
    error = opened.expect(End).error
    assert error is not None
    assert error.condition == "amqp:session:unattached-handle"


def test_a_transfer_without_credit_detaches_the_link(
    opened: RawPeer, broker: ServedBroker, standard_queue: str
) -> None:
    target = Target(address=standard_queue)
    attach = Attach(name="hasty", handle=0, role=False, target=target, initial_delivery_count=0)
    hasty = encode_frame(encode_performative(attach), 0)
    hasty += encode_frame(encode_performative(transfer(0)), 0, payload=BODY)
    opened.send(hasty)
    error = opened.expect(Detach).error
    assert error is not None
    assert error.condition == "amqp:link:transfer-limit-exceeded"
    assert broker.depth(standard_queue) == 0


def test_a_channel_beyond_the_limit_closes_the_connection(opened: RawPeer) -> None:
    begin = Begin(next_outgoing_id=0, incoming_window=1, outgoing_window=1)
    opened.send(encode_frame(encode_performative(begin), ABSURD_CHANNEL))
    assert opened.expect(Close).error is not None


def test_a_frame_before_open_closes_the_connection(peer: RawPeer) -> None:
    peer.send(SASL_HEADER)
    peer.say(SaslInit("ANONYMOUS"), kind=1)
    peer.send(AMQP_HEADER)
    peer.say(Begin(next_outgoing_id=0, incoming_window=1, outgoing_window=1))
    assert peer.protocol_header() == SASL_HEADER
    peer.expect(SaslOutcome)
    assert peer.protocol_header() == AMQP_HEADER
    assert peer.expect(Close).error is not None
    assert peer.is_closed()


def test_a_second_open_closes_the_connection(opened: RawPeer) -> None:
    opened.say(Open(container_id="again"))
    assert opened.expect(Close).error is not None


@pytest.mark.parametrize(
    ("mechanism", "response"),
    [
        ("PLAIN", f"\0{USER}\0wrong".encode()),
        ("PLAIN", f"\0nobody\0{PASSWORD}".encode()),
        ("PLAIN", b"no separators"),
        ("PLAIN", b"\xff\xfe\0\0"),
        ("SCRAM-SHA-512", b""),
    ],
    ids=["wrong password", "unknown user", "malformed", "not text", "unknown mechanism"],
)
def test_wrong_credentials_get_the_outcome_auth_and_a_close(
    peer: RawPeer, mechanism: str, response: bytes
) -> None:
    assert peer.open(mechanism, response).code == 1
    assert peer.is_closed()


def test_right_credentials_get_the_outcome_ok(peer: RawPeer) -> None:
    assert peer.open("PLAIN", f"\0{USER}\0{PASSWORD}".encode()).code == 0


def test_a_client_that_vanishes_in_the_middle_of_a_message_leaves_no_part_of_it(
    broker: ServedBroker, standard_queue: str
) -> None:
    with RawPeer(HOST, broker.port) as peer:
        peer.open()
        peer.attach_sender(standard_queue)
        peer.expect(Flow)
        peer.say(transfer(0, settled=False), BODY)
        peer.expect(Disposition)
        peer.say(transfer(1, payload_more=True), BODY[:6])
    assert broker.depth(standard_queue) == 1


def test_a_client_that_vanishes_in_the_middle_of_a_frame_leaves_no_part_of_it(
    broker: ServedBroker, standard_queue: str
) -> None:
    with RawPeer(HOST, broker.port) as peer:
        peer.open()
        peer.attach_sender(standard_queue)
        peer.expect(Flow)
        peer.send(encode_frame(encode_performative(transfer(0)), 0, payload=BODY)[:-2])
    assert broker.depth(standard_queue) == 0


def test_a_consumer_that_vanishes_gives_back_what_it_held(
    broker: ServedBroker, standard_queue: str, opened: RawPeer
) -> None:
    opened.attach_sender(standard_queue, handle=0)
    opened.say(transfer(0, settled=False), BODY)
    opened.expect(Disposition)
    with RawPeer(HOST, broker.port) as consumer:
        consumer.open()
        consumer.attach_receiver(standard_queue)
        grant(consumer)
        assert consumer.expect(Transfer).settled is not True
    opened.attach_receiver(standard_queue, handle=1)
    grant(opened, handle=1)
    assert opened.expect(Transfer).delivery_id is not None


def grant(peer: RawPeer, handle: int = 0) -> None:
    peer.say(
        Flow(
            next_incoming_id=0,
            incoming_window=1000,
            next_outgoing_id=0,
            outgoing_window=1000,
            handle=handle,
            delivery_count=0,
            link_credit=10,
        )
    )
