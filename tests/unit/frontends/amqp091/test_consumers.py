"""What consumers of AMQP 0-9-1 are given, and what they do with it."""

from typing import Any

import pytest
from amqp091_peer import Peer, closed, declared
from pamqp import commands

from lastvalue.broker.broker import Broker
from lastvalue.codec.amqp10.content import MessageContent, encode_content
from lastvalue.codec.amqp10.message import read_message

NON_DESTRUCTIVE: dict[str, Any] = {"qpid.ensure_nondestructive_consumers": True}


AUTO_CLOSE: dict[str, Any] = {"x-filter-auto-close": True}


REPLIES = "amq.rabbitmq.reply-to"


Basic, Queue, Exchange, Tx = commands.Basic, commands.Queue, commands.Exchange, commands.Tx


@pytest.mark.parametrize("more", [{}, {"mandatory": True}])
def test_replies_come_directly_to_the_channel_that_asked(
    broker: Broker, peer: Peer, more: dict[str, Any]
) -> None:
    declared(peer, "requests")
    peer.say(Queue.Declare(queue=REPLIES, passive=True), Basic.Consume(queue=REPLIES, no_ack=True))
    assert peer.expect(Queue.DeclareOk).queue == REPLIES
    tag = peer.expect(Basic.ConsumeOk).consumer_tag
    headers = {"reply": REPLIES}
    peer.publish(b"?", "requests", reply_to=REPLIES, correlation_id="1", headers=headers, **more)
    worker = Peer(broker).open()
    worker.say(Basic.Get(queue="requests", no_ack=True))
    _, request, _ = worker.content(Basic.GetOk)
    assert (request.correlation_id, request.headers) == ("1", headers)
    assert (request.reply_to or "").startswith(f"{REPLIES}.")
    worker.publish(b"!", request.reply_to or "", correlation_id="1")
    _, reply, payload = peer.turn().content(Basic.Deliver)
    assert (reply.correlation_id, payload) == ("1", b"!")
    peer.say(Basic.Cancel(tag)).expect(Basic.CancelOk)
    worker.publish(b"late", request.reply_to or "", mandatory=True)
    worker.expect(Basic.Return)


@pytest.mark.parametrize("consumers", [[False], [True, True]])
def test_replies_are_consumed_once_and_never_acknowledged(peer: Peer, consumers: list[bool]) -> None:
    for no_ack in consumers:
        peer.frames.clear()
        peer.say(Basic.Consume(queue=REPLIES, no_ack=no_ack))
    assert closed(peer)[0] == 406


def test_a_prefetch_bounds_what_each_consumer_has_unacknowledged(peer: Peer) -> None:
    declared(peer)
    for number in range(6):
        peer.publish(b"%d" % number, "q")
    peer.say(Basic.Qos(prefetch_count=2), Basic.Consume(queue="q"))
    peer.expect(Basic.QosOk)
    peer.expect(Basic.ConsumeOk)
    assert peer.bodies() == [b"0", b"1"]
    peer.say(Basic.Ack(1))
    assert peer.bodies() == [b"2"]
    peer.say(Basic.Ack(3, multiple=True))
    assert peer.bodies() == [b"3", b"4"]


def test_what_is_acknowledged_in_a_transaction_makes_room_when_that_is_committed(peer: Peer) -> None:
    declared(peer)
    for number in range(4):
        peer.publish(b"%d" % number, "q")
    peer.say(Tx.Select(), Basic.Qos(prefetch_count=2), Basic.Consume(queue="q"))
    peer.expect(Tx.SelectOk)
    peer.expect(Basic.QosOk)
    peer.expect(Basic.ConsumeOk)
    assert peer.bodies() == [b"0", b"1"]
    assert peer.say(Basic.Ack(2, multiple=True)).bodies() == []
    peer.say(Tx.Rollback()).expect(Tx.RollbackOk)
    assert peer.bodies() == []
    peer.say(Basic.Ack(2, multiple=True), Tx.Commit())
    assert [peer.content(Basic.Deliver)[2] for _ in range(2)] == [b"2", b"3"]
    peer.expect(Tx.CommitOk)


def test_what_has_come_is_for_a_waiting_consumer_and_not_for_who_asks_next(peer: Peer) -> None:
    declared(peer)
    peer.say(Basic.Qos(prefetch_count=1), Basic.Consume(queue="q"))
    peer.expect(Basic.QosOk)
    peer.expect(Basic.ConsumeOk)
    peer.publish(b"first", "q", also=[Basic.Get(queue="q")])
    assert peer.content(Basic.Deliver)[2] == b"first"
    peer.expect(Basic.GetEmpty)
    peer.publish(b"second", "q", also=[Basic.Get(queue="q")])
    assert peer.content(Basic.GetOk)[2] == b"second"


