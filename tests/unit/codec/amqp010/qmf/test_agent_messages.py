"""Messages of QMF v2."""

from typing import Any

import pytest

from lastvalue.codec.amqp010.command_layouts import (
    MESSAGE_DELIVERY_PROPERTIES,
    MESSAGE_MESSAGE_PROPERTIES,
    MESSAGE_REPLY_TO,
)
from lastvalue.codec.amqp010.encoder import encode_list, encode_map
from lastvalue.codec.amqp010.errors import DecodeError
from lastvalue.codec.amqp010.layouts import Record
from lastvalue.codec.amqp010.properties import Properties
from lastvalue.codec.amqp010.qmf.agent_messages import AgentMessages, ConsoleRequest
from lastvalue.codec.amqp010.qmf.schema_class import EVENT, SchemaClass
from lastvalue.codec.amqp10.content import MessageContent, decode_content
from lastvalue.codec.amqp10.values import Value

MESSAGES = AgentMessages("apache.org:qpidd:7", 3)
LAMP = SchemaClass("lamp", "name:text")
LIT = SchemaClass("lit", "rhost:text user:text lamp:text", kind=EVENT)


def request(body: bytes, key: str = "broker", **properties: Value) -> ConsoleRequest:
    message = Record(MESSAGE_MESSAGE_PROPERTIES, dict(properties))
    return ConsoleRequest(
        Properties(Record(MESSAGE_DELIVERY_PROPERTIES, {"routing_key": key}), message), body
    )


def answered(asked: ConsoleRequest, body: Value, **headers: Value) -> MessageContent:
    return decode_content(asked.answer(MESSAGES.name, body, headers))


def test_a_request_says_what_it_asks_and_where_its_answer_goes() -> None:
    reply = Record(MESSAGE_REPLY_TO, {"exchange": "x", "routing_key": "me"})
    asked = request(
        encode_map({"_what": "OBJECT"}),
        reply_to=reply,
        application_headers={"qmf.opcode": "_query_request"},
    )
    assert (asked.opcode, asked.is_v1) == ("_query_request", False)
    assert (asked.reply_exchange, asked.reply_key) == ("x", "me")
    assert asked.content() == {"_what": "OBJECT"}
    assert request(encode_list([1]), content_type="amqp/list").content() == {"list": [1]}
    with pytest.raises(DecodeError):
        request(b"x").content()


def test_a_request_without_a_place_for_its_answer_has_none() -> None:
    assert request(b"").reply_exchange is None


@pytest.mark.parametrize(("key", "agent"), [("broker", "broker"), ("other", "apache.org:qpidd:7")])
def test_an_answer_is_of_the_agent_by_the_name_that_was_asked(key: str, agent: str) -> None:
    answer = answered(request(b"", key, correlation_id=b"9"), {"a": 1}, opcode="x")
    assert answer.correlation_id == "9"
    assert answer.body == {"a": 1}
    properties = dict(answer.application_properties)
    assert (properties["qmf.agent"], properties["method"], properties["opcode"]) == (agent, "response", "x")


def test_an_answer_of_v1_is_bytes_without_headers() -> None:
    asked = request(b"AM2B\0\0\0\1")
    assert asked.is_v1
    answer = answered(asked, b"AM2b")
    assert (answer.body, answer.content_type, answer.application_properties) == (
        b"AM2b",
        "x-application/qmf",
        {},
    )


def test_a_key_ends_with_the_words_of_the_agents_name() -> None:
    assert MESSAGES.key("heartbeat") == "agent.ind.heartbeat.apache_org.qpidd.7"
    assert (
        MESSAGES.package_key("event", "lit", "warn")
        == "agent.ind.event.org_apache_qpid_broker.lit.warn.apache_org.qpidd.7"
    )


def test_the_agent_says_that_it_is_there() -> None:
    presence: Any = MESSAGES.presence(5)
    assert presence["_values"]["_name"] == "apache.org:qpidd:7"
    assert presence["_timestamp"] == presence["_values"]["_timestamp"] == 5_000_000


def test_an_object_has_its_identity_its_class_and_its_times() -> None:
    shown: Any = MESSAGES.object(LAMP, "p:lamp:one", {"name": "one"}, 5)
    assert shown["_object_id"]["_object_name"] == "p:lamp:one"
    assert shown["_schema_id"] == LAMP.identity()
    assert (shown["_create_ts"], shown["_update_ts"]) == (3_000_000, 5_000_000)


def test_an_event_has_its_severity_and_empty_texts_for_who_is_not_known() -> None:
    event: Any = MESSAGES.event(LIT, {"user": "me", "lamp": "one"}, "warn", 5)
    assert event["_values"] == {"rhost": "", "user": "me", "lamp": "one"}
    assert event["_severity"] == 4


def test_an_indication_goes_to_the_topic() -> None:
    indication = decode_content(MESSAGES.indication("k", {"qmf.opcode": "x"}, [1]))
    assert (indication.to, indication.subject, indication.body) == ("qmf.default.topic", "k", [1])
    assert indication.application_properties["method"] == "indication"
