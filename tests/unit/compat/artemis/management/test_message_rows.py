"""Messages as JSON, and messages that JSON makes."""

import base64
import json
from typing import Any

import pytest
from core_management import NOW, ManagedBroker

from lastvalue.broker.rights.owner import Owner
from lastvalue.codec.amqp10.content import decode_content
from lastvalue.codec.amqp10.message import read_message


def rows(managed: ManagedBroker) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(managed.ask("queue.q", "listMessagesAsJSON", ""))
    return found


def test_a_text_is_published_with_its_headers(managed: ManagedBroker) -> None:
    managed.declare("q")
    assert managed.ask("queue.q", "sendMessage", {"color": "red"}, 3, "hello", True, None, None) == "1"
    (row,) = rows(managed)
    assert (row["text"], row["color"], row["durable"], row["type"]) == ("hello", "red", True, 3)
    assert row["timestamp"] == NOW


@pytest.mark.parametrize("operation", ["listMessagesAsJSON", "peekFirstMessageAsJSON"])
def test_a_property_that_json_does_not_have_is_a_text(managed: ManagedBroker, operation: str) -> None:
    managed.declare("q")
    managed.publish("q", "x", odd=float("nan"))
    parameters = ("",) if operation == "listMessagesAsJSON" else ()
    text = managed.ask("queue.q", operation, *parameters)
    assert json.loads(text, parse_constant=pytest.fail)[0]["odd"] == "NaN"


def test_bytes_are_published_from_base64(managed: ManagedBroker) -> None:
    managed.declare("q")
    body = base64.b64encode(b"\0\1").decode()
    managed.ask("queue.q", "sendMessage", None, 4, body, False, "", "", True)
    (entry,) = managed.broker.lookup("q").queue.entries()
    assert decode_content(entry.message.encoded).body == b"\0\1"


@pytest.mark.parametrize(
    ("parameters", "fault"),
    [
        ((None, 3, "x"), "takes headers, type, body, durable, user and password"),
        (("x", 3, "x", True, None, None), "headers are 'x'; expected a map"),
        ((None, 5, "x", True, None, None), "a message of type 5"),
        ((None, 4, "!", True, None, None), "is Base64"),
        ((None, 4, "²", True, None, None), "is Base64"),
        ((None, 3, "x", True, "eve", "secret"), "cannot send as 'eve'"),
    ],
)
def test_a_wrong_message_is_refused(managed: ManagedBroker, parameters: tuple[Any, ...], fault: str) -> None:
    managed.declare("q")
    assert fault in managed.refusal("queue.q", "sendMessage", *parameters, owner=Owner(principal="ann"))
    assert managed.depth("q") == 0


def test_a_full_queue_refuses_a_message(managed: ManagedBroker) -> None:
    managed.declare("q", max_messages=1)
    managed.publish("q", "1")
    assert "is full" in managed.refusal("queue.q", "sendMessage", None, 3, "2", True, None, None)


def test_of_a_long_text_the_beginning_is_shown(managed: ManagedBroker) -> None:
    managed.declare("q")
    managed.publish("q", "x" * 300, bytes=b"\0")
    (row,) = rows(managed)
    assert (row["text"], row["bytes"]) == (f"{'x' * 256}, + 44 more", "AA==")


def test_a_message_that_cannot_be_read_is_listed(managed: ManagedBroker) -> None:
    managed.declare("q")
    target = managed.broker.queue_target("q")
    managed.broker.publish(target, read_message(b"\x00\x53\x77\xa1\x01\xff"), NOW)
    assert [row["messageID"] for row in rows(managed)] == [1]
