"""Deliveries whose frames came together."""

from scripted_peer import sending

from lastvalue.codec.amqp10.frames import encode_frame
from lastvalue.codec.amqp10.performatives import Flow, Transfer, encode_performative
from lastvalue.protocols.amqp10.receiver import Delivery


def frames(first: int, count: int, settled: bool = True) -> bytes:
    return b"".join(
        encode_frame(
            encode_performative(
                Transfer(
                    handle=0,
                    delivery_id=number,
                    delivery_tag=b"%03d" % number,
                    message_format=0,
                    settled=settled,
                )
            ),
            0,
            payload=b"body %d" % number,
        )
        for number in range(first, first + count)
    )


def test_messages_that_come_together_are_one_event() -> None:
    peer, link = sending(credit=20)
    peer.engine.receive(frames(300, 5), 0)
    (delivery,) = peer.events()
    assert isinstance(delivery, Delivery)
    assert (delivery.left, delivery.delivery_id, delivery.tag, delivery.payload) == (
        4,
        300,
        b"300",
        b"body 300",
    )
    assert delivery.step()
    assert (delivery.left, delivery.delivery_id, delivery.tag, delivery.payload) == (
        3,
        301,
        b"301",
        b"body 301",
    )
    rest = [(each.left, each.delivery_id, each.tag, each.payload, each.settled) for each in delivery.each()]
    assert rest == [(0, number, b"%d" % number, b"body %d" % number, True) for number in range(301, 305)]
    assert not delivery.step()
    assert (link.credit, link.delivery_count) == (15, 5)


def test_credit_is_renewed_as_if_the_messages_had_come_one_by_one() -> None:
    said = []
    for together in (True, False):
        peer, link = sending(credit=10)
        link.credit_window = 10
        data = [frames(300 + number, 1) for number in range(17)]
        for part in [b"".join(data)] if together else data:
            peer.engine.receive(part, 0)
        flows = [frame.performative for frame in peer.frames()]
        assert all(isinstance(flow, Flow) for flow in flows)
        said.append((flows, link.credit, link.delivery_count))
    assert said[0] == said[1]
    assert said[0][1:] == (8, 17)


def test_messages_beyond_the_credit_end_the_link() -> None:
    peer, link = sending(credit=3)
    peer.engine.receive(frames(300, 4), 0)
    assert len(peer.deliveries()) == 3
    assert not link.attached
