"""MQTT's sessions: what outlives a connection, exactly once at QoS 2, take-over, wills, rights."""

from typing import Any

import pytest
from mqtt_peer import NEVER_EXPIRES, MqttPeer, mqtt_state

from lastvalue.broker.broker import Broker
from lastvalue.broker.queue_memory import QUEUE_BYTES
from lastvalue.broker.queue_names import subscription_queue
from lastvalue.broker.rights.permissions import Permissions, parse_rule
from lastvalue.broker.rights.verbs import Verb
from lastvalue.codec.mqtt.packet_types import LEVEL_311, PacketType
from lastvalue.codec.mqtt.packets import Ack, ConnAck, Disconnect, Publish, Subscription, Will
from lastvalue.codec.mqtt.properties import NONE, Properties, PropertyId
from lastvalue.codec.mqtt.reason_codes import ReasonCode
from lastvalue.delivery.protocol_connection import SHUTTING_DOWN
from lastvalue.frontends.mqtt.broker_state import BrokerState
from lastvalue.protocols.sasl import Authenticator
from lastvalue.queues.spec import Lifetime

PUBACK, PUBREC, PUBREL, PUBCOMP = PacketType.PUBACK, PacketType.PUBREC, PacketType.PUBREL, PacketType.PUBCOMP
SUCCESS = ReasonCode.SUCCESS
SESSION = subscription_queue("anonymous", "c", "mqtt")
RECEIVED = subscription_queue("anonymous", "c", "mqtt-received")


def client(state: BrokerState, name: str = "c", **more: Any) -> MqttPeer:
    """A connected client."""
    peer = MqttPeer(state)
    peer.connect(name, **more)
    return peer


def resumed(state: BrokerState, now: int = 1_000_000, expiry_s: int = 100) -> tuple[MqttPeer, ConnAck]:
    """The client `c`, connected again."""
    peer = MqttPeer(state)
    peer.now = now
    return peer, peer.connect("c", expiry_s, clean_start=False)


def answered(peer: MqttPeer) -> list[Publish]:
    """What a client gets at QoS 1 that answers all of it."""
    got: list[Publish] = []
    while sent := peer.take_all(Publish):
        peer.say(*[Ack(PUBACK, each.packet_id) for each in sent])
        got += sent
    return got


# ---------------------------------------------------------------------- sessions


def test_a_session_without_expiry_leaves_nothing() -> None:
    broker = Broker()
    peer = client(mqtt_state(broker))
    assert not broker.has_queue(SESSION)
    peer.subscribe("a")
    assert broker.has_queue(SESSION)
    peer.lost()
    assert not broker.has_queue(SESSION)


def test_a_session_keeps_its_subscriptions_and_what_came_meanwhile() -> None:
    broker = Broker()
    state = mqtt_state(broker)
    peer = client(state, expiry_s=100)
    peer.subscribe(Subscription("a", 1, no_local=True), "b")
    peer.lost()
    client(state, "writer").publish("a", b"1", 1).publish("b", b"2").publish("c", b"3")
    again, answer = resumed(state)
    assert answer.session_present
    assert again.messages() == [("a", b"1"), ("b", b"2")]
    again.publish("a", b"own")
    client(state, "writer").publish("a", b"4")
    assert again.messages() == [("a", b"4")]


def test_retained_messages_that_came_meanwhile_come_once_to_a_watch_that_continues() -> None:
    state = mqtt_state(Broker())
    peer = client(state, expiry_s=100)
    peer.subscribe("a")
    writer = client(state, "writer")
    writer.publish("a", b"1", retain=True)
    assert peer.messages() == [("a", b"1")]
    peer.lost()
    writer.publish("a", b"2", retain=True)
    again, _ = resumed(state)
    writer.publish("a", b"3", retain=True)
    assert again.messages() == [("a", b"2"), ("a", b"3")]


