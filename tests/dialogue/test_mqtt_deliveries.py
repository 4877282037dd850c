"""MQTT at the broker: what a topic, a subscription and a retained message are, with the other protocols."""

from typing import Any

import pytest
from amqp091_peer import Peer as Amqp091Peer
from mqtt_peer import MqttPeer, mqtt_state
from pamqp.commands import Basic, Queue

from lastvalue.broker.administration.request import Request
from lastvalue.broker.broker import Broker
from lastvalue.broker.queue_names import subscription_queue
from lastvalue.broker.requests.management import manage
from lastvalue.broker.rights.owner import BROKER
from lastvalue.codec.amqp10.content import MessageContent, decode_content, encode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.mqtt.packet_encoder import encode_packet
from lastvalue.codec.mqtt.packet_types import LEVEL_5, LEVEL_311, PacketType
from lastvalue.codec.mqtt.packets import Connect, Disconnect, Ping, Publish, SubAck, Subscribe, Subscription
from lastvalue.codec.mqtt.properties import Properties, PropertyId
from lastvalue.codec.mqtt.reason_codes import ReasonCode
from lastvalue.frontends.mqtt.broker_state import BrokerState
from lastvalue.queues.spec import LastValue, QueueSpec

EVERY = [("lastvalue-delivery", "every")]


def client(state: BrokerState, name: str, **more: Any) -> MqttPeer:
    """A connected client."""
    peer = MqttPeer(state)
    peer.connect(name, **more)
    return peer


def values(broker: Broker, queue: str) -> dict[object, object]:
    """The bodies of a queue's messages by their application properties of the key."""
    found = {}
    for entry in broker.lookup(queue).queue.entries():
        content = decode_content(entry.encoded)
        found[next(iter(content.application_properties.values()))] = content.body
    return found


def put(broker: Broker, queue: str, **content: Any) -> None:
    """Publish to a queue as another protocol does, and have a turn."""
    message = read_message(encode_content(MessageContent(**content)))
    broker.publish(broker.queue_target(queue, BROKER), message, 1_000_000)
    broker.pump(1_000_000)
    broker.drain(1_000_000)


# ---------------------------------------------------------------------- topics


def test_a_message_comes_to_the_filters_that_match_its_topic() -> None:
    state = mqtt_state(Broker())
    reader, writer = client(state, "reader"), client(state, "writer")
    reader.subscribe("a/+/c", "b/#")
    for topic in ("a/b/c", "a/b", "b", "b/c/d", "c"):
        writer.publish(topic, topic.encode())
    assert [topic for topic, _ in reader.messages()] == ["a/b/c", "b", "b/c/d"]


def test_wildcards_at_the_beginning_stand_for_no_topic_with_a_dollar() -> None:
    state = mqtt_state(Broker())
    reader, writer = client(state, "reader"), client(state, "writer")
    reader.subscribe("#", "+/x")
    writer.publish("$a/x").publish("a/x")
    assert reader.messages() == [("a/x", b"x")]


def test_a_dot_in_a_level_stays_what_it_is() -> None:
    state = mqtt_state(Broker())
    reader, writer = client(state, "reader"), client(state, "writer")
    reader.subscribe("v1.2/+")
    writer.publish("v1.2/a.b").publish("v1/2/a")
    assert reader.messages() == [("v1.2/a.b", b"x")]


def test_a_level_may_be_empty() -> None:
    state = mqtt_state(Broker())
    reader, writer = client(state, "reader"), client(state, "writer")
    reader.subscribe("/+", "a//b")
    writer.publish("/x").publish("a//b").publish("a/b")
    assert [topic for topic, _ in reader.messages()] == ["/x", "a//b"]


def test_a_filter_with_a_star_is_refused_because_it_would_be_a_wildcard_elsewhere() -> None:
    reader = client(mqtt_state(Broker()), "reader")
    assert reader.subscribe("a/*/b", "a/#/b", "a") == [
        ReasonCode.TOPIC_FILTER_INVALID,
        ReasonCode.TOPIC_FILTER_INVALID,
        ReasonCode.SUCCESS,
    ]


