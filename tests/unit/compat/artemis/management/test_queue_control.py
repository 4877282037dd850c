"""The operations on one queue."""

import json
from typing import Any

import pytest
from core_management import ManagedBroker


@pytest.fixture
def filled(managed: ManagedBroker) -> ManagedBroker:
    managed.declare("dead")
    managed.declare("q", alternate="dead")
    managed.declare("other")
    managed.publish("q", "1", color="red")
    managed.publish("q", "2", "3", color="blue")
    return managed


@pytest.mark.parametrize(
    ("operation", "parameters", "result", "depths"),
    [
        ("removeAllMessages", (), 3, (0, 0)),
        ("removeMessages", ("color = 'blue'",), 2, (1, 0)),
        ("removeMessages", (10, "color = 'blue'"), 2, (1, 0)),
        ("removeMessages", ("",), 3, (0, 0)),
        ("removeMessage", (2,), True, (2, 0)),
        ("removeMessage", (9,), False, (3, 0)),
        ("moveMessages", ("color = 'blue'", "other"), 2, (1, 2)),
        ("moveMessages", (None, "other"), 3, (0, 3)),
        ("moveMessages", (1000, None, "other", False, 2), 2, (1, 2)),
        ("moveMessage", (1, "other"), True, (2, 1)),
        ("copyMessage", (1, "other"), True, (3, 1)),
        ("changeMessagesPriority", (None, 9), 3, (3, 0)),
        ("changeMessagePriority", (1, 9), True, (3, 0)),
        ("countMessages", (), 3, (3, 0)),
        ("countMessages", ("color = 'red'",), 1, (3, 0)),
        ("pause", (), None, (3, 0)),
    ],
)
def test_an_operation_does_what_artemis_promises(
    filled: ManagedBroker, operation: str, parameters: tuple[Any, ...], result: Any, depths: tuple[int, int]
) -> None:
    assert filled.ask("queue.q", operation, *parameters) == result
    assert (filled.depth("q"), filled.depth("other")) == depths


def test_dead_letters_go_to_the_alternate_and_back(filled: ManagedBroker) -> None:
    assert filled.ask("queue.q", "sendMessageToDeadLetterAddress", 1) is True
    assert filled.ask("queue.q", "sendMessagesToDeadLetterAddress", "color = 'blue'") == 2
    assert (filled.depth("q"), filled.depth("dead")) == (0, 3)
    assert "has no dead letter address" in filled.refusal("queue.other", "sendMessageToDeadLetterAddress", 1)


def test_a_paused_queue_goes_on(managed: ManagedBroker) -> None:
    managed.declare("q")
    managed.ask("queue.q", "pause")
    assert managed.attribute("queue.q", "Paused") is True
    managed.ask("queue.q", "resume")
    assert managed.attribute("queue.q", "Paused") is False


def test_messages_are_listed_with_their_properties(filled: ManagedBroker) -> None:
    rows = json.loads(filled.ask("queue.q", "listMessagesAsJSON", "color = 'red'"))
    assert [(row["messageID"], row["color"], row["text"]) for row in rows] == [(1, "red", "1")]
    assert json.loads(filled.ask("queue.q", "listScheduledMessagesAsJSON")) == []
    (first,) = json.loads(filled.ask("queue.q", "peekFirstMessageAsJSON"))
    assert first["messageID"] == 1
    assert json.loads(filled.ask("queue.other", "peekFirstMessageAsJSON")) == []


def test_messages_are_not_counted_by_a_property(filled: ManagedBroker) -> None:
    assert "list them and count" in filled.refusal("queue.q", "countMessages", None, "color")


def test_messages_are_moved_only_with_a_filter_and_a_queue(filled: ManagedBroker) -> None:
    for parameters in ((), (None,), (1000,), (1000, None)):
        assert "wrong parameters of moveMessages" in filled.refusal("queue.q", "moveMessages", *parameters)
    assert filled.depth("q") == 3


@pytest.mark.parametrize(
    ("operation", "parameters", "left"),
    [
        ("deliverScheduledMessages", ("color = 'blue'",), [1]),
        ("deliverScheduledMessages", ("",), []),
        ("deliverScheduledMessage", (1,), [2, 3]),
        ("deliverScheduledMessage", (9,), [1, 2, 3]),
        ("removeMessage", (1,), [2, 3]),
        ("removeMessages", ("color = 'blue'",), [1]),
    ],
)
def test_scheduled_messages_are_delivered_at_once_or_removed(
    managed: ManagedBroker, operation: str, parameters: tuple[Any, ...], left: list[int]
) -> None:
    """S-113."""
    managed.declare("q", holdOnPublishEnabled=True)
    later = managed.now + 60_000
    managed.publish("q", "1", color="red", **{"x-qpid-not-valid-before": later})
    managed.publish("q", "2", "3", color="blue", **{"x-qpid-not-valid-before": later})
    assert managed.attribute("queue.q", "ScheduledCount") == 3
    managed.ask("queue.q", operation, *parameters)
    waiting = json.loads(managed.ask("queue.q", "listScheduledMessagesAsJSON"))
    assert [row["messageID"] for row in waiting] == left
    removed = operation.startswith("remove")
    assert managed.depth("q") == (len(left) if removed else 3)