def test_a_clean_start_ends_the_session_before() -> None:
    broker = Broker()
    state = mqtt_state(broker)
    peer = client(state, expiry_s=100)
    peer.subscribe("a", qos=1)
    peer.publish("x", qos=2).lost()
    client(state, "writer").publish("a", qos=1)
    again = MqttPeer(state)
    assert not again.connect("c", 100).session_present
    assert again.messages() == []
    assert not broker.has_queue(RECEIVED)


def test_a_large_session_ends_in_steps_before_the_client_is_let_in() -> None:
    broker = Broker()
    state = mqtt_state(broker)
    peer = client(state, expiry_s=100)
    peer.subscribe("a", qos=1)
    peer.lost()
    writer = client(state, "writer")
    for _ in range(3000):
        writer.publish("a", qos=1)
    assert not MqttPeer(state).connect("c", 100).session_present
    assert broker.lookup(SESSION).queue.depth == 0


def test_a_session_expires_after_its_time() -> None:
    broker = Broker()
    state = mqtt_state(broker)
    peer = client(state, expiry_s=100)
    peer.subscribe("a", qos=1)
    peer.publish("a", qos=2).lost()
    broker.advance(peer.now + 99_000)
    assert broker.has_queue(SESSION)
    assert broker.has_queue(RECEIVED)
    broker.advance(peer.now + 101_000)
    broker.pump(peer.now + 101_000)
    broker.drain(peer.now + 101_000)
    assert not broker.has_queue(SESSION)
    assert not broker.has_queue(RECEIVED)


@pytest.mark.parametrize(
    ("level", "expiry_s", "lifetime", "delay_ms"),
    [
        (5, 100, Lifetime.NO_OUTBOUND_LINKS, 100_000),
        (5, NEVER_EXPIRES, Lifetime.PERMANENT, 0),
        (LEVEL_311, 0, Lifetime.PERMANENT, 0),
    ],
)
def test_the_expiry_of_a_session_is_the_lifetime_of_its_queue(
    level: int, expiry_s: int, lifetime: Lifetime, delay_ms: int
) -> None:
    broker = Broker()
    MqttPeer(mqtt_state(broker), level).connect("c", expiry_s, clean_start=False)
    spec = broker.lookup(SESSION).queue.spec
    assert (spec.lifetime, spec.auto_delete_delay_ms, spec.durable) == (lifetime, delay_ms, True)


def test_an_operator_limits_the_expiry_and_the_messages_of_sessions() -> None:
    broker = Broker()
    state = mqtt_state(broker, longest_expiry_s=10, most_session_messages=2)
    peer = MqttPeer(state)
    answer = peer.connect("c", 100)
    assert answer.properties.number(PropertyId.SESSION_EXPIRY_S) == 10
    peer.subscribe("a", qos=1)
    peer.lost()
    writer = client(state, "writer")
    for number in range(4):
        writer.publish("a", b"%d" % number, 1)
    assert [payload for _, payload in resumed(state)[0].messages()] == [b"2", b"3"]


def test_the_sessions_of_a_user_that_do_not_read_drop_their_oldest_beyond_a_share_of_the_memory() -> None:
    broker = Broker()
    broker.quotas.limit_backlogs(400_000)
    state = mqtt_state(broker)
    for number in range(10):
        peer = client(state, f"sleeper {number}", expiry_s=100)
        peer.subscribe("a/#", qos=1)
        peer.lost()
    reader = client(state, "reader")
    reader.subscribe("a/#")
    writer = client(state, "writer")
    for number in range(40):
        values = [Publish(f"a/{each}", b"%d" % number * 50, 1, each, NONE) for each in range(1, 51)]
        writer.say(*values)
    names = [subscription_queue("anonymous", f"sleeper {number}", "mqtt") for number in range(10)]
    queues = [broker.lookup(name) for name in names]
    assert len(reader.messages()) == 2000
    assert sum(each.counted_bytes - QUEUE_BYTES for each in queues) <= 400_000
    assert min(each.queue.depth for each in queues) > 20
    again = client(state, "sleeper 3", clean_start=False, expiry_s=100)
    assert answered(again)[-1].topic == "a/50"


