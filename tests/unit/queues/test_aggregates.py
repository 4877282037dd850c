"""lastvalue.queues.aggregates."""

from typing import Any

import pytest

from lastvalue.codec.amqp10.content import BodyKind, MessageContent, encode_content
from lastvalue.codec.amqp10.errors import LargeStructureError
from lastvalue.codec.amqp10.message import read_message
from lastvalue.model.message import Message, OrderValue
from lastvalue.model.nested_json import MOST_NESTED
from lastvalue.queues.aggregates import (
    Aggregate,
    aggregate_from,
    aggregate_text,
    apply_patch,
    body_of,
    fold,
    read_update,
)
from lastvalue.queues.errors import ConflationValueError
from lastvalue.queues.policy import Max, Policy, Sum, policy_from_text

WHERE = "queue 'q'"


def message(body: object = None, **properties: Any) -> Message:
    kind = BodyKind.DATA if isinstance(body, bytes) else BodyKind.VALUE
    return read_message(
        encode_content(MessageContent(body=body, body_kind=kind, application_properties=properties))
    )


def folded(policy: Policy, *updates: tuple[object, OrderValue | None]) -> Aggregate:
    aggregate: Aggregate | None = None
    for time_ms, (body, order) in enumerate(updates, 1000):
        aggregate = fold(policy, aggregate, read_update(policy, message(body), order, time_ms, WHERE))
        kept = aggregate_from(policy, aggregate_text(policy, aggregate), body_of(policy, aggregate))
        assert kept == aggregate, "what is kept with the message is all that is known"
    assert aggregate is not None
    return aggregate


@pytest.mark.parametrize(
    ("policy", "updates", "value"),
    [
        ("count", [(b"\xff", None), (None, None)], {"count": 2}),
        ("max(p)", [({"p": 1}, None), ({"p": "b"}, None), ({"p": 9.5}, None)], {"p": "b"}),
        ("min(p)", [({"p": "b"}, None), ({"p": 3}, None), ({}, None)], {"p": 3}),
        ("sum(p)", [({}, None)], {"p": None}),
        ("sum(p)", [({"p": 2**62}, None), ({"p": 2**62}, None)], {"p": float(2**63)}),
        ("ohlc(p)", [({}, 1)], {"open": None, "high": None, "low": None, "close": None}),
        ("ohlc(p)", [({"p": 1}, 5), ({"p": 2}, 5), ({"p": 3}, 4)], {"open": 3, "close": 2}),
        ("vwap(p, v)", [({"p": 1}, None), ({"v": 1}, None)], {"vwap": None, "volume": None}),
        ("list(p, 2)", [({"p": [1]}, None), ({}, None), ({"p": {"x": 1}}, None)], {"p": [[1], {"x": 1}]}),
        ("list(2)", [("a", None), ('{"x":1}', None), (5, None)], {"list": [{"x": 1}, 5]}),
        ("merge(m)", [({"m": {"a": 1}}, None), ({"m": None}, None), ({"m": {"a": None}}, None)], {"m": {}}),
    ],
    ids=str,
)  # fmt: skip
def test_updates_become_a_value(policy: str, updates: list[Any], value: dict[str, Any]) -> None:
    parsed = policy_from_text(policy)
    aggregate = folded(parsed, *updates)
    body = body_of(parsed, aggregate)
    assert body is not None
    assert {name: body[name] for name in value} == value
    assert (body["updates"], body["first_time"], body["last_time"]) == (
        len(updates),
        1000,
        999 + len(updates),
    )


def test_a_merged_body_is_nothing_but_that() -> None:
    policy = policy_from_text("merge")
    assert body_of(policy, folded(policy, ({"a": 1}, None), ('{"b": {"c": 2}}', None))) == {
        "a": 1,
        "b": {"c": 2},
    }


def test_an_update_stands_for_as_many_as_its_producer_says() -> None:
    annotated = MessageContent(body={"p": 1}, message_annotations={"x-opt-updates": 5})
    update = read_update(Sum("p"), read_message(encode_content(annotated)), None, 0, WHERE)
    assert fold(Sum("p"), None, update)["n"] == 5


def test_a_field_of_the_body_comes_before_a_property() -> None:
    assert read_update(Max("p"), message({"p": 1}, p=2), None, 0, WHERE).value == 1
    assert read_update(Max("p"), message({"q": 1}, p=2), None, 0, WHERE).value == 2
    assert read_update(Max("p"), message(b"\x00", p=2), None, 0, WHERE).value == 2


