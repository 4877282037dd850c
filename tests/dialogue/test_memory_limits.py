"""What peers begin and do not finish takes a bounded memory on every protocol; others continue."""

import json
from typing import Any

import pytest
from amqp010_peer import Peer as Amqp010Peer
from amqp091_peer import Peer as Amqp091Peer
from amqp091_peer import closed, declared
from broker_desk import enqueue
from broker_peer import BrokerPeer
from pamqp import base, body, commands, frame, header
from wired_broker import Clock

from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.owner import BROKER
from lastvalue.broker.rights.permissions import Permissions, parse_rule
from lastvalue.codec.amqp010.command_layouts import DTX_XID, MESSAGE_DELIVERY_PROPERTIES
from lastvalue.codec.amqp010.encoder import encode_struct
from lastvalue.codec.amqp010.frames import (
    BODY,
    COMMAND,
    FIRST_SEGMENT,
    HEADER,
    LAST_SEGMENT,
    encode_segment,
)
from lastvalue.codec.amqp010.layouts import Record
from lastvalue.codec.amqp10.composites import decomposed
from lastvalue.codec.amqp10.content import MessageContent, encode_content
from lastvalue.codec.amqp10.frames import AMQP_HEADER, encode_frame
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.performatives import (
    ROLE_RECEIVER,
    ROLE_SENDER,
    Attach,
    Begin,
    Close,
    Coordinator,
    Declare,
    Declared,
    Detach,
    Discharge,
    Disposition,
    Flow,
    Open,
    Performative,
    Rejected,
    Source,
    Target,
    TransactionalState,
    decode_performative,
    encode_performative,
)
from lastvalue.codec.amqp10.values import Described, Symbol
from lastvalue.delivery.protocol_connection import ConnectionContext
from lastvalue.frontends.amqp010.broker_state import BrokerState
from lastvalue.frontends.amqp10.connection import Amqp10Connection
from lastvalue.model.admission import FIRST_BYTES
from lastvalue.model.memory_budget import UNSETTLED_BYTES
from lastvalue.protocols.amqp10.options import ConnectionOptions
from lastvalue.protocols.sasl import Authenticator
from lastvalue.queues.spec import QueueSpec
from lastvalue.queues.spec_arguments import spec_from_arguments

LIMIT = 1_000_000
PIECE = bytes(100_000)
LIMIT_EXCEEDED = 506
UNAUTHORIZED = 403
XID = {"xid": Record(DTX_XID, {"format": 1, "global_id": b"g", "branch_id": b"b"})}


def limited() -> Broker:
    broker = Broker()
    broker.declare(QueueSpec("q"), BROKER)
    broker.memory.limit_bytes = LIMIT
    return broker


def depth(broker: Broker) -> int:
    return int(broker.lookup("q").queue.depth)


# ---------------------------------------------------------------------- AMQP 0-8 to 0-9-1


def begun(peer: Amqp091Peer, channel: int, pieces: int, key: str = "q") -> None:
    """Begin a content of 10 MB, and send some of it."""
    parts: list[Any] = [commands.Basic.Publish(routing_key=key), header.ContentHeader(body_size=8_000_000)]
    parts += [body.ContentBody(PIECE)] * pieces
    peer.raw(b"".join(frame.marshal(part, channel) for part in parts))


def test_0_9_1_contents_that_are_not_finished_take_a_bounded_memory() -> None:
    broker = limited()
    bystander = Amqp091Peer(broker).open()
    peer = Amqp091Peer(broker).open(channels=20)
    for channel in range(1, 21):
        begun(peer, channel, 3)
        assert broker.held_bytes <= LIMIT
    assert peer.expect(commands.Channel.Close, channel=20).reply_code == LIMIT_EXCEEDED
    bystander.publish(b"small", "q")
    assert depth(broker) == 1
    peer.conversation.lost(peer.now, peer.now)
    assert broker.memory.used_bytes < len(PIECE)
    begun(bystander, 1, 8)
    assert bystander.silent()


def test_a_0_9_1_content_that_is_finished_gives_its_memory_back() -> None:
    broker = limited()
    peer = Amqp091Peer(broker).open()
    before = broker.memory.used_bytes
    for _ in range(20):
        peer.publish_in_pieces(bytes(500_000), "q", 100_000)
    assert depth(broker) == 20
    assert broker.memory.used_bytes <= before


