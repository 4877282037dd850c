"""The engine of MQTT: dialogues with a client, by the statements of the specification that they follow."""

import pytest
from mqtt_engine_peer import EnginePeer, message

from lastvalue.codec.mqtt.fields import variable
from lastvalue.codec.mqtt.packet_types import PacketType
from lastvalue.codec.mqtt.packets import (
    Ack,
    Acks,
    Auth,
    ConnAck,
    Connect,
    Disconnect,
    Packet,
    Ping,
    Publish,
    SubAck,
    Subscribe,
    Subscription,
    Unsubscribe,
)
from lastvalue.codec.mqtt.properties import NONE, Properties, PropertyId, PropertyValue
from lastvalue.codec.mqtt.reason_codes import ReasonCode
from lastvalue.model.admission import FIRST_BYTES
from lastvalue.model.message import NEVER
from lastvalue.protocols.engine import GONE, UsageError
from lastvalue.protocols.mqtt.options import Options
from lastvalue.protocols.sasl import Authenticator

SUBSCRIBE = Subscribe(1, (Subscription("a"),))
PINGREQ = Ping(PacketType.PINGREQ)
AS_FIRST: list[Packet] = [PINGREQ, SUBSCRIBE, Disconnect(), message(), Ack(PacketType.PUBACK, 1)]


def alias(number: int) -> Properties:
    return Properties({PropertyId.TOPIC_ALIAS: number})


def reason_of(peer: EnginePeer) -> ReasonCode:
    """That of the DISCONNECT or the refusing CONNACK with which the engine has ended."""
    last = peer.heard()[-1]
    assert isinstance(last, Disconnect | ConnAck)
    assert peer.engine.ended
    return last.reason


# ---------------------------------------------------------------------- CONNECT


@pytest.mark.parametrize("level", [3, 4, 5])
def test_a_connect_is_asked_about_and_answered(level: int) -> None:
    """[MQTT-3.1.4-5]."""
    peer = EnginePeer(level).connect(keep_alive_s=10)
    asked = peer.event(Connect)
    assert (asked.client_id, peer.engine.identity, peer.engine.mechanism) == ("c", "anonymous", "ANONYMOUS")
    assert not peer.engine.opened
    assert peer.heard() == []
    peer.engine.accept(session_present=False)
    (answer,) = peer.heard()
    assert isinstance(answer, ConnAck)
    assert (answer.session_present, answer.reason) == (False, ReasonCode.SUCCESS)
    assert peer.engine.opened


@pytest.mark.parametrize(("level", "said"), [(3, False), (4, True), (5, True)])
def test_a_connack_says_that_a_session_goes_on(level: int, said: bool) -> None:
    """[MQTT-3.2.2-2, MQTT-3.2.2-3]; MQTT 3.1 has no such flag."""
    peer = EnginePeer(level).connect()
    peer.engine.accept(session_present=True)
    (answer,) = peer.heard()
    assert isinstance(answer, ConnAck)
    assert answer.session_present is said


def test_a_connack_of_mqtt_5_says_what_the_server_takes_and_what_the_owner_adds() -> None:
    options = Options(max_packet_size=5000, receive_maximum=7, topic_alias_maximum=3)
    peer = EnginePeer(options=options).connect(client_id="")
    peer.engine.accept(session_present=False, values={PropertyId.ASSIGNED_CLIENT_IDENTIFIER: "new"})
    (answer,) = peer.heard()
    assert isinstance(answer, ConnAck)
    assert answer.properties.values == {
        PropertyId.MAXIMUM_PACKET_SIZE: 5000,
        PropertyId.RECEIVE_MAXIMUM: 7,
        PropertyId.TOPIC_ALIAS_MAXIMUM: 3,
        PropertyId.ASSIGNED_CLIENT_IDENTIFIER: "new",
    }


def test_a_peer_that_takes_no_packet_as_large_as_its_connack_is_closed() -> None:
    """[MQTT-3.1.2-24]."""
    peer = EnginePeer(5).connect(properties=Properties({PropertyId.MAXIMUM_PACKET_SIZE: 5}))
    peer.engine.accept(session_present=False)
    assert peer.heard() == []
    assert peer.engine.finished
    assert peer.engine.end_cause == "the peer takes no packet as large as its CONNACK"


