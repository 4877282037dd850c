"""Queues and exchanges that a peer declares over AMQP 0-9-1."""

from typing import Any

import pytest
from amqp091_peer import Peer, closed, declared
from broker_desk import enqueue
from pamqp import base, commands, frame

from lastvalue.broker.broker import Broker
from lastvalue.broker.long_commands import HANDLED_AT_ONCE
from lastvalue.broker.routing.exchange_spec import ExchangeSpec, ExchangeType
from lastvalue.codec.amqp091.dialects import EXCHANGE_BOUND, EXCHANGE_BOUND_OK
from lastvalue.codec.amqp091.frames import METHOD
from lastvalue.codec.amqp091.frames import frame as frame_of
from lastvalue.frontends.amqp091.declarations import known_arguments
from lastvalue.queues.spec_arguments import spec_from_arguments

MISSPELT: dict[str, Any] = {"x-max-lenght": 5, "x-max-length": 3}


LIMITED: dict[str, Any] = {"x-max-length": 3}


EXPIRES: dict[str, Any] = {"x-expires": 500}


Basic, Queue, Exchange, Tx = commands.Basic, commands.Queue, commands.Exchange, commands.Tx


def test_a_queue_without_a_name_gets_one_and_is_the_one_that_is_meant(peer: Peer) -> None:
    peer.say(Queue.Declare(exclusive=True))
    name = str(peer.expect(Queue.DeclareOk).queue)
    peer.say(Queue.Bind(queue="", exchange="amq.fanout"), Basic.Consume(queue="", no_ack=True))
    peer.expect(Queue.BindOk)
    peer.expect(Basic.ConsumeOk)
    peer.publish(b"x", "", "amq.fanout")
    method, _, body = peer.content(Basic.Deliver)
    assert (name[:8], method.exchange, body) == ("amq.gen-", "amq.fanout", b"x")


@pytest.mark.parametrize("name", ["Größe", "a\tb", "наличие"])
def test_a_queue_may_have_any_name(broker: Broker, peer: Peer, name: str) -> None:
    text = name.encode()
    # What pamqp would not let a client say: no reserved ticket, no flags, no arguments.
    payload = bytes([0, 50, 0, 10, 0, 0, len(text)]) + text + bytes(5)
    peer.raw(frame_of(METHOD, 1, payload))
    assert peer.expect(Queue.DeclareOk).queue == name
    assert broker.has_queue(name)


@pytest.mark.parametrize(("opened", "noted"), [("prod", "prod"), ("/", "/"), ("", "/")])
def test_a_queue_keeps_the_name_of_the_virtual_host_that_its_peer_opened(
    broker: Broker, opened: str, noted: str
) -> None:
    declared(Peer(broker).open(host=opened))
    assert broker.lookup("q").queue.spec.virtual_host == noted
    # Under another name it is the same queue.
    declared(Peer(broker).open(host="other"))
    assert broker.lookup("q").queue.spec.virtual_host == noted


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


@pytest.mark.parametrize("use", [Queue.Declare(queue="q", arguments=EXPIRES), Basic.Get(queue="q")])
def test_a_queue_that_expires_goes_when_nobody_uses_it_for_so_long(
    broker: Broker, peer: Peer, use: Any
) -> None:
    declared(peer, **EXPIRES)
    broker.advance(peer.now + 400)
    assert broker.has_queue("q")
    peer.now += 400
    peer.say(use)
    broker.advance(peer.now + 499)
    assert broker.has_queue("q")
    broker.advance(peer.now + 500)
    assert not broker.has_queue("q")


@pytest.mark.parametrize(
    ("method", "answer", "to_qpid"),
    [
        (Queue.Delete(queue="none"), Queue.DeleteOk, commands.Channel.Close),
        (Queue.Unbind(queue="none", exchange="amq.direct"), Queue.UnbindOk, commands.Channel.Close),
        (Queue.Unbind(queue="q", exchange="none"), Queue.UnbindOk, commands.Channel.Close),
        (Exchange.Delete(exchange="none"), Exchange.DeleteOk, commands.Channel.Close),
        (Exchange.Delete(exchange="amq.none"), Exchange.DeleteOk, commands.Channel.Close),
        (Exchange.Unbind(destination="none", source="amq.direct"), Exchange.UnbindOk, Exchange.UnbindOk),
        (Exchange.Unbind(destination="amq.direct", source="none"), Exchange.UnbindOk, commands.Channel.Close),
    ],
    ids=lambda value: value.name if isinstance(value, base.Frame) else "",
)
def test_what_is_not_there_need_not_be_deleted(
    broker: Broker, peer: Peer, method: Any, answer: type[Any], to_qpid: type[Any]
) -> None:
    """As in RabbitMQ; for Qpid's client it is a fault, as in Broker-J."""
    declared(peer)
    peer.say(method).expect(answer)
    heard = Peer(broker).open(product="qpid").say(method).expect(to_qpid)
    assert getattr(heard, "reply_code", 404) == 404


