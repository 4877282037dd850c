"""What peers of CORE begin and do not finish takes a bounded memory; other connections continue."""

import zlib

import pytest
from core_peer import SESSION, Peer, head, message, permit

from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.owner import BROKER
from lastvalue.codec.core import packets
from lastvalue.codec.core.errors import ADDRESS_FULL, SECURITY_EXCEPTION
from lastvalue.codec.core.jms_names import COMPRESSED, TEXT_TYPE
from lastvalue.codec.core.packets import HEADER_BYTES, write_packet
from lastvalue.codec.core.typed_properties import BOOLEAN, TypedProperties
from lastvalue.model.admission import FIRST_CORE_BYTES
from lastvalue.model.memory_budget import LINK_BYTES, SESSION_BYTES, UNSETTLED_BYTES
from lastvalue.protocols.core.prepared_messages import STEP_BYTES
from lastvalue.queues.spec import QueueSpec

LIMIT = 1_000_000
PIECE = bytes(100_000)


def limited() -> Broker:
    broker = Broker()
    broker.declare(QueueSpec("q"), BROKER)
    broker.memory.limit_bytes = LIMIT
    return broker


def depth(broker: Broker) -> int:
    return int(broker.lookup("q").queue.depth)


def begun(peer: Peer, channel: int, pieces: int) -> None:
    """Begin a large message, and send some of it."""
    peer.say(packets.SEND_LARGE, channel, head=head("q"))
    for _ in range(pieces):
        peer.say(packets.SEND_CONTINUATION, channel, body=PIECE, continues=True)


def test_messages_that_are_not_finished_take_a_bounded_memory() -> None:
    broker = limited()
    bystander = Peer(broker).open(name="other")
    peer = Peer(broker).open()
    for channel in range(11, 25):
        peer.create(str(channel), channel)
        begun(peer, channel, 2)
        assert broker.memory.used_bytes <= LIMIT
    end = {"body": b"x", "continues": False, "wants_response": True}
    peer.heard.clear()
    assert peer.say(packets.SEND_CONTINUATION, 24, **end).expect(packets.EXCEPTION, 24).number("code") == (
        ADDRESS_FULL
    )
    bystander.send("small").expect(packets.NULL_RESPONSE)
    assert depth(broker) == 1
    peer.vanish()
    assert broker.memory.used_bytes < len(PIECE)


def test_heads_of_messages_that_are_not_finished_take_a_bounded_memory() -> None:
    broker = limited()
    peer = Peer(broker).open()
    before = broker.memory.used_bytes
    large = head("q") + bytes(300_000)
    peer.say(packets.SEND_LARGE, head=large)
    assert broker.memory.used_bytes >= before + len(large)
    for channel in range(11, 20):
        peer.create(str(channel), channel).say(packets.SEND_LARGE, channel, head=large)
    assert broker.memory.used_bytes <= LIMIT


def test_a_packet_that_is_not_finished_counts() -> None:
    broker = limited()
    peer = Peer(broker).open()
    before = broker.memory.used_bytes
    peer.raw((8_000_000).to_bytes(4, "big") + bytes((packets.SEND.code,)))
    for _ in range(5):
        peer.raw(PIECE)
    assert broker.memory.used_bytes >= before + 5 * len(PIECE)
    for _ in range(10):
        peer.raw(PIECE)
    assert peer.conversation.finished
    assert broker.memory.used_bytes < len(PIECE)


@pytest.mark.parametrize("address", ["q", "nowhere", "amq.topic"])
def test_permission_to_publish_is_checked_before_the_parts_come(address: str) -> None:
    broker = limited()
    peer = Peer(broker).open()
    permit(broker, "write other", "read *")
    before = broker.memory.used_bytes
    peer.say(packets.SEND_LARGE, head=head(address))
    for _ in range(3):
        peer.say(packets.SEND_CONTINUATION, body=PIECE, continues=True)
    assert broker.memory.used_bytes == before
    assert peer.refused(packets.SEND_CONTINUATION, body=b"x", continues=False) == SECURITY_EXCEPTION
    assert depth(broker) == 0


def test_transactions_take_a_bounded_memory() -> None:
    broker = limited()
    peer = Peer(broker).open(auto_commit_sends=False, auto_commit_acks=False)
    bystander = Peer(broker).open(name="other")
    for _ in range(20):
        peer.send("x" * 60_000, answered=False)
        assert broker.memory.used_bytes <= LIMIT
    assert peer.refused(packets.COMMIT) != 0
    assert depth(broker) == 0
    bystander.send("small").expect(packets.NULL_RESPONSE)
    peer.ask(packets.ROLLBACK)
    assert broker.memory.used_bytes < len(PIECE)