@pytest.mark.parametrize("packet", AS_FIRST)
def test_the_first_packet_is_a_connect(packet: Packet) -> None:
    """[MQTT-3.1.0-1] Otherwise the connection is closed, and nothing is said."""
    peer = EnginePeer(4).say(packet)
    assert peer.engine.ended
    assert peer.heard() == []
    assert peer.engine.events() == []
    assert peer.engine.end_condition == "mqtt:0x82"


@pytest.mark.parametrize(("level", "said"), [(4, 0), (5, 1)])
def test_a_second_connect_is_a_protocol_error(level: int, said: int) -> None:
    """[MQTT-3.1.0-2]."""
    peer = EnginePeer(level).open().connect()
    assert peer.engine.ended
    assert peer.heard() == [Disconnect(ReasonCode.PROTOCOL_ERROR, explained(peer))] * said


def explained(peer: EnginePeer) -> Properties:
    return Properties({PropertyId.REASON_STRING: peer.engine.end_cause})


def test_what_a_client_sends_ahead_of_the_connack_waits_for_it() -> None:
    """[MQTT 5.0 §3.1.4] A client need not wait for CONNACK."""
    peer = EnginePeer(4).say(Connect(4, "c"), message("t"), PINGREQ)
    peer.event(Connect)
    peer.engine.accept(session_present=False)
    published, pinged = peer.engine.events()
    assert isinstance(published, Publish)
    assert isinstance(pinged, Ping)
    assert published.topic == "t"
    assert peer.heard() == [ConnAck(), Ping(PacketType.PINGRESP)]


@pytest.mark.parametrize(
    ("octets", "answer"),
    [
        (b"\x10\x0c\0\4MQTT\6\2\0\0\0\0", b"\x20\x02\0\1"),
        (b"\x10\x0c\0\4MQTT\4\3\0\0\0\0", b""),
        (b"\x10\x0e\0\6MQIsdp\3\2\0\0\0\0", b"\x20\x02\0\2"),
        (b"\x10\x0c\0\4MQTT\4\0\0\0\0\0", b"\x20\x02\0\2"),
    ],
    ids=["unknown level", "malformed", "3.1 without an identifier", "3.1.1 without one for a session"],
)
def test_a_connect_that_cannot_be_taken_gets_a_return_code_or_nothing(octets: bytes, answer: bytes) -> None:
    """[MQTT-3.1.2-2; MQTT 3.1.1, MQTT-3.1.3-8, MQTT-3.1.4-1]."""
    engine = EnginePeer(4).raw(octets).engine
    assert engine.ended
    assert engine.data_to_send() == answer


def test_a_malformed_connect_of_mqtt_5_gets_a_connack_with_the_reason() -> None:
    """[MQTT-3.1.4-1]."""
    peer = EnginePeer().raw(b"\x10\x0d\0\4MQTT\5\3\0\0\0\0\0")
    assert reason_of(peer) is ReasonCode.MALFORMED_PACKET


def test_a_connect_that_is_refused_is_told_where_to_go() -> None:
    """[MQTT 5.0 §4.11]."""
    peer = EnginePeer().connect()
    peer.engine.disconnect(ReasonCode.USE_ANOTHER_SERVER, "not the leader", "b:1883")
    (answer,) = peer.heard()
    assert isinstance(answer, ConnAck)
    assert answer.reason is ReasonCode.USE_ANOTHER_SERVER
    assert answer.properties.text(PropertyId.SERVER_REFERENCE) == "b:1883"
    assert (peer.engine.end_condition, peer.engine.end_cause) == ("", "not the leader")


def test_a_connect_is_answered_once() -> None:
    engine = EnginePeer().open().engine
    with pytest.raises(UsageError):
        engine.accept(session_present=False)


@pytest.mark.parametrize("size", [FIRST_BYTES.most + 1, 1 << 27])
def test_before_the_login_a_packet_is_small(size: int) -> None:
    peer = EnginePeer().raw(b"\x10" + variable(size))
    assert peer.engine.ended
    assert peer.engine.end_condition == "mqtt:0x95"


