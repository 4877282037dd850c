"""lastvalue.server.health, by a broker that listens."""

import asyncio
import socket

import pytest

from lastvalue.server.broker_server import BrokerServer, ServerOptions
from lastvalue.server.health import MOST_ASKERS, HealthListener, HealthPortError


async def asked(port: int, request: bytes) -> tuple[bytes, bytes]:
    """The status line and the body of the answer; empty where there is none."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request)
    answer = await reader.read()
    writer.close()
    head, _, body = answer.partition(b"\r\n\r\n")
    return head.partition(b"\r\n")[0], body


@pytest.mark.parametrize(
    ("request_line", "status", "body"),
    [
        ("GET /healthz HTTP/1.1", 200, b"ok\n"),
        ("GET /readyz?verbose HTTP/1.0", 200, b"ok\n"),
        ("GET /leaderz HTTP/1.1", 200, b"ok\n"),
        ("POST /healthz HTTP/1.1", 405, b"ask with GET\n"),
        ("GET / HTTP/1.1", 404, b"there are /healthz, /readyz and /leaderz\n"),
        ("nonsense", 400, b"expected a request of HTTP/1.1\n"),
        (f"GET /{'x' * 10_000} HTTP/1.1", 400, b"expected a request of HTTP/1.1\n"),
    ],
)
async def test_a_request_gets_one_answer(request_line: str, status: int, body: bytes) -> None:
    async with BrokerServer(ServerOptions(port=0, health_port=0)) as server:
        line, text = await asked(server.health_port, f"{request_line}\r\nHost: x\r\n\r\n".encode())
    assert (int(line.split()[1]), text) == (status, body)


async def test_why_the_broker_does_not_serve_is_told() -> None:
    listener = HealthListener(lambda: "the broker is shutting down")
    port = await listener.start("127.0.0.1", 0)
    line, text = await asked(port, b"GET /readyz HTTP/1.1\r\n\r\n")
    alive, _ = await asked(port, b"GET /healthz HTTP/1.1\r\n\r\n")
    listener.close()
    assert (line, text) == (b"HTTP/1.1 503 Service Unavailable", b"the broker is shutting down\n")
    assert alive == b"HTTP/1.1 200 OK"


async def test_what_does_not_work_although_the_broker_serves_is_told() -> None:
    listener = HealthListener(lambda: None, dict, lambda: "the HTTP gateway does not answer")
    port = await listener.start("127.0.0.1", 0)
    asking = (f"GET {path} HTTP/1.1\r\n\r\n".encode() for path in ("/healthz", "/readyz"))
    alive, ready = [await asked(port, each) for each in asking]
    listener.close()
    assert alive == (b"HTTP/1.1 200 OK", b"ok\n")
    assert ready == (b"HTTP/1.1 200 OK", b"ok\nthe HTTP gateway does not answer\n")


@pytest.mark.parametrize(
    ("unready", "leader", "answer"),
    [
        (None, None, "200 OK/ok"),
        (None, "one:5672", "503 Service Unavailable/this broker follows one:5672"),
        (None, "", "503 Service Unavailable/this broker follows a leader that is not known yet"),
        ("the disk is full", None, "503 Service Unavailable/the disk is full"),
    ],
)
async def test_a_probe_finds_the_leader(unready: str | None, leader: str | None, answer: str) -> None:
    listener = HealthListener(lambda: unready, follows=lambda: leader)
    port = await listener.start("127.0.0.1", 0)
    line, text = await asked(port, b"GET /leaderz HTTP/1.1\r\n\r\n")
    ready, _ = await asked(port, b"GET /readyz HTTP/1.1\r\n\r\n")
    listener.close()
    assert f"{line.decode()}/{text.decode()}" == f"HTTP/1.1 {answer}\n"
    # Who follows serves readers.
    assert (ready == b"HTTP/1.1 200 OK") is (unready is None)


async def test_who_asks_slowly_gives_way_to_a_later_one_and_keeps_nobody_out(
    caplog: pytest.LogCaptureFixture,
) -> None:
    listener = HealthListener(lambda: None)
    port = await listener.start("127.0.0.1", 0)
    slow = [await asyncio.open_connection("127.0.0.1", port) for _ in range(MOST_ASKERS)]
    slow[0][1].write(b"GET /hea")
    async with asyncio.timeout(60):
        for number in range(3):
            assert (await asked(port, b"GET /healthz HTTP/1.1\r\n\r\n"))[0] == b"HTTP/1.1 200 OK"
            # An answered one has left its place, so only the first had to give way.
            assert slow[0][0].at_eof() or await slow[0][0].read() == b"", number
        slow[1][1].write(b"GET /healthz HTTP/1.1\r\n\r\n")
        assert (await slow[1][0].readline()).rstrip() == b"HTTP/1.1 200 OK"
    for _, writer in slow:
        writer.close()
    listener.close()
    assert caplog.records == []


async def test_who_asks_slowly_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lastvalue.server.health.ANSWER_WITHIN_S", 0.2)
    listener = HealthListener(lambda: None)
    port = await listener.start("127.0.0.1", 0)
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET /hea")
    assert await asyncio.wait_for(reader.read(), 60) == b""
    writer.close()
    listener.close()


async def test_a_port_that_is_taken_leaves_nothing_listening() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
        free.close()
        options = ServerOptions(port=port, health_port=taken.getsockname()[1])
        with pytest.raises(HealthPortError, match=r"cannot answer health checks on .*: Address already in"):
            await BrokerServer(options).start()
        with socket.create_server(("127.0.0.1", port)):
            pass