def test_a_queue_of_which_consumers_hold_every_message_is_empty_as_in_rabbitmq(peer: Peer) -> None:
    declared(peer)
    peer.publish(b"x", "q").say(Basic.Get(queue="q")).content(Basic.GetOk)
    peer.say(Queue.Delete(queue="q", if_empty=True)).expect(Queue.DeleteOk)


@pytest.mark.parametrize(
    ("method", "code"),
    [
        (Queue.Declare(queue="none", passive=True), 404),
        (Queue.Declare(queue="q", durable=True), 406),
        (Queue.Declare(queue="x", arguments={"x-max-lenght": 5}), 406),
        (Queue.Declare(queue="amq.mine"), 403),
        (Queue.Bind(queue="q", exchange="none"), 404),
        (Queue.Bind(queue="q", exchange="", routing_key="k"), 403),
        (Queue.Delete(queue="q", if_empty=True), 406),
        (Queue.Purge(queue="none"), 404),
        (Exchange.Declare(exchange="none", passive=True), 404),
        (Exchange.Declare(exchange="amq.direct", exchange_type="topic"), 406),
        (Exchange.Declare(exchange="amq.mine"), 403),
        (Exchange.Declare(exchange="x", exchange_type="odd"), 406),
        (Exchange.Delete(exchange="amq.direct"), 403),
        (Exchange.Delete(exchange=""), 403),
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


def test_an_unknown_type_of_exchange_ends_the_connection_of_qpids_client(broker: Broker) -> None:
    peer = Peer(broker).open(product="qpid")
    peer.say(Exchange.Declare(exchange="x", exchange_type="odd"))
    close = peer.expect(commands.Connection.Close, channel=0)
    assert (close.reply_code, close.class_id, close.method_id) == (503, 40, 10)


def test_a_queue_with_a_browser_alone_is_unused_and_one_with_a_consumer_is_not(
    peer: Peer, broker: Broker
) -> None:
    declared(peer)
    peer.say(Basic.Consume(queue="q", consumer_tag="c", arguments={"x-filter-no-consume": True}))
    peer.expect(Basic.ConsumeOk)
    peer.say(Queue.Delete(queue="q", if_unused=True)).expect(Queue.DeleteOk)
    peer.frames.clear()
    declared(peer)
    peer.say(Basic.Consume(queue="q", consumer_tag="d")).expect(Basic.ConsumeOk)
    peer.say(Queue.Delete(queue="q", if_unused=True))
    assert closed(peer)[0] == 406
    assert broker.has_queue("q")


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


@pytest.mark.parametrize(("method", "answer"), [(Queue.Purge, Queue.PurgeOk), (Queue.Delete, Queue.DeleteOk)])
def test_a_command_that_takes_several_turns_is_answered_at_its_end(
    peer: Peer, method: Any, answer: Any
) -> None:
    declared(peer, "large")
    hosted = peer.broker.lookup("large")
    for _ in range(2 * HANDLED_AT_ONCE):
        enqueue(peer.broker, "large", "x")
    peer.raw(b"")
    conversation = peer.conversation
    conversation.receive(frame.marshal(method(queue="large"), 1), peer.now, peer.now)
    conversation.seal(peer.position, peer.now)
    conversation.confirm(peer.position, peer.now)
    assert conversation.data_to_send() == b""
    peer.turn()
    assert hosted.queue.depth == 0
    assert peer.expect(answer).message_count == 2 * HANDLED_AT_ONCE


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


def test_qpids_client_has_durable_exclusive_queues_for_its_next_connection(broker: Broker) -> None:
    peer = Peer(broker).open(product="qpid")
    declared(peer, flags="durable exclusive")
    peer.conversation.lost(peer.now, peer.now)
    assert broker.lookup("q").queue.spec.durable


@pytest.mark.parametrize(
    ("flags", "code"), [("", None), ("durable", None), ("exclusive", 405), ("auto_delete", 405)]
)
def test_of_a_queue_of_qpids_client_exclusivity_and_lifetime_are_compared(
    broker: Broker, flags: str, code: int | None
) -> None:
    peer = Peer(broker).open(product="qpid")
    declared(peer, **LIMITED)
    asked: dict[str, Any] = dict.fromkeys(flags.split(), True)
    peer.say(Queue.Declare(queue="q", **asked))
    if code is None:
        peer.expect(Queue.DeclareOk)
    else:
        assert closed(peer)[0] == code


def test_the_owner_of_an_exclusive_queue_may_declare_it_again_without_saying_so(broker: Broker) -> None:
    peer = Peer(broker).open(product="qpid")
    declared(peer, flags="exclusive")
    declared(peer)


def test_unknown_arguments_of_exchanges_are_left_out_where_that_is_set(broker: Broker) -> None:
    peer = Peer(broker, ignore_unknown_arguments=True).open()
    arguments: dict[str, Any] = {"x-delayed-type": "direct", "alternate-exchange": "amq.fanout"}
    peer.say(Exchange.Declare(exchange="x", exchange_type="topic", arguments=arguments))
    peer.expect(Exchange.DeclareOk)
    assert broker.exchanges.find("x").spec == ExchangeSpec("x", ExchangeType.TOPIC, alternate="amq.fanout")


@pytest.mark.parametrize(
    ("exchange", "queue", "key", "code"),
    [
        ("amq.direct", "", "", 0),
        ("amq.direct", "q", "", 0),
        ("amq.direct", "", "k", 0),
        ("amq.direct", "q", "k", 0),
        ("none", "", "", 1),
        ("amq.direct", "none", "k", 2),
        ("amq.fanout", "", "", 3),
        ("amq.fanout", "q", "", 4),
        ("amq.direct", "", "other", 5),
        ("amq.direct", "q", "other", 6),
        ("", "", "", 0),
        ("", "q", "", 0),
        ("", "", "q", 0),
        ("", "q", "q", 0),
        ("", "none", "", 2),
        ("", "", "k", 5),
        ("", "q", "k", 6),
    ],
)
def test_exchange_bound_says_what_is_missing(
    peer: Peer, exchange: str, queue: str, key: str, code: int
) -> None:
    declared(peer)
    peer.say(Queue.Bind(queue="q", exchange="amq.direct", routing_key="k")).expect(Queue.BindOk)
    names = b"".join(bytes((len(name),)) + name.encode() for name in (exchange, key, queue))
    answer = peer.octets(frame_of(METHOD, 1, EXCHANGE_BOUND.to_bytes(4, "big") + names))
    assert answer[7:11] == EXCHANGE_BOUND_OK.to_bytes(4, "big")
    assert int.from_bytes(answer[11:13], "big") == code


def test_arguments_that_no_dialect_knows_are_left_out() -> None:
    known = {"x-max-length": 5, "lvq_key": "k", "qpid.fairshare-7": 2, "qpid.last_value_queue": True}
    assert known_arguments({**known, "x-ha-policy": "all"}) == known


@pytest.mark.parametrize("name", [b"q\n", b"q\r\n", b"\nq\r"])
def test_a_name_that_is_declared_or_deleted_loses_its_ends_of_lines(
    broker: Broker, peer: Peer, name: bytes
) -> None:
    text = b"\0\0" + bytes([len(name)]) + name
    # pamqp would not let a client say such names.
    peer.raw(frame_of(METHOD, 1, b"\0\x32\0\x0a" + text + bytes(5))).expect(Queue.DeclareOk)
    peer.raw(frame_of(METHOD, 1, b"\0\x28\0\x0a" + text + b"\6direct" + bytes(5))).expect(Exchange.DeclareOk)
    assert broker.has_queue("q")
    assert broker.exchanges.get("q") is not None
    passive = b"\1" + bytes(4)
    peer.raw(frame_of(METHOD, 1, b"\0\x32\0\x0a" + text + passive)).expect(Queue.DeclareOk)
    peer.raw(frame_of(METHOD, 1, b"\0\x28\0\x0a" + text + b"\0" + passive)).expect(Exchange.DeclareOk)
    peer.raw(frame_of(METHOD, 1, b"\0\x32\0\x28" + text + b"\0")).expect(Queue.DeleteOk)
    peer.raw(frame_of(METHOD, 1, b"\0\x28\0\x14" + text + b"\0")).expect(Exchange.DeleteOk)
    assert not broker.has_queue("q")
    assert broker.exchanges.get("q") is None


@pytest.mark.parametrize("exclusive", [False, True])
def test_a_queue_of_all_is_not_declared_as_an_own_one_nor_the_reverse(peer: Peer, exclusive: bool) -> None:
    peer.say(Queue.Declare(queue="q", exclusive=exclusive)).expect(Queue.DeclareOk)
    peer.say(Queue.Declare(queue="q", exclusive=not exclusive))
    assert closed(peer)[0] == 405


def test_the_headers_exchange_has_rabbitmqs_name_too(peer: Peer) -> None:
    declared(peer)
    peer.say(Queue.Bind(queue="q", exchange="amq.headers", arguments={"a": 1})).expect(Queue.BindOk)
    peer.publish(b"x", "", "amq.headers", headers={"a": 1})
    peer.say(Basic.Get(queue="q", no_ack=True))
    assert peer.content(Basic.GetOk)[2] == b"x"