def test_nothing_comes_after_the_end_of_a_subscription() -> None:
    state = mqtt_state(Broker())
    reader, writer = client(state, "reader"), client(state, "writer")
    reader.subscribe("a", "b")
    assert reader.unsubscribe("a", "c") == [ReasonCode.SUCCESS, ReasonCode.NO_SUBSCRIPTION_EXISTED]
    writer.publish("a").publish("b")
    assert reader.messages() == [("b", b"x")]


def test_topics_are_routing_keys_of_amqp_0_9_1() -> None:
    broker = Broker()
    state = mqtt_state(broker)
    rabbit = Amqp091Peer(broker).open()
    rabbit.say(Queue.Declare(queue="q"), Queue.Bind(queue="q", exchange="amq.topic", routing_key="a.*.c"))
    rabbit.say(Basic.Consume(queue="q", consumer_tag="t", no_ack=True))
    for kind in (Queue.DeclareOk, Queue.BindOk, Basic.ConsumeOk):
        rabbit.expect(kind)
    mqtt = client(state, "c")
    mqtt.subscribe("a/#", qos=1)
    mqtt.publish("a/b/c", b"one", 1, user=[("unit", "m")], values={PropertyId.CONTENT_TYPE: "text/plain"})
    assert rabbit.turn().expect(Basic.Deliver).routing_key == "a.b.c"
    rabbit.publish(b"two", "a.x", exchange="amq.topic", delivery_mode=2, headers={"unit": "k"})
    own, other = mqtt.take_all(Publish)
    assert (own.topic, own.payload, own.qos, own.properties.user) == ("a/b/c", b"one", 1, [("unit", "m")])
    assert own.properties.text(PropertyId.CONTENT_TYPE) == "text/plain"
    assert (other.topic, other.payload, other.qos, other.properties.user) == (
        "a/x",
        b"two",
        1,
        [("unit", "k")],
    )


def test_a_message_keeps_all_that_its_publisher_said() -> None:
    state = mqtt_state(Broker())
    reader, writer = client(state, "reader"), client(state, "writer")
    reader.subscribe("a", qos=2, values={PropertyId.SUBSCRIPTION_IDENTIFIER: 7})
    said = {
        PropertyId.PAYLOAD_FORMAT: 1,
        PropertyId.MESSAGE_EXPIRY_S: 60,
        PropertyId.CONTENT_TYPE: "text/plain",
        PropertyId.RESPONSE_TOPIC: "re/ply.1",
        PropertyId.CORRELATION_DATA: b"\x00\xff",
    }
    user = [("a", "1"), ("b", "2"), ("a", "3")]
    writer.publish("a", "grün".encode(), 2, values=said, user=user)
    (message,) = reader.take_all(Publish)
    assert (message.qos, message.payload.decode(), message.properties.user) == (2, "grün", user)
    assert message.properties.values == said
    assert message.properties.subscriptions == [7]


def test_a_payload_that_is_no_text_as_it_says_is_refused() -> None:
    writer = client(mqtt_state(Broker()), "writer")
    writer.publish("a", b"\xff", 1, values={PropertyId.PAYLOAD_FORMAT: 1})
    assert writer.acks() == [(PacketType.PUBACK, 1, ReasonCode.PAYLOAD_FORMAT_INVALID)]


def test_a_message_that_nobody_gets_is_taken_and_its_publisher_told() -> None:
    writer = client(mqtt_state(Broker()), "writer")
    writer.publish("a", qos=1)
    assert writer.acks() == [(PacketType.PUBACK, 1, ReasonCode.NO_MATCHING_SUBSCRIBERS)]


@pytest.mark.parametrize("qos", [0, 1])
def test_whether_anybody_gets_a_retained_message_is_told(qos: int) -> None:
    state = mqtt_state(Broker())
    writer = client(state, "writer")
    writer.publish("a", qos=1, retain=True)
    assert writer.acks() == [(PacketType.PUBACK, 1, ReasonCode.NO_MATCHING_SUBSCRIBERS)]
    client(state, "reader").subscribe("a", qos=qos)
    writer.publish("a", qos=1, retain=True)
    assert writer.acks() == [(PacketType.PUBACK, 2, ReasonCode.SUCCESS)]