def test_sessions_consumers_deliveries_and_texts_take_memory() -> None:
    broker = Broker()
    broker.declare(QueueSpec("q"))
    peer = Peer(broker).open()
    empty = broker.memory.used_bytes
    peer.create("another", 11).expect(packets.SESSION_CREATED, 1)
    assert broker.memory.used_bytes - empty == SESSION_BYTES + 2 * len("another")
    empty = broker.memory.used_bytes
    peer.read()
    assert broker.memory.used_bytes - empty == LINK_BYTES
    last = 0
    for _ in range(10):
        peer.send("x").expect(packets.NULL_RESPONSE)
        last = peer.received().number
    peer.say(packets.CREDIT, consumer=1, credits=-1)
    assert broker.memory.used_bytes - empty == LINK_BYTES + 10 * UNSETTLED_BYTES
    peer.ask(packets.ACKNOWLEDGE, consumer=1, message=last)
    peer.say(packets.CREDIT, consumer=1, credits=-1)
    assert broker.memory.used_bytes - empty == LINK_BYTES
    peer.ask(packets.ADD_METADATA_V2, key="k" * 100, value="v" * 900)
    assert broker.memory.used_bytes - empty >= LINK_BYTES + 2000


def test_consumers_take_a_bounded_memory() -> None:
    broker = limited()
    peer = Peer(broker).open()
    for number in range(400):
        peer.say(packets.CREATE_CONSUMER, consumer=number, queue="q")
    assert peer.conversation.finished
    assert not broker.lookup("q").readers


def test_requests_for_credit_that_wait_take_memory() -> None:
    broker = limited()
    peer = Peer(broker).open()
    before = broker.memory.used_bytes
    broker.alarms.set_memory(True)
    for number in range(100):
        peer.say(packets.REQUEST_CREDIT, credits=1, address=f"address {number}")
    assert broker.memory.used_bytes > before + 20_000
    broker.alarms.set_memory(False)
    peer.say(packets.REQUEST_CREDIT, credits=1, address="q")
    assert broker.memory.used_bytes == before


def test_sessions_that_wait_for_another_connection_take_a_bounded_memory() -> None:
    broker = limited()
    for round_ in range(40):
        peer = Peer(broker).open(name=f"{round_}-0", window=1000)
        for channel in range(SESSION + 1, SESSION + 5):
            peer.create(f"{round_}-{channel}", channel, window=1000)
        peer.vanish()
        assert broker.memory.used_bytes <= LIMIT
    assert broker.memory.used_bytes > LIMIT - 10 * SESSION_BYTES
    Peer(broker).open(name="one more")


def test_a_session_counts_with_its_connection_again_when_it_is_attached() -> None:
    broker = Broker()
    peer = Peer(broker).open(name="kept", window=1000)
    before = broker.memory.used_bytes
    peer.vanish()
    assert SESSION_BYTES <= broker.memory.used_bytes < before
    other = Peer(broker, shared=peer.shared).begin()
    other.say(packets.REATTACH, 1, name="kept", last_command=0).expect(packets.REATTACHED, 1)
    assert broker.memory.used_bytes <= before
    other.ask(packets.CLOSE)
    other.vanish()
    assert broker.memory.used_bytes == 0


def test_a_peer_without_a_session_sends_no_large_packet() -> None:
    peer = Peer(limited()).begin()
    most = FIRST_CORE_BYTES.most
    assert most > HEADER_BYTES
    peer.raw((most + 1).to_bytes(4, "big"))
    assert peer.conversation.finished


FLAGGED: TypedProperties = {COMPRESSED: (BOOLEAN, True)}


def small(body: bytes, properties: TypedProperties | None = None) -> bytes:
    """A packet with a whole message, which is answered."""
    data = message(body, "q", kind=4, properties=properties)
    return write_packet(packets.SEND, SESSION, 136, {"message": data, "wants_response": True})


def test_a_few_bytes_that_become_many_are_decompressed_in_steps_and_in_their_order() -> None:
    broker = Broker()
    broker.declare(QueueSpec("q"), BROKER)
    peer = Peer(broker).open()
    peer.heard.clear()
    bodies = [bytes(3 << 20), b"two", bytes(1 << 20)]
    data = b"".join(
        [small(zlib.compress(bodies[0]), FLAGGED), small(b"two"), small(zlib.compress(bodies[2]), FLAGGED)]
    )
    assert len(data) < 5000
    conversation = peer.conversation
    conversation.receive(data, peer.now, peer.now)
    assert (conversation.input_waiting, depth(broker)) == (True, 0)
    assert STEP_BYTES <= broker.memory.used_bytes < 2 * STEP_BYTES
    conversation.receive(b"", peer.now, peer.now)
    assert (conversation.input_waiting, depth(broker)) == (True, 0)
    peer.turn()
    assert (conversation.input_waiting, depth(broker)) == (False, 3)
    for _ in bodies:
        peer.expect(packets.NULL_RESPONSE)
    payloads = [entry.message.encoded for entry in broker.lookup("q").queue.entries()]
    assert [payload.endswith(body) for payload, body in zip(payloads, bodies, strict=True)] == [True] * 3


