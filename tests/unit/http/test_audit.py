"""What the broker's audit has of changes that are asked for over HTTP."""

import logging
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from logged_events import logged

from lastvalue.client import Connection, Message
from lastvalue.gateway.gateway import make_gateway
from lastvalue.http.gateway_settings import GatewaySettings

CALLER = "192.0.2.7"
QUEUE, QUEUES = "/api/latest/queue/default/default/q", "/api/latest/queue/default/default"
EXCHANGE = "/api/latest/exchange/default/default"
HOST = "/api/{}/%2F"
MOVED = {"destination": "other", "all": True}

CHANGES: list[tuple[str, str, Any, str, str]] = [
    ("PUT", "/queues/new", {}, "declare-queue", "new"),
    ("PATCH", "/queues/q", {"max_messages": 7}, "update-queue", "q"),
    ("DELETE", "/queues/q", None, "delete-queue", "q"),
    ("POST", "/queues/q/purge", None, "purge-queue", "q"),
    ("POST", "/queues/q/messages/move", MOVED, "move", "q"),
    ("POST", "/queues/q/messages/copy", MOVED, "copy", "q"),
    ("POST", "/queues/q/messages/delete", {"all": True}, "delete-messages", "q"),
    ("PUT", "/exchanges/new", {}, "declare-exchange", "new"),
    ("DELETE", "/exchanges/x", None, "delete-exchange", "x"),
    ("POST", "/exchanges/x/bindings", {"destination": "other", "key": "k"}, "bind", "x"),
    ("DELETE", "/exchanges/x/bindings?destination=q&key=k", None, "unbind", "x"),
    ("PUT", f"{QUEUES}/new", {}, "declare-queue", "new"),
    ("POST", QUEUE, {"maximumQueueDepthMessages": 7}, "update-queue", "q"),
    ("DELETE", QUEUE, None, "delete-queue", "q"),
    ("POST", f"{QUEUE}/clearQueue", {}, "purge-queue", "q"),
    ("POST", f"{QUEUE}/deleteMessages", {"selector": "true"}, "delete-messages", "q"),
    ("PUT", f"{EXCHANGE}/new", {"type": "topic"}, "declare-exchange", "new"),
    ("DELETE", f"{EXCHANGE}/x", None, "delete-exchange", "x"),
    ("POST", f"{EXCHANGE}/x/bind", {"destination": "other", "bindingKey": "k"}, "bind", "x"),
    ("PUT", f"{HOST.format('queues')}/new", {}, "declare-queue", "new"),
    ("DELETE", f"{HOST.format('queues')}/q", None, "delete-queue", "q"),
    ("DELETE", f"{HOST.format('queues')}/q/contents", None, "purge-queue", "q"),
    ("PUT", f"{HOST.format('exchanges')}/new", {"type": "topic"}, "declare-exchange", "new"),
    ("DELETE", f"{HOST.format('exchanges')}/x", None, "delete-exchange", "x"),
    ("POST", f"{HOST.format('bindings')}/e/x/q/other", {"routing_key": "k"}, "bind", "x"),
]


@pytest.fixture
async def http(url: str) -> AsyncIterator[httpx.AsyncClient]:
    gateway = make_gateway(GatewaySettings(url=url))
    transport = httpx.ASGITransport(gateway, client=(CALLER, 5))
    async with (
        gateway.router.lifespan_context(gateway),
        httpx.AsyncClient(transport=transport, base_url="http://localhost") as client,
    ):
        yield client


@pytest.mark.parametrize(
    ("method", "path", "body", "verb", "name"), CHANGES, ids=[f"{each[0]} {each[1]}" for each in CHANGES]
)
async def test_a_change_leaves_one_line_with_the_caller_s_address(
    http: httpx.AsyncClient,
    connection: Connection,
    caplog: pytest.LogCaptureFixture,
    method: str,
    path: str,
    body: Any,
    verb: str,
    name: str,
) -> None:
    q = await connection.declare("q")
    await connection.declare("other")
    await connection.declare_exchange("x", type="topic")
    await connection.bind("x", "q", "k")
    await q.send(Message("1"))
    caplog.set_level(logging.INFO, "lastvalue")
    caplog.clear()
    answer = await http.request(method, path, json=body)
    assert answer.status_code < 300, answer.text
    (said,) = [fields for event, fields in logged(caplog) if event == "audit.done"]
    assert (said["verb"], said["name"], said["on_behalf_of"]) == (verb, name, CALLER)
    assert (said["user"], said["client"].split()[0]) == ("anonymous", "lastvalue-http")