def test_what_is_left_of_an_expiry_is_told() -> None:
    state = mqtt_state(Broker())
    reader, writer = client(state, "reader", expiry_s=100), client(state, "writer")
    reader.subscribe("a", qos=1)
    reader.lost()
    writer.publish("a", qos=1, values={PropertyId.MESSAGE_EXPIRY_S: 60})
    again = MqttPeer(state)
    again.now += 20_000
    again.connect("reader", clean_start=False, expiry_s=100)
    (message,) = again.take_all(Publish)
    assert message.properties.number(PropertyId.MESSAGE_EXPIRY_S) == 40


# ---------------------------------------------------------------------- subscriptions


def test_overlapping_subscriptions_get_one_copy_with_all_identifiers_and_the_highest_qos() -> None:
    state = mqtt_state(Broker())
    reader, writer = client(state, "reader"), client(state, "writer")
    reader.subscribe("a/#", qos=0, values={PropertyId.SUBSCRIPTION_IDENTIFIER: 1})
    reader.subscribe("a/b", qos=1, values={PropertyId.SUBSCRIPTION_IDENTIFIER: 2})
    writer.publish("a/b", qos=2)
    (message,) = reader.take_all(Publish)
    assert (message.qos, sorted(message.properties.subscriptions)) == (1, [1, 2])


def test_no_local_keeps_a_clients_own_messages_away() -> None:
    state = mqtt_state(Broker())
    own, other = client(state, "own"), client(state, "other")
    own.subscribe(Subscription("a", no_local=True))
    own.publish("a", b"own")
    other.publish("a", b"other")
    assert own.messages() == [("a", b"other")]


def test_a_subscription_replaces_one_with_the_same_filter() -> None:
    state = mqtt_state(Broker())
    reader, writer = client(state, "reader"), client(state, "writer")
    reader.subscribe("a", qos=2)
    reader.subscribe("a", qos=0)
    writer.publish("a", qos=2)
    (message,) = reader.take_all(Publish)
    assert message.qos == 0


def test_a_groups_queue_lasts_as_long_as_a_members_session() -> None:
    broker = Broker()
    state = mqtt_state(broker)
    short, long = client(state, "short"), client(state, "long", expiry_s=100)
    for member in (short, long):
        member.subscribe("$share/g/a", qos=1)
    short.lost()
    long.lost()
    client(state, "writer").publish("a", qos=1)
    assert broker.lookup("mqtt.shared/g/a").queue.depth == 1
    assert client(state, "long", clean_start=False, expiry_s=100).messages() == [("a", b"x")]


def test_members_of_a_group_share_its_messages() -> None:
    state = mqtt_state(Broker())
    members = [client(state, name) for name in ("one", "two")]
    for member in members:
        assert member.subscribe("$share/g/a/#", qos=1) == [ReasonCode.GRANTED_QOS_1]
    alone = client(state, "alone")
    alone.subscribe("a/#", qos=1)
    writer = client(state, "writer")
    for number in range(6):
        writer.publish("a/b", str(number).encode(), 1)
    got = [member.messages() for member in members]
    assert sorted(payload for each in got for _, payload in each) == [b"%d" % each for each in range(6)]
    assert min(len(each) for each in got) > 0
    assert len(alone.messages()) == 6


def test_what_a_member_of_a_group_did_not_answer_waits_for_it() -> None:
    state = mqtt_state(Broker())
    member = client(state, "member", expiry_s=100)
    member.subscribe("$share/g/a", qos=1)
    client(state, "writer").publish("a", b"mine", 1)
    assert member.messages() == [("a", b"mine")]
    member.lost()
    other = client(state, "other")
    other.subscribe("$share/g/a", qos=1)
    assert other.messages() == []
    again = client(state, "member", clean_start=False, expiry_s=100)
    (message,) = again.take_all(Publish)
    assert (message.payload, message.duplicate) == (b"mine", True)


# ---------------------------------------------------------------------- retained messages


def test_a_retained_message_is_its_topics_value_on_a_queue() -> None:
    broker = Broker()
    writer = client(mqtt_state(broker), "writer")
    writer.publish("a/b", b"1", retain=True).publish("a/b", b"2", 1, retain=True).publish(
        "c", b"3", 2, retain=True
    )
    assert values(broker, "mqtt.retained") == {"a/b": b"2", "c": b"3"}
    writer.publish("a/b", b"", retain=True)
    assert values(broker, "mqtt.retained") == {"c": b"3"}
    assert broker.lookup("mqtt.retained").queue.spec.durable