def test_0_9_1_permission_to_publish_is_checked_before_the_content_comes() -> None:
    broker = limited()
    peer = Amqp091Peer(broker).open()
    rules = Permissions((parse_rule("write other"),))
    broker.authorization.permissions = lambda user: rules
    peer.say(commands.Basic.Publish(routing_key="q"))
    assert closed(peer)[0] == 403
    before = broker.memory.used_bytes
    content: list[Any] = [header.ContentHeader(body_size=8_000_000), body.ContentBody(PIECE)]
    peer.raw(b"".join(frame.marshal(part, 1) for part in content))
    assert broker.memory.used_bytes == before


def test_0_9_1_transactions_take_a_bounded_memory() -> None:
    broker = limited()
    peer = Amqp091Peer(broker).open(channels=2)
    peer.say(commands.Tx.Select()).expect(commands.Tx.SelectOk)
    for _ in range(12):
        peer.publish(PIECE, "q")
    assert closed(peer)[0] == LIMIT_EXCEEDED
    peer.publish(PIECE, "q", channel=2)
    assert depth(broker) == 1


def test_0_9_1_messages_that_wait_for_an_answer_take_a_bounded_memory() -> None:
    broker = limited()
    peer = Amqp091Peer(broker).open()
    peer.hold_flushes().say(commands.Queue.Declare(queue="durable", durable=True))
    for _ in range(12):
        peer.publish(PIECE, "q")
    assert peer.expect(commands.Connection.Close, channel=0).reply_code == LIMIT_EXCEEDED
    freed = Amqp091Peer(broker).open()
    freed.hold_flushes().say(commands.Queue.Declare(queue="another", durable=True))
    for _ in range(5):
        freed.publish(PIECE, "q")
    freed.flush().publish(b"", "q")
    assert depth(broker) == 6
    assert broker.memory.used_bytes < len(PIECE)


def test_0_9_1_messages_that_may_have_to_return_count_twice_in_a_transaction() -> None:
    broker = limited()
    peer = Amqp091Peer(broker).open()
    peer.say(commands.Tx.Select()).expect(commands.Tx.SelectOk)
    for _ in range(5):
        peer.publish(PIECE, "nowhere", mandatory=True)
    assert closed(peer)[0] == LIMIT_EXCEEDED


def test_0_9_1_messages_that_were_only_shown_take_memory_until_they_are_acknowledged() -> None:
    broker = Broker()
    broker.declare(QueueSpec("q"))
    enqueue(broker, "q", *["x"] * 100)
    peer = Amqp091Peer(broker).open()
    peer.say(commands.Basic.Consume(queue="q", arguments={"x-qpid-browse-only": True}))
    empty = broker.memory.used_bytes
    peer.say(commands.Basic.Qos())
    assert broker.memory.used_bytes == empty + 100 * UNSETTLED_BYTES
    peer.say(commands.Basic.Ack(0, multiple=True))
    assert broker.memory.used_bytes == empty


def test_0_9_1_channels_and_consumers_take_a_bounded_memory() -> None:
    broker = limited()
    peer = Amqp091Peer(broker).open()
    bystander = Amqp091Peer(broker).open()
    consumers: list[base.Frame] = [commands.Basic.Consume(queue="q", nowait=True) for _ in range(400)]
    peer.say(*consumers)
    assert peer.expect(commands.Connection.Close, channel=0).reply_code == LIMIT_EXCEEDED
    assert not broker.lookup("q").readers
    declared(bystander, "other")


# ---------------------------------------------------------------------- AMQP 0-10


def transfer_begun(peer: Amqp010Peer, pieces: int, destination: str = "") -> bytes:
    """A message whose body does not end."""
    properties = encode_struct(Record(MESSAGE_DELIVERY_PROPERTIES, {"routing_key": "q"}))
    segments = peer.command_bytes(
        "message.transfer", (HEADER, properties), (BODY, PIECE), destination=destination
    )
    head = segments[: segments.index(properties) + len(properties)]
    body_frames = encode_segment(0, BODY, 1, PIECE, 4096)
    return head.replace(bytes((LAST_SEGMENT | 3, HEADER)), bytes((3, HEADER))) + b"".join(
        _unfinished(body_frames) for _ in range(pieces)
    )


