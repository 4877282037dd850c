"""lastvalue.codec.mqtt.message_encoder."""

from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastvalue.codec.amqp10.content import BodyKind, MessageContent, encode_content
from lastvalue.codec.amqp10.errors import DecodeError
from lastvalue.codec.mqtt.message_decoder import message_body, message_head
from lastvalue.codec.mqtt.message_encoder import NOT_RETAINED, DeliveredHeads, encode_message
from lastvalue.codec.mqtt.properties import Properties, PropertyId, PropertyValue

TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=5)
VALUES = st.fixed_dictionaries(
    {},
    optional={
        PropertyId.CONTENT_TYPE: st.sampled_from(["", "text/plain", "grün"]),
        PropertyId.CORRELATION_DATA: st.binary(max_size=4),
        PropertyId.RESPONSE_TOPIC: st.sampled_from(["a/b", "v.1/c"]),
    },
)


@given(
    qos=st.integers(0, 2),
    retained=st.booleans(),
    values=VALUES,
    user=st.lists(st.tuples(TEXTS, TEXTS), max_size=4),
    payload=st.binary(max_size=300),
)
def test_what_was_published_is_delivered(
    qos: int,
    retained: bool,
    values: dict[int, PropertyValue],
    user: list[tuple[str, str]],
    payload: bytes,
) -> None:
    keys = [("topic", "a/b")] if retained else None
    head = message_head((b"amq.topic", b"a.b"), qos, keys, Properties(values, user), 0)
    message = encode_message(head + message_body(payload, False))
    assert (message.key, message.qos, message.payload) == ("a.b", qos, payload)
    assert message.retained == (1 if retained else NOT_RETAINED)
    assert message.properties == Properties(values, user)


ALL_OF_IT = (
    *("application", "key", "meant_for", "payload", "properties", "qos", "released", "retained"),
    *("topic", "user"),
)
CONTENTS = st.builds(
    MessageContent,
    durable=st.booleans(),
    subject=st.sampled_from(["a.b", None]),
    content_type=st.sampled_from([None, "text/plain"]),
    application_properties=st.sampled_from([{}, {"a": "1"}, {"b": 2}]),
    body=st.one_of(
        st.binary(max_size=3),
        st.binary(min_size=254, max_size=258),
        st.text(max_size=2),
        st.just([1]),
        st.none(),
    ),
)


@given(st.lists(CONTENTS, max_size=6))
def test_messages_whose_heads_come_again_are_read_as_others(contents: list[MessageContent]) -> None:
    heads = DeliveredHeads()
    for content in contents:
        encoded = encode_content(content)
        for each in (encoded, encoded + encode_content(MessageContent(body=b"more"))):
            found, expected = heads.message(each), encode_message(each)
            assert [getattr(found, name) for name in ALL_OF_IT] == [
                getattr(expected, name) for name in ALL_OF_IT
            ]


@pytest.mark.parametrize("cut", range(1, 40))
def test_a_message_that_is_cut_off_has_no_head(cut: int) -> None:
    whole = encode_content(MessageContent(durable=True, subject="a.b", body=b"x" * 300))
    heads = DeliveredHeads()
    heads.message(whole)
    with pytest.raises(DecodeError):
        heads.message(whole[:-cut])


def delivered(**content: Any) -> tuple[bytes, dict[int, PropertyValue], list[tuple[str, str]]]:
    message = encode_message(encode_content(MessageContent(**content)))
    return message.payload, message.properties.values, message.properties.user


def test_a_body_that_is_no_bytes_is_text() -> None:
    assert delivered(body="ü") == ("ü".encode(), {PropertyId.PAYLOAD_FORMAT: 1}, [])
    as_json = {PropertyId.PAYLOAD_FORMAT: 1, PropertyId.CONTENT_TYPE: "application/json"}
    assert delivered(body={"a": 1}) == (b'{"a": 1}', as_json, [])
    assert delivered(body=[1], body_kind=BodyKind.SEQUENCE) == (b"[1]", as_json, [])
    assert delivered() == (b"", {}, [])


def test_properties_that_have_a_text_are_user_properties() -> None:
    given: dict[str, Any] = {"n": 1, "t": "x", "f": True, "b": b"\x00", "none": None}
    assert delivered(body=b"", application_properties=given)[2] == [("n", "1"), ("t", "x"), ("f", "true")]


@pytest.mark.parametrize(
    ("correlation", "octets"), [("text", b"text"), (7, b"7"), (UUID(int=1), str(UUID(int=1)).encode())]
)
def test_a_correlation_id_of_any_type_is_data(correlation: Any, octets: bytes) -> None:
    assert delivered(body=b"", correlation_id=correlation)[1] == {PropertyId.CORRELATION_DATA: octets}


def test_an_address_for_replies_that_is_no_topic_is_left_out() -> None:
    assert delivered(body=b"", reply_to="queue")[1] == {}


@pytest.mark.parametrize("text", ["a\0b", "x" * 65_536, "ü" * 32_768])
def test_a_text_that_mqtt_does_not_have_is_left_out(text: str) -> None:
    message = encode_message(encode_content(MessageContent(body=b"", subject=text)))
    assert message.topic is None
    given: dict[str, Any] = {text: "1", "n": text, "last": "x"}
    said = delivered(body=b"", application_properties=given, reply_to=f"amq.topic/{text}")
    assert said == (b"", {}, [("last", "x")])


def test_the_longest_text_is_kept() -> None:
    longest = "x" * 65_535
    assert delivered(body=b"", application_properties={"n": longest})[2] == [("n", longest)]


@pytest.mark.parametrize("payload", [b"\x00\x53\x75\xa0", b"\x00\x53\x72\x43", b"\x01"])
def test_a_malformed_message_is_no_message(payload: bytes) -> None:
    with pytest.raises(DecodeError):
        encode_message(payload)