def test_before_the_login_few_bytes_wait() -> None:
    checking = Authenticator(anonymous=False, check=lambda _user, _password: None)
    peer = EnginePeer(authenticator=checking).connect(user_name="ann", password=b"p")
    peer.say(message(payload=bytes(FIRST_BYTES.most)))
    assert reason_of(peer) is ReasonCode.QUOTA_EXCEEDED


def test_after_the_login_as_many_bytes_wait_for_the_connack_as_a_packet_may_have() -> None:
    peer = EnginePeer(options=Options(max_packet_size=50_000)).connect()
    peer.say(message(payload=bytes(49_000)))
    assert not peer.engine.ended
    peer.say(message(payload=bytes(1_000)))
    assert reason_of(peer) is ReasonCode.QUOTA_EXCEEDED


def test_a_client_that_does_not_connect_in_time_is_gone() -> None:
    peer = EnginePeer(options=Options(open_timeout_ms=10_000)).at(9_999)
    assert not peer.engine.ended
    assert peer.engine.next_deadline() == 10_000
    assert peer.at(10_000).engine.ended
    assert peer.engine.next_deadline() == NEVER


# ---------------------------------------------------------------------- keep alive


def test_a_silent_client_is_gone_after_one_and_a_half_times_its_keep_alive() -> None:
    """[MQTT-3.1.2-22]."""
    peer = EnginePeer().open(keep_alive_s=10).at(14_999)
    assert not peer.engine.ended
    assert reason_of(peer.at(15_000)) is ReasonCode.KEEP_ALIVE_TIMEOUT


def test_a_client_that_pings_stays_and_is_answered() -> None:
    """[MQTT-3.12.4-1]."""
    peer = EnginePeer(4).open(keep_alive_s=10).at(14_000).say(PINGREQ)
    assert peer.heard() == [Ping(PacketType.PINGRESP)]
    assert not peer.at(28_999).engine.ended
    assert peer.at(29_000).engine.ended


def test_a_client_without_keep_alive_may_be_silent() -> None:
    assert EnginePeer().open(keep_alive_s=0).engine.next_deadline() == NEVER


def test_a_client_that_is_not_read_is_not_silent() -> None:
    peer = EnginePeer().open(keep_alive_s=10)
    peer.engine.reading_paused = True
    assert not peer.at(15_000).engine.ended


@pytest.mark.parametrize(("asked_s", "told_s"), [(61, 60), (60, None), (5, None)])
def test_a_server_with_a_longest_keep_alive_tells_it(asked_s: int, told_s: int | None) -> None:
    """[MQTT-3.1.2-21]."""
    peer = EnginePeer(options=Options(keep_alive_max_s=60)).connect(keep_alive_s=asked_s)
    peer.engine.accept(session_present=False)
    (answer,) = peer.heard()
    assert isinstance(answer, ConnAck)
    assert answer.properties.values.get(PropertyId.SERVER_KEEP_ALIVE_S) == told_s
    assert peer.engine.next_deadline() == (told_s or asked_s) * 1500


# ---------------------------------------------------------------------- messages


@pytest.mark.parametrize("level", [4, 5])
def test_a_message_arrives_and_its_answer_is_sent(level: int) -> None:
    """[MQTT-4.3.2-4, MQTT-4.3.3-8]."""
    peer = EnginePeer(level).open().say(message("t", b"p", 1, 5))
    publish = peer.event(Publish)
    assert (publish.topic, publish.payload, publish.qos, publish.packet_id) == ("t", b"p", 1, 5)
    peer.engine.acknowledge(PacketType.PUBACK, 5)
    peer.engine.acknowledge(PacketType.PUBREC, 6)
    assert peer.heard() == [Ack(PacketType.PUBACK, 5), Ack(PacketType.PUBREC, 6)]


@pytest.mark.parametrize(
    "kind", [PacketType.PUBACK, PacketType.PUBREC, PacketType.PUBREL, PacketType.PUBCOMP]
)
def test_answers_of_the_client_are_events(kind: PacketType) -> None:
    peer = EnginePeer().open().say(Ack(kind, 9))
    event = peer.event(Acks)
    assert (event.packet_type, event.first, event.last) == (kind, 9, 9)


