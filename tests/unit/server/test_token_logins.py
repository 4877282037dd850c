"""Tokens as identity providers make them log in over every protocol, and one that is too long is told so."""

import asyncio
from collections.abc import AsyncIterator, Callable
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import jwt
import pika
import pytest
from cryptography.hazmat.primitives.asymmetric import ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from proton.utils import BlockingConnection
from raw_amqp010 import RawAmqp010
from raw_core import RawCore
from raw_mqtt import RawMqtt

from lastvalue.client import AuthenticationError, connect
from lastvalue.codec.core import packets
from lastvalue.codec.mqtt.packet_types import LEVEL_5, LEVEL_311
from lastvalue.codec.mqtt.packets import ConnAck, Connect
from lastvalue.codec.mqtt.properties import Properties, PropertyId
from lastvalue.codec.mqtt.reason_codes import ReasonCode
from lastvalue.gateway.gateway import make_gateway
from lastvalue.http.gateway_settings import GatewaySettings
from lastvalue.model.admission import CALLERS_OF_USER, FIRST_BYTES, SESSIONS_OF_USER
from lastvalue.server.broker_server import BrokerServer, ServerOptions

RSA_BITS = {"RS256": 2048, "RS512": 4096, "PS256": 2048}
ALGORITHMS = (*RSA_BITS, "EdDSA")
LARGE_BYTES = 9 * 1024
TOO_LARGE_BYTES = FIRST_BYTES.most + 1024


@cache
def key_of(algorithm: str) -> Any:
    """The provider's, made by the first test that needs it: the largest takes a second."""
    if algorithm in RSA_BITS:
        return rsa.generate_private_key(65537, RSA_BITS[algorithm])
    return ed25519.Ed25519PrivateKey.generate()


def token(algorithm: str, size_bytes: int) -> str:
    claims = {"sub": "ann", "aud": "lastvalue", "exp": 4_000_000_000}
    spare = (size_bytes - len(jwt.encode(claims, key_of(algorithm), algorithm))) * 3 // 4
    return jwt.encode({**claims, "groups": "g" * max(0, spare)}, key_of(algorithm), algorithm)