def test_clients_of_a_user_that_answer_nothing_are_sent_no_more_than_its_share_of_the_memory() -> None:
    broker = Broker()
    broker.quotas.limit_backlogs(400_000)
    state = mqtt_state(broker)
    silent = [client(state, f"silent {number}") for number in range(10)]
    for peer in silent:
        peer.subscribe("a", qos=1)
    writer = client(state, "writer")
    for number in range(1, 501):
        writer.publish("a", b"x", 1, packet_id=number)
    queues = [broker.lookup(subscription_queue("anonymous", f"silent {n}", "mqtt")) for n in range(10)]
    assert sum(each.counted_bytes - QUEUE_BYTES for each in queues) <= 400_000 + 10 * 1000
    assert answered(silent[3].turn())[-1].packet_id == 500


def test_a_client_that_answers_nothing_is_sent_no_more_than_some_bytes() -> None:
    broker = Broker()
    state = mqtt_state(broker)
    peer = client(state)
    peer.subscribe("a", qos=1)
    writer = client(state, "writer")
    for _ in range(8):
        writer.publish("a", bytes(1 << 20), 1)
    sent = peer.turn().take_all(Publish)
    assert (len(sent), broker.lookup(SESSION).queue.contents.available) == (4, 4)
    peer.answer(PUBACK, sent[0].packet_id)
    assert len(peer.take_all(Publish)) == 1


def test_a_limit_of_a_session_forgets_nothing_that_was_published_at_qos_2() -> None:
    state = mqtt_state(Broker(), most_session_messages=2)
    peer = client(state, expiry_s=100)
    for packet_id in range(1, 6):
        peer.publish("a", qos=2, packet_id=packet_id)
    peer.lost()
    again, _ = resumed(state)
    for packet_id in range(1, 6):
        again.answer(PUBREL, packet_id)
    assert [each.reason for each in again.take_all(Ack)] == [SUCCESS] * 5


def test_a_session_may_keep_the_newest_message_of_each_topic() -> None:
    state = mqtt_state(Broker())
    asked = Properties({PropertyId.SESSION_EXPIRY_S: 100}, [("lastvalue-session", "newest")])
    peer = MqttPeer(state)
    peer.connect("c", properties=asked)
    assert peer.subscribe("#", qos=2) == [ReasonCode.GRANTED_QOS_1]
    writer = client(state, "writer")
    writer.publish("a", b"1", 1)
    (sent,) = peer.take_all(Publish)
    peer.lost()
    writer.publish("a", b"2", 1).publish("b", b"3", 1).publish("a", b"4", 2)
    again, answer = resumed(state)
    assert answer.session_present
    assert again.messages() == [("b", b"3"), ("a", b"4")]
    again.publish("a", b"5", 1)
    assert again.subscribe("x", qos=2) == [ReasonCode.GRANTED_QOS_1]
    assert (sent.payload, again.messages()) == (b"1", [("a", b"5")])


def test_a_client_may_change_the_expiry_as_it_leaves() -> None:
    broker = Broker()
    state = mqtt_state(broker)
    client(state, expiry_s=100).disconnect(values={PropertyId.SESSION_EXPIRY_S: 0})
    assert not broker.has_queue(SESSION)
    client(state, expiry_s=100).disconnect(values={PropertyId.SESSION_EXPIRY_S: 5})
    assert broker.lookup(SESSION).queue.spec.auto_delete_delay_ms == 5000


def test_a_client_without_an_identifier_gets_one() -> None:
    state = mqtt_state(Broker())
    answers = [MqttPeer(state).connect("") for _ in range(2)]
    names = [each.properties.text(PropertyId.ASSIGNED_CLIENT_IDENTIFIER) for each in answers]
    assert all(names)
    assert names[0] != names[1]


