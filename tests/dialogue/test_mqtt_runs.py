"""MQTT's messages that come together: what becomes of each is as if they came one by one."""

from typing import Any

import pytest
from mqtt_peer import MqttPeer, mqtt_state

from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.owner import BROKER
from lastvalue.broker.rights.permissions import Permissions, parse_rule
from lastvalue.broker.routing.bindings import Binding
from lastvalue.codec.amqp10.content import MessageContent, decode_content, encode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.mqtt.packet_encoder import encode_packet
from lastvalue.codec.mqtt.packet_types import LEVEL_5, LEVEL_311, PacketType
from lastvalue.codec.mqtt.packets import (
    Ack,
    Connect,
    Disconnect,
    Publish,
    SubAck,
    Subscribe,
    Subscription,
    Will,
)
from lastvalue.codec.mqtt.properties import NONE, Properties, PropertyId, PropertyValue
from lastvalue.codec.mqtt.reason_codes import ReasonCode
from lastvalue.frontends.mqtt.broker_state import BrokerState
from lastvalue.queues.spec import LastValue, Limit, QueueSpec, Standard

PUBACK, PUBREC = PacketType.PUBACK, PacketType.PUBREC
SUCCESS, NOBODY = ReasonCode.SUCCESS, ReasonCode.NO_MATCHING_SUBSCRIBERS


def client(state: BrokerState, name: str, level: int = LEVEL_5, **more: Any) -> MqttPeer:
    """A connected client."""
    peer = MqttPeer(state, level)
    peer.connect(name, **more)
    return peer


def message(
    topic: str, payload: bytes = b"x", qos: int = 0, packet_id: int = 0, *, retain: bool = False
) -> Publish:
    """A PUBLISH."""
    made = Publish(topic, payload, qos, packet_id, NONE)
    made.retain = retain
    return made


def retained(broker: Broker) -> dict[object, object]:
    """The retained messages by their topics, in the order of the queue."""
    found: dict[object, object] = {}
    for entry in broker.lookup("mqtt.retained").queue.entries():
        content = decode_content(entry.encoded)
        found[content.application_properties["topic"]] = content.body
    return found


def permitted(broker: Broker, *rules: str) -> None:
    permissions = Permissions(tuple(parse_rule(each) for each in rules))
    broker.authorization.permissions = lambda user: permissions


# ---------------------------------------------------------------------- what is taken together


def test_messages_of_all_qos_come_in_the_order_in_which_they_were_sent() -> None:
    state = mqtt_state(Broker())
    reader, writer = client(state, "reader"), client(state, "writer")
    reader.subscribe("#", qos=2, user=[("lastvalue-delivery", "every")])
    sent = [message(f"a/{n % 3}", b"%d" % n, n % 3, n, retain=n % 4 == 3) for n in range(1, 25)]
    writer.say(*sent)
    assert reader.messages() == [(each.topic, each.payload) for each in sent]
    assert [(kind, number) for kind, number, _ in writer.acks()] == [
        (PUBACK if each.qos == 1 else PUBREC, each.packet_id) for each in sent if each.qos
    ]


def test_retained_messages_of_one_read_are_taken_in_one_go() -> None:
    broker = Broker()
    state = mqtt_state(broker)
    writer, watcher = client(state, "writer"), client(state, "watcher")
    watcher.subscribe("a/+")
    writer.say(*[message(f"a/{n % 4}", b"%d" % n, retain=True) for n in range(12)])
    assert retained(broker) == {f"a/{n % 4}": b"%d" % n for n in range(8, 12)}
    assert watcher.messages() == [(f"a/{n % 4}", b"%d" % n) for n in range(8, 12)]
    assert broker.exchanges.find("amq.topic").received == 12


