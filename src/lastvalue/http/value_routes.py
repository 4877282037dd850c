"""The values of keys as resources, with their sequences as entity tags: /queues/NAME/keys/KEY."""

import re
from collections.abc import Mapping
from enum import StrEnum
from http import HTTPStatus
from typing import Annotated, Any, Final

from fastapi import APIRouter, Header, Query
from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr, model_validator
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from lastvalue.client import KeyFacts, KeyOrder, Message, QueueInfo
from lastvalue.client.message_records import message_from_record
from lastvalue.client.values import Key
from lastvalue.http.broker_access import BrokerConnection, KeyText, QueueName
from lastvalue.http.found_page import find_page, next_page
from lastvalue.http.json_objects import JSON, json_object
from lastvalue.http.leader_queues import CallersQueues, LeaderQueues
from lastvalue.http.page_size import PageSize
from lastvalue.http.problems import FieldProblem, Problem
from lastvalue.http.stored_content import checked_message, stored_content
from lastvalue.http.value_documents import value_document
from lastvalue.model.composite_key import is_composite_key
from lastvalue.model.jsonable import jsonable

MOST_VALUES: Final = 1000
MOST_PREFIX: Final = 60
_INTEGER: Final = re.compile("-?[0-9]{1,20}")
_SEQUENCE: Final = re.compile("[0-9]{1,18}")

value_routes = APIRouter(prefix="/queues/{queue}", tags=["values"])


JsonKey = StrictStr | StrictBool | StrictInt


class KeyType(StrEnum):
    """The type of a key in a path, which is text."""

    TEXT = "text"
    INTEGER = "integer"
    BOOLEAN = "boolean"


class ValuePage(BaseModel):
    """Which values of a queue."""

    key: list[str] = Field([], max_length=MOST_VALUES, description="Only these keys.")
    type: KeyType = KeyType.TEXT
    after: int | None = Field(None, ge=0, lt=2**62, description="Values with a higher sequence.")
    limit: int = Field(100, ge=1, le=MOST_VALUES)
    selector: str | None = Field(None, description="Only values that a JMS selector selects.")
    partition: int = Field(0, ge=0, lt=2**31, description="Of the brokers that have the keys.")
    prefix: str = Field("", max_length=MOST_PREFIX, description="Only keys that are texts and begin so.")

    @model_validator(mode="after")
    def _of_keys_or_of_all(self) -> "ValuePage":
        if self.key and (self.prefix or self.selector is not None):
            raise ValueError("the values of keys that are named by `key` have no prefix and no selector")
        return self

    def condition(self, property_name: str) -> str | None:
        """The selector that selects these values of a queue with this key.

        The beginning of a key of several properties is looked at once the values are here: see `has`.
        """
        if not self.prefix or is_composite_key(property_name):
            return self.selector
        text = re.sub(r"[%_!]", r"!\g<0>", self.prefix).replace("'", "''")
        quoted = property_name.replace('"', '""')
        begins = f"\"{quoted}\" LIKE '{text}%' ESCAPE '!'"
        return begins if self.selector is None else f"({self.selector}) AND {begins}"

    def has(self, value: dict[str, Any]) -> bool:
        """Whether the key of a value, as JSON, begins as this page asks."""
        return not self.prefix or str(value["key"]).startswith(self.prefix)


class Preconditions(BaseModel):
    """The entity tags that a request compares with the value's."""

    if_match: str | None = Field(None, description="The entity tag that the value must have.")
    if_none_match: str | None = Field(None, description="An entity tag that the caller has, or `*`.")


class KeyCondition(BaseModel):
    """The sequence that the value of a key must have."""

    key: JsonKey
    sequence: int = Field(ge=0, lt=2**62, description="0: the key has no value.")


class Changes(BaseModel):
    """Changes of the values of several keys of a queue."""

    model_config = ConfigDict(extra="forbid")

    put: list[dict[str, Any]] = Field(
        [], max_length=MOST_VALUES, description="Messages with a `key`, as `PUT` takes them."
    )
    delete: list[JsonKey] = Field([], max_length=MOST_VALUES)
    only_if: list[KeyCondition] = Field([], max_length=MOST_VALUES)


KeyTypeQuery = Annotated[KeyType, Query(alias="type", description="5 is another key than the text `5`.")]
Tags = Annotated[Preconditions, Header()]