def test_a_prefetch_of_the_channel_bounds_all_its_consumers_together(peer: Peer) -> None:
    declared(peer)
    for number in range(6):
        peer.publish(b"%d" % number, "q")
    peer.say(Basic.Qos(prefetch_count=3, global_=True), Basic.Consume(queue="q", nowait=True))
    peer.say(Basic.Consume(queue="q", nowait=True))
    peer.expect(Basic.QosOk)
    assert len(peer.bodies()) == 3


def test_what_is_rejected_goes_to_the_dead_letters_or_back(peer: Peer) -> None:
    declared(peer, "dead")
    declared(peer, **{"x-dead-letter-exchange": "", "x-dead-letter-routing-key": "dead"})
    peer.publish(b"x", "q").say(Basic.Get(queue="q"))
    assert peer.content(Basic.GetOk)[0].redelivered is False
    peer.say(Basic.Nack(1, requeue=True), Basic.Get(queue="q"))
    method, properties, _ = peer.content(Basic.GetOk)
    assert (method.redelivered, properties.headers) == (True, {"x-delivery-count": 1})
    peer.say(Basic.Reject(2, requeue=False)).say(Basic.Get(queue="dead"))
    assert peer.content(Basic.GetOk)[2] == b"x"


@pytest.mark.parametrize("again", [Basic.Ack(2, multiple=True), Basic.Nack(2, multiple=True)])
def test_several_deliveries_are_not_settled_up_to_one_that_is(peer: Peer, broker: Broker, again: Any) -> None:
    """As in RabbitMQ; 0 names all there are, none of them included."""
    declared(peer)
    for _ in range(3):
        peer.publish(b"x", "q")
    peer.say(Basic.Consume(queue="q", nowait=True)).bodies()
    peer.say(Basic.Ack(2), again)
    assert closed(peer) == (406, "PRECONDITION_FAILED - unknown delivery tag 2")
    assert broker.lookup("q").queue.available == 2
    declared(Peer(broker).open().say(Basic.Ack(0, multiple=True)))


def test_an_unknown_delivery_tag_closes_the_channel(peer: Peer) -> None:
    peer.say(Basic.Ack(7))
    assert closed(peer) == (406, "PRECONDITION_FAILED - unknown delivery tag 7")


def test_a_closed_channel_gives_back_what_it_held_as_redelivered(peer: Peer) -> None:
    declared(peer)
    peer.publish(b"x", "q").say(Basic.Consume(queue="q"))
    peer.say(commands.Channel.Close(200, "", 0, 0), channel=1)
    peer.frames.clear()
    peer.say(commands.Channel.Open()).expect(commands.Channel.OpenOk)
    peer.say(Basic.Get(queue="q", no_ack=True))
    assert peer.content(Basic.GetOk)[0].redelivered is True


def test_a_lost_connection_gives_back_what_it_held(broker: Broker, peer: Peer) -> None:
    declared(peer)
    peer.publish(b"x", "q").say(Basic.Get(queue="q"))
    assert broker.lookup("q").queue.available == 0
    peer.conversation.lost(peer.now, peer.now)
    assert broker.lookup("q").queue.available == 1


def test_a_cancelled_consumer_may_still_acknowledge(broker: Broker, peer: Peer) -> None:
    declared(peer)
    peer.publish(b"x", "q").say(Basic.Consume(queue="q", consumer_tag="c"), Basic.Cancel("c"))
    assert broker.lookup("q").queue.depth == 1
    peer.frames.clear()
    peer.say(Basic.Consume(queue="q", consumer_tag="c"))
    peer.expect(Basic.ConsumeOk)
    peer.content(Basic.Deliver)
    peer.say(Basic.Cancel("c")).expect(Basic.CancelOk)
    peer.say(Basic.Ack(1))
    assert (broker.lookup("q").queue.depth, peer.silent()) == (0, True)


@pytest.mark.parametrize(("end", "depth"), [(commands.Tx.Commit, 0), (commands.Tx.Rollback, 1)])
def test_an_acknowledgement_after_the_cancel_counts_in_a_transaction(
    broker: Broker, peer: Peer, end: type[Any], depth: int
) -> None:
    declared(peer)
    peer.publish(b"x", "q").say(commands.Tx.Select(), Basic.Consume(queue="q", consumer_tag="c"))
    peer.say(Basic.Cancel("c"), Basic.Ack(1))
    assert broker.lookup("q").queue.depth == 1
    peer.say(end())
    assert broker.lookup("q").queue.depth == depth