@pytest.mark.parametrize(
    ("policy", "body", "fault"),
    [
        ("sum(p)", {"p": "5"}, "field 'p' is '5'; send a finite number"),
        ("sum(p)", {"p": True}, "is True; send a finite number"),
        ("sum(p)", {"p": float("nan")}, "is nan; send a finite number"),
        ("ohlc(p, v)", {"p": 1, "v": "x"}, "field 'v' is 'x'"),
        ("max(p)", {"p": [1]}, r"field 'p' is \[1\]"),
        ("max(p)", "text", "is in no property, and the body is no map; send a map with it"),
        ("max(p)", "{broken", "the body is no map"),
        ("merge", "text", "the body is no map; send a map, or JSON of one"),
        ("merge", {"a": b"\x00"}, "send values that JSON has"),
        ("merge(p)", {"p": 1}, "field 'p' is 1; send a map"),
        ("list(3)", b"\x00", "the body has b'\\\\x00'; send values that JSON has"),
        ("list(p, 3)", {"p": float("inf")}, "has inf"),
        ("sum(p)", '{"p": 1%s}' % ("0" * 400), "send a finite number"),
        ("list(p, 3)", '{"p": 1%s}' % ("0" * 400), "send values that JSON has"),
        ("merge", '{"p": [1%s]}' % ("0" * 4000), "send values that JSON has"),
        ("max(p)", r'{"p": "\ud800"}', "send texts without surrogates"),
        ("merge", r'{"p": "\ud800"}', "send texts without surrogates"),
        ("merge", r'{"\ud800": 1}', "send texts without surrogates"),
    ],
)
def test_what_a_policy_cannot_use_is_refused(policy: str, body: object, fault: str) -> None:
    with pytest.raises(ConflationValueError, match=f"^queue 'q' cannot conflate the message: .*{fault}"):
        read_update(policy_from_text(policy), message(body), None, 0, WHERE)


@pytest.mark.parametrize(
    ("written", "read"), [(2**64 - 1, 2**64 - 1), (2**64, 2.0**64), (-(2**63) - 1, -(2.0**63))]
)
def test_an_integer_of_json_that_no_protocol_carries_is_a_double(written: int, read: float) -> None:
    for policy, value in (("sum(p)", read), ("merge", {"p": read}), ("list(p, 3)", read)):
        update = read_update(policy_from_text(policy), message(f'{{"p": {written}}}'), None, 0, WHERE)
        assert repr(update.value) == repr(value)


@pytest.mark.parametrize("policy", ["merge", "list(5)", "list(a, 5)"])
@pytest.mark.parametrize(("opening", "inner", "closing"), [('{"a":', "1", "}"), ("[", "", "]")])
@pytest.mark.parametrize("levels", [MOST_NESTED, 950, 3000])
def test_a_body_that_is_nested_deeply_is_refused_by_a_policy_that_reads_it(
    policy: str, opening: str, inner: str, closing: str, levels: int
) -> None:
    body = '{"a":' + opening * levels + inner + closing * levels + "}"
    with pytest.raises(LargeStructureError, match=f"nested deeper than {MOST_NESTED}"):
        read_update(policy_from_text(policy), message(body), None, 0, WHERE)


def test_what_no_queue_has_kept_is_no_aggregate() -> None:
    assert aggregate_from(Sum("p"), "", None) is None
    assert aggregate_from(Sum("p"), "[1]", None) is None
    assert aggregate_from(Sum("p"), "{}", None) is None


@pytest.mark.parametrize(
    ("target", "patch", "result"),
    [
        ({"a": "b"}, {"a": "c"}, {"a": "c"}),
        ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
        ({"a": "b"}, {"a": None}, {}),
        ({"a": ["b"]}, {"a": "c"}, {"a": "c"}),
        ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
        ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
        ({"e": None}, {"a": 1}, {"e": None, "a": 1}),
        ([1, 2], {"a": "b", "c": None}, {"a": "b"}),
    ],
)
def test_the_examples_of_the_rfc(target: object, patch: dict[str, Any], result: dict[str, Any]) -> None:
    """[RFC 7396 §A]"""
    assert apply_patch(target, patch) == result
