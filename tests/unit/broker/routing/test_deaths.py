"""The deaths of a message."""

import pytest
from bare_queue import START_MS

from lastvalue.broker.routing.deaths import death_note, deaths_of, died, is_cycle
from lastvalue.codec.amqp10.content import MessageContent, encode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.values import Value
from lastvalue.model.message import Message
from lastvalue.queues.effects import Reason

EXPIRED, REJECTED, FAILED, FULL = Reason.EXPIRED, Reason.REJECTED, Reason.DEAD_LETTERED, Reason.OVERFLOW


def noted(note: Value) -> Message:
    return read_message(encode_content(MessageContent(message_annotations={"x-opt-deaths": note})))


def after(*steps: tuple[str, Reason]) -> list[dict[str, object]]:
    deaths: list[dict[str, object]] = []
    for queue, reason in steps:
        deaths = died(deaths, queue, reason, {"exchange": "", "routing-keys": [queue]}, START_MS)
    return deaths


def test_deaths_of_one_queue_and_reason_are_counted_together_and_the_last_comes_first() -> None:
    deaths = after(("a", REJECTED), ("b", EXPIRED), ("a", REJECTED), ("a", EXPIRED))
    assert [(each["queue"], each["reason"], each["count"]) for each in deaths] == [
        ("a", "expired", 1),
        ("a", "rejected", 2),
        ("b", "expired", 1),
    ]
    assert [each.get("first") for each in deaths] == [None, True, None]


def test_the_annotation_gives_the_same_deaths_again() -> None:
    deaths = after(("a", REJECTED), ("b", FULL))
    assert deaths_of(noted(death_note(deaths))) == deaths


@pytest.mark.parametrize(
    "note", [None, 1, "x", [], [1], [{}], [{"queue": "q"}], [{"queue": 1, "reason": "x"}]]
)
def test_what_has_another_form_is_no_death(note: Value) -> None:
    assert deaths_of(noted(note)) == []


@pytest.mark.parametrize(
    ("steps", "target", "is_one"),
    [
        ([("a", EXPIRED)], "b", False),
        ([("a", EXPIRED)], "a", True),
        ([("a", EXPIRED), ("b", FULL)], "a", True),
        ([("a", REJECTED), ("b", EXPIRED)], "a", False),
        ([("a", FAILED), ("b", EXPIRED)], "a", False),
        ([("a", REJECTED), ("b", EXPIRED), ("a", EXPIRED)], "b", True),
        ([("a", EXPIRED), ("b", REJECTED)], "a", False),
    ],
)
def test_it_is_a_circle_if_no_consumer_has_refused_the_message_since(
    steps: list[tuple[str, Reason]], target: str, is_one: bool
) -> None:
    assert is_cycle(after(*steps), target) is is_one