@value_routes.get("/keys", summary="A page of values, or those of some keys")
async def list_values(
    queue: QueueName,
    queues: CallersQueues,
    page: Annotated[ValuePage, Query()],
) -> dict[str, Any]:
    """Values in the queue's order; `next` is the next page while there is one.

    Where several brokers have the keys, their pages follow each other.
    """
    if page.key:
        return await _values_of_keys(queues, queue, page)
    asked = await queues.at(queue, page.partition)
    info = await asked.info()
    property_name = _key_property(info)
    found = await find_page(asked, info, page.after, page.limit, page.condition(property_name))
    following = next_page(page, found.next_after)
    if following is None and page.partition + 1 < await queues.count(queue):
        following = page.model_dump(exclude_defaults=True, exclude={"after"})
        following["partition"] = page.partition + 1
    values = [value_document(each, property_name) for each in found.messages]
    return {"values": [each for each in values if page.has(each)], "next": following}


async def _values_of_keys(queues: LeaderQueues, name: str, page: ValuePage) -> dict[str, Any]:
    """The values of the keys that a page names; `next` names those for which there was no room."""
    values: list[dict[str, Any]] = []
    size = PageSize()
    asked = 0
    while asked < len(page.key) and not size.is_full:
        texts = page.key[asked : asked + size.part]
        asked += len(texts)
        for queue, part in await queues.having_all(name, [key_of(each, page.type) for each in texts]):
            property_name = _key_property(await queue.info())
            found = (await queue.get_many(part)).values()
            size.add(*found)
            values += [value_document(each, property_name) for each in found]
    rest = page.model_dump(exclude_defaults=True) | {"key": page.key[asked:]}
    return {"values": values, "next": rest if page.key[asked:] else None}


@value_routes.get("/oldest-keys", summary="The keys whose values are oldest")
async def list_oldest_keys(
    queue: QueueName, broker: BrokerConnection, limit: Annotated[int, Query(ge=1, le=MOST_VALUES)] = 100
) -> dict[str, Any]:
    """The keys of a last-value queue whose values are oldest, with `since_ms`, the oldest first."""
    found = await broker.queue(queue).list_keys(by=KeyOrder.AGE, limit=limit)
    names = ("sequence", "since_ms", "age_ms", "updates")
    return {"keys": [_key_document(each, names) for each in found]}


@value_routes.get("/top-talkers", summary="The keys that are updated most")
async def list_top_talkers(
    queue: QueueName, broker: BrokerConnection, limit: Annotated[int, Query(ge=1, le=MOST_VALUES)] = 100
) -> dict[str, Any]:
    """The keys that are updated most, on a queue that counts it by its option `top_talkers`."""
    found = await broker.queue(queue).list_keys(by=KeyOrder.UPDATES, limit=limit)
    return {"keys": [_key_document(each, ("messages", "error")) for each in found]}


@value_routes.get("/keys/{key:key}", responses={304: {"description": "The value is as the caller has it."}})
async def get_value(
    queue: QueueName,
    key: KeyText,
    queues: CallersQueues,
    tags: Tags,
    *,
    kind: KeyTypeQuery = KeyType.TEXT,
    raw: Annotated[bool, Query(description="Answer with the body alone.")] = False,
) -> Response:
    """The value of a key; its entity tag is its sequence."""
    asked = await queues.having(queue, key_of(key, kind))
    value = await asked.get(key_of(key, kind))
    if value is None:
        raise Problem(HTTPStatus.NOT_FOUND, f"the key {key!r} has no value in queue {queue!r}")
    headers = _headers(value)
    if tags.if_none_match is not None and _matches(tags.if_none_match, value.sequence or 0):
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    if raw:
        return _raw(value, headers)
    return JSONResponse(value_document(value, _key_property(await asked.info())), headers=headers)


@value_routes.put("/keys/{key:key}", responses={412: {"description": "The value has another sequence."}})
async def put_value(
    queue: QueueName,
    key: KeyText,
    queues: CallersQueues,
    request: Request,
    tags: Tags,
    *,
    kind: KeyTypeQuery = KeyType.TEXT,
) -> JSONResponse:
    """Put a value and wait for its confirmation.

    A body of application/json is a message with `body`, `properties`, `ttl_ms` and so on; a body of another
    type is the value itself. With `If-Match: "SEQUENCE"` it is taken only in place of that value, with
    `If-None-Match: *` only if the key has none.
    """
    name = key_of(key, kind)
    asked = await queues.having(queue, name)
    message = await message_of(request)
    result = await asked.put(name, message, if_sequence=_expected(tags))
    headers = {"ETag": _tag(result.sequence)}
    return JSONResponse({"sequence": result.sequence, "taken": result.taken}, headers=headers)


