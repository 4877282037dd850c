"""lastvalue.frontends.amqp091, over an engine and a broker without a socket."""

from typing import Any

import pytest
from amqp091_peer import Peer
from pamqp import commands

from lastvalue.broker.broker import Broker
from lastvalue.broker.resource_alarms import StoreFaultError
from lastvalue.codec.amqp10.content import BodyKind, MessageContent, decode_content, encode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.queues.subscription import ANY, Mode, Subscriber

NON_DESTRUCTIVE: dict[str, Any] = {"qpid.ensure_nondestructive_consumers": True}
MISSPELT: dict[str, Any] = {"x-max-lenght": 5, "x-max-length": 3}
EXPIRES: dict[str, Any] = {"x-expires": 500}
REPLIES = "amq.rabbitmq.reply-to"
Basic, Queue, Exchange, Tx = commands.Basic, commands.Queue, commands.Exchange, commands.Tx


class NullReceiver(Subscriber):
    def wake(self) -> None:
        pass


@pytest.fixture
def broker() -> Broker:
    return Broker()


@pytest.fixture
def peer(broker: Broker) -> Peer:
    return Peer(broker).open()


def declared(peer: Peer, queue: str = "q", *, flags: str = "", **arguments: Any) -> None:
    """Declare a queue, with the flags that are named."""
    asked = dict.fromkeys(flags.split(), True)
    peer.say(Queue.Declare(queue=queue, arguments=arguments, **asked))
    assert peer.expect(Queue.DeclareOk).queue == queue


def closed(peer: Peer) -> tuple[int | None, str]:
    close = peer.expect(commands.Channel.Close)
    return close.reply_code, close.reply_text


# ---------------------------------------------------------------------- publishing


def test_a_message_is_delivered_as_it_was_published(peer: Peer) -> None:
    declared(peer)
    peer.publish(b"body", "q", headers={"ticker": "ACME"}, priority=3, message_id="m")
    peer.say(Basic.Consume(queue="q", consumer_tag="c"))
    assert peer.expect(Basic.ConsumeOk).consumer_tag == "c"
    method, properties, body = peer.content(Basic.Deliver)
    assert (method.consumer_tag, method.delivery_tag, method.redelivered) == ("c", 1, False)
    assert (method.exchange, method.routing_key, body) == ("", "q", b"body")
    assert (properties.headers, properties.priority, properties.message_id) == ({"ticker": "ACME"}, 3, "m")


def test_a_last_value_queue_keeps_the_newest_message_of_a_key(peer: Peer) -> None:
    declared(peer, **{"qpid.last_value_queue_key": "ticker"})
    for number in range(3):
        peer.publish(b"%d" % number, "q", headers={"ticker": "A"})
    peer.publish(b"b", "q", headers={"ticker": "B"})
    peer.say(Basic.Consume(queue="q", no_ack=True))
    peer.expect(Basic.ConsumeOk)
    assert peer.bodies() == [b"2", b"b"]


def test_a_message_of_amqp_10_is_read_here_and_the_other_way_round(broker: Broker, peer: Peer) -> None:
    declared(peer)
    content = MessageContent(
        subject="key", application_properties={"n": 1}, body=b"x", body_kind=BodyKind.DATA
    )
    hosted = broker.lookup("q")
    broker.publish(broker.queue_target("q"), read_message(encode_content(content)), 0)
    peer.say(Basic.Get(queue="q", no_ack=True))
    method, told, body = peer.content(Basic.GetOk)
    assert (method.routing_key, told.headers, body) == ("key", {"n": 1}, b"x")
    peer.publish(b"y", "q", headers={"n": 2})
    entry = hosted.queue.next(hosted.queue.subscribe(Mode.CONSUME, NullReceiver(), ANY, 0), 0)
    assert entry is not None
    read = decode_content(entry.message.encoded)
    assert (read.subject, read.application_properties, read.body) == ("q", {"n": 2}, b"y")


