"""lastvalue.client.connection."""

import asyncio
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from typing import cast

import pytest

from lastvalue.client import (
    AuthenticationError,
    ClientError,
    ConnectFailedError,
    Connection,
    ConnectionLostError,
    ConnectTimedOutError,
    InvalidUrlError,
    Message,
    NotOpenError,
    Page,
    QueueNotFoundError,
    RefusedError,
    connect,
)
from lastvalue.model.conditions import Condition
from lastvalue.server.broker_server import BrokerServer, ServerOptions

USERS = ServerOptions(port=0, anonymous=False, users={"alice": "s:e/c@ret"})


async def test_a_user_with_the_right_password_is_let_in() -> None:
    async with (
        BrokerServer(USERS) as server,
        connect(f"amqp://alice:s%3Ae%2Fc%40ret@127.0.0.1:{server.port}") as connection,
    ):
        assert await connection.queues() == []


@pytest.mark.parametrize("credentials", ["alice:mistaken@", "bob:s%3Ae%2Fc%40ret@", "alice@", ""])
async def test_others_are_refused(credentials: str) -> None:
    async with BrokerServer(USERS) as server:
        with pytest.raises(AuthenticationError) as caught:
            await connect(f"amqp://{credentials}127.0.0.1:{server.port}").open()
    assert caught.value.condition is Condition.UNAUTHORIZED_ACCESS
    assert "mistaken" not in str(caught.value)


async def test_a_port_that_nobody_listens_on_is_told(unused_tcp_port: int) -> None:
    with pytest.raises(ConnectFailedError, match=f"127.0.0.1:{unused_tcp_port}: Connection refused"):
        await connect(f"amqp://127.0.0.1:{unused_tcp_port}").open()


async def test_a_host_that_does_not_exist_is_told() -> None:
    with pytest.raises(ConnectFailedError, match=r"cannot connect to host\.invalid:5672"):
        await connect("amqp://host.invalid").open()


def test_a_url_that_is_none_is_refused_at_once() -> None:
    with pytest.raises(InvalidUrlError):
        connect("http://127.0.0.1")


class Stranger(asyncio.Protocol):
    """Answers the first bytes with its own, and hangs up; without an answer it does nothing."""

    def __init__(self, answer: bytes | None) -> None:
        self.answer = answer
        self.left = asyncio.Event()
        self.transport: asyncio.WriteTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.WriteTransport", transport)

    def data_received(self, data: bytes) -> None:
        if self.answer is not None and self.transport is not None:
            self.transport.write(self.answer)
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self.left.set()


@asynccontextmanager
async def stranger(answer: bytes | None) -> AsyncIterator[str]:
    protocol = Stranger(answer)
    server = await asyncio.get_running_loop().create_server(lambda: protocol, "127.0.0.1", 0)
    async with server:
        yield f"amqp://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        await protocol.left.wait()


@pytest.mark.parametrize(
    ("answer", "timeout_s", "error"),
    [
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", 60, ConnectFailedError),
        (b"AMQP\x00\x00\x09\x01", 60, ConnectFailedError),
        (b"AMQP", 60, ConnectFailedError),
        (b"", 60, ConnectFailedError),
        (None, 0.2, ConnectTimedOutError),
    ],
)
async def test_who_does_not_speak_amqp_is_no_broker(
    answer: bytes | None, timeout_s: float, error: type[ClientError]
) -> None:
    async with stranger(answer) as url:
        with pytest.raises(ClientError) as caught:
            await connect(url, timeout_s=timeout_s).open()
    assert type(caught.value) is error


async def test_a_cancelled_connect_leaves_nothing_behind() -> None:
    async with stranger(None) as url:
        opening = asyncio.create_task(connect(url).open())
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(opening, 0.05)


async def test_everything_that_waits_is_told_of_a_lost_connection(
    server: BrokerServer, connection: Connection
) -> None:
    queue = await connection.declare("orders", max_messages=1)
    waiting = [
        asyncio.create_task(anext(queue.browse(follow=True))),
        asyncio.create_task(anext(queue.receive())),
    ]
    await queue.info()
    await server.stop()
    results = await asyncio.gather(*waiting, return_exceptions=True)
    assert [str(result) for result in results] == [
        "the broker closed the connection: the broker is shutting down"
    ] * 2
    assert {type(result) for result in results} == {ConnectionLostError}


async def test_what_comes_after_a_lost_connection_is_told_too(
    server: BrokerServer, connection: Connection
) -> None:
    queue = await connection.declare("orders")
    await queue.send(Message("a"))
    sender = queue.sender()
    await sender.open()
    await server.stop()
    attempts: list[Awaitable[object]] = [
        queue.send(Message("b")),
        sender.send(Message("b")),
        sender.post(Message("b")),
        anext(queue.browse()),
        connection.queues(),
    ]
    for attempt in attempts:
        with pytest.raises(ConnectionLostError):
            await attempt


