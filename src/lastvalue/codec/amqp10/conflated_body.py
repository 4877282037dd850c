"""Bodies of messages that are conflated: read as values that JSON has, and replaced."""

import re
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
    MOST_VALUES,
    check_structure,
    decoded_sections,
    section_head,
)
from lastvalue.codec.amqp10.value_codec import encode_value, skip_value
from lastvalue.codec.amqp10.values import Described, Symbol, ULong, Value
from lastvalue.model.jsonable import compact_json
from lastvalue.model.nested_json import NestedTooDeeplyError, parse_json
from lastvalue.model.property_names import DELIVERY_DELAY, DELIVERY_TIME, UPDATES

_OF_ONE_UPDATE: Final = (DELIVERY_TIME, DELIVERY_DELAY, UPDATES)
"""Annotations that do not hold for the value that is made of an update."""

_DURABLE: Final = 0
_OPENINGS: Final = ("{", b"{")

MOST_CONFLATED_BYTES: Final = 1 << 20
"""How large a body may be that each update of its key reads and writes again."""
_STRINGS: Final = re.compile(r'"(?:[^"\\]++|\\.?)*+"?', re.DOTALL)
"""The texts in JSON; one that does not end reaches to the end, so that a search is linear."""
_TEXT_CODES: Final = (0xA1, 0xB1)


def body_value(payload: bytes) -> Any:
    """The body; a map where it is JSON of one, as a text or as bytes; None if there is none.

    Raises:
        DecodeError: a section is malformed.
        LargeStructureError: it is large, or has very many values, or JSON is nested deeply.
    """
    start = _body_start(payload)
    _check_size(len(payload) - start)
    check_structure(payload)
    sections, _ = decoded_sections(payload[start:], AMQP_VALUE)
    value = next(iter(sections.values()), None)
    if isinstance(value, str | bytes) and value[:1] in _OPENINGS:
        _check_json(value if isinstance(value, str) else value.decode("latin-1"))
    try:
        mapped = _mapped(value)
    except NestedTooDeeplyError as fault:
        raise LargeStructureError(f"what is conflated is JSON, and {fault}") from None
    return value if mapped is None else mapped


def as_map(body: Any) -> dict[str, Any] | None:
    """A body as a map of names: if it is one, or JSON of one, as a text or as bytes, not too nested."""
    try:
        return _mapped(body)
    except NestedTooDeeplyError:
        return None


def _mapped(body: Any) -> dict[str, Any] | None:
    """See `as_map`.

    Raises:
        NestedTooDeeplyError: it is JSON, and nested too deeply.
    """
    if isinstance(body, str | bytes):
        if body[:1] not in _OPENINGS:
            return None
        try:
            body = parse_json(body)
        except NestedTooDeeplyError:
            raise
        except ValueError:
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
        LargeStructureError: the new body or a note is large, or has very many values.
    """
    for note in notes.values():
        if isinstance(note, str):
            _check_json(note)
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
    _check_size(len(whole) - len(head))
    check_structure(whole)
    return whole


def _body(payload: bytes, start: i64, body: dict[str, Any]) -> bytes:
    size: i64 = len(payload)
    section, value = section_head(payload, start, size)
    if section == DATA:
        return encode_value(Described(ULong(DATA), _json(body).encode()))
    if section == AMQP_VALUE and value < size and payload[value] in _TEXT_CODES:
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
    text = compact_json(body)
    _check_json(text)
    return text


def _check_size(size: int) -> None:
    if size > MOST_CONFLATED_BYTES:
        raise LargeStructureError(
            f"a body that is conflated has at most {MOST_CONFLATED_BYTES} bytes; it has {size}"
        )


def _check_json(text: str) -> None:
    """Refuse JSON that takes long to read."""
    size = len(text)
    if size <= MOST_VALUES:
        return
    if size > MOST_STRUCTURE_BYTES or (
        _values(text) > MOST_VALUES and _values(_STRINGS.sub("", text)) > MOST_VALUES
    ):
        raise LargeStructureError(
            f"what is conflated is JSON of at most {MOST_STRUCTURE_BYTES} characters with {MOST_VALUES} "
            f"values and names; it has {size} characters"
        )


def _values(json_text: str) -> int:
    """How many values and names there are at most in JSON; the signs in its texts count, too."""
    return 1 + sum([json_text.count(sign) for sign in ",:[{"])
