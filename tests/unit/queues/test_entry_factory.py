from typing import Any

import pytest
from canned_message import CannedMessage, UnreadableError

from lastvalue.model.message import AT_ONCE, NEVER
from lastvalue.queues.contents import Contents
from lastvalue.queues.effects import FILTERED, Dismissed
from lastvalue.queues.entry import FIRST
from lastvalue.queues.entry_factory import EntryFactory
from lastvalue.queues.errors import DelayRefusedError
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.selectors.selector import parse_selector

NOW_MS = 1_000
RED = CannedMessage({"colour": "red"})
GREEN = CannedMessage({"colour": "green"})


def factory(selector: str | None = None, **options: Any) -> EntryFactory:
    parsed = None if selector is None else parse_selector(selector)
    return EntryFactory(spec_from_arguments("q", options), parsed)


def test_an_entry_has_its_sequence_its_arrival_and_the_updates_of_its_message() -> None:
    entry = factory().entry(CannedMessage(updates=3), 7, NOW_MS)
    assert entry is not None
    assert (entry.sequence, entry.arrival_ms, entry.updates) == (7, NOW_MS, 3)
    assert (entry.key, entry.rank, entry.expires_ms, entry.not_before_ms) == (None, FIRST, NEVER, AT_ONCE)


@pytest.mark.parametrize(
    ("options", "properties", "key"),
    [
        ({"lvq_key": "k"}, {"k": 5}, b"5"),
        ({"lvq_key": "k"}, {"k": "5"}, b"'5'"),
        ({"lvq_key": "k"}, {}, None),
        ({"lvq_key": "k", "lvq_key_equality": "text"}, {"k": 5}, b"5"),
        ({"lvq_key": "k", "lvq_key_equality": "text"}, {"k": "5"}, b"5"),
        ({}, {"k": 5}, None),
    ],
    ids=str,
)
def test_the_key_is_read_as_the_declaration_says(
    options: dict[str, Any], properties: dict[str, object], key: bytes | None
) -> None:
    entry = factory(**options).entry(CannedMessage(properties), 1, NOW_MS)
    assert entry is not None
    assert entry.key == key


def test_messages_without_a_key_may_have_one_in_common() -> None:
    entry = factory(lvq_key="k", lvq_keyless="conflate").entry(CannedMessage(), 1, NOW_MS)
    assert entry is not None
    assert entry.key == b""


def test_the_order_is_read_with_the_key_only() -> None:
    ordered = factory(lvq_key="k", order_by="v")
    keyed = ordered.entry(CannedMessage({"k": 1, "v": 2.5}), 1, NOW_MS)
    keyless = ordered.entry(CannedMessage({"v": 2.5}), 2, NOW_MS)
    assert keyed is not None
    assert keyless is not None
    assert (keyed.order, keyless.order) == (2.5, None)


def test_what_the_filter_does_not_select_or_cannot_read_has_no_entry() -> None:
    filtered = factory("colour = 'red'")
    unreadable = CannedMessage({"colour": None})
    entries = [filtered.entry(message, 1, NOW_MS) for message in (RED, GREEN, unreadable)]
    assert [entry is None for entry in entries] == [False, True, True]


def test_what_the_filter_does_not_select_is_taken_and_leaves_at_once() -> None:
    contents = Contents()
    factory().dismiss(GREEN, contents, NOW_MS)
    (effect,) = contents.drain()
    assert isinstance(effect, Dismissed)
    assert (effect.reason, effect.entry.sequence, effect.entry.message) == (FILTERED, 1, GREEN)


@pytest.mark.parametrize(
    ("options", "ttl_ms", "expires_ms"),
    [
        ({}, NEVER, NEVER),
        ({}, 50, NOW_MS + 50),
        ({"default_ttl_ms": 80}, NEVER, NOW_MS + 80),
        ({"default_ttl_ms": 80}, 50, NOW_MS + 50),
        ({"maximum_ttl_ms": 20}, 50, NOW_MS + 20),
    ],
    ids=str,
)
def test_an_entry_expires_as_its_message_and_the_declaration_say(
    options: dict[str, Any], ttl_ms: int, expires_ms: int
) -> None:
    entry = factory(**options).entry(CannedMessage(ttl_ms=ttl_ms), 1, NOW_MS)
    assert entry is not None
    assert entry.expires_ms == expires_ms