async def test_a_connection_is_used_between_opening_and_closing(url: str) -> None:
    connection = connect(url)
    with pytest.raises(NotOpenError, match="not open yet"):
        connection.queue("orders")
    await connection.open()
    queue = await connection.declare("orders")
    await connection.close()
    with pytest.raises(NotOpenError, match="closed"):
        await queue.send(Message("a"))
    with pytest.raises(NotOpenError, match="connect again"):
        await connection.open()


async def test_closing_twice_does_nothing(url: str) -> None:
    connection = connect(url)
    await connection.open()
    await connection.close()
    await connection.close()


async def test_closing_what_was_never_opened_does_nothing(url: str) -> None:
    await connect(url).close()


async def test_a_queue_is_declared_shown_and_deleted(connection: Connection) -> None:
    await connection.declare("prices", lvq_key="symbol", max_messages=10)
    await connection.declare("orders")
    assert [(queue.name, queue.type) for queue in await connection.queues()] == [
        ("orders", "standard"),
        ("prices", "lvq"),
    ]
    info = await connection.queue("prices").info()
    assert info.options == {"type": "lvq", "lvq_key": "symbol", "max_messages": 10}
    await connection.delete("prices")
    assert [queue.name for queue in await connection.queues()] == ["orders"]


@pytest.mark.parametrize("number", [0, 1, 2, 3, 4])
async def test_all_queues_are_asked_for_in_parts(
    connection: Connection, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    monkeypatch.setattr("lastvalue.client.connection.QUEUES_AT_ONCE", 2)
    names = [f"q{each}" for each in range(number)]
    for name in names:
        await connection.declare(name)
    await connection.declare("other")
    assert [queue.name for queue in await connection.queues(page=Page(contains="q"))] == names
    assert [queue.name for queue in await connection.queues()] == sorted(["other", *names])


async def test_declaring_again_with_the_same_options_finds_the_queue(connection: Connection) -> None:
    await connection.declare("prices", lvq_key="symbol")
    queue = await connection.declare("prices", lvq_key="symbol")
    assert queue.name == "prices"


async def test_declaring_again_with_other_options_tells_the_differences(connection: Connection) -> None:
    await connection.declare("prices", lvq_key="symbol")
    with pytest.raises(RefusedError, match="lvq_key: wanted 'isin', has 'symbol'") as caught:
        await connection.declare("prices", lvq_key="isin")
    assert caught.value.condition is Condition.PRECONDITION_FAILED


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"lvq_kye": "symbol"}, "did you mean 'lvq_key'"),
        ({"type": "lvq"}, "needs lvq_key"),
        ({"max_messages": "many"}, "'max_messages' is 'many'"),
    ],
)
async def test_options_that_make_no_queue_are_refused(
    connection: Connection, options: dict[str, str], fault: str
) -> None:
    with pytest.raises(RefusedError, match=fault) as caught:
        await connection._ask("CREATE", "prices", options, timeout_s=10)
    assert caught.value.condition is Condition.INVALID_FIELD


async def test_a_purge_tells_how_many_messages_left(connection: Connection) -> None:
    queue = await connection.declare("orders")
    await queue.send_many(Message(number) for number in range(7))
    assert await connection.purge("orders") == 7
    assert (await queue.info()).removed == {"purged": 7}


async def test_a_queue_that_does_not_exist_is_named(connection: Connection) -> None:
    queue = connection.queue("nowhere")
    attempts: list[Awaitable[object]] = [
        connection.delete("nowhere"),
        connection.purge("nowhere"),
        queue.info(),
        queue.send(Message("a")),
        queue.sender().open(),
        anext(queue.browse()),
        anext(queue.receive()),
    ]
    for attempt in attempts:
        with pytest.raises(QueueNotFoundError, match=r"no queue (or exchange )?named 'nowhere'"):
            await attempt


async def test_a_declaration_that_names_what_does_not_exist_is_refused_in_the_brokers_words(
    connection: Connection,
) -> None:
    with pytest.raises(RefusedError, match="there is no queue named 'lost'") as refused:
        await connection.declare("q", redirect="lost")
    assert refused.value.symbol == "amqp:not-found"


async def test_an_update_that_names_what_does_not_exist_is_refused_in_the_brokers_words(
    connection: Connection,
) -> None:
    queue = await connection.declare("q")
    with pytest.raises(RefusedError, match="there is no queue named 'lost'"):
        await queue.update(redirect="lost")


async def test_two_requests_at_once_get_their_own_answers(connection: Connection) -> None:
    await asyncio.gather(*(connection.declare(f"queue-{number}") for number in range(20)))
    infos = await asyncio.gather(*(connection.queue(f"queue-{number}").info() for number in range(20)))
    assert [info.name for info in infos] == [f"queue-{number}" for number in range(20)]


async def test_a_cancelled_request_does_not_disturb_the_next(connection: Connection) -> None:
    await connection.declare("orders")
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0):
            await connection.queues()
    assert (await connection.queue("orders").info()).name == "orders"