def test_an_unroutable_message_is_returned_where_it_is_mandatory(peer: Peer) -> None:
    peer.publish(b"x", "nowhere", mandatory=True, message_id="m")
    method, properties, body = peer.content(Basic.Return)
    assert (method.reply_code, method.routing_key, properties.message_id, body) == (312, "nowhere", "m", b"x")
    assert peer.publish(b"x", "nowhere").silent()


def test_publishing_to_an_exchange_that_is_not_there_closes_the_channel(peer: Peer) -> None:
    peer.publish(b"x", "key", "nowhere")
    code, text = closed(peer)
    assert (code, "no exchange named 'nowhere'" in text) == (404, True)


def test_a_full_queue_closes_the_channel_of_who_asked_for_no_confirms(peer: Peer) -> None:
    declared(peer, max_messages=1)
    peer.publish(b"1", "q")
    assert peer.silent()
    peer.publish(b"2", "q")
    assert closed(peer)[0] == 506


def test_a_full_queue_refuses_by_a_nack_where_there_are_confirms(peer: Peer) -> None:
    declared(peer, max_messages=1)
    peer.say(commands.Confirm.Select())
    peer.expect(commands.Confirm.SelectOk)
    peer.publish(b"1", "q").publish(b"2", "q")
    assert peer.expect(Basic.Ack).delivery_tag == 1
    assert peer.expect(Basic.Nack).delivery_tag == 2


def test_a_durable_message_is_confirmed_when_the_journal_has_it_and_others_at_once(peer: Peer) -> None:
    declared(peer, "kept", flags="durable")
    declared(peer, "passing")
    peer.say(commands.Confirm.Select())
    peer.expect(commands.Confirm.SelectOk)
    peer.hold_flushes()
    peer.publish(b"1", "kept", delivery_mode=2).publish(b"2", "kept", delivery_mode=2)
    peer.publish(b"3", "passing", delivery_mode=2).publish(b"4", "kept", delivery_mode=1)
    for tag in (3, 4):
        ack = peer.expect(Basic.Ack)
        assert (ack.delivery_tag, ack.multiple) == (tag, False)
    assert peer.silent()
    peer.flush()
    assert peer.expect(Basic.Ack).delivery_tag == 1
    assert peer.expect(Basic.Ack).delivery_tag == 2


def test_confirms_of_one_turn_are_one_where_nothing_before_them_is_open(peer: Peer) -> None:
    declared(peer, "kept", flags="durable")
    peer.say(commands.Confirm.Select())
    peer.expect(commands.Confirm.SelectOk)
    peer.hold_flushes()
    for _ in range(3):
        peer.publish(b"x", "kept", delivery_mode=2)
    peer.flush()
    acks = [peer.expect(Basic.Ack) for _ in range(3)]
    assert [(ack.delivery_tag, ack.multiple) for ack in acks] == [(1, False), (2, False), (3, False)]


def test_what_waited_behind_an_answer_takes_part_in_the_next_turn(peer: Peer) -> None:
    peer.say(commands.Confirm.Select())
    peer.expect(commands.Confirm.SelectOk)
    peer.hold_flushes()
    peer.say(Queue.Declare(queue="kept", durable=True)).publish(b"1", "kept", delivery_mode=2)
    assert peer.silent()
    peer.write_scheduled = False
    peer.conversation.confirm(peer.position)
    assert peer.write_scheduled
    peer.flush()
    peer.expect(Queue.DeclareOk)
    assert peer.expect(Basic.Ack).delivery_tag == 1


def test_a_broken_disk_refuses_durable_messages_by_a_nack(broker: Broker, peer: Peer) -> None:
    declared(peer, "kept", flags="durable")
    peer.say(commands.Confirm.Select())
    peer.expect(commands.Confirm.SelectOk)
    broker.alarms.set_fault(StoreFaultError("the disk is full", full=True))
    peer.publish(b"1", "kept", delivery_mode=2)
    assert peer.expect(Basic.Nack).delivery_tag == 1