def test_a_client_identifier_that_is_too_long_is_refused() -> None:
    assert MqttPeer(mqtt_state(Broker())).connect("x" * 300).reason is ReasonCode.CLIENT_IDENTIFIER_INVALID


def of_user(state: BrokerState, user: str) -> MqttPeer:
    """The client `c` of a user."""
    peer = MqttPeer(state, authenticator=Authenticator(check=lambda name, password: password == "secret"))
    peer.connect("c", 100, clean_start=False, user_name=user, password=b"secret")
    return peer


def test_a_client_identifier_is_its_users() -> None:
    broker = Broker()
    state = mqtt_state(broker)
    ann, bob = of_user(state, "ann"), of_user(state, "bob")
    ann.subscribe("a", qos=1)
    bob.subscribe("b", qos=1)
    client(state, "writer").publish("a", qos=1).publish("b", qos=1)
    assert (ann.messages(), bob.messages()) == ([("a", b"x")], [("b", b"x")])
    assert broker.has_queue(subscription_queue("ann", "c", "mqtt"))


def test_members_of_a_group_may_be_of_several_users() -> None:
    state = mqtt_state(Broker())
    members = [of_user(state, user) for user in ("ann", "bob")]
    for member in members:
        member.subscribe("$share/g/a", qos=1)
    writer = client(state, "writer")
    for number in range(4):
        writer.publish("a", b"%d" % number, 1)
    got = [payload for member in members for _, payload in member.messages()]
    assert sorted(got) == [b"0", b"1", b"2", b"3"]


def test_a_client_takes_its_session_over_from_an_earlier_connection() -> None:
    state = mqtt_state(Broker())
    first = client(state, expiry_s=100)
    first.subscribe("a", qos=1)
    client(state, "writer").publish("a", b"1", 1)
    (message,) = first.take_all(Publish)
    second, answer = resumed(state)
    assert answer.session_present
    first.turn()
    assert first.take(Disconnect).reason is ReasonCode.SESSION_TAKEN_OVER
    first.lost()
    (again,) = second.take_all(Publish)
    assert (again.packet_id, again.payload, again.duplicate) == (message.packet_id, b"1", True)


# ---------------------------------------------------------------------- QoS 1 and 2


def test_what_is_not_acknowledged_comes_again_with_its_number_in_its_order() -> None:
    state = mqtt_state(Broker())
    peer = client(state, expiry_s=100)
    peer.subscribe("a", qos=2)
    writer = client(state, "writer")
    for number, qos in enumerate((1, 2, 1)):
        writer.publish("a", b"%d" % number, qos)
    first = peer.take_all(Publish)
    assert [each.duplicate for each in first] == [False] * 3
    peer.answer(PUBACK, first[0].packet_id).lost()
    again, _ = resumed(state)
    assert [(each.packet_id, each.payload, each.qos, each.duplicate) for each in again.take_all(Publish)] == [
        (each.packet_id, each.payload, each.qos, True) for each in first[1:]
    ]


def test_a_message_that_the_client_has_received_at_qos_2_does_not_come_again() -> None:
    broker = Broker()
    state = mqtt_state(broker)
    peer = client(state, expiry_s=100)
    peer.subscribe("a", qos=2)
    client(state, "writer").publish("a", qos=2)
    (message,) = peer.take_all(Publish)
    peer.answer(PUBREC, message.packet_id)
    assert peer.acks() == [(PUBREL, message.packet_id, SUCCESS)]
    peer.lost()
    again, _ = resumed(state)
    assert again.take_all(Publish) == []
    assert again.acks() == [(PUBREL, message.packet_id, SUCCESS)]
    again.answer(PUBCOMP, message.packet_id)
    assert broker.lookup(SESSION).queue.depth == 0