@pytest.fixture
async def ports(tmp_path: Path) -> AsyncIterator[dict[str, int]]:
    """The port of a broker for the tokens of each algorithm."""
    servers = {}
    for algorithm in ALGORITHMS:
        public = key_of(algorithm).public_key()
        pem = tmp_path / f"{algorithm}.pem"
        pem.write_bytes(public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
        servers[algorithm] = BrokerServer(ServerOptions(port=0, token_keys=pem, anonymous=False))
        await servers[algorithm].__aenter__()
    yield {algorithm: server.port for algorithm, server in servers.items()}
    for server in servers.values():
        await server.__aexit__(None, None, None)


async def bearer_1_0(port: int, text: str) -> None:
    async with connect(f"amqp://127.0.0.1:{port}", token=text):
        pass


async def plain_1_0(port: int, text: str) -> None:
    async with connect(f"amqp://ann:{text}@127.0.0.1:{port}"):
        pass


async def proton(port: int, text: str) -> None:
    def log_in() -> None:
        url = f"amqp://127.0.0.1:{port}"
        BlockingConnection(url, user="ann", password=text, allowed_mechs="PLAIN", timeout=60).close()

    await asyncio.to_thread(log_in)


async def amqp_0_9_1(port: int, text: str) -> None:
    def log_in() -> None:
        where = pika.ConnectionParameters("127.0.0.1", port, credentials=pika.PlainCredentials("ann", text))
        pika.BlockingConnection(where).close()

    await asyncio.to_thread(log_in)


async def amqp_0_10(port: int, text: str) -> None:
    def log_in() -> None:
        response = f"n,,\x01auth=Bearer {text}\x01\x01".encode()
        with RawAmqp010("127.0.0.1", port, login=("OAUTHBEARER", response)) as peer:
            peer.query_queue("q")

    await asyncio.to_thread(log_in)


async def core(port: int, text: str) -> None:
    def log_in() -> None:
        with RawCore("127.0.0.1", port) as peer:
            peer.send(peer.session_request(username="ann", password=text))
            peer.expect(packets.SESSION_CREATED)

    await asyncio.to_thread(log_in)


def mqtt_log_in(port: int, *connects: Connect) -> None:
    for connect_packet in connects:
        with RawMqtt("127.0.0.1", port, connect_packet.level) as peer:
            peer.enter(connect_packet)


def mqtt_refusal(port: int, text: str) -> ConnAck:
    with RawMqtt("127.0.0.1", port) as peer:
        peer.say(Connect(LEVEL_5, "too long", password=text.encode()))
        return peer.expect(ConnAck)


async def mqtt(port: int, text: str) -> None:
    proof = f"n,,\x01auth=Bearer {text}\x01\x01".encode()
    asked = Properties(
        {PropertyId.AUTHENTICATION_METHOD: "OAUTHBEARER", PropertyId.AUTHENTICATION_DATA: proof}
    )
    shown = (
        Connect(LEVEL_5, "proved", properties=asked),
        Connect(LEVEL_5, "alone", password=text.encode()),
        Connect(LEVEL_5, "named", user_name="ann", password=text.encode()),
        Connect(LEVEL_311, "earlier", user_name="ann", password=text.encode()),
    )
    await asyncio.to_thread(mqtt_log_in, port, *shown)


async def http(port: int, text: str) -> None:
    gateway = make_gateway(GatewaySettings(url=f"amqp://127.0.0.1:{port}"))
    async with (
        gateway.router.lifespan_context(gateway),
        httpx.AsyncClient(transport=httpx.ASGITransport(gateway), base_url="http://localhost") as caller,
    ):
        answer = await caller.get("/session", headers={"Authorization": f"Bearer {text}"})
        answer.raise_for_status()
        assert answer.json()["user"] == "ann"


DOORS = (bearer_1_0, plain_1_0, proton, amqp_0_9_1, amqp_0_10, core, mqtt, http)


@pytest.mark.parametrize("log_in", DOORS)
async def test_tokens_of_identity_providers_log_in(
    log_in: Callable[[int, str], Any], ports: dict[str, int]
) -> None:
    for algorithm, port in ports.items():
        for size_bytes in (0, LARGE_BYTES):
            await log_in(port, token(algorithm, size_bytes))


async def test_a_token_that_is_too_long_is_told_so(ports: dict[str, int]) -> None:
    text = token("RS256", TOO_LARGE_BYTES)
    for log_in in (bearer_1_0, plain_1_0):
        with pytest.raises(AuthenticationError, match=f"at most {FIRST_BYTES.most} are allowed"):
            await log_in(ports["RS256"], text)
    with pytest.raises(pika.exceptions.AMQPError, match=str(FIRST_BYTES.most)):
        await amqp_0_9_1(ports["RS256"], text)

    answer = await asyncio.to_thread(mqtt_refusal, ports["RS256"], text)
    assert answer.reason is ReasonCode.PACKET_TOO_LARGE
    assert str(FIRST_BYTES.most) in (answer.properties.text(PropertyId.REASON_STRING) or "")


async def test_a_token_of_another_user_is_no_password(ports: dict[str, int]) -> None:
    with pytest.raises(AuthenticationError):
        await connect(f"amqp://bob:{token('EdDSA', 0)}@127.0.0.1:{ports['EdDSA']}").open()


def numbered(number: int) -> str:
    claims = {"sub": "ann", "aud": "lastvalue", "exp": 4_000_000_000, "jti": str(number)}
    return jwt.encode(claims, key_of("EdDSA"), "EdDSA")


async def test_sessions_and_callers_by_many_tokens_are_one_user_s(ports: dict[str, int]) -> None:
    gateway = make_gateway(GatewaySettings(url=f"amqp://127.0.0.1:{ports['EdDSA']}"))
    async with (
        gateway.router.lifespan_context(gateway),
        httpx.AsyncClient(transport=httpx.ASGITransport(gateway), base_url="http://localhost") as caller,
    ):
        cookies = []
        for number in range(SESSIONS_OF_USER.most + 1):
            answer = await caller.post("/session", json={"token": numbered(number)})
            cookies.append("; ".join(f"{name}={value}" for name, value in answer.cookies.items()))
            caller.cookies.clear()
        statuses = [
            (await caller.get("/session", headers={"Cookie": each})).status_code for each in cookies[:2]
        ]
        assert statuses == [401, 200]
        for number in range(CALLERS_OF_USER.most + 3):
            answer = await caller.get("/api/whoami", headers={"Authorization": f"Bearer {numbered(number)}"})
            assert answer.json()["name"] == "ann"
        connections = gateway.state.access.connections
        assert len(connections) == SESSIONS_OF_USER.most + CALLERS_OF_USER.most