def test_a_consumer_hears_that_its_queue_is_gone_behind_the_answer(peer: Peer) -> None:
    declared(peer)
    peer.say(Basic.Consume(queue="q", consumer_tag="c")).expect(Basic.ConsumeOk)
    peer.say(Queue.Delete(queue="q"))
    peer.expect(Queue.DeleteOk)
    assert peer.expect(Basic.Cancel).consumer_tag == "c"


def test_recover_puts_back_or_sends_again(peer: Peer) -> None:
    declared(peer)
    peer.publish(b"x", "q").say(Basic.Consume(queue="q", consumer_tag="c")).expect(Basic.ConsumeOk)
    peer.content(Basic.Deliver)
    peer.say(Basic.Recover(requeue=False))
    again = peer.content(Basic.Deliver)[0]
    assert (again.delivery_tag, again.redelivered) == (2, True)
    peer.expect(Basic.RecoverOk)
    peer.say(Basic.Recover(requeue=True)).expect(Basic.RecoverOk)
    assert peer.content(Basic.Deliver)[0].delivery_tag == 3


def test_a_browser_takes_nothing_and_sees_updates(broker: Broker, peer: Peer) -> None:
    declared(peer, lvq_key="k")
    peer.publish(b"1", "q", headers={"k": "a"})
    peer.say(Basic.Consume(queue="q", no_ack=True, arguments={"x-filter-no-consume": True}))
    peer.expect(Basic.ConsumeOk)
    assert peer.bodies() == [b"1"]
    peer.publish(b"2", "q", headers={"k": "a"})
    assert peer.bodies() == [b"2"]
    assert broker.lookup("q").queue.depth == 1


def test_who_consumes_from_a_non_destructive_queue_browses(broker: Broker, peer: Peer) -> None:
    declared(peer, **NON_DESTRUCTIVE)
    peer.publish(b"1", "q")
    for _ in range(2):
        peer.say(Basic.Consume(queue="q", no_ack=True)).expect(Basic.ConsumeOk)
        assert peer.bodies() == [b"1"]
    assert broker.lookup("q").queue.depth == 1


def test_a_consumer_may_bring_a_selector_and_a_priority(peer: Peer) -> None:
    declared(peer)
    asked: dict[str, Any] = {"x-filter-jms-selector": "n > 1", "x-priority": 3}
    peer.say(Basic.Consume(queue="q", no_ack=True, arguments=asked)).expect(Basic.ConsumeOk)
    for number in range(4):
        peer.publish(b"%d" % number, "q", headers={"n": number})
    assert peer.bodies() == [b"2", b"3"]


def test_nobody_reads_beside_an_exclusive_consumer(broker: Broker, peer: Peer) -> None:
    declared(peer)
    peer.say(Basic.Consume(queue="q", exclusive=True)).expect(Basic.ConsumeOk)
    other = Peer(broker).open()
    other.say(Basic.Consume(queue="q"))
    assert closed(other)[0] == 403


def test_no_local_leaves_out_what_came_over_the_own_connection(broker: Broker, peer: Peer) -> None:
    declared(peer)
    peer.say(Basic.Consume(queue="q", no_local=True, no_ack=True)).expect(Basic.ConsumeOk)
    peer.publish(b"own", "q")
    Peer(broker).open().publish(b"other", "q")
    assert peer.turn().bodies() == [b"other"]


def test_a_prefetch_of_qpids_client_bounds_the_channel_and_its_present_consumers(broker: Broker) -> None:
    peer = Peer(broker).open(product="qpid")
    declared(peer)
    for number in range(4):
        peer.publish(b"%d" % number, "q")
    peer.say(Basic.Qos(prefetch_count=1), Basic.Consume(queue="q", nowait=True)).expect(Basic.QosOk)
    assert peer.bodies() == [b"0"]
    peer.say(Basic.Qos(prefetch_count=3)).expect(Basic.QosOk)
    assert peer.bodies() == [b"1", b"2"]


