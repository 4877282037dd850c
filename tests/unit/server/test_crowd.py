"""lastvalue.server.crowd."""

import logging

import pytest

from lastvalue.client import connect
from lastvalue.model.errors import LastvalueError
from lastvalue.server.broker_server import BrokerServer, ServerOptions
from lastvalue.server.crowd import Crowd


def test_an_address_comes_as_often_as_the_rate_and_again_after_a_while() -> None:
    crowd = Crowd(0, rate=10)
    assert [crowd.admits("a", 0) for _ in range(12)] == [True] * 10 + [False] * 2
    assert crowd.admits("b", 0)
    assert [crowd.admits("a", 200) for _ in range(3)] == [True, True, False]
    assert [crowd.admits("a", 60_000) for _ in range(11)] == [True] * 10 + [False]


def test_who_comes_too_often_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    crowd = Crowd(0, rate=1)
    with caplog.at_level(logging.WARNING):
        assert [crowd.admits("10.0.0.1", 0) for _ in range(100)].count(True) == 1
    assert caplog.messages == ["more than 1 new connections a second from 10.0.0.1: dropped"]


def test_addresses_that_came_once_are_forgotten() -> None:
    crowd = Crowd(0, rate=1)
    for number in range(20_000):
        assert crowd.admits(str(number), number)
    assert len(crowd._arrivals) <= 4096


def test_without_a_rate_anybody_comes_as_often_as_they_like() -> None:
    crowd = Crowd(0, rate=0)
    assert all(crowd.admits("a", 0) for _ in range(1000))


async def test_a_user_has_so_many_connections_and_another_one_when_one_has_ended() -> None:
    options = ServerOptions(port=0, users={"alice": "a", "bob": "b"}, max_connections_per_user=2)
    async with BrokerServer(options) as server:
        alice, bob = (f"amqp://{user}@127.0.0.1:{server.port}" for user in ("alice:a", "bob:b"))
        async with connect(alice):
            async with connect(alice):
                with pytest.raises(LastvalueError, match="user 'alice' has 2 connections"):
                    await connect(alice).open()
                async with connect(bob):
                    pass
            async with connect(alice):
                pass


async def test_connections_beyond_the_rate_are_dropped() -> None:
    async with BrokerServer(ServerOptions(port=0, connection_rate=1)) as server:
        url = f"amqp://127.0.0.1:{server.port}"
        async with connect(url) as first:
            with pytest.raises(LastvalueError):
                await connect(url).open()
            assert await first.queues() == []
