"""A message that is published in any protocol is the same to a reader in any other."""

import json
from dataclasses import replace
from typing import Any

import pytest
from example_counts import example_count
from hypothesis import given, settings
from hypothesis import strategies as st
from protocol_clients import Amqp010Wire, Amqp091Wire, Amqp10Wire, Said, Wire, plain

from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.owner import NOBODY
from lastvalue.broker.routing.bindings import Binding
from lastvalue.broker.routing.exchange_spec import exchange_from_arguments
from lastvalue.codec.amqp010.encoder import encode_list, encode_map
from lastvalue.codec.amqp10.values import Timestamp
from lastvalue.frontends.amqp010.broker_state import BrokerState
from lastvalue.queues.spec_arguments import spec_from_arguments

EXAMPLES = example_count(25)

SHORT = st.text(st.characters(codec="utf-8", exclude_characters="\0/"), min_size=1, max_size=40)
ASCII = st.text(st.characters(codec="ascii", exclude_characters="\0"), min_size=1, max_size=40)
# Names that mean nothing to a protocol.
NAMES = st.text("abcdefgé. ", min_size=1, max_size=8)
MOMENTS_S = st.integers(86_400, 2**32 - 1)
SIMPLE = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(width=32, allow_nan=False),
    st.text(st.characters(codec="utf-8"), max_size=300),
    st.binary(max_size=20),
    MOMENTS_S.map(lambda seconds: Timestamp(1000 * seconds)),
)
NESTED = st.recursive(
    st.lists(SIMPLE, max_size=3) | st.dictionaries(NAMES, SIMPLE, max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)
MESSAGES = st.builds(
    Said,
    body=st.binary(max_size=300),
    durable=st.booleans(),
    priority=st.integers(0, 255),
    # One of a millisecond may be over before the message is heard.
    ttl_ms=st.none() | st.integers(1000, 2**32 - 1),
    message_id=st.none() | st.uuids().map(str),
    correlation_id=st.none() | SHORT,
    reply_to=st.none() | SHORT | SHORT.map(lambda key: f"amq.direct/{key}"),
    user_id=st.none() | SHORT.map(str.encode),
    content_type=st.none() | ASCII,
    content_encoding=st.none() | ASCII,
    app_id=st.none() | SHORT,
    created_s=st.none() | MOMENTS_S,
    group_id=st.none() | SHORT,
    group_sequence=st.none() | st.integers(0, 2**32 - 1),
    headers=st.dictionaries(NAMES, SIMPLE, max_size=4),
)
PLACES = st.just(("", "q")) | st.sampled_from(["eu.uk", "", "a"]).map(lambda key: ("news", key))


def wires() -> list[Wire]:
    """A client in each protocol, of a broker with a queue and an exchange."""
    broker = Broker()
    broker.declare(spec_from_arguments("q", {}))
    broker.declare_exchange(exchange_from_arguments("news", {"type": "fanout"}))
    broker.bind("news", Binding("q", "", {}, False), NOBODY, 0)
    return [Amqp10Wire(broker), Amqp010Wire(BrokerState(broker)), Amqp091Wire(broker)]


@settings(max_examples=EXAMPLES)
@given(MESSAGES, PLACES, st.dictionaries(NAMES.filter(str.isascii), NESTED, max_size=2))
def test_a_message_of_any_protocol_is_read_in_every_other(
    said: Said, place: tuple[str, str], nested: dict[str, Any]
) -> None:
    message = replace(said, exchange=place[0], key=place[1], headers=said.headers | nested)
    all_wires = wires()
    for writer in all_wires:
        for reader in all_wires:
            writer.say(message)
            assert reader.hear("q") == message, (type(writer), type(reader))


@settings(max_examples=EXAMPLES)
@given(st.dictionaries(NAMES, NESTED, max_size=3))
def test_nested_headers_have_any_name_where_annotations_are_not_read(nested: dict[str, Any]) -> None:
    _, *without_annotations = wires()
    for writer in without_annotations:
        for reader in without_annotations:
            writer.say(Said(headers=nested))
            assert reader.hear("q").headers == nested, (type(writer), type(reader))


@pytest.mark.parametrize("body", [{"a": 1, "b": ["x", None]}, ["x", 2, {"y": True}]])
def test_maps_and_lists_are_json_where_bodies_are_only_bytes(body: dict[str, Any] | list[Any]) -> None:
    content_type = "amqp/map" if isinstance(body, dict) else "amqp/list"
    octets = encode_map(body) if isinstance(body, dict) else encode_list(body)
    with_10, with_010, with_091 = wires()
    for reader, expected in ((with_010, (octets, content_type)), (with_10, (body, content_type))):
        with_010.say(Said(body=octets, content_type=content_type))
        heard = reader.hear("q")
        assert (plain(heard.body), heard.content_type) == expected
    with_010.say(Said(body=octets, content_type=content_type))
    heard = with_091.hear("q")
    assert (json.loads(heard.body), heard.content_type) == (body, "application/json")
