"""Answers keep the order of the commands."""

from core_peer import Peer

from lastvalue.codec.core import packets


def test_answers_keep_the_order_of_the_commands(peer: Peer) -> None:
    peer.declare(durable=True).hold_flushes()
    peer.send("durable", durable=True).send("volatile").say(packets.QUEUE_QUERY, queue="q")
    assert peer.silent()
    peer.flush()
    kinds = [kind for _, kind, _ in peer.heard]
    assert kinds == [packets.NULL_RESPONSE, packets.NULL_RESPONSE, packets.QUEUE_QUERIED]


def test_commands_are_confirmed_when_the_journal_has_them(peer: Peer) -> None:
    peer.create("other", 11, window=1).expect(packets.SESSION_CREATED, 1)
    peer.declare(durable=True).hold_flushes()
    peer.say(packets.START, 11).expect(packets.PACKETS_CONFIRMED, 11)
    peer.say(packets.CREATE_ADDRESS, 11, address="a", routing_types=[0])
    assert peer.silent()
    assert peer.flush().expect(packets.PACKETS_CONFIRMED, 11).number("command") == 1