def test_consumers_that_share_a_prefetch_get_messages_in_turn(peer: Peer) -> None:
    for queue in ("one", "two"):
        declared(peer, queue)
        for number in range(3):
            peer.publish(f"{queue}{number}".encode(), queue)
    peer.say(Basic.Qos(prefetch_count=1, global_=True)).expect(Basic.QosOk)
    peer.say(Basic.Consume(queue="one", nowait=True), Basic.Consume(queue="two", nowait=True))
    for prefetch in range(2, 7):
        peer.say(Basic.Qos(prefetch_count=prefetch, global_=True))
    bodies = [peer.content(Basic.Deliver)[2]]
    for _ in range(5):
        peer.expect(Basic.QosOk)
        bodies.append(peer.content(Basic.Deliver)[2])
    assert bodies == [b"one0", b"two0", b"one1", b"two1", b"one2", b"two2"]


@pytest.mark.parametrize("browses", [True, False])
def test_a_consumer_with_auto_close_ends_when_it_has_been_sent_all(
    broker: Broker, peer: Peer, browses: bool
) -> None:
    declared(peer)
    peer.publish(b"a", "q").publish(b"b", "q")
    arguments = {**AUTO_CLOSE, "x-filter-no-consume": browses}
    peer.say(Basic.Consume(queue="q", consumer_tag="c", nowait=True, arguments=arguments))
    assert [peer.content(Basic.Deliver)[2] for _ in range(2)] == [b"a", b"b"]
    assert peer.expect(Basic.CancelOk).consumer_tag == "c"
    assert not broker.lookup("q").readers
    assert peer.publish(b"c", "q").silent()


def test_a_consumer_with_auto_close_waits_for_its_prefetch(peer: Peer) -> None:
    declared(peer)
    peer.publish(b"a", "q").publish(b"b", "q").say(Basic.Qos(prefetch_count=1)).expect(Basic.QosOk)
    peer.say(Basic.Consume(queue="q", nowait=True, arguments=AUTO_CLOSE))
    assert peer.bodies() == [b"a"]
    peer.say(Basic.Ack(1))
    assert peer.content(Basic.Deliver)[2] == b"b"
    peer.say(Basic.Ack(2)).expect(Basic.CancelOk)


def test_qpids_client_gets_the_time_when_a_message_expires(broker: Broker) -> None:
    peer = Peer(broker).open(product="qpid")
    declared(peer)
    peer.publish(b"x", "q", expiration=str(peer.now + 5000))
    Peer(broker).open().publish(b"y", "q", expiration="5000")
    for body in (b"x", b"y"):
        peer.say(Basic.Get(queue="q"))
        _, properties, found = peer.content(Basic.GetOk)
        assert (found, properties.expiration) == (body, str(peer.now + 5000))


def test_a_message_of_qpids_client_expires(broker: Broker) -> None:
    peer = Peer(broker).open(product="qpid")
    declared(peer)
    peer.publish(b"x", "q", expiration=str(peer.now + 5000))
    broker.advance(peer.now + 4999)
    assert broker.lookup("q").queue.depth == 1
    broker.advance(peer.now + 5000)
    assert broker.lookup("q").queue.depth == 0


@pytest.mark.parametrize(("product", "available"), [("qpid", 1), ("", 0)])
def test_what_qpids_client_rejects_is_not_part_of_its_transaction(
    broker: Broker, product: str, available: int
) -> None:
    peer = Peer(broker).open(product=product)
    declared(peer)
    peer.publish(b"x", "q").say(Tx.Select()).expect(Tx.SelectOk)
    peer.say(Basic.Get(queue="q"), Basic.Reject(1, requeue=True))
    assert broker.lookup("q").queue.available == available


def test_what_qpids_client_rejects_before_a_rollback_is_delivered_again(broker: Broker) -> None:
    peer = Peer(broker).open(product="qpid")
    declared(peer)
    peer.publish(b"x", "q").say(Tx.Select()).expect(Tx.SelectOk)
    peer.say(Basic.Consume(queue="q", nowait=True))
    assert peer.bodies() == [b"x"]
    peer.say(Basic.Reject(1, requeue=True), Tx.Rollback()).expect(Tx.RollbackOk)
    assert peer.bodies() == [b"x"]


FETCHES = 8
LARGE = 1_200_000


def test_what_a_peer_asks_for_beyond_large_messages_that_it_does_not_read_is_put_off(
    broker: Broker, peer: Peer
) -> None:
    declared(peer)
    peer.publish(b"x" * LARGE, "q")
    peer.conversation.set_writable(False)
    put_back = Basic.Nack(delivery_tag=0, multiple=True, requeue=True)
    peer.say(*[Basic.Get(queue="q"), put_back] * FETCHES)
    busy = [peer.conversation.busy]
    assert peer.silent()
    assert peer.conversation._state.output.buffer.size < 3 * LARGE
    # Deadlines do not wake it.
    peer.at(peer.now + 1)
    assert peer.silent()
    peer.conversation.set_writable(True)
    for _ in range(2 * FETCHES):
        peer.raw(b"")
    busy.append(peer.conversation.busy)
    assert busy == [True, False]
    for number in range(FETCHES):
        method, _, payload = peer.content(Basic.GetOk)
        assert (method.delivery_tag, method.redelivered, len(payload)) == (number + 1, number > 0, LARGE)
    assert peer.silent()
    assert broker.lookup("q").queue.available == 1