def test_an_empty_one_among_them_removes_its_topics_value() -> None:
    broker = Broker()
    state = mqtt_state(broker)
    writer, reader = client(state, "writer"), client(state, "reader")
    reader.subscribe("#", qos=1)
    bodies = [("a", b"1"), ("b", b"2"), ("a", b""), ("c", b"3"), ("b", b""), ("b", b"4")]
    writer.say(*[message(topic, body, retain=True) for topic, body in bodies])
    assert retained(broker) == {"c": b"3", "b": b"4"}
    assert reader.messages() == bodies


def test_a_message_that_nobody_gets_is_counted_and_kept_nowhere() -> None:
    broker = Broker()
    writer = client(mqtt_state(broker), "writer")
    writer.say(*[message("a/b", b"x", n % 2, n) for n in range(1, 9)])
    exchange = broker.exchanges.find("amq.topic")
    assert (exchange.received, exchange.unrouted) == (8, 8)
    assert writer.acks() == [(PUBACK, n, NOBODY) for n in (1, 3, 5, 7)]
    statistics = writer.conversation.statistics()
    assert statistics is not None
    assert int(statistics.sessions[0].links[-1].traffic.received) == 8
    assert broker.queues() == []


def test_who_subscribes_between_two_reads_gets_what_comes_then() -> None:
    state = mqtt_state(Broker())
    reader, writer = client(state, "reader"), client(state, "writer")
    pair = [message("a/1", b"1"), message("a/2", b"2")]
    writer.say(*pair)
    assert reader.messages() == []
    reader.subscribe("a/1", qos=1)
    writer.say(*pair, *pair)
    assert reader.messages() == [("a/1", b"1")] * 2
    reader.subscribe("a/+", qos=1)
    writer.say(*pair)
    assert reader.messages() == [("a/1", b"1"), ("a/2", b"2")]
    reader.unsubscribe("a/1", "a/+")
    writer.say(*pair)
    assert reader.messages() == []


def test_so_does_who_changes_from_watching_retained_messages_to_every_one() -> None:
    state = mqtt_state(Broker())
    reader, writer = client(state, "reader"), client(state, "writer")
    twice = [message("a", b"1", retain=True), message("a", b"2", retain=True)]
    reader.subscribe("a")
    writer.say(*twice)
    assert reader.messages() == [("a", b"2")]
    reader.subscribe(Subscription("a", 1, retain_handling=2))
    writer.say(*twice)
    assert reader.messages() == [("a", b"1"), ("a", b"2")]
    reader.subscribe(Subscription("a", 0, retain_handling=2))
    writer.say(*twice)
    assert reader.messages() == [("a", b"2")]


def test_no_local_keeps_own_messages_of_one_read_away() -> None:
    state = mqtt_state(Broker())
    own, other = client(state, "own"), client(state, "other")
    own.subscribe(Subscription("a", no_local=True))
    for peer in (own, other, own):
        peer.say(message("a", b"1"), message("a", b"2"))
    assert own.messages() == [("a", b"1"), ("a", b"2")]


def test_topics_with_aliases_are_taken_together_with_others() -> None:
    state = mqtt_state(Broker())
    reader, writer = client(state, "reader"), client(state, "writer")
    reader.subscribe("#")
    first, again = message("a/b", b"1"), message("", b"3")
    for each in (first, again):
        each.properties = Properties({PropertyId.TOPIC_ALIAS: 1})
    writer.say(first, message("a/c", b"2"), again)
    assert reader.messages() == [("a/b", b"1"), ("a/c", b"2"), ("a/b", b"3")]


def test_large_and_small_payloads_are_what_was_sent() -> None:
    state = mqtt_state(Broker())
    reader, writer = client(state, "reader"), client(state, "writer")
    reader.subscribe("#", qos=1)
    sizes = [0, 1, 255, 256, 1, 300, 300, 70_000, 0]
    writer.say(*[message("a", b"x" * size) for size in sizes])
    assert [len(payload) for _, payload in reader.messages()] == sizes


