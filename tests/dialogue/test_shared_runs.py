"""Browsers that stand at one place share the frames of what they are sent, and none of them notices."""

from broker_desk import enqueue, made
from broker_peer import BrokerPeer
from wired_broker import Clock

from lastvalue.broker.broker import Broker
from lastvalue.codec.amqp10.performatives import ROLE_RECEIVER, Accepted, Disposition, Source
from lastvalue.codec.amqp10.values import Symbol
from lastvalue.queues.effects import Reason

MANY = [str(number) for number in range(200)]
COPY = Symbol("copy")


def browsing(broker: Broker, credit: int = 1000) -> BrokerPeer:
    peer = BrokerPeer(broker, Clock())
    peer.reads(credit, distribution_mode=COPY)
    return peer


def asking_for_settlement(broker: Broker, settle_mode: int) -> BrokerPeer:
    """One whose link is settled by its sender (1), or by itself (0)."""
    peer = BrokerPeer(broker, Clock())
    source = Source(address="q", distribution_mode=COPY)
    peer.attach(ROLE_RECEIVER, "r", snd_settle_mode=settle_mode, source=source)
    peer.flow(handle=0, delivery_count=0, credit=1000)
    return peer


def seen(peer: BrokerPeer) -> list[tuple[int, object]]:
    """The deliveries that came: the number in each tag, and the body."""
    return [(int.from_bytes(tag or b""), body) for tag, _, body in peer.got()]


def test_each_has_its_own_numbers_whatever_it_had_before() -> None:
    broker = made("q")
    early, late = browsing(broker), browsing(broker)
    enqueue(broker, "q", "first")
    early.turn()
    assert seen(early) == seen(late) == [(0, "first")]
    later = browsing(broker)
    settled = asking_for_settlement(broker, 1)
    # The first was for these, too, and one of them has sent it away meanwhile.
    assert seen(later) == seen(settled) == [(0, "first")]
    broker.purge("q")
    last = browsing(broker)
    enqueue(broker, "q", *MANY)
    early.turn()
    for peer in (early, late, later, settled):
        assert seen(peer) == list(enumerate(MANY, 1))
    assert seen(last) == list(enumerate(MANY))


def test_one_that_takes_little_changes_nothing_for_the_others() -> None:
    broker = made("q")
    slow, quick, other = browsing(broker, credit=3), browsing(broker), browsing(broker)
    enqueue(broker, "q", *MANY)
    quick.turn()
    assert seen(quick) == seen(other) == list(enumerate(MANY))
    assert seen(slow) == list(enumerate(MANY[:3]))
    slow.flow(handle=0, delivery_count=3, credit=1000)
    assert seen(slow) == list(enumerate(MANY))[3:]


def test_what_is_not_settled_is_each_ones_own() -> None:
    broker = made("q")
    peers = [asking_for_settlement(broker, 0) for _ in range(3)]
    enqueue(broker, "q", *MANY)
    peers[0].turn()
    accepted = Disposition(role=ROLE_RECEIVER, first=0, last=len(MANY) - 1, settled=True, state=Accepted())
    for peer in peers:
        (session,) = peer.engine.sessions.values()
        assert list(session.windows.unsettled) == list(range(len(MANY)))
        peer.say(accepted)
        assert not session.windows.unsettled
    assert broker.lookup("q").queue.depth == len(MANY)


def test_one_that_comes_later_is_sent_what_is_there_then() -> None:
    broker = made("q")
    peers = [browsing(broker) for _ in range(2)]
    enqueue(broker, "q", "first", "second", "third")
    peers[0].turn()
    assert seen(peers[0]) == seen(peers[1]) == [(0, "first"), (1, "second"), (2, "third")]
    hosted = broker.lookup("q")
    hosted.queue.remove([next(each for each in hosted.queue.entries() if each.sequence == 3)], Reason.PURGED)
    enqueue(broker, "q", "fourth")
    assert seen(browsing(broker)) == [(0, "first"), (1, "second"), (2, "fourth")]