def test_a_shut_gate_stops_the_reading_of_who_publishes_and_tells_it(broker: Broker, peer: Peer) -> None:
    declared(peer)
    peer.publish(b"1", "q")
    broker.alarms.set_memory(True)
    peer.publish(b"2", "q")
    peer.expect(commands.Connection.Blocked, channel=0)
    assert peer.conversation.reading_paused
    broker.alarms.set_memory(False)
    peer.turn().expect(commands.Connection.Unblocked, channel=0)
    assert not peer.conversation.reading_paused


def test_flow_control_of_a_queue_asks_the_channel_to_wait(peer: Peer) -> None:
    declared(peer, flow_stop_messages=2, flow_resume_messages=1)
    for _ in range(3):
        peer.publish(b"x", "q")
    assert peer.expect(commands.Channel.Flow).active is False
    peer.say(commands.Channel.FlowOk(False), Queue.Purge(queue="q"))
    peer.expect(Queue.PurgeOk)
    assert peer.expect(commands.Channel.Flow).active is True


def test_a_capacity_with_a_size_to_resume_at_asks_the_channel_to_wait_and_refuses_nothing(peer: Peer) -> None:
    arguments: dict[str, Any] = {"x-qpid-capacity": 100, "x-qpid-flow-resume-capacity": 60}
    declared(peer, **arguments)
    peer.publish(b"x" * 200, "q")
    assert peer.expect(commands.Channel.Flow).active is False
    peer.publish(b"y", "q")
    peer.say(commands.Channel.FlowOk(False), Queue.Purge(queue="q"))
    assert peer.expect(Queue.PurgeOk).message_count == 2
    assert peer.expect(commands.Channel.Flow).active is True


# ---------------------------------------------------------------------- consuming


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


# ---------------------------------------------------------------------- queues and exchanges


def test_a_queue_without_a_name_gets_one_and_is_the_one_that_is_meant(peer: Peer) -> None:
    peer.say(Queue.Declare(exclusive=True))
    name = str(peer.expect(Queue.DeclareOk).queue)
    peer.say(Queue.Bind(queue="", exchange="amq.fanout"), Basic.Consume(queue="", no_ack=True))
    peer.expect(Queue.BindOk)
    peer.expect(Basic.ConsumeOk)
    peer.publish(b"x", "", "amq.fanout")
    method, _, body = peer.content(Basic.Deliver)
    assert (name[:8], method.exchange, body) == ("amq.gen-", "amq.fanout", b"x")


def test_an_exclusive_queue_is_locked_for_others_and_goes_with_its_connection(
    broker: Broker, peer: Peer
) -> None:
    declared(peer, flags="exclusive")
    other = Peer(broker).open()
    other.say(Queue.Declare(queue="q", passive=True))
    assert closed(other)[0] == 405
    peer.conversation.lost(peer.now, peer.now)
    assert not broker.has_queue("q")


def test_an_auto_deleted_queue_goes_with_its_last_consumer_and_not_with_a_get(
    broker: Broker, peer: Peer
) -> None:
    declared(peer, flags="auto_delete")
    peer.say(Basic.Get(queue="q")).expect(Basic.GetEmpty)
    assert broker.has_queue("q")
    peer.say(Basic.Consume(queue="q", consumer_tag="c")).expect(Basic.ConsumeOk)
    peer.say(Basic.Cancel("c")).expect(Basic.CancelOk)
    assert not broker.has_queue("q")


def test_a_queue_that_expires_goes_when_nobody_uses_it_for_so_long(broker: Broker, peer: Peer) -> None:
    declared(peer, **EXPIRES)
    broker.advance(peer.now + 400)
    assert broker.has_queue("q")
    peer.now += 400
    declared(peer, **EXPIRES)
    broker.advance(peer.now + 499)
    assert broker.has_queue("q")
    broker.advance(peer.now + 500)
    assert not broker.has_queue("q")


