"""How a route gets to the broker that has a queue, or a key of it."""

from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack
from dataclasses import replace
from http import HTTPStatus
from typing import Annotated, Final
from weakref import WeakKeyDictionary

from fastapi import Depends
from starlette.requests import HTTPConnection, Request

from lastvalue.client import Connection, Queue
from lastvalue.client.leaders import PARTITION, Leaders, divided_keys, leaders_in, partition_number
from lastvalue.client.values import Key
from lastvalue.http.broker_access import BrokerConnection, access_of
from lastvalue.http.caller import Caller
from lastvalue.http.merged_queues import ListedBroker
from lastvalue.http.problems import Problem

_MOST_KNOWN: Final = 1000


_known: WeakKeyDictionary[Connection, dict[str, Leaders]] = WeakKeyDictionary()
"""Partitions change with a restart of the broker, which ends the connection."""


class LeaderQueues:
    """A caller's queues at the brokers that have them.

    Args:
        request: of the caller.
        broker: the caller's connection to the gateway's own broker.
        held: releases the connections to the others at the end of the request.
    """

    def __init__(self, request: Request, broker: Connection, held: AsyncExitStack) -> None:
        self._request = request
        self._broker = broker
        self._held = held

    async def having(self, name: str, key: Key) -> Queue:
        """The queue at the broker that has this key.

        Raises:
            Problem: another broker has it, and the caller's session has no password for that one.
            InvalidSpecError: the keys are divided, and this one is neither a text nor an integer.
            ClientError: the other broker cannot be reached.
        """
        return await self.at(name, partition_number(key, await self.count(name)))

    async def having_all(self, name: str, keys: Iterable[Key]) -> list[tuple[Queue, list[Key]]]:
        """The queue at each broker that has some of these keys, with those; raises as `having` does."""
        parts = divided_keys(keys, await self.count(name))
        return [(await self.at(name, number), part) for number, part in parts.items()]

    async def at(self, name: str, number: int) -> Queue:
        """The queue at the broker of this number; raises as `having` does."""
        leaders = await _leaders(self._broker, name)
        if leaders.is_asked(number):
            return self._broker.queue(name)
        access = access_of(self._request)
        caller = _caller_at(access.identify(self._request), leaders, name, number)
        return (await self._held.enter_async_context(access.connections.use(caller))).queue(name)

    async def shown(self, name: str, number: int | None) -> Queue:
        """The queue at the broker of this number; without one where it is whole, or the own broker's part.

        Raises:
            Problem: several other brokers have it, or as of `having`.
        """
        leaders = await _leaders(self._broker, name)
        if number is None and len(leaders.addresses) > 1 and leaders.own < 0:
            raise Problem(
                HTTPStatus.MISDIRECTED_REQUEST,
                f"{len(leaders.addresses)} other brokers have keys of queue {name!r}; choose one by "
                "`partition`",
            )
        return await self.at(name, max(0, leaders.own) if number is None else number)

    async def count(self, name: str) -> int:
        """How many brokers have keys of the queue; 1 where one has it whole."""
        return (await _leaders(self._broker, name)).count


async def callers_at(connection: HTTPConnection, name: str, number: int | None) -> list[Caller]:
    """The caller at each broker that has keys of a queue, in their order, or at the one of this number.

    Raises:
        Problem: there is no such broker, or the caller's session has no password for one of them.
    """
    access = access_of(connection)
    caller = access.identify(connection)
    async with access.connections.use(caller) as broker:
        leaders = await _leaders(broker, name)
    numbers = range(leaders.count) if number is None else (number,)
    return [_caller_at(caller, leaders, name, each) for each in numbers]


async def followers_at(connection: HTTPConnection, name: str) -> list[Caller | Problem]:
    """The caller at each broker that has keys of a queue, or why the caller does not get to that one.

    Raises:
        Problem: the caller does not get to any.
    """
    access = access_of(connection)
    caller = access.identify(connection)
    async with access.connections.use(caller) as broker:
        leaders = await _leaders(broker, name)
    found: list[Caller | Problem] = []
    for number in range(leaders.count):
        try:
            found.append(_caller_at(caller, leaders, name, number))
        except Problem as problem:
            found.append(problem)
    if all(isinstance(each, Problem) for each in found) and isinstance(found[0], Problem):
        raise found[0]
    return found


async def brokers_of(request: Request, broker: Connection) -> list[ListedBroker]:
    """The gateway's own broker, and all others that have queues or keys; none if no queue is divided.

    Args:
        request: of the caller.
        broker: the caller's connection to the own one.
    """
    answer = await broker.manage("QUERY", kind=PARTITION)
    leaders = leaders_in(answer)
    if not leaders.addresses:
        return []
    access = access_of(request)
    caller = access.identify(request)
    found = [] if leaders.own >= 0 else [ListedBroker(access.connections.address, caller)]
    for number, addresses in enumerate(leaders.addresses):
        try:
            there: Caller | Problem = _caller_at(caller, leaders, "", number)
        except Problem as problem:
            there = problem
        found.append(ListedBroker(addresses[0], there))
    return found


def _caller_at(caller: Caller, leaders: Leaders, name: str, number: int) -> Caller:
    if number >= leaders.count:
        text = f"queue {name!r} is at {leaders.count} brokers; the first one is 0"
        raise Problem(HTTPStatus.NOT_FOUND, text)
    if leaders.is_asked(number):
        return caller
    addresses = leaders.addresses[number]
    if caller.session is not None:
        raise Problem(
            HTTPStatus.MISDIRECTED_REQUEST,
            "this is not at the broker of this gateway, and a session keeps no password for another one: "
            f"ask the gateway of {','.join(addresses)}",
        )
    return replace(caller, leader=tuple(addresses))


async def _leaders(broker: Connection, name: str) -> Leaders:
    known = _known.setdefault(broker, {})
    if name not in known:
        leaders = await broker.leaders(name)
        if len(known) >= _MOST_KNOWN:
            known.clear()
        known[name] = leaders
    return known[name]


async def _leader_queues(request: Request, broker: BrokerConnection) -> AsyncIterator[LeaderQueues]:
    async with AsyncExitStack() as held:
        yield LeaderQueues(request, broker, held)


CallersQueues = Annotated[LeaderQueues, Depends(_leader_queues)]
"""The caller's queues, wherever they are."""
