"""What a declaration touches, by the table of the options."""

from dataclasses import fields, replace

import pytest

from lastvalue.broker.broker import Broker
from lastvalue.queues.option import (
    ALONE,
    DETAILS,
    EFFECTS,
    EVERYTHING,
    REFUSES,
    TURN,
    Option,
    Touch,
)
from lastvalue.queues.options import OPTIONS
from lastvalue.queues.spec_arguments import spec_from_arguments
from lastvalue.queues.touches import TOUCHES, TouchTable, may_refuse


@pytest.mark.parametrize(
    ("options", "touched"),
    [
        ({}, set()),
        ({"lvq_key": "k", "lvq_keyless": "conflate", "paused": True, "durable": True}, set()),
        ({"lvq_key": "k", "order_by": "o"}, {DETAILS}),
        ({"lvq_key": "k", "lvq_placement": "in-place"}, {ALONE}),
        ({"lvq_key": "k", "lvq_key_equality": "text"}, {ALONE}),
        ({"lvq_key": "k", "conflation": "count"}, {ALONE, REFUSES}),
        ({"lvq_key": "k", "conflation_interval_ms": 5}, {ALONE, DETAILS, REFUSES}),
        ({"lvq_key": "k", "priorities": 3}, {ALONE, DETAILS}),
        ({"type": "priority"}, {ALONE, DETAILS}),
        ({"sort_key": "s"}, {ALONE, DETAILS}),
        ({"group_key": "g"}, {ALONE, DETAILS}),
        ({"group_mode": "shared"}, {ALONE, DETAILS}),
        ({"max_messages": 3}, {REFUSES}),
        ({"max_bytes": 3, "when_full": "drop-oldest"}, {REFUSES}),
        ({"lvq_key": "k", "max_keys": 3}, {REFUSES}),
        ({"max_messages": 3, "when_full": "self-destruct"}, {REFUSES, TURN}),
        ({"max_messages": 3, "when_full": "block"}, {TURN}),
        ({"flow_stop_bytes": 4}, {TURN}),
        ({"delayed_delivery": "refuse"}, {REFUSES}),
        ({"maximum_ttl_ms": 5, "minimum_ttl_ms": 5}, set()),
        ({"hold_on_publish": True}, {ALONE}),
        ({"filter": "a = 1"}, {ALONE}),
        ({"duplicate_window": 5}, {ALONE}),
        ({"alternate": "d"}, {TURN}),
        ({"expiry_alternate": "d"}, {TURN}),
        ({"lifetime": "delete-on-no-links"}, set()),
        ({"lifetime": "delete-on-no-links-or-messages"}, {TURN}),
        ({"history": "h"}, {EFFECTS}),
        ({"removal_log": 5}, {EFFECTS}),
        ({"lvq_key": "k", "top_talkers": 3}, {EFFECTS}),
        ({"lvq_key": "k", "max_age_ms": 5}, {EFFECTS}),
        ({"lvq_key": "k", "max_age_ms": 5, "when_aged": "remove"}, {ALONE, EFFECTS}),
        ({"lvq_key": "k", "delete_on_empty": True}, set()),
        ({"trace_links": 2}, {ALONE, DETAILS}),
    ],
)
def test_a_declaration_touches_what_its_options_say(options: dict[str, object], touched: set[Touch]) -> None:
    assert TOUCHES.of(spec_from_arguments("q", options)) == touched


def test_the_broker_reads_it_again_when_a_declaration_changes() -> None:
    broker = Broker(all_effects=False)
    broker.declare(spec_from_arguments("q", {}))
    hosted = broker.lookup("q")
    assert (hosted.watched, hosted.may_refuse, hosted.queue.fast_path is None) == (False, False, False)
    broker.reconfigure(
        spec_from_arguments("q", {"max_messages": 3, "flow_stop_messages": 2, "filter": "a = 1"}), 0
    )
    assert (hosted.watched, hosted.may_refuse, hosted.queue.fast_path is None) == (True, True, True)


RING: dict[str, object] = {"max_messages": 3, "when_full": "drop-oldest"}


@pytest.mark.parametrize(
    ("options", "refuses"),
    [
        ({}, False),
        ({"max_messages": 3}, True),
        (RING, False),
        ({**RING, "lvq_key": "k", "max_keys": 2}, False),
        ({**RING, "max_bytes": 10}, True),
        ({**RING, "delayed_delivery": "refuse"}, True),
    ],
)
def test_a_queue_that_drops_its_oldest_has_room_for_a_message(
    options: dict[str, object], refuses: bool
) -> None:
    assert may_refuse(spec_from_arguments("q", options)) is refuses


def test_every_option_says_what_it_touches() -> None:
    assert [option.name for option in OPTIONS if option.touches is EVERYTHING] == []


def silent(option: Option) -> Option:
    """The same option, as one that says nothing."""
    default = next(field.default for field in fields(Option) if field.name == "touches")
    assert isinstance(default, tuple)
    return replace(option, touches=default, touching=())


def test_an_option_that_says_nothing_touches_everything() -> None:
    table = TouchTable([silent(option) if option.name == "paused" else option for option in OPTIONS])
    assert table.of(spec_from_arguments("q", {})) == set()
    assert table.of(spec_from_arguments("q", {"paused": True})) == set(Touch)


def test_declarations_do_not_pile_up_in_the_table() -> None:
    table = TouchTable(OPTIONS)
    for number in range(1, 200):
        assert table.of(spec_from_arguments("q", {"max_messages": number})) == {REFUSES}
        assert table.of(spec_from_arguments("q", {"removal_log": number})) == {EFFECTS}