def test_pubrel_waits_for_the_journal() -> None:
    state = mqtt_state(Broker())
    peer = client(state, expiry_s=100)
    peer.subscribe("a", qos=2)
    client(state, "writer").publish("a", qos=2)
    (message,) = peer.take_all(Publish)
    peer.reads = False
    peer.answer(PUBREC, message.packet_id)
    assert peer.acks() == []
    peer.reads = True
    assert peer.acks() == [(PUBREL, message.packet_id, SUCCESS)]


def test_nothing_is_taken_for_a_client_that_is_being_disconnected() -> None:
    state = mqtt_state(Broker())
    peer = client(state, expiry_s=100)
    peer.subscribe("a", qos=1)
    peer.subscribe("$share/g/b", qos=1)
    peer.conversation.shut_down("the broker stops")
    client(state, "writer").publish("a", b"0").publish("a", b"1", 1).publish("b", b"2", 1)
    peer.turn().lost()
    assert sorted(resumed(state)[0].messages()) == [("a", b"0"), ("a", b"1"), ("b", b"2")]


def test_a_refusal_ends_a_delivery() -> None:
    broker = Broker()
    state = mqtt_state(broker)
    peer = client(state, expiry_s=100)
    peer.subscribe("a", qos=2)
    client(state, "writer").publish("a", qos=2)
    (message,) = peer.take_all(Publish)
    peer.answer(PUBREC, message.packet_id, ReasonCode.QUOTA_EXCEEDED)
    assert peer.acks() == []
    assert broker.lookup(SESSION).queue.depth == 0


@pytest.mark.parametrize(
    ("qos", "answers"),
    [(1, [PUBREC]), (1, [PUBCOMP]), (2, [PUBACK]), (2, [PUBCOMP]), (2, [PUBREC, PUBACK])],
)
def test_an_answer_of_another_quality_of_service_ends_the_connection(
    qos: int, answers: list[PacketType]
) -> None:
    broker = Broker()
    state = mqtt_state(broker)
    peer = client(state, expiry_s=100)
    peer.subscribe("a", qos=2)
    client(state, "writer").publish("a", b"x", qos)
    (message,) = peer.take_all(Publish)
    for answer in answers:
        peer.answer(answer, message.packet_id)
    assert [each.reason for each in peer.take_all(Disconnect)] == [ReasonCode.PROTOCOL_ERROR]
    assert broker.lookup(SESSION).queue.depth == 1


def test_a_client_may_say_once_more_that_it_has_a_message() -> None:
    state = mqtt_state(Broker())
    peer = client(state, expiry_s=100)
    peer.subscribe("a", qos=2)
    client(state, "writer").publish("a", b"x", 2)
    (message,) = peer.take_all(Publish)
    released = (PUBREL, message.packet_id, SUCCESS)
    assert peer.answer(PUBREC, message.packet_id).acks() == [released]
    assert peer.answer(PUBREC, message.packet_id).acks() == [released]
    peer.answer(PUBCOMP, message.packet_id)
    assert peer.take_all(Disconnect) == []


def test_a_pubrec_of_nothing_is_answered_so() -> None:
    peer = client(mqtt_state(Broker()))
    assert peer.answer(PUBREC, 7).acks() == [(PUBREL, 7, ReasonCode.PACKET_IDENTIFIER_NOT_FOUND)]


def test_no_more_is_sent_than_the_client_takes() -> None:
    state = mqtt_state(Broker())
    peer = MqttPeer(state)
    peer.connect("c", values={PropertyId.RECEIVE_MAXIMUM: 2})
    peer.subscribe("a", qos=1)
    writer = client(state, "writer")
    for number in range(4):
        writer.publish("a", b"%d" % number, 1)
    first = peer.take_all(Publish)
    assert [each.payload for each in first] == [b"0", b"1"]
    peer.answer(PUBACK, first[0].packet_id)
    assert peer.messages() == [("a", b"2")]


