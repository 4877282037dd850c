"""Bodies of messages that are conflated: read as values that JSON has, and replaced."""

import json
from collections.abc import Mapping
from typing import Any, Final

from mypy_extensions import i64

from lastvalue.codec.amqp10.errors import DecodeError, LargeStructureError
from lastvalue.codec.amqp10.sections import (
    AMQP_VALUE,
    APPLICATION_PROPERTIES,
    DATA,
    DELIVERY_ANNOTATIONS,
    HEADER,
    MESSAGE_ANNOTATIONS,
    MOST_STRUCTURE_BYTES,
    check_structure,
    decoded_sections,
    section_head,
)
from lastvalue.codec.amqp10.value_codec import encode_value, skip_value
from lastvalue.codec.amqp10.values import Described, Symbol, ULong, Value
from lastvalue.model.property_names import DELIVERY_DELAY, DELIVERY_TIME, UPDATES

_OF_ONE_UPDATE: Final = (DELIVERY_TIME, DELIVERY_DELAY, UPDATES)
"""Annotations that do not hold for the value that is made of an update."""

_DURABLE: Final = 0
_OPENINGS: Final = ("{", b"{")


def body_value(payload: bytes) -> Any:
    """The body; a map where it is JSON of one, as a text or as bytes; None where there is none.

    Raises:
        DecodeError: a section is malformed.
        LargeStructureError: it has very many values, or is very much JSON.
    """
    check_structure(payload)
    sections, _ = decoded_sections(payload[_body_start(payload) :], AMQP_VALUE)
    value = next(iter(sections.values()), None)
    if isinstance(value, str | bytes) and value[:1] in _OPENINGS:
        _check_json(len(value))
    mapped = as_map(value)
    return value if mapped is None else mapped


def as_map(body: Any) -> dict[str, Any] | None:
    """A body as a map of names: if it is one, or JSON of one as a text or as bytes."""
    if isinstance(body, str | bytes):
        if body[:1] not in _OPENINGS:
            return None
        try:
            body = json.loads(body)
        except (ValueError, RecursionError):
            return None
    if isinstance(body, dict) and all(isinstance(name, str) for name in body):
        return body
    return None


def conflated_payload(
    payload: bytes, body: Mapping[str, Any] | None, notes: Mapping[str, str | int], durable: bool
) -> bytes:
    """The message with another body, in the form of its own, and with these message annotations.

    A body that is JSON stays JSON, as a text or as bytes; any other becomes a map. With None it stays.
    What held for one update only is dropped: delivery annotations, delivery times, a count of updates.

    Raises:
        DecodeError: a section is malformed.
        LargeStructureError: the new body has very many values, or is very much JSON.
    """
    start = _body_start(payload)
    sections, between = decoded_sections(payload, MESSAGE_ANNOTATIONS)
    sections.pop(DELIVERY_ANNOTATIONS, None)
    header = sections.get(HEADER)
    fields: list[Value] = list(header) if isinstance(header, list) and header else [False]
    fields[_DURABLE] = durable
    sections[HEADER] = fields
    own = sections.get(MESSAGE_ANNOTATIONS)
    annotations: dict[Value, Value] = dict(own) if isinstance(own, dict) else {}
    for name in _OF_ONE_UPDATE:
        annotations.pop(Symbol(name), None)
    annotations.update({Symbol(name): note for name, note in notes.items()})
    sections[MESSAGE_ANNOTATIONS] = annotations
    head = b"".join(encode_value(Described(ULong(code), sections[code])) for code in sorted(sections))
    head += payload[between:start]
    if body is None:
        return head + payload[start:]
    whole = head + _body(payload, start, dict(body))
    # The next update reads it.
    check_structure(whole)
    return whole


def _body(payload: bytes, start: i64, body: dict[str, Any]) -> bytes:
    sections, _ = decoded_sections(payload[start:], AMQP_VALUE)
    if DATA in sections:
        return encode_value(Described(ULong(DATA), _json(body).encode()))
    if isinstance(sections.get(AMQP_VALUE), str):
        return encode_value(Described(ULong(AMQP_VALUE), _json(body)))
    return encode_value(Described(ULong(AMQP_VALUE), body))


def _body_start(payload: bytes) -> i64:
    """The start of the section after the application properties."""
    size: i64 = len(payload)
    pos: i64 = 0
    try:
        while pos < size:
            section, start = section_head(payload, pos, size)
            if section > APPLICATION_PROPERTIES:
                break
            pos = skip_value(payload, start, size)
    except IndexError as fault:
        raise DecodeError("the message ends within a section") from fault
    return pos


def _json(body: dict[str, Any]) -> str:
    text = json.dumps(body, separators=(",", ":"), ensure_ascii=False)
    _check_json(len(text))
    return text


def _check_json(size: int) -> None:
    if size > MOST_STRUCTURE_BYTES:
        raise LargeStructureError(
            f"a body that is conflated is JSON of at most {MOST_STRUCTURE_BYTES} characters; it has {size}"
        )