@value_routes.patch("/keys", responses={412: {"description": "A value has another sequence."}})
async def change_values(queue: QueueName, broker: BrokerConnection, changes: Changes) -> dict[str, Any]:
    """Put and delete the values of several keys, all or none of them, and wait for the confirmation."""
    expected: dict[Key, int] = {condition.key: condition.sequence for condition in changes.only_if}
    values: dict[Key, Message] = {}
    for each in changes.put:
        key, message = _value_to_put(each)
        if key in values:
            raise FieldProblem("put", f"the key {key!r:.80} is put twice; each may be put once")
        values[key] = message
    result = await broker.queue(queue).put_many(
        values,
        delete=changes.delete,
        if_sequences=expected,
    )
    return {
        "put": [{"sequence": each.sequence, "taken": each.taken} for each in result.put],
        "deleted": [each.sequence for each in result.deleted],
    }


@value_routes.delete("/keys/{key:key}", status_code=HTTPStatus.NO_CONTENT)
async def delete_value(
    queue: QueueName,
    key: KeyText,
    queues: CallersQueues,
    tags: Tags,
    *,
    kind: KeyTypeQuery = KeyType.TEXT,
) -> None:
    """Delete the value of a key, which needs the right `write`."""
    asked = await queues.having(queue, key_of(key, kind))
    result = await asked.delete(key_of(key, kind), if_sequence=_expected(tags))
    if not result.deleted:
        raise Problem(HTTPStatus.NOT_FOUND, f"the key {key!r} has no value in queue {queue!r}")


def _key_document(facts: KeyFacts, names: tuple[str, ...]) -> dict[str, Any]:
    return {"key": jsonable(facts.key), **{name: getattr(facts, name) for name in names}}


def _key_property(queue: QueueInfo) -> str:
    name = queue.options.get("lvq_key")
    if not isinstance(name, str):
        raise Problem(HTTPStatus.CONFLICT, f"queue {queue.name!r} has no keys; it is not a last-value queue")
    return name


def key_of(text: str, kind: KeyType) -> Key:
    """The key that a text stands for.

    Raises:
        Problem: it is none of that type.
    """
    match kind:
        case KeyType.TEXT:
            return text
        case KeyType.BOOLEAN if text in ("true", "false"):
            return text == "true"
        case KeyType.INTEGER if _INTEGER.fullmatch(text) and -(2**63) <= int(text) < 2**64:
            return int(text)
        case _:
            raise FieldProblem("key", f"the key {text!r:.80} is no {kind.value}")


def _value_to_put(record: dict[str, Any]) -> tuple[Key, Message]:
    """The key of a value to put, and its message."""
    key = record.get("key")
    if not isinstance(key, str | bool | int):
        fault = f"the key of a value to put is {key!r:.80}; expected a text or a whole number"
        raise FieldProblem("put", fault)
    fields = {name: each for name, each in record.items() if name != "key"}
    return key, checked_message(message_from_record(fields, Message()))


def _tag(sequence: int) -> str:
    return f'"{sequence}"'


def _headers(value: Message) -> dict[str, str]:
    return {"ETag": _tag(value.sequence or 0), "Lastvalue-Updates": str(value.updates)}


def _matches(header: str, sequence: int) -> bool:
    tags = [each.strip().removeprefix("W/") for each in header.split(",")]
    return "*" in tags or _tag(sequence) in tags


def _expected(tags: Preconditions) -> int | None:
    """The sequence that the value must have: 0 for none, None for any.

    Raises:
        Problem: the headers say something else.
    """
    if tags.if_none_match is not None:
        if tags.if_none_match.strip() != "*" or tags.if_match is not None:
            raise FieldProblem(
                "If-None-Match", "a value is put with If-None-Match: * or If-Match", place="header"
            )
        return 0
    if tags.if_match is None:
        return None
    number = tags.if_match.strip().removeprefix('"').removesuffix('"')
    if not _SEQUENCE.fullmatch(number):
        raise FieldProblem(
            "If-Match",
            f'If-Match is {tags.if_match!r:.80}; expected one entity tag, as "17"',
            place="header",
        )
    return int(number)


async def message_of(request: Request) -> Message:
    """The message in a request's body.

    Raises:
        Problem: the body is no message.
    """
    media_type = request.headers.get("content-type", "application/octet-stream")
    kind = media_type.partition(";")[0].strip().lower()
    if kind == JSON:
        return checked_message(message_from_record(await json_object(request), Message()))
    body = await request.body()
    if kind == "text/plain":
        try:
            return Message(body.decode(), content_type=media_type)
        except UnicodeDecodeError:
            raise FieldProblem("body", "the text is not UTF-8") from None
    return Message(body, content_type=media_type)


def _raw(value: Message, headers: Mapping[str, str]) -> Response:
    body = value.body
    if isinstance(body, bytes):
        return stored_content(body, value.content_type, headers)
    if isinstance(body, str):
        return stored_content(body.encode(), "text/plain; charset=utf-8", headers)
    return JSONResponse(jsonable(body), headers=headers)
