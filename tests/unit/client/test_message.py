import copy
import pickle
from dataclasses import MISSING, fields, replace
from typing import Any

import pytest

from lastvalue.client import Message


def test_what_a_message_was_not_given_has_its_default() -> None:
    message = Message(b"x", {"key": "A"}, ttl_ms=5)
    assert (message.body, message.properties, message.ttl_ms) == (b"x", {"key": "A"}, 5)
    rest = [each for each in fields(Message) if each.name not in {"body", "properties", "ttl_ms"}]
    defaults: dict[str, object] = {
        each.name: {} if each.default_factory is not MISSING else each.default for each in rest
    }
    assert {each.name: getattr(message, each.name) for each in rest} == defaults


def test_each_message_has_properties_and_annotations_of_its_own() -> None:
    first, second = Message(), Message()
    assert first.properties is not second.properties
    assert first.annotations is not second.annotations


def test_messages_with_the_same_fields_are_equal_given_or_not() -> None:
    assert Message(1, priority=4) == Message(1, {}, {})
    assert Message(1, priority=5) != Message(1)
    assert replace(Message(1, subject="a"), body=2) == Message(2, subject="a")


def test_a_message_is_copied_and_pickled() -> None:
    message = Message(1, {"key": "A"}, subject="a")
    assert copy.copy(message) == message
    assert pickle.loads(pickle.dumps(message)) == message


def test_an_unknown_field_is_refused_with_those_that_there_are() -> None:
    unknown: dict[str, Any] = {"ttl": 5}
    with pytest.raises(TypeError, match=r"a Message has no ttl; it has .*subject, token, ttl_ms"):
        Message(1, **unknown)