def test_a_close_waits_for_no_reader_of_a_large_message(peer: Peer) -> None:
    declared(peer)
    peer.publish(b"x" * LARGE, "q")
    peer.conversation.set_writable(False)
    peer.say(Basic.Get(queue="q", no_ack=True))
    assert peer.silent()
    peer.say(commands.Connection.Close(200, "bye", 0, 0), channel=0)
    assert len(peer.content(Basic.GetOk)[2]) == LARGE
    peer.expect(commands.Connection.CloseOk, channel=0)
    assert peer.conversation.finished


FRAME_MAX = 4096


@pytest.fixture
def small(broker: Broker) -> Peer:
    """A peer whose frames are small."""
    return Peer(broker).open(frame_max=FRAME_MAX)


def publish_large(peer: Peer, *bodies: bytes) -> None:
    """Publish messages with more headers than fit into a small frame, and a last one without."""
    for body in bodies:
        peer.publish(body, "q", headers={"h": "x" * 10_000})
    peer.publish(b"small", "q")


@pytest.mark.parametrize("no_ack", [False, True])
@pytest.mark.parametrize("arguments", [{}, {"x-filter-no-consume": True}])
def test_headers_that_do_not_fit_into_a_frame_are_for_other_consumers(
    broker: Broker, peer: Peer, small: Peer, no_ack: bool, arguments: dict[str, Any]
) -> None:
    declared(peer)
    small.say(Basic.Consume(queue="q", nowait=True, no_ack=no_ack, arguments=arguments))
    publish_large(peer, b"large")
    assert small.turn().bodies() == [b"small"]
    hosted = broker.lookup("q")
    assert hosted.counts.passed_over == 1
    (warning,) = broker.take_warnings()
    assert (warning.queue, "a frame of 4096 bytes" in warning.detail) == ("q", True)
    peer.say(Basic.Get(queue="q"))
    assert peer.content(Basic.GetOk)[2] == b"large"


def test_a_header_that_fits_exactly_is_sent(peer: Peer, small: Peer) -> None:
    declared(peer)
    fixed = 8 + 14 + 4 + len(b"\x01hS") + 4
    peer.publish(b"fits", "q", headers={"h": "x" * (FRAME_MAX - fixed)})
    peer.publish(b"does not", "q", headers={"h": "x" * (FRAME_MAX - fixed + 1)})
    small.say(Basic.Consume(queue="q", nowait=True))
    assert small.bodies() == [b"fits"]


def test_a_message_that_comes_again_with_one_header_more_may_no_longer_fit(peer: Peer, small: Peer) -> None:
    declared(peer)
    peer.publish(b"x", "q", headers={"h": "x" * (FRAME_MAX - 33)})
    small.say(Basic.Consume(queue="q", nowait=True)).bodies()
    small.say(Basic.Nack(1, requeue=True))
    assert small.bodies() == []
    peer.say(Basic.Get(queue="q"))
    headers: Any = peer.content(Basic.GetOk)[1].headers
    assert headers["x-delivery-count"] == 1


def test_a_get_passes_over_headers_that_do_not_fit(broker: Broker, peer: Peer, small: Peer) -> None:
    declared(peer)
    publish_large(peer, b"1", b"2")
    small.say(Basic.Get(queue="q", no_ack=True))
    assert small.content(Basic.GetOk)[2] == b"small"
    small.say(Basic.Get(queue="q")).expect(Basic.GetEmpty)
    assert broker.lookup("q").queue.depth == 2


def test_a_routing_key_and_a_type_that_are_too_long_are_headers_too(broker: Broker, peer: Peer) -> None:
    declared(peer)
    long = "ä" * 200
    content = MessageContent(subject=long, message_annotations={"x-opt-amqp-type": long}, body=b"x")
    broker.publish(broker.queue_target("q"), read_message(encode_content(content)), peer.now)
    peer.say(Basic.Get(queue="q"))
    method, properties, _ = peer.content(Basic.GetOk)
    assert method.routing_key == "ä" * 127
    assert properties.headers == {"properties.subject": long, "x-opt-amqp-type": long}