def test_a_message_that_is_larger_than_the_client_takes_counts_as_delivered() -> None:
    broker = Broker()
    state = mqtt_state(broker)
    peer = MqttPeer(state)
    peer.connect("c", values={PropertyId.MAXIMUM_PACKET_SIZE: 100})
    peer.subscribe("a", qos=1)
    client(state, "writer").publish("a", bytes(200), 1).publish("a", b"small", 1)
    assert peer.messages() == [("a", b"small")]
    assert broker.lookup(SESSION).queue.depth == 1


def test_a_message_at_qos_2_is_published_once() -> None:
    state = mqtt_state(Broker())
    reader, writer = client(state, "reader"), client(state, expiry_s=100)
    reader.subscribe("a")
    writer.publish("a", b"1", 2, packet_id=5).publish("a", b"1", 2, packet_id=5, duplicate=True)
    assert writer.acks() == [(PUBREC, 5, SUCCESS)] * 2
    writer.lost()
    again, _ = resumed(state)
    again.publish("a", b"1", 2, packet_id=5, duplicate=True)
    assert reader.messages() == [("a", b"1")]
    again.answer(PUBREL, 5)
    assert again.acks() == [(PUBREC, 5, SUCCESS), (PUBCOMP, 5, SUCCESS)]
    again.publish("a", b"2", 2, packet_id=5)
    assert reader.messages() == [("a", b"2")]


def test_a_release_of_nothing_is_answered_so() -> None:
    peer = client(mqtt_state(Broker()))
    assert peer.answer(PUBREL, 7).acks() == [(PUBCOMP, 7, ReasonCode.PACKET_IDENTIFIER_NOT_FOUND)]


def test_answers_wait_for_the_journal_and_come_in_the_order_of_the_messages() -> None:
    state = mqtt_state(Broker())
    reader, writer = client(state, "reader", expiry_s=100), client(state, "writer")
    reader.subscribe("durable", qos=1)
    writer.reads = False
    writer.publish("durable", qos=1).publish("nobody", qos=1).publish("durable", qos=2)
    assert writer.acks() == []
    writer.reads = True
    assert [(kind, number) for kind, number, _ in writer.acks()] == [(PUBACK, 1), (PUBACK, 2), (PUBREC, 3)]


# ---------------------------------------------------------------------- wills


WILL = Will("w", b"gone", 1)


def with_will(state: BrokerState, will: Will = WILL, **more: Any) -> tuple[MqttPeer, MqttPeer]:
    """A reader of the will, and the client that has it."""
    reader = client(state, "reader")
    reader.subscribe("w", qos=2)
    return reader, client(state, will=will, **more)


def test_a_will_is_published_where_the_client_is_gone() -> None:
    reader, peer = with_will(mqtt_state(Broker()))
    peer.lost()
    assert reader.messages() == [("w", b"gone")]


def test_a_client_that_leaves_in_order_has_no_will() -> None:
    reader, peer = with_will(mqtt_state(Broker()))
    peer.disconnect()
    assert reader.messages() == []


def test_a_client_may_leave_with_its_will() -> None:
    reader, peer = with_will(mqtt_state(Broker()))
    peer.disconnect(ReasonCode.DISCONNECT_WITH_WILL)
    assert reader.messages() == [("w", b"gone")]


def test_a_client_that_is_silent_for_too_long_has_a_will() -> None:
    reader, peer = with_will(mqtt_state(Broker()), keep_alive_s=10)
    peer.at(peer.now + 14_000)
    assert reader.messages() == []
    peer.at(peer.now + 2_000)
    assert peer.take(Disconnect).reason is ReasonCode.KEEP_ALIVE_TIMEOUT
    peer.lost()
    assert reader.messages() == [("w", b"gone")]


def test_a_will_may_be_retained() -> None:
    broker = Broker()
    _, peer = with_will(mqtt_state(broker), Will("w", b"gone", 0, retain=True))
    peer.lost()
    assert broker.lookup("mqtt.retained").queue.depth == 1