def _unfinished(frames: bytes) -> bytes:
    """The frames of a segment without the last frame's flag."""
    whole = bytearray()
    at = 0
    while at < len(frames):
        size = int.from_bytes(frames[at + 2 : at + 4], "big")
        whole += bytes((0,)) + frames[at + 1 : at + size]
        at += size
    return bytes(whole)


def test_0_10_transfers_that_are_not_finished_take_a_bounded_memory() -> None:
    broker = limited()
    state = BrokerState(broker)
    peer, bystander = Amqp010Peer(state), Amqp010Peer(state, opens=False)
    bystander.open(b"other")
    peer.exchange(transfer_begun(peer, 8))
    assert not peer.failures
    assert 800_000 < broker.held_bytes < LIMIT
    peer.exchange(_unfinished(encode_segment(0, BODY, 1, bytes(300_000), 4096)))
    assert peer.failures[0].number("error_code") == LIMIT_EXCEEDED
    assert broker.held_bytes < len(PIECE)
    bystander.send("q", PIECE)
    assert depth(broker) == 1


@pytest.mark.parametrize("may", ["write other", "read q"])
def test_0_10_permission_to_publish_is_checked_when_the_header_has_come(may: str) -> None:
    broker = limited()
    peer = Amqp010Peer(BrokerState(broker))
    rules = Permissions((parse_rule(may),))
    broker.authorization.permissions = lambda user: rules
    peer.exchange(transfer_begun(peer, 1))
    assert peer.failures[0].number("error_code") == UNAUTHORIZED
    assert peer.failures[0].number("command_id") == 0
    peer.exchange(_unfinished(encode_segment(0, BODY, 1, PIECE, 4096)))
    assert broker.memory.used_bytes < len(PIECE) // 5


@pytest.mark.parametrize("destination", ["", "amq.direct"])
def test_0_10_messages_that_may_be_published_go_on_behind_their_header(destination: str) -> None:
    broker = limited()
    peer = Amqp010Peer(BrokerState(broker))
    peer.do("exchange.bind", exchange="amq.direct", queue="q", binding_key="q")
    peer.exchange(transfer_begun(peer, 3, destination) + encode_segment(LAST_SEGMENT, BODY, 1, PIECE, 4096))
    assert not peer.failures
    assert broker.lookup("q").queue.depth_bytes > 4 * len(PIECE)
    assert broker.memory.used_bytes < len(PIECE) // 5


def test_0_10_deliveries_that_are_not_settled_take_memory() -> None:
    broker = Broker()
    broker.declare(QueueSpec("q"))
    peer = Amqp010Peer(BrokerState(broker))
    peer.subscribe("q")
    peer.exchange()
    empty = broker.memory.used_bytes
    enqueue(broker, "q", *["x"] * 100)
    peer.exchange()
    # The account is computed after each read.
    peer.exchange(peer.command_bytes("execution.sync"))
    assert broker.memory.used_bytes == empty + 100 * UNSETTLED_BYTES


def test_a_0_10_peer_sends_small_frames_until_it_has_logged_in() -> None:
    peer = Amqp010Peer(BrokerState(limited()), opens=False)
    peer.exchange(b"AMQP\x01\x01\x00\x0a")
    peer.exchange(encode_segment(FIRST_SEGMENT | LAST_SEGMENT, COMMAND, 0, bytes(20_000), 65535)[:-1])
    assert peer.controls[-1].layout.name == "connection.close"
    assert str(FIRST_BYTES.most) in peer.controls[-1].text("reply_text")


def test_0_10_transactions_take_a_bounded_memory() -> None:
    broker = limited()
    peer = Amqp010Peer(BrokerState(broker))
    peer.do("tx.select")
    for _ in range(9):
        peer.send("q", PIECE)
    assert not peer.failures
    peer.send("q", PIECE)
    assert peer.failures[0].number("error_code") == LIMIT_EXCEEDED
    assert broker.held_bytes < len(PIECE)


def test_branches_that_are_prepared_take_the_memory_of_their_user_until_they_end() -> None:
    broker = limited()
    state = BrokerState(broker)
    peer = Amqp010Peer(state)
    peer.do("dtx.select")
    peer.do("dtx.start", **XID)
    for _ in range(8):
        peer.send("q", PIECE)
    peer.do("dtx.end", **XID)
    peer.do("dtx.prepare", **XID)
    peer.conversation.lost(peer.now, peer.now)
    assert 800_000 < broker.held_bytes < LIMIT
    broker.memory.user_limit_bytes = 900_000
    again = Amqp010Peer(state)
    again.do("tx.select")
    again.send("q", PIECE)
    assert again.failures[0].number("error_code") == LIMIT_EXCEEDED
    other = Amqp010Peer(state)
    other.do("dtx.select")
    other.do("dtx.rollback", **XID)
    assert broker.held_bytes < len(PIECE)