@pytest.mark.parametrize(
    ("method", "code"),
    [
        (Queue.Declare(queue="none", passive=True), 404),
        (Queue.Declare(queue="q", durable=True), 406),
        (Queue.Declare(queue="x", arguments={"x-max-lenght": 5}), 406),
        (Queue.Declare(queue="amq.mine"), 403),
        (Queue.Bind(queue="q", exchange="none"), 404),
        (Queue.Bind(queue="q", exchange="", routing_key="k"), 403),
        (Queue.Delete(queue="none"), 404),
        (Queue.Delete(queue="q", if_empty=True), 406),
        (Queue.Purge(queue="none"), 404),
        (Exchange.Declare(exchange="none", passive=True), 404),
        (Exchange.Declare(exchange="amq.direct", exchange_type="topic"), 406),
        (Exchange.Declare(exchange="amq.mine"), 403),
        (Exchange.Delete(exchange="amq.direct"), 403),
        (Exchange.Delete(exchange="none"), 404),
        (Basic.Consume(queue="none"), 404),
        (Basic.Get(queue="none"), 404),
        (Tx.Commit(), 406),
    ],
    ids=lambda value: getattr(value, "name", str(value)),
)
def test_a_refusal_closes_the_channel_with_its_code(peer: Peer, method: Any, code: int) -> None:
    declared(peer)
    peer.publish(b"x", "q").say(method)
    close = peer.expect(commands.Channel.Close)
    assert (close.reply_code, close.class_id, close.method_id) == (
        code,
        method.index >> 16,
        method.index & 0xFFFF,
    )


def test_a_misspelt_argument_is_refused_with_the_nearest_name(peer: Peer) -> None:
    peer.say(Queue.Declare(queue="x", arguments={"x-max-lenght": 5}))
    assert "did you mean 'x-max-length'?" in closed(peer)[1]


def test_unknown_arguments_are_left_out_where_that_is_set(broker: Broker) -> None:
    peer = Peer(broker, ignore_unknown_arguments=True).open()
    declared(peer, **MISSPELT)
    assert broker.lookup("q").queue.spec == spec_from_arguments("q", {"x-max-length": 3})


def test_exchanges_are_bound_to_queues_and_to_each_other(peer: Peer) -> None:
    declared(peer)
    peer.say(
        Exchange.Declare(exchange="news", exchange_type="topic"),
        Exchange.Declare(exchange="all", exchange_type="fanout", auto_delete=True),
        Exchange.Bind(destination="all", source="news", routing_key="eu.#"),
        Queue.Bind(queue="q", exchange="all"),
    )
    for kind in (Exchange.DeclareOk, Exchange.DeclareOk, Exchange.BindOk, Queue.BindOk):
        peer.expect(kind)
    peer.publish(b"x", "eu.uk.london", "news").publish(b"y", "us", "news")
    peer.say(Basic.Consume(queue="q", no_ack=True)).expect(Basic.ConsumeOk)
    method, _, body = peer.content(Basic.Deliver)
    assert (method.exchange, method.routing_key, body) == ("news", "eu.uk.london", b"x")
    peer.say(Exchange.Unbind(destination="all", source="news", routing_key="eu.#")).expect(Exchange.UnbindOk)
    assert peer.publish(b"x", "eu.uk", "news").silent()


def test_a_durable_declaration_is_answered_when_the_journal_has_it(peer: Peer) -> None:
    peer.hold_flushes()
    peer.say(Queue.Declare(queue="q", durable=True), Basic.Get(queue="q"))
    assert peer.silent()
    peer.flush()
    peer.expect(Queue.DeclareOk)
    peer.expect(Basic.GetEmpty)


def test_a_purge_of_what_is_kept_is_answered_when_the_journal_has_it(peer: Peer) -> None:
    declared(peer, "kept", flags="durable")
    declared(peer, "passing")
    for queue in ("kept", "passing"):
        peer.publish(b"x", queue, delivery_mode=2)
    peer.hold_flushes()
    peer.say(Queue.Purge(queue="passing"))
    assert peer.expect(Queue.PurgeOk).message_count == 1
    peer.say(Queue.Purge(queue="kept"))
    assert peer.silent()
    peer.flush()
    assert peer.expect(Queue.PurgeOk).message_count == 1