@pytest.mark.parametrize(
    ("kind", "reason", "goes_on"),
    [
        (PacketType.PUBACK, ReasonCode.SUCCESS, True),
        (PacketType.PUBREC, ReasonCode.SUCCESS, False),
        (PacketType.PUBREC, ReasonCode.NOT_AUTHORIZED, True),
        (PacketType.PUBCOMP, ReasonCode.SUCCESS, True),
    ],
)
def test_a_client_may_have_as_many_unanswered_messages_as_the_receive_maximum(
    kind: PacketType, reason: ReasonCode, goes_on: bool
) -> None:
    """[MQTT-3.3.4-7, MQTT-3.3.4-9; MQTT 5.0 §4.9]."""
    peer = EnginePeer(options=Options(receive_maximum=2)).open()
    peer.say(message(qos=2, packet_id=1), message(qos=1, packet_id=2), message(qos=0))
    assert not peer.engine.ended
    peer.engine.acknowledge(kind, 1, reason)
    peer.heard()
    peer.say(message(qos=1, packet_id=3))
    assert peer.engine.ended is not goes_on


def test_a_client_beyond_the_receive_maximum_is_disconnected() -> None:
    peer = EnginePeer(options=Options(receive_maximum=1)).open()
    peer.say(message(qos=1, packet_id=1), message(qos=1, packet_id=2))
    assert reason_of(peer) is ReasonCode.RECEIVE_MAXIMUM_EXCEEDED


def test_a_message_that_is_sent_again_counts_once() -> None:
    peer = EnginePeer(options=Options(receive_maximum=1)).open()
    peer.say(message(qos=2, packet_id=1), message(qos=2, packet_id=1))
    assert len(peer.engine.events()) == 2
    assert not peer.engine.ended


def test_a_packet_beyond_the_maximum_ends_the_connection() -> None:
    """[MQTT-3.2.2-15]."""
    peer = EnginePeer(options=Options(max_packet_size=100)).open().say(message(payload=bytes(100)))
    assert reason_of(peer) is ReasonCode.PACKET_TOO_LARGE


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (Ping(PacketType.PINGRESP), ReasonCode.PROTOCOL_ERROR),
        (ConnAck(), ReasonCode.PROTOCOL_ERROR),
        (SubAck(PacketType.SUBACK, 1, ()), ReasonCode.PROTOCOL_ERROR),
        (message(properties=Properties(subscriptions=[1])), ReasonCode.PROTOCOL_ERROR),
        (message(topic="a/#"), ReasonCode.MALFORMED_PACKET),
        (message("", properties=alias(1)), ReasonCode.PROTOCOL_ERROR),
        (message("a", properties=alias(65)), ReasonCode.TOPIC_ALIAS_INVALID),
    ],
)
def test_what_a_client_may_not_send_ends_the_connection_with_its_reason(
    said: Packet, reason: ReasonCode
) -> None:
    """[MQTT-3.3.4-6, MQTT-3.3.2-2, MQTT-3.3.2-9]."""
    peer = EnginePeer().open().say(said)
    assert reason_of(peer) is reason
    assert peer.engine.events() == []


def test_in_mqtt_3_1_1_a_fault_closes_the_connection_without_a_word() -> None:
    """[MQTT 3.1.1, MQTT-4.8.0-1]."""
    peer = EnginePeer(4).open().raw(b"\x36\x05\0\1a\0\1")
    assert peer.engine.ended
    assert peer.heard() == []
    assert "MQTT-3.3.1-4" in peer.engine.end_cause


# ---------------------------------------------------------------------- topic aliases


def test_an_alias_of_the_client_stands_for_the_topic_that_came_with_it() -> None:
    """[MQTT 5.0 §3.3.2.3.4]."""
    peer = EnginePeer().open()
    peer.say(message("a", properties=alias(1)), message("", properties=alias(1)))
    peer.say(message("b", properties=alias(1)), message("", properties=alias(1)))
    events = peer.engine.events()
    assert [event.topic for event in events if isinstance(event, Publish)] == ["a", "a", "b", "b"]


def test_a_topic_is_sent_once_to_a_client_that_takes_aliases() -> None:
    """[MQTT-3.1.2-26] Never more of them than it takes."""
    peer = EnginePeer().open(properties=Properties({PropertyId.TOPIC_ALIAS_MAXIMUM: 1}))
    topics = ("a", "b", "a", "b")
    assert [peer.delivered(message(topic)) for topic in topics] == [True] * 4
    heard = [packet for packet in peer.heard() if isinstance(packet, Publish)]
    assert [packet.topic for packet in heard] == ["a", "b", "", "b"]
    assert [packet.properties for packet in heard] == [alias(1), NONE, alias(1), NONE]


