"""Messages of AMQP 0-10 that come together."""

from amqp010_peer import Peer

from lastvalue.broker.rights.owner import NOBODY
from lastvalue.broker.routing.bindings import Binding
from lastvalue.codec.amqp010.command_layouts import MESSAGE_DELIVERY_PROPERTIES
from lastvalue.codec.amqp010.encoder import encode_struct
from lastvalue.codec.amqp010.frames import BODY, HEADER
from lastvalue.codec.amqp010.layouts import Record
from lastvalue.queues.spec import Limit, QueueSpec


def transfers(peer: Peer, *messages: tuple[str, bytes], exchange: str = "") -> bytes:
    """Transfers of messages by key and body to an exchange, in one piece."""
    data = b""
    for key, content in messages:
        header = encode_struct(Record(MESSAGE_DELIVERY_PROPERTIES, {"routing_key": key}))
        data += peer.command_bytes(
            "message.transfer", (HEADER, header), (BODY, content), destination=exchange
        )
    return data


def test_messages_with_the_same_key_go_along_and_others_to_their_own_queue(peer: Peer) -> None:
    peer.broker.declare(QueueSpec("other"))
    keys = ("q", "q", "q", "other", "q", "nowhere", "other")
    peer.exchange(transfers(peer, *((key, b"x") for key in keys)))
    depths = [peer.broker.lookup(name).queue.depth for name in ("q", "other")]
    assert depths == [4, 2]
    assert peer.broker.exchanges.default.received == len(keys)
    assert len(peer.completed) == len(keys)


def test_each_message_counts_with_the_size_that_it_came_with(peer: Peer) -> None:
    peer.exchange(transfers(peer, ("q", b"1"), ("q", b"2"), ("q", b"333"), ("q", b"4")))
    contents = peer.broker.lookup("q").queue.contents
    sizes = [int(entry.size_bytes) for entry in peer.broker.lookup("q").queue.entries()]
    assert (sizes[2] - sizes[0], sizes[0] == sizes[1] == sizes[3]) == (2, True)
    assert contents.counts.published_bytes == sum(sizes)


def test_the_first_message_that_is_refused_ends_the_session(peer: Peer) -> None:
    peer.broker.declare(QueueSpec("small", limit=Limit(2)))
    peer.exchange(transfers(peer, *(("small", b"x") for _ in range(5))))
    queue = peer.broker.lookup("small").queue
    assert (queue.depth, queue.refused) == (2, 1)
    assert peer.failures[-1].number("error_code") == 506


def test_messages_go_to_the_queues_of_their_own_keys(peer: Peer) -> None:
    peer.broker.declare(QueueSpec("ab"))
    peer.broker.bind("amq.topic", Binding("q", "a.*"), NOBODY, 0)
    peer.broker.bind("amq.topic", Binding("ab", "a.b"), NOBODY, 0)
    keys = ("a.b", "a.b", "a.c", "a.d", "b", "a.b", "a.c")
    peer.exchange(transfers(peer, *((key, b"x") for key in keys), exchange="amq.topic"))
    assert [peer.broker.lookup(name).queue.depth for name in ("q", "ab")] == [6, 3]
    exchange = peer.broker.exchanges.find("amq.topic")
    assert (exchange.received, exchange.unrouted) == (len(keys), 1)
    assert len(peer.completed) == len(keys)