def test_a_message_in_parts_whose_body_is_compressed_is_kept_decompressed() -> None:
    broker = Broker()
    broker.declare(QueueSpec("q"), BROKER)
    peer = Peer(broker).open()
    body = zlib.compress(bytes(1 << 20))
    peer.say(packets.SEND_LARGE, head=head("q", FLAGGED, kind=4))
    peer.say(packets.SEND_CONTINUATION, body=body[:100], continues=True)
    peer.ask(packets.SEND_CONTINUATION, body=body[100:], continues=False)
    peer.read()
    assert peer.expect(packets.RECEIVE_LARGE).number("size") == 1 << 20


@pytest.mark.parametrize("compresses", [False, True])
@pytest.mark.parametrize("in_parts", [False, True])
def test_a_large_text_is_converted_in_steps_and_in_its_order(in_parts: bool, compresses: bool) -> None:
    broker = Broker()
    broker.declare(QueueSpec("q"), BROKER)
    peer = Peer(broker).open()
    peer.heard.clear()
    text = "\u20ac\U0001f600a" * (STEP_BYTES // 4)
    octets = text.encode("utf-16-le")
    body = b"\x01" + len(octets).to_bytes(4, "big") + octets
    if compresses:
        body = zlib.compress(body)
    flags = FLAGGED if compresses else {}
    if in_parts:
        data = write_packet(packets.SEND_LARGE, SESSION, 136, {"head": head("q", flags, kind=TEXT_TYPE)})
        values = {"body": body, "continues": False, "wants_response": True}
        data += write_packet(packets.SEND_CONTINUATION, SESSION, 136, values)
    else:
        whole = message(body, "q", kind=TEXT_TYPE, properties=flags)
        data = write_packet(packets.SEND, SESSION, 136, {"message": whole, "wants_response": True})
    conversation = peer.conversation
    conversation.receive(data + small(b"next"), peer.now, peer.now)
    steps = 0
    while conversation.input_waiting:
        steps += depth(broker) == 0
        conversation.receive(b"", peer.now, peer.now)
    assert steps >= (len(octets) + len(text.encode())) // (2 * STEP_BYTES)
    assert (depth(broker), broker.lookup("q").queue.contents.sequence) == (2, 2)
    peer.turn()
    for _ in range(2):
        peer.expect(packets.NULL_RESPONSE)
    first, _ = broker.lookup("q").queue.entries()
    assert first.message.body_value() == text


@pytest.mark.parametrize(
    "body", [b"no header", zlib.compress(b"x" * 1000)[:-2], zlib.compress(bytes(9 << 20))]
)
def test_a_body_that_cannot_be_decompressed_is_refused_and_the_next_one_taken(body: bytes) -> None:
    broker = Broker()
    broker.declare(QueueSpec("q"), BROKER)
    peer = Peer(broker).open()
    peer.heard.clear()
    peer.raw(small(body, FLAGGED) + small(b"next"))
    assert "compressed body" in peer.expect(packets.EXCEPTION).text("text")
    peer.expect(packets.NULL_RESPONSE)
    assert (depth(broker), peer.conversation.input_waiting) == (1, False)


def test_bodies_that_are_decompressed_take_a_bounded_memory() -> None:
    broker = limited()
    peer = Peer(broker).open()
    peer.heard.clear()
    peer.raw(small(zlib.compress(bytes(2 * LIMIT)), FLAGGED))
    assert peer.expect(packets.EXCEPTION).number("code") == ADDRESS_FULL
    assert broker.memory.used_bytes < LIMIT // 2


def test_a_peer_that_vanishes_meanwhile_leaves_no_memory_taken() -> None:
    broker = limited()
    peer = Peer(broker).open()
    before = broker.memory.used_bytes
    peer.conversation.receive(small(zlib.compress(bytes(LIMIT)), FLAGGED), peer.now, peer.now)
    assert broker.memory.used_bytes > before
    peer.vanish()
    assert (broker.memory.used_bytes, depth(broker)) == (0, 0)