def test_a_new_subscription_gets_the_values_and_then_the_changes() -> None:
    state = mqtt_state(Broker())
    writer = client(state, "writer")
    writer.publish("a/1", b"old", retain=True).publish("a/2", b"old", 1, retain=True).publish(
        "b", retain=True
    )
    reader = client(state, "reader")
    reader.subscribe("a/+", qos=1)
    writer.publish("a/1", b"new", 1, retain=True)
    got = [(each.topic, each.payload, each.qos, each.retain) for each in reader.take_all(Publish)]
    assert got == [("a/1", b"old", 0, True), ("a/2", b"old", 1, True), ("a/1", b"new", 1, False)]


def test_at_qos_0_retained_messages_are_watched_and_a_slow_reader_gets_the_newest() -> None:
    state = mqtt_state(Broker())
    writer = client(state, "writer")
    writer.publish("a", b"0", retain=True)
    reader = client(state, "reader")
    reader.subscribe("#")
    assert [(each.payload, each.retain) for each in reader.take_all(Publish)] == [(b"0", True)]
    reader.conversation.set_writable(False)
    for number in range(1, 5):
        writer.publish("a", b"%d" % number, retain=True)
    writer.publish("b", b"every", retain=False).publish("b", b"one", retain=False)
    reader.conversation.set_writable(True)
    reader.conversation.resume()
    got = [(each.topic, each.payload, each.retain) for each in reader.take_all(Publish)]
    assert sorted(got) == [("a", b"4", False), ("b", b"every", False), ("b", b"one", False)]


def test_a_user_property_asks_for_every_retained_message_at_qos_0() -> None:
    state = mqtt_state(Broker())
    writer, reader = client(state, "writer"), client(state, "reader")
    writer.publish("a", b"0", retain=True)
    reader.subscribe("a", user=EVERY)
    reader.conversation.set_writable(False)
    writer.publish("a", b"1", retain=True).publish("a", b"2", retain=True)
    reader.conversation.set_writable(True)
    reader.conversation.resume()
    assert [payload for _, payload in reader.messages()] == [b"0", b"1", b"2"]


def test_a_watch_has_a_rate_where_the_client_asks_for_one() -> None:
    state = mqtt_state(Broker())
    writer, reader = client(state, "writer"), client(state, "reader")
    reader.subscribe("a", user=[("lastvalue-rate", "1")])
    for number in range(3):
        writer.publish("a", b"%d" % number, retain=True)
    assert [payload for _, payload in reader.messages()] == [b"0"]
    reader.at(reader.now + 1000)
    assert [payload for _, payload in reader.messages()] == [b"2"]


def test_a_rate_that_is_none_is_refused_for_its_subscriptions() -> None:
    reader = client(mqtt_state(Broker()), "reader")
    assert reader.subscribe("a", user=[("lastvalue-rate", "-1")]) == [ReasonCode.IMPLEMENTATION_ERROR]
    assert reader.subscribe("a", user=[("lastvalue-delivery", "no")]) == [ReasonCode.IMPLEMENTATION_ERROR]


def test_retain_handling_says_when_the_values_come() -> None:
    state = mqtt_state(Broker())
    writer, reader = client(state, "writer"), client(state, "reader")
    writer.publish("a", b"v", retain=True)
    for qos in (0, 1):
        assert reader.subscribe(Subscription("a", qos, retain_handling=2))
        assert reader.messages() == []
        assert reader.subscribe(Subscription("a", qos, retain_handling=1))
        assert reader.messages() == []
        assert reader.subscribe(Subscription("a", qos, retain_handling=0))
        assert len(reader.messages()) == 1
        reader.unsubscribe("a")
        assert reader.subscribe(Subscription("a", qos, retain_handling=1))
        assert len(reader.messages()) == 1
        reader.unsubscribe("a")


def test_retain_as_published_keeps_the_flag() -> None:
    state = mqtt_state(Broker())
    writer, reader = client(state, "writer"), client(state, "reader")
    reader.subscribe(
        Subscription("a", 0, retain_as_published=True), Subscription("b", 1, retain_as_published=True)
    )
    writer.publish("a", retain=True).publish("a").publish("b", qos=1, retain=True).publish("b", qos=1)
    assert sorted((each.topic, each.retain) for each in reader.take_all(Publish)) == [
        ("a", False),
        ("a", True),
        ("b", False),
        ("b", True),
    ]