def delayed(seconds: int) -> Will:
    return Will("w", b"gone", 1, properties=Properties({PropertyId.WILL_DELAY_S: seconds}))


def test_a_will_waits_for_its_delay() -> None:
    state = mqtt_state(Broker())
    reader, peer = with_will(state, delayed(5), expiry_s=100)
    peer.lost()
    reader.at(reader.now + 4_000)
    assert reader.messages() == []
    reader.at(reader.now + 2_000)
    assert reader.messages() == [("w", b"gone")]


def test_a_client_that_is_back_in_time_has_no_will() -> None:
    state = mqtt_state(Broker())
    reader, peer = with_will(state, delayed(5), expiry_s=100)
    peer.lost()
    resumed(state)
    reader.at(reader.now + 10_000)
    assert reader.messages() == []


def test_a_will_does_not_wait_beyond_the_end_of_its_session() -> None:
    state = mqtt_state(Broker())
    reader, peer = with_will(state, delayed(50), expiry_s=2)
    peer.lost()
    reader.at(reader.now + 2_000)
    assert reader.messages() == [("w", b"gone")]
    reader, peer = with_will(state, delayed(50), expiry_s=100)
    peer.lost()
    client(state, expiry_s=100)
    assert reader.messages() == [("w", b"gone")]


def test_a_connection_that_is_taken_over_has_a_will_unless_it_waits() -> None:
    state = mqtt_state(Broker())
    reader, _ = with_will(state, expiry_s=100)
    resumed(state)
    assert reader.messages() == [("w", b"gone")]
    with_will(state, delayed(5), expiry_s=100)
    resumed(state)
    reader.at(reader.now + 10_000)
    assert reader.messages() == []


# ---------------------------------------------------------------------- rights and followers


def permitted(broker: Broker, *rules: str) -> None:
    """Let the anonymous user do this alone."""
    permissions = Permissions(tuple(parse_rule(each) for each in rules))
    broker.authorization.permissions = lambda user: permissions


def test_who_may_not_publish_is_told_for_that_message() -> None:
    broker = Broker()
    state = mqtt_state(broker)
    permitted(broker, "read amq.topic", "browse mqtt.retained")
    peer = client(state)
    peer.publish("a", qos=1).publish("a", qos=2).publish("a").publish("a", qos=1, retain=True)
    denied = ReasonCode.NOT_AUTHORIZED
    assert peer.acks() == [(PUBACK, 1, denied), (PUBREC, 2, denied), (PUBACK, 3, denied)]
    assert peer.subscribe("a") == [SUCCESS]


@pytest.mark.parametrize("expiry_s", [0, 100])
def test_a_will_needs_the_rights_that_its_user_has_when_it_is_due(expiry_s: int) -> None:
    broker = Broker()
    state = mqtt_state(broker)
    reader, peer = with_will(state, delayed(5), expiry_s=expiry_s)
    permitted(broker, "read amq.topic")
    peer.lost().at(peer.now + 5_000)
    assert reader.messages() == []
    assert broker.authorization.denied[Verb.PUBLISH.spelling] == 1


def test_who_may_publish_but_not_retain_is_told_and_nobody_gets_it() -> None:
    broker = Broker()
    state = mqtt_state(broker)
    reader = client(state, "reader")
    reader.subscribe("a", qos=1)
    permitted(broker, "write amq.topic")
    writer = client(state, "writer")
    writer.publish("a", b"1", 1, retain=True).publish("a", b"2", 1)
    assert [reason for _, _, reason in writer.acks()] == [ReasonCode.NOT_AUTHORIZED, SUCCESS]
    assert reader.messages() == [("a", b"2")]