@pytest.mark.parametrize(
    ("not_before_ms", "expected"), [(NOW_MS + 1, NOW_MS + 1), (NOW_MS, AT_ONCE), (5, AT_ONCE)]
)
def test_a_delivery_time_that_has_not_passed_holds_an_entry_back(not_before_ms: int, expected: int) -> None:
    entry = factory().entry(CannedMessage(not_before_ms=not_before_ms), 1, NOW_MS)
    assert entry is not None
    assert entry.not_before_ms == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (NOW_MS + 7, NOW_MS + 7),
        (NOW_MS + 7.9, NOW_MS + 7),
        ("2000", AT_ONCE),
        (-1, AT_ONCE),
        (NOW_MS, AT_ONCE),
    ],
)
def test_a_queue_that_holds_reads_the_header_of_broker_j(value: object, expected: int) -> None:
    message = CannedMessage({"x-qpid-not-valid-before": value})
    holding = factory(hold_on_publish=True).entry(message, 1, NOW_MS)
    other = factory().entry(message, 1, NOW_MS)
    assert holding is not None
    assert other is not None
    assert (holding.not_before_ms, other.not_before_ms) == (expected, AT_ONCE)


def test_a_message_that_cannot_be_read_raises_what_its_codec_raises() -> None:
    with pytest.raises(UnreadableError):
        factory(lvq_key="k").entry(CannedMessage({"k": UnreadableError}), 1, NOW_MS)


def test_an_entry_that_is_made_again_is_read_alike() -> None:
    both = factory(lvq_key="k", order_by="v", priorities=10)
    message = CannedMessage({"k": 1, "v": 2}, priority=7)
    entry = both.entry(message, 4, NOW_MS)
    assert entry is not None
    again = both.remake(message, 4, NOW_MS)
    assert (again.key, again.order, again.rank) == (entry.key, entry.order, entry.rank)
    assert again.rank != FIRST


@pytest.mark.parametrize(
    ("changed", "alike"),
    [({"k": 1, "v": 2}, True), ({"k": 9, "v": 2}, False), ({"k": 1, "v": 3}, False)],
)
def test_another_message_is_read_alike_where_key_and_order_are_the_same(
    changed: dict[str, object], alike: bool
) -> None:
    reader = factory(lvq_key="k", order_by="v")
    entry = reader.entry(CannedMessage({"k": 1, "v": 2}), 1, NOW_MS)
    assert entry is not None
    assert reader.reads_alike(entry, CannedMessage(changed)) is alike


def test_another_message_of_another_group_is_not_read_alike() -> None:
    reader = factory(group_key="g", group_mode="shared")
    entry = reader.entry(CannedMessage({"g": "a"}), 1, NOW_MS)
    assert entry is not None
    assert reader.group == "a"
    assert reader.reads_alike(entry, CannedMessage({"g": "b"})) is False


def test_a_queue_that_refuses_delays_says_so() -> None:
    refusing = factory(delayed_delivery="refuse")
    with pytest.raises(DelayRefusedError, match="'q'"):
        refusing.entry(CannedMessage(not_before_ms=NOW_MS + 1), 1, NOW_MS)
    assert refusing.entry(CannedMessage(not_before_ms=NOW_MS), 1, NOW_MS) is not None


def test_messages_that_come_alike_share_what_few_have() -> None:
    made = factory()
    messages = [CannedMessage(ttl_ms=ttl_ms) for ttl_ms in (1_000, 1_000, 2_000, 2_000)]
    messages[2].origin = messages[3].origin = "c1"
    for number, message in enumerate(messages):
        entry = made.entry(message, number + 1, 0)
        assert entry is not None
        assert (entry.expires_ms, message.ttl_ms) == (message.ttl_ms, (1_000, 1_000, 2_000, 2_000)[number])
    first, second, third, fourth = (message.extras for message in messages)
    assert first is second
    assert third is fourth
    assert first is not third
    restored = CannedMessage(ttl_ms=2_000)
    restored.origin = "c1"
    made.remake(restored, 5, 0)
    assert restored.extras is third