def test_an_empty_retained_message_is_told_to_subscribers_at_every_qos() -> None:
    state = mqtt_state(Broker())
    writer = client(state, "writer")
    readers = [client(state, "watching"), client(state, "reading")]
    writer.publish("a", b"v", retain=True)
    readers[0].subscribe("a")
    readers[1].subscribe("a", qos=1)
    writer.publish("a", b"", retain=True)
    assert [each.messages() for each in readers] == [[("a", b"v"), ("a", b"")]] * 2


def test_a_value_that_a_command_deletes_is_an_empty_message() -> None:
    broker = Broker()
    state = mqtt_state(broker)
    readers = [client(state, "watching"), client(state, "reading")]
    client(state, "writer").publish("a", b"v", 1, retain=True)
    readers[0].subscribe("a")
    readers[1].subscribe("a", qos=1)
    answer = manage(broker, Request("PUT_MANY", "queue", "mqtt.retained", {"delete": ["a"]}), 1_000_000)
    assert answer.status < 300
    assert [each.turn().messages() for each in readers] == [[("a", b"v"), ("a", b"")]] * 2


def test_a_watch_whose_queue_is_deleted_gets_what_comes_by_its_session() -> None:
    broker = Broker()
    state = mqtt_state(broker)
    writer, reader = client(state, "writer"), client(state, "reader")
    reader.subscribe("#")
    writer.publish("a", b"1", retain=True)
    broker.delete("mqtt.retained", reader.now)
    writer.publish("a", b"2", retain=True)
    assert reader.messages() == [("a", b"1"), ("a", b"2")]
    assert values(broker, "mqtt.retained") == {"a": b"2"}


def test_a_session_whose_queue_is_deleted_is_over() -> None:
    broker = Broker()
    state = mqtt_state(broker)
    reader = client(state, "reader")
    reader.subscribe("#")
    broker.delete(subscription_queue("anonymous", "reader", "mqtt"), reader.now)
    reader.turn()
    assert reader.take(Disconnect).reason is ReasonCode.ADMINISTRATIVE_ACTION
    reader.lost()
    assert len(state.watchers) == 0


def test_what_others_publish_to_the_queue_is_a_retained_publish() -> None:
    broker = Broker()
    state = mqtt_state(broker)
    client(state, "writer").publish("other", retain=True)
    watching, reading = client(state, "watching"), client(state, "reading")
    watching.subscribe("a/#")
    reading.subscribe("a/#", qos=1)
    put(broker, "mqtt.retained", application_properties={"topic": "a/b"}, durable=True, body="v")
    put(broker, "mqtt.retained", application_properties={"topic": "a/b"}, body=b"")
    got = [(each.topic, each.payload, each.qos) for each in reading.take_all(Publish)]
    assert got == [("a/b", b"v", 1), ("a/b", b"", 0)]
    assert watching.messages()[-1] == ("a/b", b"")
    late = client(state, "late")
    put(broker, "mqtt.retained", application_properties={"topic": "a/c"}, body="w")
    late.subscribe("a/#", qos=1)
    assert [(each.topic, each.payload, each.retain) for each in late.take_all(Publish)] == [
        ("a/c", b"w", True)
    ]


def test_topics_of_a_pattern_have_a_queue_of_their_own() -> None:
    broker = Broker()
    state = mqtt_state(broker, topics=(("prices/{symbol}", "prices"),))
    writer = client(state, "writer")
    writer.publish("prices/EURUSD", b"1.1", retain=True).publish("prices/a/b", b"x", retain=True)
    assert values(broker, "prices") == {"EURUSD": b"1.1"}
    assert values(broker, "mqtt.retained") == {"prices/a/b": b"x"}
    reader, watcher = client(state, "reader"), client(state, "watcher")
    reader.subscribe("prices/#", qos=1)
    watcher.subscribe("prices/+")
    put(broker, "prices", application_properties={"symbol": "USDJPY"}, durable=True, body="150")
    assert sorted(reader.messages()) == [
        ("prices/EURUSD", b"1.1"),
        ("prices/USDJPY", b"150"),
        ("prices/a/b", b"x"),
    ]
    assert watcher.messages() == [("prices/EURUSD", b"1.1"), ("prices/USDJPY", b"150")]