def test_a_client_that_says_nothing_of_aliases_gets_none() -> None:
    """[MQTT-3.1.2-27]."""
    peer = EnginePeer().open()
    assert peer.delivered(message())
    assert peer.delivered(message())
    heard = [packet for packet in peer.heard() if isinstance(packet, Publish)]
    assert [packet.topic for packet in heard] == ["a", "a"]


# ---------------------------------------------------------------------- what the client takes


def limited(size: int, aliases: int = 0) -> EnginePeer:
    """A client that takes packets of this size, and so many topic aliases."""
    values: dict[int, PropertyValue] = {
        PropertyId.MAXIMUM_PACKET_SIZE: size,
        PropertyId.TOPIC_ALIAS_MAXIMUM: aliases,
    }
    peer = EnginePeer().connect(properties=Properties(values))
    peer.engine.accept(session_present=False)
    peer.engine.data_to_send()
    return peer


def test_a_message_that_is_larger_than_the_client_takes_is_not_sent() -> None:
    """[MQTT-3.1.2-24, MQTT-3.1.2-25]."""
    peer = limited(20)
    assert not peer.delivered(message(payload=bytes(15)))
    assert peer.heard() == []
    assert peer.delivered(message(payload=bytes(14)))
    assert len(peer.heard()) == 1


def test_a_message_that_was_not_sent_sets_no_alias() -> None:
    peer = limited(30, 5)
    assert not peer.delivered(message(payload=bytes(30)))
    assert peer.delivered(message())
    (sent,) = peer.heard()
    assert isinstance(sent, Publish)
    assert (sent.topic, sent.properties) == ("a", alias(1))


def test_a_text_that_would_make_a_packet_too_large_is_left_out() -> None:
    """[MQTT-3.4.2-2, MQTT-3.9.2-1, MQTT-3.2.2-19, MQTT-3.14.2-3]."""
    peer = limited(20)
    peer.engine.acknowledge(PacketType.PUBACK, 1, ReasonCode.NOT_AUTHORIZED, "a long reason")
    peer.engine.answer_filters(PacketType.SUBACK, 2, [ReasonCode.NOT_AUTHORIZED], "a long reason")
    peer.engine.acknowledge(PacketType.PUBACK, 3, ReasonCode.NOT_AUTHORIZED, "short")
    peer.engine.disconnect(ReasonCode.ADMINISTRATIVE_ACTION, "a longer reason")
    assert peer.heard() == [
        Ack(PacketType.PUBACK, 1, ReasonCode.NOT_AUTHORIZED),
        SubAck(PacketType.SUBACK, 2, (ReasonCode.NOT_AUTHORIZED,)),
        Ack(PacketType.PUBACK, 3, ReasonCode.NOT_AUTHORIZED, Properties({PropertyId.REASON_STRING: "short"})),
        Disconnect(ReasonCode.ADMINISTRATIVE_ACTION),
    ]


def test_a_client_that_wants_no_problem_information_gets_it_at_the_end_only() -> None:
    """[MQTT-3.1.2-29]."""
    peer = EnginePeer().open(properties=Properties({PropertyId.REQUEST_PROBLEM_INFORMATION: 0}))
    peer.engine.acknowledge(PacketType.PUBACK, 1, ReasonCode.NOT_AUTHORIZED, "why")
    peer.engine.answer_filters(PacketType.UNSUBACK, 2, [ReasonCode.NOT_AUTHORIZED], "why")
    peer.engine.disconnect(ReasonCode.SERVER_BUSY, "why")
    assert peer.heard() == [
        Ack(PacketType.PUBACK, 1, ReasonCode.NOT_AUTHORIZED),
        SubAck(PacketType.UNSUBACK, 2, (ReasonCode.NOT_AUTHORIZED,)),
        Disconnect(ReasonCode.SERVER_BUSY, Properties({PropertyId.REASON_STRING: "why"})),
    ]


# ---------------------------------------------------------------------- subscriptions


