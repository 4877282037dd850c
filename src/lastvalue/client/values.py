"""The values of keys on a last-value queue, read and written by requests."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from lastvalue.client.errors import InvalidMessageError, MalformedMessageError, RefusedError
from lastvalue.client.management import Management
from lastvalue.client.message import Message
from lastvalue.client.message_codec import decode_message, encode_message
from lastvalue.model.composite_key import properties_of_key
from lastvalue.model.conditions import Condition

MOST_KEYS: Final = 1000
"""The most keys of a request."""

Key = str | int | bool | float | bytes
"""A key: what the queue's key property has as its value."""


KeySequences = Mapping[str, int] | Mapping[int, int] | Mapping[bytes, int] | Mapping[Key, int]
"""Keys, and the sequences that their values must have."""
KeyValues = Mapping[str, object] | Mapping[int, object] | Mapping[bytes, object] | Mapping[Key, object]
"""Keys and their values, each a body or a `Message` with it."""


@dataclass(frozen=True, slots=True)
class PutResult:
    """What became of a value that was put.

    Attributes:
        sequence: of the key's value now; 0 if it has none.
        taken: false if the queue dropped the value, because a newer one is there or it was a duplicate.
    """

    sequence: int
    taken: bool


@dataclass(frozen=True, slots=True)
class DeleteResult:
    """What became of a key that was deleted.

    Attributes:
        deleted: whether it had a value.
        sequence: of that value, or 0.
    """

    deleted: bool
    sequence: int


@dataclass(frozen=True, slots=True)
class ChangeResult:
    """What became of the keys of one change.

    Attributes:
        put: for each message.
        deleted: for each key that was to be deleted.
    """

    put: list[PutResult]
    deleted: list[DeleteResult]


async def get_values(management: Management, queue: str, keys: Iterable[Key]) -> dict[Key, Message]:
    """The values of these keys that the queue has.

    Raises:
        QueueNotFoundError, RefusedError: it does not exist or has no keys, or the user may not browse it.
    """
    left = list(dict.fromkeys(keys))
    found: dict[Key, Message] = {}
    while left:
        asked = left[:MOST_KEYS]
        answer = await management.ask("GET", queue, {"keys": asked})
        values = answer.get("values") if isinstance(answer, dict) else None
        if not isinstance(values, list) or not values:
            raise MalformedMessageError("the broker's answer has no values")
        for key, value in zip(asked, values, strict=False):
            if isinstance(value, dict):
                found[key] = value_message(value)
        # A long answer ends early.
        left = left[len(values) :]
    return found


def keyed_messages(values: KeyValues, key_property: str) -> list[Message]:
    """The messages of values, which have their keys as this property; without one they are as they came.

    Raises:
        InvalidMessageError: the queue's keys are of several properties, and one is no text of as many values.
    """
    messages = [each if isinstance(each, Message) else Message(each) for each in values.values()]
    if not key_property:
        return messages
    return [
        replace(message, properties={**message.properties, **key_properties(key_property, key)})
        for key, message in zip(values, messages, strict=True)
    ]


def key_properties(key_property: str, key: object) -> Mapping[str, object]:
    """The properties of a message that has this key; `key_property` is the queue's option `lvq_key`.

    Raises:
        InvalidMessageError: the queue's keys are of several properties, and this is no text of as many.
    """
    try:
        return properties_of_key(key_property, key)
    except ValueError as fault:
        raise InvalidMessageError(f"{key!r:.60} is no key of the queue: {fault}") from None


async def put_value(
    management: Management, queue: str, message: Message, if_sequence: int | None
) -> PutResult:
    """Publish a message, where asked only while its key's value has a sequence.

    Raises:
        QueueNotFoundError, RefusedError: the queue did not take it; PRECONDITION_FAILED is another sequence.
        InvalidMessageError: the message cannot be encoded.
    """
    body: dict[str, object] = {"message": encode_message(message)}
    if if_sequence is not None:
        body["if_sequence"] = if_sequence
    answer = await management.ask("PUT", queue, body)
    fields = answer if isinstance(answer, dict) else {}
    return PutResult(int(fields.get("sequence", 0)), bool(fields.get("taken", False)))


async def change_values(
    management: Management,
    queue: str,
    messages: Iterable[Message],
    delete: Iterable[Key],
    if_sequences: KeySequences,
) -> ChangeResult:
    """Put and delete values of several keys, all or none; where asked only while keys have these sequences.

    Raises:
        QueueNotFoundError, RefusedError: the queue did nothing; PRECONDITION_FAILED is another sequence,
            INVALID_FIELD too many keys.
        InvalidMessageError: a message cannot be encoded.
    """
    body: dict[str, list[object]] = {
        "messages": [encode_message(each) for each in messages],
        "delete": list(delete),
        "if_sequences": [[key, sequence] for key, sequence in if_sequences.items()],
    }
    for name, listed in body.items():
        if len(listed) > MOST_KEYS:
            raise RefusedError(
                f"changing values of {queue!r}",
                Condition.INVALID_FIELD.amqp10,
                f"{name} has {len(listed)} keys, of which {MOST_KEYS} can change all or none; "
                "make several calls of fewer keys, or send the values with send_many, which takes any number",
            )
    answer = await management.ask("PUT_MANY", queue, body)
    fields = answer if isinstance(answer, dict) else {}
    put = [PutResult(int(each["sequence"]), bool(each["taken"])) for each in fields.get("results", [])]
    gone = [DeleteResult(bool(sequence), int(sequence)) for sequence in fields.get("deleted", [])]
    return ChangeResult(put, gone)


async def delete_value(management: Management, queue: str, key: Key, if_sequence: int | None) -> DeleteResult:
    """Delete the value of a key, where asked only while it has a sequence.

    Raises:
        QueueNotFoundError, RefusedError: the queue did not; PRECONDITION_FAILED is another sequence.
    """
    body: dict[str, object] = {"key": key}
    if if_sequence is not None:
        body["if_sequence"] = if_sequence
    answer = await management.ask("DELETE_KEY", queue, body)
    fields = answer if isinstance(answer, dict) else {}
    return DeleteResult(bool(fields.get("deleted", False)), int(fields.get("sequence", 0)))


def value_message(value: Mapping[str, object]) -> Message:
    """The message that an answer describes.

    Raises:
        MalformedMessageError: it describes none.
    """
    payload = value.get("message")
    if not isinstance(payload, bytes):
        raise MalformedMessageError("the broker's answer has no message")
    return replace(
        decode_message(payload),
        updates=_number(value, "updates") or 1,
        sequence=_number(value, "sequence"),
        arrival_time_ms=_number(value, "arrival_time_ms"),
        delivery_count=_number(value, "delivery_count") or 0,
    )


def _number(value: Mapping[str, object], name: str) -> int | None:
    number = value.get(name)
    return int(number) if isinstance(number, int) else None