def test_who_may_not_subscribe_is_told_for_that_filter() -> None:
    broker = Broker()
    state = mqtt_state(broker, topics=(("prices/{symbol}", "prices"),))
    client(state, "writer").publish("prices/x", retain=True).publish("a", retain=True)
    permitted(broker, "read amq.topic", "browse mqtt.retained", "write amq.topic")
    peer = client(state)
    assert peer.subscribe("a", "prices/x", qos=1) == [ReasonCode.GRANTED_QOS_1, ReasonCode.NOT_AUTHORIZED]
    permitted(broker, "write amq.topic")
    assert client(state, "other").subscribe("a", qos=1) == [ReasonCode.NOT_AUTHORIZED]


def test_who_may_not_read_a_groups_queue_does_not_join_it() -> None:
    broker = Broker()
    state = mqtt_state(broker)
    permitted(broker, "read amq.topic", "read mqtt.shared/one/*")
    peer = client(state)
    assert peer.subscribe("$share/one/a", "$share/two/a", qos=1) == [
        ReasonCode.GRANTED_QOS_1,
        ReasonCode.NOT_AUTHORIZED,
    ]
    assert not broker.has_queue("mqtt.shared/two/a")


def test_a_subscriber_that_loses_its_right_is_disconnected() -> None:
    broker = Broker()
    peer = client(mqtt_state(broker))
    peer.subscribe("a", qos=1)
    permitted(broker, "write amq.topic")
    broker.permissions_changed(peer.now)
    peer.turn()
    assert peer.take(Disconnect).reason is ReasonCode.NOT_AUTHORIZED


def test_a_follower_names_the_leader() -> None:
    broker = Broker()
    broker.authorization.leader = "leader.example:5672"
    answer = MqttPeer(mqtt_state(broker)).connect("c")
    assert answer.reason is ReasonCode.USE_ANOTHER_SERVER
    assert answer.properties.text(PropertyId.SERVER_REFERENCE) == "leader.example"


def test_a_leader_that_follows_sends_its_clients_away() -> None:
    broker = Broker()
    peer = client(mqtt_state(broker))
    broker.authorization.leader = "leader.example:5672"
    peer.publish("a", qos=1)
    assert peer.take(Disconnect).reason is ReasonCode.USE_ANOTHER_SERVER


def test_an_operator_sees_a_client_and_what_it_waits_for() -> None:
    broker = Broker()
    state = mqtt_state(broker)
    peer = client(state)
    peer.subscribe("a", qos=1)
    client(state, "writer").publish("a", qos=1)
    before = peer.turn().conversation.statistics()
    assert before is not None
    assert [link.role for link in before.sessions[0].links] == ["consumer"]
    statistics = peer.publish("b").conversation.statistics()
    assert statistics is not None
    assert (statistics.protocol, statistics.properties) == ("MQTT 5.0", {"client-id": "c"})
    (session,) = statistics.sessions
    assert (session.name, session.unsettled) == ("c", 1)
    assert [(link.role, link.node) for link in session.links] == [("consumer", SESSION), ("producer", "")]


@pytest.mark.parametrize(
    ("cause", "reason"),
    [
        (SHUTTING_DOWN, ReasonCode.SERVER_SHUTTING_DOWN),
        ("the token has expired", ReasonCode.ADMINISTRATIVE_ACTION),
    ],
)
def test_a_connection_that_is_shut_down_hears_why(cause: str, reason: ReasonCode) -> None:
    peer = client(mqtt_state(Broker()))
    peer.conversation.shut_down(cause)
    peer.turn()
    assert peer.take(Disconnect).reason is reason
    assert peer.take_all(Ack) == []


@pytest.mark.parametrize(("qos", "first"), [(0, False), (1, False), (2, True)])
def test_a_delivery_whose_identifier_the_client_keeps_leaves_once_it_is_stored(qos: int, first: bool) -> None:
    state = mqtt_state(Broker())
    subscriber = client(state, expiry_s=100)
    subscriber.subscribe("a", qos=2)
    client(state, "writer").publish("a", qos=qos)
    assert subscriber.conversation.data_to_send()
    assert subscriber.conversation.stored_first is first
