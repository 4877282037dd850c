"""lastvalue.codec.mqtt.message_decoder."""

import pytest

from lastvalue.codec.amqp10.content import BodyKind, MessageContent, decode_content
from lastvalue.codec.mqtt.errors import MqttError
from lastvalue.codec.mqtt.message_decoder import message_body, message_head, released_mark
from lastvalue.codec.mqtt.message_encoder import encode_message
from lastvalue.codec.mqtt.properties import NONE, Properties, PropertyId
from lastvalue.codec.mqtt.reason_codes import ReasonCode

PLACE = (b"amq.topic", b"a.b")


def decoded(
    qos: int = 0,
    keys: list[tuple[str, str]] | None = None,
    properties: Properties = NONE,
    payload: bytes = b"x",
    *,
    is_text: bool = False,
) -> MessageContent:
    head = message_head(PLACE, qos, keys, properties, 1000)
    return decode_content(head + message_body(payload, is_text))


def test_a_message_has_its_exchange_and_its_key() -> None:
    content = decoded()
    assert (content.to, content.subject, content.body, content.body_kind) == (
        "amq.topic",
        "a.b",
        b"x",
        BodyKind.DATA,
    )


@pytest.mark.parametrize(
    ("qos", "keys", "durable", "annotations"),
    [
        (0, None, False, {}),
        (1, None, True, {}),
        (2, None, True, {"x-opt-mqtt-qos": 2}),
        (0, [("topic", "a/b")], True, {"x-opt-mqtt-qos": 0, "x-opt-mqtt-retained": 1}),
        (1, [("topic", "a/b")], True, {"x-opt-mqtt-retained": 1}),
    ],
)
def test_quality_of_service_and_retain_are_durability_and_annotations(
    qos: int, keys: list[tuple[str, str]] | None, durable: bool, annotations: dict[str, object]
) -> None:
    content = decoded(qos, keys)
    assert (content.durable, dict(content.message_annotations)) == (durable, annotations)
    assert dict(content.application_properties) == dict(keys or ())


@pytest.mark.parametrize(
    ("expiry_s", "ttl_ms", "expires_ms"),
    [(0, 1, None), (60, 60_000, None), (4_294_967, 4_294_967_000, None), (4_294_968, None, 4_294_969_000)],
)
def test_an_expiry_that_no_time_to_live_holds_is_a_time(
    expiry_s: int, ttl_ms: int | None, expires_ms: int | None
) -> None:
    content = decoded(properties=Properties({PropertyId.MESSAGE_EXPIRY_S: expiry_s}))
    assert (content.ttl_ms, content.absolute_expiry_time) == (ttl_ms, expires_ms)


def test_names_that_come_several_times_are_all_kept() -> None:
    content = decoded(0, [("k", "key")], Properties(user=[("a", "1"), ("k", "own"), ("a", "2")]))
    assert dict(content.application_properties) == {"k": "key", "a": "1"}
    assert content.message_annotations["x-opt-mqtt-user-properties"] == ["a", "1", "k", "own", "a", "2"]


def test_a_text_is_a_value_and_has_to_be_one() -> None:
    assert decoded(payload="ü".encode(), is_text=True).body == "ü"
    with pytest.raises(MqttError) as caught:
        message_body(b"\xff", True)
    assert caught.value.reason is ReasonCode.PAYLOAD_FORMAT_INVALID


def test_what_is_left_of_a_received_message_is_a_mark() -> None:
    message = encode_message(released_mark("a.b"))
    assert (message.released, message.key, message.qos) == (True, "a.b", 1)