def test_a_subscribe_is_asked_about_and_answered() -> None:
    """[MQTT-3.8.4-1, MQTT-3.8.4-6]."""
    peer = EnginePeer().open().say(SUBSCRIBE)
    assert peer.event(Subscribe) == SUBSCRIBE
    peer.engine.answer_filters(PacketType.SUBACK, 1, [ReasonCode.GRANTED_QOS_1, ReasonCode.SERVER_BUSY])
    assert peer.heard() == [
        SubAck(PacketType.SUBACK, 1, (ReasonCode.GRANTED_QOS_1, ReasonCode.UNSPECIFIED_ERROR))
    ]


def test_an_unsubscribe_is_asked_about_and_answered() -> None:
    """[MQTT-3.10.4-4, MQTT-3.10.4-5]."""
    peer = EnginePeer(4).open().say(Unsubscribe(3, ("a",)))
    assert peer.event(Unsubscribe) == Unsubscribe(3, ("a",))
    peer.engine.answer_filters(PacketType.UNSUBACK, 3, [ReasonCode.SUCCESS])
    assert peer.heard() == [SubAck(PacketType.UNSUBACK, 3, ())]


# ---------------------------------------------------------------------- the end


@pytest.mark.parametrize(
    ("packet", "cause"),
    [
        (Disconnect(), ""),
        (Disconnect(properties=Properties({PropertyId.SESSION_EXPIRY_S: 0})), ""),
        (Disconnect(ReasonCode.DISCONNECT_WITH_WILL), "the peer disconnected: DISCONNECT_WITH_WILL"),
    ],
)
def test_a_client_that_leaves_says_what_becomes_of_its_will_and_session(packet: Packet, cause: str) -> None:
    """[MQTT-3.14.4-3, MQTT-3.1.2-8]."""
    peer = EnginePeer().open().say(packet, PINGREQ)
    assert peer.event(Disconnect) == packet
    assert (peer.engine.ended, peer.engine.end_cause, peer.engine.end_condition) == (True, cause, "")
    assert peer.heard() == []


@pytest.mark.parametrize(("at_first_s", "fails"), [(0, True), (1, False)])
def test_a_session_gets_no_expiry_at_the_end(at_first_s: int, fails: bool) -> None:
    """[MQTT 5.0 §3.14.2.2.2]."""
    peer = EnginePeer().open(properties=Properties({PropertyId.SESSION_EXPIRY_S: at_first_s}))
    peer.say(Disconnect(properties=Properties({PropertyId.SESSION_EXPIRY_S: 5})))
    assert (peer.heard() != []) is fails
    assert (peer.engine.events() == []) is fails


def test_a_lost_connection_has_no_event_so_its_will_is_due() -> None:
    engine = EnginePeer().open().engine
    engine.receive_eof(0)
    assert (engine.ended, engine.end_cause, engine.events()) == (True, GONE, [])
    engine.receive(b"\xc0\x00", 0)
    engine.advance(1 << 40)
    assert engine.data_to_send() == b""


def test_nothing_follows_a_disconnect_of_the_server() -> None:
    """[MQTT-3.14.4-2; MQTT 5.0 §4.11]."""
    peer = EnginePeer().open()
    peer.engine.disconnect(ReasonCode.SERVER_MOVED, "", "b:1883")
    peer.engine.disconnect(ReasonCode.SERVER_BUSY, "again")
    peer.engine.acknowledge(PacketType.PUBACK, 1)
    assert peer.delivered(message())
    reference = Properties({PropertyId.SERVER_REFERENCE: "b:1883"})
    assert peer.heard() == [Disconnect(ReasonCode.SERVER_MOVED, reference)]
    assert peer.engine.end_condition == ""


@pytest.mark.parametrize("ends", [b"\x36\x05\0\1a\0\1", b""], ids=["by a fault", "by the peer"])
def test_an_ended_connection_keeps_nothing_of_what_came(ends: bytes) -> None:
    """The objects of a connection may wait long for Python's collector."""
    peer = EnginePeer().open().raw(ends + b"\x30\xff\x7f" + bytes(5000))
    peer.engine.receive_eof(1)
    assert (peer.engine.ended, peer.engine.waiting_bytes) == (True, 0)