def test_a_retained_message_is_refused_whole_where_its_queue_has_another_key() -> None:
    broker = Broker()
    state = mqtt_state(broker)
    broker.declare(QueueSpec("mqtt.retained", LastValue("other")), BROKER)
    reader, writer = client(state, "reader"), client(state, "writer")
    reader.subscribe("a", qos=1, user=EVERY)
    writer.publish("a", qos=1, retain=True)
    ((kind, _, reason),) = writer.acks()
    assert kind is PacketType.PUBACK
    assert reason >= 0x80
    assert reader.messages() == []


def test_mqtt_3_1_1_ends_where_a_message_is_refused_that_is_to_be_answered() -> None:
    broker = Broker()
    broker.declare(QueueSpec("mqtt.retained", LastValue("other")), BROKER)
    writer = MqttPeer(mqtt_state(broker), LEVEL_311)
    writer.connect("w")
    writer.publish("a", qos=0, retain=True).publish("a", qos=1)
    assert writer.acks() == [(PacketType.PUBACK, 1, ReasonCode.SUCCESS)]
    writer.publish("a", qos=1, retain=True)
    assert writer.acks() == []
    assert writer.conversation.finished


# ---------------------------------------------------------------------- packets that cost much


def test_a_packet_with_many_filters_is_carried_out_in_pieces_and_answered_once() -> None:
    broker = Broker()
    peer = client(mqtt_state(broker), "c")
    session = subscription_queue("anonymous", "c", "mqtt")
    filters = [f"f{number}" for number in range(200)]
    asked = Subscribe(7, tuple(Subscription(each, 1) for each in [*filters, "*"]))
    peer.conversation.receive(encode_packet(asked, LEVEL_5), peer.now, peer.now)
    begun = len(broker.exchanges.bindings_of(session))
    assert (peer.conversation.input_waiting, 0 < begun < 100) == (True, True)
    peer.turn()
    answer = peer.take(SubAck)
    assert answer.reasons == (ReasonCode.GRANTED_QOS_1,) * 200 + (ReasonCode.TOPIC_FILTER_INVALID,)
    assert (len(broker.exchanges.bindings_of(session)), peer.heard) == (200, [])
    assert peer.unsubscribe(*filters, "none") == [ReasonCode.SUCCESS] * 200 + [
        ReasonCode.NO_SUBSCRIPTION_EXISTED
    ]
    assert len(broker.exchanges.bindings_of(session)) == 0


def test_what_was_sent_ahead_of_the_answer_to_a_connect_is_carried_out_in_pieces() -> None:
    peer = MqttPeer(mqtt_state(Broker()))
    asked = Subscribe(7, tuple(Subscription(f"f{number}") for number in range(200)))
    peer.say(Connect(LEVEL_5, "c", properties=Properties({PropertyId.SESSION_EXPIRY_S: 9})), asked)
    assert len(peer.take(SubAck).reasons) == 200


def test_retained_values_come_as_the_client_makes_room_for_them() -> None:
    state = mqtt_state(Broker())
    writer = client(state, "writer")
    for topic in ("a", "b", "c"):
        writer.publish(topic, topic.encode(), retain=True, qos=1)
    reader = client(state, "reader", values={PropertyId.RECEIVE_MAXIMUM: 1})
    reader.subscribe("#", qos=1)
    got = []
    for _ in range(3):
        publish = reader.take(Publish)
        assert reader.heard == []
        got.append(publish.payload)
        reader.answer(PacketType.PUBACK, publish.packet_id)
    assert (sorted(got), reader.heard) == ([b"a", b"b", b"c"], [])


def test_very_many_pings_are_answered_in_pieces() -> None:
    peer = client(mqtt_state(Broker()), "c")
    pings = encode_packet(Ping(PacketType.PINGREQ), LEVEL_5) * 3000
    peer.conversation.receive(pings, peer.now, peer.now)
    assert peer.conversation.input_waiting
    peer.turn()
    assert peer.heard == [Ping(PacketType.PINGRESP)] * 3000