@pytest.mark.parametrize(
    ("method", "answer"),
    [
        (Queue.Bind(queue="kept", exchange="kept", routing_key="new"), Queue.BindOk),
        (Queue.Unbind(queue="kept", exchange="kept", routing_key="old"), Queue.UnbindOk),
        (Queue.Delete(queue="kept"), Queue.DeleteOk),
        (Exchange.Declare(exchange="other", exchange_type="fanout", durable=True), Exchange.DeclareOk),
        (Exchange.Delete(exchange="kept"), Exchange.DeleteOk),
    ],
)
def test_what_is_kept_is_bound_and_deleted_when_the_journal_has_it(
    peer: Peer, method: Any, answer: type[Any]
) -> None:
    declared(peer, "kept", flags="durable")
    peer.say(Exchange.Declare(exchange="kept", exchange_type="direct", durable=True))
    peer.expect(Exchange.DeclareOk)
    peer.say(Queue.Bind(queue="kept", exchange="kept", routing_key="old")).expect(Queue.BindOk)
    peer.hold_flushes()
    peer.say(method)
    assert peer.silent()
    peer.flush().expect(answer)


# ---------------------------------------------------------------------- transactions


def test_a_commit_publishes_and_acknowledges_together(broker: Broker, peer: Peer) -> None:
    declared(peer)
    declared(peer, "out")
    peer.publish(b"in", "q").say(Tx.Select(), Basic.Get(queue="q"))
    peer.expect(Tx.SelectOk)
    peer.content(Basic.GetOk)
    peer.publish(b"out", "out").say(Basic.Ack(1))
    assert [broker.lookup(name).queue.depth for name in ("q", "out")] == [1, 0]
    peer.say(Tx.Commit()).expect(Tx.CommitOk)
    assert [broker.lookup(name).queue.depth for name in ("q", "out")] == [0, 1]


def test_a_rollback_forgets_what_was_published_and_what_was_acknowledged(broker: Broker, peer: Peer) -> None:
    declared(peer)
    peer.publish(b"in", "q").say(Tx.Select(), Basic.Get(queue="q"), Basic.Ack(1)).publish(b"x", "q")
    peer.frames.clear()
    peer.say(Tx.Rollback()).expect(Tx.RollbackOk)
    assert broker.lookup("q").queue.depth == 1
    peer.say(Basic.Ack(1), Tx.Commit()).expect(Tx.CommitOk)
    assert broker.lookup("q").queue.depth == 0


def test_a_commit_is_answered_when_the_journal_has_it(peer: Peer) -> None:
    declared(peer, flags="durable")
    peer.say(Tx.Select()).expect(Tx.SelectOk)
    peer.hold_flushes()
    peer.publish(b"x", "q", delivery_mode=2).say(Tx.Commit(), Basic.Get(queue="q"))
    assert peer.silent()
    peer.flush().expect(Tx.CommitOk)
    assert peer.content(Basic.GetOk)[2] == b"x"


def test_a_commit_that_a_queue_has_no_room_for_does_nothing(broker: Broker, peer: Peer) -> None:
    declared(peer, max_messages=1)
    peer.say(Tx.Select()).expect(Tx.SelectOk)
    peer.publish(b"1", "q").publish(b"2", "q").say(Tx.Commit())
    assert closed(peer)[0] == 506
    assert broker.lookup("q").queue.depth == 0


def test_a_mandatory_message_of_a_transaction_is_returned_at_its_commit(peer: Peer) -> None:
    peer.say(Tx.Select()).expect(Tx.SelectOk)
    assert peer.publish(b"x", "nowhere", mandatory=True).silent()
    peer.say(Tx.Commit())
    assert peer.content(Basic.Return)[2] == b"x"
    peer.expect(Tx.CommitOk)


def test_what_was_published_before_a_close_counts(broker: Broker, peer: Peer) -> None:
    declared(peer)
    parts = commands.Channel.Close(200, "", 0, 0), commands.Connection.Close(200, "", 0, 0)
    peer.publish(b"x", "q", also=parts)
    assert broker.lookup("q").queue.depth == 1
    assert peer.conversation.finished
