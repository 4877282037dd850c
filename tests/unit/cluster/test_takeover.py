"""Of two brokers on one log only one can ever confirm, and the other serves nothing any more."""

import signal

import pytest
from broker_process import serving

from lastvalue.client import Connection, Message, connect
from lastvalue.client.errors import ClientError


async def present(connection: Connection, queue: str) -> list[object]:
    return [message.body async for message in connection.queue(queue).browse(follow=False)]


async def bodies(url: str, queue: str) -> list[object]:
    async with connect(url) as connection:
        return await present(connection, queue)


async def test_a_broker_that_was_stopped_too_long_confirms_nothing_and_ends(log_address: str) -> None:
    async with serving(log_address) as older, connect(older.url, reconnect=False) as connection:
        await connection.declare("q", durable=True)
        await connection.queue("q").send(Message("before", durable=True))
        older.signal(signal.SIGSTOP)
        async with serving(log_address) as newer:
            async with connect(newer.url) as second:
                await second.queue("q").send(Message("newer", durable=True))
            older.signal(signal.SIGCONT)
            with pytest.raises(ClientError):
                await connection.queue("q").send(Message("older", durable=True))
            code, told = await older.ended()
            assert code == 1
            assert "another broker has taken over the log" in told.splitlines()[-1]
            assert await bodies(newer.url, "q") == ["before", "newer"]


async def test_a_stopped_broker_shows_nothing_of_its_past_when_it_goes_on(log_address: str) -> None:
    async with (
        serving(log_address) as older,
        connect(older.url, idle_timeout_s=0, reconnect=False) as connection,
    ):
        await connection.declare("q", durable=True, lvq_key="k")
        await connection.queue("q").send(Message("old", properties={"k": "a"}, durable=True))
        older.signal(signal.SIGSTOP)
        async with serving(log_address) as newer:
            async with connect(newer.url) as second:
                await second.queue("q").send(Message("new", properties={"k": "a"}, durable=True))
            older.signal(signal.SIGCONT)
            with pytest.raises(ClientError):
                raise AssertionError(await present(connection, "q"))
            assert (await older.ended())[0] == 1


async def test_a_second_broker_is_refused_while_the_first_lives(log_address: str) -> None:
    async with serving(log_address) as first, serving(log_address) as second:
        code, told = await second.ended()
        assert code == 1
        assert f"process {first.process.pid} of " in told
        assert "stop it first" in told


async def test_a_broker_that_ended_in_order_is_followed_at_once(log_address: str) -> None:
    async with serving(log_address) as first:
        async with connect(first.url) as connection:
            await connection.declare("q", durable=True)
            await connection.queue("q").send(Message("kept", durable=True))
        first.signal(signal.SIGTERM)
        assert (await first.ended())[0] == 0
    async with serving(log_address) as second:
        assert await bodies(second.url, "q") == ["kept"]


async def test_a_store_that_must_be_synced_is_refused_where_that_is_not_known(log_address: str) -> None:
    async with serving(log_address, "--store-unsynced", "refuse") as broker:
        code, told = await broker.ended()
        assert code == 1
        assert "may confirm what they have not synced" in told