def test_0_10_subscriptions_take_a_bounded_memory() -> None:
    broker = limited()
    peer = Amqp010Peer(BrokerState(broker))
    subscriptions = [
        peer.command_bytes("message.subscribe", queue="q", destination=str(number)) for number in range(400)
    ]
    peer.exchange(b"".join(subscriptions))
    assert "connection.close" in [each.layout.name for each in peer.controls]
    assert not broker.lookup("q").readers


def test_0_10_command_ids_that_the_broker_has_to_remember_take_a_bounded_memory() -> None:
    broker = limited()
    peer = Amqp010Peer(BrokerState(broker))
    gaps = [
        peer.control_bytes("session.gap", 1, commands=[(number, number)]) for number in range(10, 20_000, 2)
    ]
    peer.exchange(b"".join(gaps))
    assert "connection.close" in [each.layout.name for each in peer.controls]


# ---------------------------------------------------------------------- AMQP 1.0


def publisher(broker: Broker) -> BrokerPeer:
    peer = BrokerPeer(broker, Clock())
    peer.writes(address="q")
    peer.frames()
    return peer


def test_1_0_deliveries_that_are_not_finished_take_a_bounded_memory() -> None:
    broker = limited()
    peer, bystander = publisher(broker), publisher(broker)
    for number in range(20):
        peer.transfer(0 if number == 0 else None, bytes(50_000), more=True)
    assert broker.memory.used_bytes == LIMIT
    peer.transfer(None, b"x", more=True)
    assert peer.condition(Detach) == "amqp:resource-limit-exceeded"
    assert broker.held_bytes < len(PIECE)
    bystander.transfer(0, encode_content(MessageContent(body="small")))
    assert depth(broker) == 1


def test_1_0_transactions_take_a_bounded_memory() -> None:
    broker = limited()
    peer = publisher(broker)
    peer.attach(ROLE_SENDER, "txn", 1, target=Coordinator()).frames()
    peer.transfer(0, encode_content(MessageContent(body=decomposed(Declare()))), handle=1)
    declared = peer.heard(Disposition).state
    assert isinstance(declared, Declared)
    state = TransactionalState(declared.txn_id)
    for number in range(1, 21):
        peer.transfer(number, encode_content(MessageContent(body=bytes(50_000))), state=state)
    refused = [outcome.outcome for _, outcome in peer.told() if isinstance(outcome, TransactionalState)]
    last = refused[-1]
    assert isinstance(last, Rejected)
    assert last.error is not None
    assert last.error.condition == "amqp:resource-limit-exceeded"
    assert len([outcome for outcome in refused if isinstance(outcome, Rejected)]) == 1


def watching(broker: Broker, credit: int, **asked: Any) -> BrokerPeer:
    """A peer with a reader that watches `q`."""
    peer = BrokerPeer(broker, Clock())
    watch = {"watch": Described(Symbol("lastvalue:watch:map"), asked)}
    peer.reads(credit, distribution_mode="copy", filter=watch)
    return peer


def put(broker: Broker, key: int, value: str) -> None:
    content = MessageContent(body=json.dumps({"x": value}), application_properties={"k": str(key)})
    assert broker.publish(broker.queue_target("q"), read_message(encode_content(content)), 0)


def with_last_values() -> Broker:
    broker = Broker()
    broker.declare(spec_from_arguments("q", {"lvq_key": "k"}), BROKER)
    broker.memory.limit_bytes = LIMIT
    return broker


def test_1_0_values_of_a_policy_that_wait_for_their_reader_take_a_bounded_memory() -> None:
    broker = with_last_values()
    peer = watching(broker, credit=0, policy="merge")
    for number in range(30):
        put(broker, number, "x" * 100_000)
        broker.drain(0)
        broker.pump(0)
    assert LIMIT // 2 < broker.memory.used_bytes < LIMIT + 2 * len(PIECE)
    assert broker.lookup("q").counts.left_out == 20
    told = 0
    for count in range(10):
        peer.flow(handle=0, delivery_count=count, credit=1)
        told += len(peer.got())
    assert told == 10
    assert broker.memory.used_bytes < len(PIECE)