def test_a_client_has_time_to_read_why_its_connection_ends() -> None:
    """[MQTT-3.14.4-1, MQTT-3.14.4-2] Closed at once, the connection would lose what is not read."""
    peer = EnginePeer(options=Options(close_timeout_ms=2_000)).open().raw(b"\x36\x05\0\1a\0\1")
    assert reason_of(peer) is ReasonCode.MALFORMED_PACKET
    cause = peer.engine.end_cause
    peer.raw(b"\xc0\0").at(5).at(2_004)
    assert (peer.engine.finished, peer.engine.waiting_bytes) == (False, 0)
    assert peer.at(2_005).engine.finished
    assert (peer.heard(), peer.engine.end_cause) == ([], cause)


def test_a_client_that_closes_once_it_was_told_the_end_is_not_waited_for() -> None:
    peer = EnginePeer().open()
    peer.engine.disconnect(ReasonCode.SERVER_BUSY, "busy")
    peer.engine.receive_eof(0)
    assert (peer.engine.finished, peer.engine.end_cause) == (True, "busy")


def test_events_that_the_owner_gives_back_come_first() -> None:
    peer = EnginePeer().open().say(message("a"), message("b"))
    events = peer.engine.events()
    peer.say(message("c"))
    peer.engine.put_back(events[1:])
    again = peer.engine.events()
    assert [each.topic for each in again if isinstance(each, Publish)] == ["b", "c"]


def test_an_auth_without_an_authentication_method_is_a_protocol_error() -> None:
    """[MQTT-4.12.0-7]."""
    assert reason_of(EnginePeer().open().say(Auth(ReasonCode.REAUTHENTICATE))) is ReasonCode.PROTOCOL_ERROR


def test_packets_are_decoded_as_their_events_are_taken_and_all_of_them_before_the_end() -> None:
    peer = EnginePeer().open()
    peer.say(*[SUBSCRIBE] * 170)
    assert [len(peer.engine.events()) for _ in range(3)] == [50, 50, 50]
    peer.engine.receive_eof(peer.now)
    assert (len(peer.engine.events()), peer.engine.ended) == (20, True)


def test_pings_are_answered_as_their_events_are_taken() -> None:
    peer = EnginePeer().open()
    peer.say(*[PINGREQ] * 70)
    assert len(peer.heard()) == 50
    assert [len(peer.engine.events()) for _ in range(3)] == [50, 20, 0]
    assert len(peer.heard()) == 20


@pytest.mark.parametrize("first", [0x00, 0x20, 0x29, 0x90, 0xB1, 0xD0])
def test_what_only_a_server_sends_is_against_the_protocol_whatever_is_in_it(first: int) -> None:
    """[MQTT 5.0 §2.1.2] It is not looked into."""
    peer = EnginePeer(5).open()
    peer.raw(bytes((first, 2, 0xFF, 0xFF)))
    assert reason_of(peer) is ReasonCode.PROTOCOL_ERROR


def test_answers_in_a_row_are_one_event() -> None:
    peer = EnginePeer().open()
    numbers = [1, 2, 3, 9, 9, 10]
    peer.say(*[Ack(PacketType.PUBACK, number) for number in numbers], Ack(PacketType.PUBREC, 11))
    peer.say(Ack(PacketType.PUBREC, 12, ReasonCode.QUOTA_EXCEEDED), Ack(PacketType.PUBREC, 13))
    events = [event for event in peer.engine.events() if isinstance(event, Acks)]
    assert [(each.packet_type.name, each.first, each.last) for each in events] == [
        ("PUBACK", 1, 3),
        ("PUBACK", 9, 9),
        ("PUBACK", 9, 10),
        ("PUBREC", 11, 11),
        ("PUBREC", 12, 12),
        ("PUBREC", 13, 13),
    ]
    assert events[4].reason is ReasonCode.QUOTA_EXCEEDED


def test_no_event_has_very_many_answers() -> None:
    peer = EnginePeer().open()
    peer.say(*[Ack(PacketType.PUBACK, number) for number in range(1, 2001)])
    events: list[Acks] = []
    while more := peer.engine.events():
        events += [event for event in more if isinstance(event, Acks)]
    assert [number for each in events for number in range(each.first, each.last + 1)] == list(range(1, 2001))
    assert max(each.last - each.first for each in events) < 500
