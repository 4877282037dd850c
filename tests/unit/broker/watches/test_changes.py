"""lastvalue.broker.watches.changes."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mirror import patched

from lastvalue.broker.watches.changes import Changes, merge_patch
from lastvalue.codec.amqp10.content import BodyKind, MessageContent, decode_content, encode_content
from lastvalue.model.memory_budget import MemoryAccount, MemoryBudget
from lastvalue.queues.watch_terms import read_watch_terms

BEYOND = '{"a":1' + "0" * 400 + "}"
"""A number that no double can have."""

LEAVES = st.none() | st.booleans() | st.integers(-3, 3) | st.floats(allow_nan=False) | st.text(max_size=3)
MAPS = st.dictionaries(
    st.sampled_from("abc"),
    st.recursive(LEAVES, lambda inner: st.dictionaries(st.sampled_from("abc"), inner, max_size=3)),
    max_size=3,
)


def payload(body: Any) -> bytes:
    kind = BodyKind.DATA if isinstance(body, bytes) else BodyKind.VALUE
    return encode_content(MessageContent(body=body, body_kind=kind))


def sent(changes: Changes, *bodies: Any) -> list[Any]:
    """What the reader is sent of one key's values: bodies, deltas in a list, None for nothing."""
    told: list[Any] = []
    for body in bodies:
        written = changes.write(b"k", payload(body))
        shown = None if written is None else decode_content(written.payload).body
        told.append([shown] if written is not None and written.delta else shown)
    return told


def asking(**asked: Any) -> Changes:
    return Changes(read_watch_terms(asked), MemoryAccount())


@given(MAPS, MAPS)
def test_a_patch_makes_the_one_map_of_the_other(before: dict[str, Any], after: dict[str, Any]) -> None:
    patch = merge_patch(before, after)
    if patch is not None:
        made = patched(before, patch)
        assert (made, repr(sorted(made))) == (after, repr(sorted(after)))


@pytest.mark.parametrize(
    ("asked", "bodies", "told"),
    [
        ({"unchanged": "body"}, ["x", "x", "y", b"y"], ["x", None, "y", b"y"]),
        ({"unchanged": "body"}, [{"a": 1}, {"a": 1}, {"a": 1.0}], [{"a": 1}, None, {"a": 1.0}]),
        ({"unchanged": ["a"]}, [{"a": 1, "t": 1}, {"a": 1, "t": 2}], [{"a": 1, "t": 1}, None]),
        ({"unchanged": ["a"]}, ["x", "x"], ["x", "x"]),
        ({"dead_band": {"a": 2}}, [{"a": 1}, {"a": 3}, {"a": 3.5}], [{"a": 1}, None, {"a": 3.5}]),
        ({"dead_band": {"a": 2}}, [{"a": 1, "b": 1}, {"a": 2, "b": 2}], [{"a": 1, "b": 1}, {"a": 2, "b": 2}]),
        ({"dead_band": {"a": 2}}, [BEYOND, '{"a":1.5}', BEYOND], [BEYOND, '{"a":1.5}', BEYOND]),
        (
            {"dead_band": {"a": 2}, "unchanged": ["a"]},
            ['{"a":1,"b":1}', '{"a":2,"b":2}'],
            ['{"a":1,"b":1}', None],
        ),
    ],
)
def test_unchanged_values_are_left_out(asked: dict[str, Any], bodies: list[Any], told: list[Any]) -> None:
    assert sent(asking(**asked), *bodies) == told


def test_a_value_that_is_nested_deeply_is_sent_whole() -> None:
    deep = '{"a":' * 950 + "1" + "}" * 950
    assert sent(asking(delta=True, unchanged="body"), deep, deep, f"{deep} ") == [deep, None, f"{deep} "]


def test_what_is_compared_is_what_the_reader_has_not_what_was_left_out() -> None:
    slow = [{"a": number} for number in range(6)]
    assert sent(asking(dead_band={"a": 2}), *slow) == [{"a": 0}, None, None, {"a": 3}, None, None]


def test_a_delta_has_the_form_of_the_body_and_is_sent_where_it_is_shorter() -> None:
    text = "x" * 40
    changes = asking(delta=True)
    assert sent(changes, {"t": text, "n": 1}, {"t": text, "n": 2}) == [{"t": text, "n": 1}, [{"n": 2}]]
    assert sent(changes, {"n": 3}) == [{"n": 3}]
    assert sent(asking(delta=True), f'{{"t":"{text}","n":1}}', f'{{"t":"{text}"}}')[1] == ['{"n":null}']
    assert sent(asking(delta=True), f'{{"t":"{text}"}}'.encode(), f'{{"t":"{text}","n":2}}'.encode())[1] == [
        b'{"n":2}'
    ]


def test_after_a_removal_and_on_request_a_value_is_whole() -> None:
    text = "x" * 40
    changes = asking(delta=True)
    sent(changes, {"t": text, "n": 1})
    changes.forget(b"k")
    assert sent(changes, {"t": text, "n": 2}) == [{"t": text, "n": 2}]
    changes.forget_all()
    assert sent(changes, {"t": text, "n": 3}) == [{"t": text, "n": 3}]


def test_it_keeps_as_many_keys_as_the_reader_allows() -> None:
    changes = asking(unchanged="body", max_keys=1)
    for key in (b"a", b"b", b"a"):
        assert changes.write(key, payload("x")) is not None
    assert changes.write(b"a", payload("x")) is None


def test_a_message_that_cannot_be_read_is_sent_as_it_is() -> None:
    written = asking(unchanged="body").write(b"k", b"\x00\x53")
    assert written is not None
    assert written.payload == b"\x00\x53"


def test_a_large_value_is_sent_whole_and_compared_with_none() -> None:
    large = {"a": 1, "text": "x" * (1 << 20)}
    assert sent(asking(delta=True), {"a": 1}, large, large, {"a": 2}) == [{"a": 1}, large, large, {"a": 2}]


def test_a_value_with_very_many_values_in_it_is_sent_whole_and_compared_with_none() -> None:
    many = {"a": 1, "list": [[None] * 20_000]}
    assert sent(asking(delta=True), {"a": 1}, many, many, {"a": 2}) == [{"a": 1}, many, many, {"a": 2}]


def test_values_are_remembered_of_as_many_keys_as_there_is_memory_for() -> None:
    budget = MemoryBudget()
    budget.account_limit_bytes = 2000
    memory = MemoryAccount(budget)
    changes = Changes(read_watch_terms({"unchanged": "body"}), memory)
    value = payload("x" * 500)
    keys = [b"a", b"b", b"c"]
    assert all(changes.write(key, value) for key in keys)
    assert 1500 < memory.used_bytes <= 2000
    assert [changes.write(key, value) is None for key in (b"b", b"c", b"a")] == [True, True, False]
    assert changes.write(b"d", payload("x" * 3000)) is not None
    assert memory.used_bytes == 0
    changes.write(b"a", value)
    changes.forget_all()
    assert memory.used_bytes == 0