def test_1_0_selectors_take_memory_which_is_bounded_and_given_back() -> None:
    broker = with_last_values()
    selector = {"s": Described(Symbol("apache.org:selector-filter:string"), " OR ".join(["a = 1"] * 500))}
    peers = [BrokerPeer(broker, Clock()) for _ in range(3)]
    for peer in peers[:2]:
        peer.reads(1, filter=selector)
    assert LIMIT // 2 < broker.memory.used_bytes < LIMIT
    peers[2].attach(True, "r", source=Source(address="q", filter=selector))
    peers[2].heard(Attach)
    assert peers[2].condition(Detach) == "amqp:resource-limit-exceeded"
    for peer in peers:
        peer.vanish()
    assert broker.memory.used_bytes == 0


def test_1_0_a_watching_reader_that_vanishes_gives_its_memory_back() -> None:
    broker = with_last_values()
    peer = watching(broker, credit=0, policy="merge")
    changed = watching(broker, credit=100, delta=True)
    for number in range(3):
        put(broker, number, "x" * 50_000)
        changed.turn()
    assert broker.memory.used_bytes > 9 * 50_000
    peer.vanish()
    changed.vanish()
    assert broker.memory.used_bytes == 0


def test_1_0_without_memory_to_conflate_messages_wait_on_the_queue() -> None:
    broker = limited()
    broker.memory.account_limit_bytes = 300_000
    peer = watching(broker, credit=1, conflate="k")
    for number in range(40):
        put(broker, number % 20, f"{number:050000}")
    peer.turn()
    assert 200_000 < broker.memory.used_bytes < 400_000
    bodies = [str(body) for _, _, body in peer.got()]
    for count in range(1, 41):
        peer.flow(handle=0, delivery_count=count, credit=1)
        bodies += [str(body) for _, _, body in peer.got()]
    assert sorted(bodies)[-20:] == [json.dumps({"x": f"{number:050000}"}) for number in range(20, 40)]
    assert broker.lookup("q").counts.left_out == 0
    assert broker.memory.used_bytes < len(PIECE)


def frames(*performatives: Performative) -> bytes:
    return b"".join(encode_frame(encode_performative(each), 0) for each in performatives)


def test_1_0_deliveries_that_are_not_settled_take_memory() -> None:
    broker = Broker()
    broker.declare(QueueSpec("q"))
    context = ConnectionContext(broker, Authenticator(), lambda: None, lambda _: None)
    connection = Amqp10Connection(context, ConnectionOptions("broker"), False, 0)
    begin = Begin(next_outgoing_id=0, incoming_window=999, outgoing_window=9)
    reader = Attach(name="r", handle=0, role=ROLE_RECEIVER, source=Source(address="q"), target=Target())
    window: dict[str, Any] = {
        "next_incoming_id": 0,
        "incoming_window": 999,
        "next_outgoing_id": 0,
        "outgoing_window": 9,
    }
    credit = Flow(handle=0, delivery_count=0, link_credit=100, **window)
    connection.receive(AMQP_HEADER + frames(Open(container_id="peer"), begin, reader, credit), 0, 0)
    empty = broker.memory.used_bytes
    enqueue(broker, "q", *["x"] * 100)
    broker.pump(0)
    # The account is computed after each read.
    connection.receive(frames(Flow(**window)), 0, 0)
    assert broker.memory.used_bytes == empty + 100 * UNSETTLED_BYTES


def test_1_0_links_take_a_bounded_memory() -> None:
    broker = limited()
    context = ConnectionContext(broker, Authenticator(), lambda: None, lambda _: None)
    connection = Amqp10Connection(context, ConnectionOptions("broker"), False, 0)
    links = [
        Attach(
            name=str(number),
            handle=number,
            role=ROLE_SENDER,
            source=Source(),
            target=Target(address="q"),
            initial_delivery_count=0,
        )
        for number in range(300)
    ]
    begin = Begin(next_outgoing_id=0, incoming_window=9, outgoing_window=9)
    connection.receive(AMQP_HEADER + frames(Open(container_id="peer"), begin, *links), 0, 0)
    answer = connection.data_to_send()
    at = answer.rindex(encode_performative(Close())[:3])
    close, _ = decode_performative(answer, at, len(answer))
    assert isinstance(close, Close)
    assert close.error is not None
    assert close.error.condition == "amqp:resource-limit-exceeded"
    connection.lost(0, 0)
    while broker.busy:
        broker.pump(0)
        broker.drain(0)
    assert broker.alarms.producers == 0
    assert broker.memory.used_bytes == 0


