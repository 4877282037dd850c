"""Connections, channels and consumers as RabbitMQ's tools see them."""

import asyncio

import httpx
import pika
import pytest

from lastvalue.client import Connection


@pytest.fixture
def atari(url: str) -> pika.URLParameters:
    parameters = pika.URLParameters(url)
    parameters.client_properties = {"platform": "Atari", "license": "x" * 1000, "nested": {"a": 1}}
    return parameters


async def test_a_connection_tells_what_its_client_says_of_itself(
    http: httpx.AsyncClient, atari: pika.URLParameters
) -> None:
    peer = await asyncio.to_thread(pika.BlockingConnection, atari)
    shown = {each["protocol"]: each for each in (await http.get("/api/connections")).json()}
    said = shown["AMQP 0-9-1"]["client_properties"]
    assert (said["platform"], len(said["license"]), "nested" in said) == ("Atari", 256, False)
    assert all("platform" in each["client_properties"] for each in shown.values())
    at = shown["AMQP 0-9-1"]
    assert (at["peer_host"], at["peer_port"] > 1023, at["ssl"]) == ("127.0.0.1", True, False)
    name = shown["AMQP 0-9-1"]["name"]
    channel = await asyncio.to_thread(peer.channel)
    assert channel.is_open
    (open_one,) = (await http.get(f"/api/connections/{name}/channels")).json()
    assert (open_one["connection_details"], open_one["user"]) == ({"name": name}, "anonymous")
    assert (await http.delete(f"/api/connections/{name}")).status_code == 204
    assert (await http.get(f"/api/connections/{name}")).status_code == 404
    with pytest.raises(pika.exceptions.AMQPError):
        await asyncio.to_thread(peer.channel)


async def test_the_connections_of_a_user_are_closed(http: httpx.AsyncClient, connection: Connection) -> None:
    shown = (await http.get("/api/connections/username/anonymous")).json()
    assert shown
    assert (await http.get("/api/connections/username/nobody")).json() == []
    assert (await http.delete("/api/connections/username/nobody")).status_code == 204
    assert connection.is_open


async def test_lists_of_a_virtual_host_are_those_of_the_broker(
    http: httpx.AsyncClient, connection: Connection
) -> None:
    queue = await connection.declare("q")
    async with queue.browse(follow=True):
        for kind in ("connections", "channels"):
            assert len((await http.get(f"/api/vhosts/%2F/{kind}")).json()) == 2
        assert "q" in [each["queue"]["name"] for each in (await http.get("/api/consumers/%2F")).json()]
