"""lastvalue.compat.rabbitmq.messages."""

from typing import Any

import httpx
import pytest

from lastvalue.client import Connection
from lastvalue.compat.rabbitmq.messages import PublishedMessage
from lastvalue.http.problems import Problem


async def test_properties_are_those_of_the_message(connection: Connection) -> None:
    queue = await connection.declare("q")
    properties = {
        "message_id": "m",
        "correlation_id": "c",
        "reply_to": "r",
        "content_type": "text/plain",
        "priority": 7,
        "expiration": "60000",
    }
    message = PublishedMessage.model_validate({"routing_key": "q", "payload": "x", "properties": properties})
    assert await message.publish("", connection)
    async with queue.browse() as browser:
        got = await anext(browser)
    assert (got.message_id, got.correlation_id, got.reply_to) == ("m", "c", "r")
    assert (got.content_type, got.priority, got.ttl_ms, got.body) == ("text/plain", 7, 60000, "x")


@pytest.mark.parametrize(
    "fields",
    [
        {"payload_encoding": "base64", "payload": "?"},
        {"payload_encoding": "base64", "payload": "üüüü"},
        {"properties": {"headers": [1]}},
    ],
)
async def test_a_field_that_is_wrong_is_refused(connection: Connection, fields: dict[str, Any]) -> None:
    message = PublishedMessage(**{"routing_key": "q", "payload": "x", **fields})
    with pytest.raises(Problem):
        await message.publish("", connection)


@pytest.mark.parametrize(
    ("properties", "field"),
    [
        ({"priority": "high"}, "properties.priority"),
        ({"priority": [1]}, "properties.priority"),
        ({"expiration": "soon"}, "properties.expiration"),
    ],
)
async def test_a_property_that_is_no_number_is_named(
    http: httpx.AsyncClient, properties: dict[str, Any], field: str
) -> None:
    message = {"routing_key": "q", "payload": "x", "properties": properties}
    answer = await http.post("/api/exchanges/%2F/amq.default/publish", json=message)
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (400, field)


async def test_a_property_that_is_null_or_empty_is_not_there(
    http: httpx.AsyncClient, connection: Connection
) -> None:
    queue = await connection.declare("q")
    properties = {"priority": None, "expiration": "", "headers": None, "app_id": "x"}
    message = {"routing_key": "q", "payload": "x", "properties": properties}
    answer = await http.post("/api/exchanges/%2F/amq.default/publish", json=message)
    assert answer.json() == {"routed": True}
    async with queue.browse() as browser:
        got = await anext(browser)
    assert (got.priority, got.ttl_ms, dict(got.properties)) == (4, None, {})