def test_each_of_several_subscribers_gets_all_in_order() -> None:
    broker = Broker()
    state = mqtt_state(broker)
    readers = [client(state, f"reader{number}") for number in range(3)]
    newest = client(state, "newest", properties=Properties({}, [("lastvalue-session", "newest")]))
    for qos, reader in enumerate(readers):
        reader.subscribe("a/#", qos=qos)
    writer = client(state, "writer", expiry_s=100)
    sent = [message(f"a/{n % 3}", b"%d" % n, n // 10 % 3, n) for n in range(1, 60)]
    writer.say(*sent)
    for most, reader in enumerate(readers):
        got = [(each.topic, each.payload, each.qos) for each in reader.take_all(Publish)]
        assert got == [(each.topic, each.payload, min(each.qos, most)) for each in sent]
    assert [number for _, number, _ in writer.acks()] == [each.packet_id for each in sent if each.qos]
    assert broker.exchanges.find("amq.topic").received == len(sent)
    newest.subscribe("a/#", qos=1)
    writer.say(*[message(f"a/{n % 3}", b"%d" % n) for n in range(9)])
    assert [reader.messages() for reader in readers] == [[(f"a/{n % 3}", b"%d" % n) for n in range(9)]] * 3
    assert sorted(newest.messages()) == [("a/0", b"6"), ("a/1", b"7"), ("a/2", b"8")]


@pytest.mark.parametrize(
    ("qos", "retain", "last"),
    # Of watches each tells its own.
    [(0, False, (300, 7)), (1, False, (300, 7)), (1, True, (300, 7)), (0, True, (300,))],
)
def test_each_subscriber_gets_its_identifiers_and_no_more_than_it_takes(
    qos: int, retain: bool, last: tuple[int, ...]
) -> None:
    state = mqtt_state(Broker())
    identifiers: list[tuple[int, ...]] = [(7,), (7,), (8,), last]
    readers = [client(state, f"reader{number}") for number in range(len(identifiers))]
    for reader, numbers in zip(readers, identifiers, strict=True):
        for number, topic in zip(numbers, ("a/#", "a/+"), strict=False):
            reader.subscribe(topic, qos=qos, values={PropertyId.SUBSCRIPTION_IDENTIFIER: number})
    old, plain, own = client(state, "old", LEVEL_311), client(state, "plain"), client(state, "own")
    small = client(state, "small", values={PropertyId.MAXIMUM_PACKET_SIZE: 60})
    for reader in (old, plain, small):
        reader.subscribe("a/#", qos=qos)
    own.subscribe(Subscription("a/#", qos, no_local=True))
    sent = [message(f"a/{n}", b"x" * (100 if n == 3 else n), qos, n, retain=retain) for n in range(1, 7)]
    own.say(*sent)
    every = [(each.topic, each.payload) for each in sent]
    for reader, numbers in zip(readers, identifiers, strict=True):
        got = reader.take_all(Publish)
        assert [(each.topic, each.payload) for each in got] == every
        assert [sorted(each.properties.subscriptions) for each in got] == [sorted(numbers)] * len(every)
    assert old.messages() == plain.messages() == every
    assert small.messages() == [each for each in every if len(each[1]) < 60]
    assert own.take_all(Publish) == []


def test_one_of_several_that_is_full_drops_its_oldest() -> None:
    broker = Broker()
    state = mqtt_state(broker, most_session_messages=5)
    sleeper, reader = client(state, "sleeper", expiry_s=100), client(state, "reader")
    for each in (sleeper, reader):
        each.subscribe("a", qos=1)
    sleeper.lost()
    sent = [message("a", b"%d" % n, 1, n) for n in range(1, 13)]
    client(state, "writer").say(*sent)
    assert reader.messages()[-1] == ("a", b"12")
    again = client(state, "sleeper", clean_start=False, expiry_s=100)
    assert [payload for _, payload in again.messages()] == [b"8", b"9", b"10", b"11", b"12"]


def test_messages_with_the_same_properties_are_taken_and_given_together_with_others() -> None:
    state = mqtt_state(Broker())
    reader, writer = client(state, "reader"), client(state, "writer")
    reader.subscribe("a/#", qos=1)
    sent = [message(f"a/{n % 2}", b"%d" % n, n % 2, n, retain=n % 5 == 0) for n in range(1, 40)]
    for each in sent:
        if each.packet_id % 4 < 3:
            each.properties = Properties(
                {PropertyId.CONTENT_TYPE: "n", PropertyId.PAYLOAD_FORMAT: 1},
                [("k", "v" * (each.packet_id % 3))],
            )
    writer.say(*sent)
    got = reader.take_all(Publish)
    assert [(each.topic, each.payload, each.properties) for each in got] == [
        (each.topic, each.payload, each.properties) for each in sent
    ]


def test_a_payload_that_is_no_text_is_refused_among_others_with_the_same_properties() -> None:
    state = mqtt_state(Broker())
    reader, writer = client(state, "reader"), client(state, "writer")
    reader.subscribe("a")
    sent = [message("a", payload, 1, number) for number, payload in enumerate([b"1", b"2", b"\xff", b"4"], 1)]
    for each in sent:
        each.properties = Properties({PropertyId.PAYLOAD_FORMAT: 1})
    writer.say(*sent)
    assert [payload for _, payload in reader.messages()] == [b"1", b"2", b"4"]
    refused = ReasonCode.PAYLOAD_FORMAT_INVALID
    assert [reason for _, _, reason in writer.acks()] == [SUCCESS, SUCCESS, refused, SUCCESS]


@pytest.mark.parametrize("payload_format", [0, 1])
def test_a_payload_format_comes_as_it_was_sent(payload_format: int) -> None:
    """[MQTT-3.3.2-4]"""
    state = mqtt_state(Broker())
    reader, writer = client(state, "reader"), client(state, "writer")
    reader.subscribe("a", qos=1)
    values: dict[int, PropertyValue] = {PropertyId.PAYLOAD_FORMAT: payload_format}
    writer.publish("a", b"1", 1, values=values).publish("a", b"2", retain=True, values=values)
    assert [each.properties.values for each in reader.take_all(Publish)] == [values, values]


def test_what_a_client_answers_in_one_read_is_settled_whatever_is_among_it() -> None:
    broker = Broker()
    state = mqtt_state(broker)
    reader, writer = client(state, "reader", expiry_s=100), client(state, "writer")
    reader.subscribe("a", qos=2)
    writer.say(*[message("a", b"%d" % n, 1 + n % 2, n) for n in range(1, 11)])
    got = {int(each.packet_id): each.qos for each in reader.take_all(Publish)}
    once, twice = ([number for number, qos in got.items() if qos == level] for level in (1, 2))
    reader.say(*[Ack(PUBACK, number) for number in [*once, 999]], *[Ack(PUBREC, number) for number in twice])
    assert broker.lookup(state_queue(broker)).queue.depth == len(twice)
    released = reader.acks()
    assert [(kind, number) for kind, number, _ in released] == [(PacketType.PUBREL, each) for each in twice]
    reader.say(*[Ack(PacketType.PUBCOMP, number) for number in twice])
    assert broker.lookup(state_queue(broker)).queue.depth == 0


def state_queue(broker: Broker) -> str:
    """The queue of the session of `reader`."""
    names = [each.spec.name for each in broker.queues()]
    (name,) = [each for each in names if each.endswith("/reader/mqtt")]
    return name


def test_acknowledgements_of_one_read_are_one_piece() -> None:
    for level in (LEVEL_311, LEVEL_5):
        state = mqtt_state(Broker())
        writer = client(state, "writer", level)
        client(state, "reader", level).subscribe("a")
        data = b"".join(encode_packet(message("a", b"x", 1, number), level) for number in (7, 8, 9, 300))
        writer.conversation.receive(data, writer.now, writer.now)
        writer.broker.drain(writer.now)
        writer.conversation.seal(0, writer.now)
        writer.conversation.confirm(0, writer.now)
        assert writer.conversation.data_to_send() == b"".join(
            b"\x40\x02" + number.to_bytes(2) for number in (7, 8, 9, 300)
        )


@pytest.mark.parametrize("durable", [True, False])
@pytest.mark.parametrize("all_effects", [True, False])
def test_what_others_put_among_retained_messages_comes_to_subscribers_and_nothing_twice(
    durable: bool, all_effects: bool
) -> None:
    broker = Broker(all_effects=all_effects)
    spec = QueueSpec("mqtt.retained", LastValue("topic"), durable=durable, deletes_on_empty=True)
    state = mqtt_state(broker)
    broker.declare(spec)
    reader, writer = client(state, "reader"), client(state, "writer")
    reader.subscribe("#", qos=1)
    target = broker.queue_target("mqtt.retained", BROKER)
    own = [message(f"a/{n}", b"own", retain=True) for n in range(3)]
    for body in (b"1", b"2", b""):
        writer.conversation.receive(
            b"".join(encode_packet(each, LEVEL_5) for each in own), writer.now, writer.now
        )
        content = MessageContent(application_properties={"topic": "a/1"}, body=body)
        broker.publish(target, read_message(encode_content(content)), writer.now)
        writer.turn()
    got = reader.messages()
    assert [each for each in got if each[1] != b"own"] == [("a/1", b"1"), ("a/1", b"2"), ("a/1", b"")]
    assert len(got) == 12


def test_deliveries_at_each_qos_come_in_order_however_many_wait() -> None:
    state = mqtt_state(Broker())
    reader, writer = client(state, "reader", expiry_s=100), client(state, "writer")
    reader.subscribe("a/#", qos=2, values={PropertyId.SUBSCRIPTION_IDENTIFIER: 7})
    reader.subscribe(Subscription("b/#", 1))
    reader.lost()
    sent = [message(f"{'ab'[n % 2]}/{n % 3}", b"%d" % n, n % 3 % 2, n) for n in range(1, 200)]
    writer.say(*sent)
    again = client(state, "reader", clean_start=False, expiry_s=100)
    got = again.take_all(Publish)
    assert [(each.topic, each.payload, each.qos) for each in got] == [
        (each.topic, each.payload, each.qos) for each in sent
    ]
    assert [each.properties.subscriptions for each in got[:2]] == [[], [7]]


def test_a_message_whose_identifier_is_in_use_waits_and_so_do_those_behind_it() -> None:
    state = mqtt_state(Broker())
    reader, writer = client(state, "reader"), client(state, "writer")
    reader.subscribe("a", qos=1)
    writer.say(message("a", b"first", 1, 1))
    (first,) = reader.take_all(Publish)
    for _ in range(3):
        writer.say(*[message("a", b"x")] * 21844)
        assert len(reader.messages()) == 21844
    writer.say(message("a", b"y"), message("a", b"y"), message("a", b"again", 1, 2), message("a", b"z"))
    assert reader.messages() == [("a", b"y"), ("a", b"y")]
    reader.answer(PUBACK, int(first.packet_id))
    assert reader.messages() == [("a", b"again"), ("a", b"z")]


# ---------------------------------------------------------------------- what is refused among them


def test_a_message_that_is_refused_harms_none_of_the_others() -> None:
    broker = Broker()
    state = mqtt_state(broker)
    reader, writer = client(state, "reader"), client(state, "writer")
    reader.subscribe("#", qos=1)
    wrong = message("a", b"\xff", 1, 3)
    wrong.properties = Properties({PropertyId.PAYLOAD_FORMAT: 1})
    writer.say(
        message("a", b"1", 1, 1),
        message("/" * 256, b"2", 1, 2),
        wrong,
        message("a", b"4"),
        message("/" * 256, b"5"),
        message("a", b"6", 1, 6),
    )
    assert reader.messages() == [("a", b"1"), ("a", b"4"), ("a", b"6")]
    assert writer.acks() == [
        (PUBACK, 1, SUCCESS),
        (PUBACK, 2, ReasonCode.TOPIC_NAME_INVALID),
        (PUBACK, 3, ReasonCode.PAYLOAD_FORMAT_INVALID),
        (PUBACK, 6, SUCCESS),
    ]


def test_so_does_one_for_whose_topic_the_right_is_missing() -> None:
    broker = Broker()
    state = mqtt_state(broker, topics=[("prices/{symbol}", "prices")])
    permitted(broker, "write amq.topic", "write mqtt.retained")
    writer = client(state, "writer")
    topics = ["a/1", "prices/A", "a/2", "prices/B", "a/3"]
    writer.say(*[message(topic, b"x", 1, place, retain=True) for place, topic in enumerate(topics, 1)])
    denied = ReasonCode.NOT_AUTHORIZED
    assert writer.acks() == [
        (PUBACK, 1, NOBODY),
        (PUBACK, 2, denied),
        (PUBACK, 3, NOBODY),
        (PUBACK, 4, denied),
        (PUBACK, 5, NOBODY),
    ]
    assert list(retained(broker)) == ["a/1", "a/2", "a/3"]


def test_a_right_that_is_taken_back_between_two_reads_is_missing() -> None:
    broker = Broker()
    permitted(broker, "write amq.topic", "write mqtt.retained")
    writer = client(mqtt_state(broker), "writer")
    both = [message("a", b"x", 1, 1), message("b", b"x", 1, 2, retain=True)]
    writer.say(*both)
    assert writer.acks() == [(PUBACK, 1, NOBODY), (PUBACK, 2, NOBODY)]
    permitted(broker, "read amq.topic")
    broker.permissions_changed(writer.now)
    writer.say(*both)
    assert writer.acks() == [(PUBACK, number, ReasonCode.NOT_AUTHORIZED) for number in (1, 2)]


def test_before_mqtt_5_nothing_follows_a_message_that_is_refused() -> None:
    broker = Broker()
    state = mqtt_state(broker)
    reader = client(state, "reader")
    reader.subscribe("#", qos=1)
    writer = client(state, "writer", LEVEL_311, will=Will("will", b"w"))
    writer.say(
        message("a", b"1"), message("/" * 256, b"2", 1, 2), message("a", b"3"), Ack(PacketType.PUBREL, 9),
        Disconnect(),
    )  # fmt: skip
    writer.lost()
    assert writer.conversation.finished
    assert reader.messages() == [("a", b"1"), ("will", b"w")]


# ---------------------------------------------------------------------- QoS 2 and the end


def test_a_message_at_qos_2_that_comes_twice_in_one_read_is_published_once() -> None:
    state = mqtt_state(Broker())
    reader, writer = client(state, "reader"), client(state, "writer", expiry_s=100)
    reader.subscribe("#", qos=1)
    again = message("a", b"1", 2, 1)
    again.duplicate = True
    writer.say(
        message("a", b"1", 2, 1), again, message("a", b"2", 2, 2), again, message("b", b"3", 2, 3),
        Ack(PacketType.PUBREL, 1), message("a", b"4", 2, 1),
    )  # fmt: skip
    assert reader.messages() == [("a", b"1"), ("a", b"2"), ("b", b"3"), ("a", b"4")]
    assert [number for kind, number, _ in writer.acks() if kind is PUBREC] == [1, 1, 2, 1, 3, 1]


def test_the_will_of_a_client_that_vanishes_comes_after_what_it_has_sent() -> None:
    broker = Broker()
    state = mqtt_state(broker)
    reader = client(state, "reader")
    reader.subscribe("#", qos=1)
    writer = MqttPeer(state)
    writer.connect("writer", will=Will("a", b"gone", 1, True))
    whole = [encode_packet(message("a", b"%d" % n, retain=True), LEVEL_5) for n in range(3)]
    data = b"".join(whole) + encode_packet(message("a", b"never"), LEVEL_5)[:-2]
    writer.conversation.receive(data, writer.now, writer.now)
    writer.lost()
    assert reader.messages() == [("a", b"0"), ("a", b"1"), ("a", b"2"), ("a", b"gone")]
    assert retained(broker) == {"a": b"gone"}


def test_what_causes_much_routing_goes_on_after_the_next_look_at_the_clock() -> None:
    broker = Broker()
    state = mqtt_state(broker)
    readers = [client(state, f"reader{number}") for number in range(60)]
    for reader in readers:
        reader.subscribe("a", qos=1)
    writer = client(state, "writer")
    data = b"".join(encode_packet(message("a", b"%d" % n, 1, n), LEVEL_5) for n in range(1, 31))
    writer.conversation.receive(data, writer.now, writer.now)
    assert writer.conversation.input_waiting
    assert 0 < broker.exchanges.find("amq.topic").received < 30
    writer.turn()
    assert [number for _, number, _ in writer.acks()] == list(range(1, 31))
    assert all(len(reader.messages()) == 30 for reader in readers)


@pytest.mark.parametrize("retain", [False, True])
def test_a_queue_without_room_refuses_what_does_not_fit_and_no_more(retain: bool) -> None:
    broker = Broker()
    broker.declare(QueueSpec("q", Standard(), limit=Limit(3)))
    broker.declare(QueueSpec("mqtt.retained", LastValue("topic"), limit=Limit(3)))
    broker.bind("amq.topic", Binding("q", "kept" if retain else "#"), BROKER, 0)
    writer = client(mqtt_state(broker), "writer")
    writer.say(*[message(f"a/{n % 4}", b"%d" % n, 1, n, retain=retain) for n in range(1, 8)])
    full = {number for _, number, reason in writer.acks() if reason is ReasonCode.QUOTA_EXCEEDED}
    assert full == ({4} if retain else {4, 5, 6, 7})


def test_a_client_that_connects_with_messages_behind_has_them_taken() -> None:
    broker = Broker()
    writer = MqttPeer(mqtt_state(broker))
    writer.say(Connect(LEVEL_5, "c"), *[message(f"a/{n}", b"x", retain=True) for n in range(120)])
    assert len(retained(broker)) == 120


@pytest.mark.parametrize("published_before", [True, False])
def test_a_message_that_begins_while_memory_is_short_waits_with_all_behind_it(published_before: bool) -> None:
    broker = Broker()
    state = mqtt_state(broker)
    reader, writer = client(state, "reader"), client(state, "writer")
    reader.subscribe("a", qos=1)
    if published_before:
        writer.say(message("a", b"0"))
    broker.alarms.set_memory(True)
    writer.say(message("a", b"1", 1, 7), Subscribe(9, (Subscription("b"),)))
    conversation = writer.conversation
    assert (conversation.reading_paused, conversation.busy, writer.heard) == (True, True, [])
    reader.subscribe("b")
    broker.alarms.set_memory(False)
    writer.turn()
    assert (writer.take(Ack).packet_id, writer.take(SubAck).packet_id) == (7, 9)
    assert (conversation.reading_paused, conversation.busy) == (False, False)
    reader.turn()
    bodies = [each.payload for each in reader.heard if isinstance(each, Publish)]
    assert bodies == ([b"0"] if published_before else []) + [b"1"]


def test_a_message_that_waits_for_memory_goes_with_its_connection() -> None:
    broker = Broker()
    state = mqtt_state(broker)
    writer = client(state, "writer")
    broker.alarms.set_memory(True)
    writer.say(message("a", b"1", 1, 7)).lost()
    broker.alarms.set_memory(False)
    assert (writer.heard, broker.alarms.producers) == ([], 0)