# ---------------------------------------------------------------------- all of them


@pytest.mark.parametrize("limit", ["account_limit_bytes", "user_limit_bytes"])
def test_a_connection_and_a_user_have_limits_of_their_own(limit: str) -> None:
    broker = limited()
    setattr(broker.memory, limit, 250_000)
    peer = Amqp091Peer(broker).open()
    begun(peer, 1, 3)
    assert closed(peer)[0] == LIMIT_EXCEEDED


def with_one_queue_each() -> Broker:
    broker = limited()
    broker.quotas.most = 1
    return broker


def test_a_user_has_a_limited_number_of_queues_over_0_9_1() -> None:
    peer = Amqp091Peer(with_one_queue_each()).open()
    declared(peer, "first")
    peer.say(commands.Queue.Declare(queue="second"))
    assert closed(peer)[0] == LIMIT_EXCEEDED
    assert not peer.broker.has_queue("second")


def test_a_user_has_a_limited_number_of_queues_over_0_10() -> None:
    peer = Amqp010Peer(BrokerState(with_one_queue_each()))
    peer.do("queue.declare", queue="first")
    assert peer.fails("queue.declare", queue="second") == LIMIT_EXCEEDED
    assert not peer.broker.has_queue("second")


def test_a_user_has_a_limited_number_of_queues_over_1_0() -> None:
    peer = BrokerPeer(with_one_queue_each(), Clock())
    assert isinstance(peer.reads(address=None, dynamic=True).source, Source)
    peer.attach(ROLE_RECEIVER, "second", 1, source=Source(dynamic=True))
    assert peer.heard(Attach).source is None
    assert peer.condition(Detach) == "amqp:resource-limit-exceeded"
    assert len(peer.broker.queues()) == 2


# ---------------------------------------------------------------------- the size of a transaction


def with_small_transactions() -> Broker:
    broker = limited()
    broker.memory.transaction_limit = 3
    enqueue(broker, "q", *map(str, range(5)))
    return broker


def test_0_9_1_acknowledgements_beyond_the_size_of_a_transaction_end_the_channel() -> None:
    broker = with_small_transactions()
    peer = Amqp091Peer(broker).open()
    peer.say(commands.Basic.Consume(queue="q", consumer_tag="a"), commands.Tx.Select())
    peer.say(commands.Basic.Cancel(consumer_tag="a"))
    peer.say(commands.Basic.Ack(2, multiple=True))
    peer.frames.clear()
    peer.say(commands.Basic.Ack(0, multiple=True))
    assert closed(peer)[0] == LIMIT_EXCEEDED
    assert (depth(broker), broker.lookup("q").queue.available) == (5, 5)


def test_0_10_acceptances_beyond_the_size_of_a_transaction_end_the_session() -> None:
    broker = with_small_transactions()
    peer = Amqp010Peer(BrokerState(broker))
    peer.subscribe("q")
    peer.do("tx.select")
    assert peer.fails("message.accept", transfers=[(0, 4)]) == LIMIT_EXCEEDED
    assert (depth(broker), broker.lookup("q").queue.available) == (5, 5)


def test_1_0_a_message_beyond_the_size_of_a_transaction_is_rejected_and_the_others_are_committed() -> None:
    broker = with_small_transactions()
    peer = publisher(broker)
    peer.attach(ROLE_SENDER, "txn", 1, target=Coordinator()).frames()
    peer.transfer(0, encode_content(MessageContent(body=decomposed(Declare()))), handle=1)
    declared = peer.heard(Disposition).state
    assert isinstance(declared, Declared)
    for number in range(1, 5):
        state = TransactionalState(declared.txn_id)
        peer.transfer(number, encode_content(MessageContent(body="x")), state=state)
    refused = [outcome.outcome for _, outcome in peer.told() if isinstance(outcome, TransactionalState)]
    assert isinstance(refused[-1], Rejected)
    peer.transfer(5, encode_content(MessageContent(body=decomposed(Discharge(declared.txn_id)))), handle=1)
    assert depth(broker) == 8
