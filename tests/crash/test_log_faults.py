"""The log's servers and the broker fail under load: what was confirmed is there, transactions are whole.

Each life of the broker meets one fault. The clients are those of the tests that kill brokers with files.
"""

import asyncio
import os
import random
import signal
from collections.abc import Awaitable, Callable

import pytest
from broker_process import LEASE_MS, BrokerProcess, serving
from log_servers import LogServers
from waiting import passes, until
from workload import Witness, declare, look, work

from lastvalue.client import connect
from lastvalue.client.errors import ClientError

FAULTS = int(os.environ.get("LASTVALUE_LOG_FAULTS", "6"))

Fault = Callable[[LogServers, str, BrokerProcess], Awaitable[None]]


async def leader_killed(servers: LogServers, stream: str, _: BrokerProcess) -> None:
    server = await asyncio.to_thread(servers.leader_of, stream)
    server.kill()
    await passes(1)
    server.start()


async def leader_paused(servers: LogServers, stream: str, _: BrokerProcess) -> None:
    server = await asyncio.to_thread(servers.leader_of, stream)
    server.pause()
    await passes(2 * LEASE_MS / 1000)
    server.resume()


async def all_restarted(servers: LogServers, _: str, __: BrokerProcess) -> None:
    for server in servers.servers:
        server.kill()
    for server in servers.servers:
        server.start()
    await asyncio.to_thread(servers.wait)


async def broker_killed(_: LogServers, __: str, broker: BrokerProcess) -> None:
    broker.signal(signal.SIGKILL)


async def broker_paused(_: LogServers, __: str, broker: BrokerProcess) -> None:
    """Longer than its lease, with nobody to follow it: it goes on."""
    broker.signal(signal.SIGSTOP)
    await passes(1.5 * LEASE_MS / 1000)
    broker.signal(signal.SIGCONT)


async def broker_and_leader_killed(servers: LogServers, stream: str, broker: BrokerProcess) -> None:
    broker.signal(signal.SIGKILL)
    await leader_killed(servers, stream, broker)


LETHAL = (broker_killed, broker_and_leader_killed)
ALL: tuple[Fault, ...] = (leader_killed, leader_paused, all_restarted, broker_paused, *LETHAL)


async def live(
    servers: LogServers, address: str, witness: Witness, chance: random.Random, fault: Fault
) -> None:
    """One life of a broker, with its fault in the middle of it."""
    stream = address.rpartition("/")[2]
    async with serving(address) as broker:
        assert broker.url, (await broker.ended())[1]
        async with connect(broker.url) as connection:
            await look(connection, witness)
            await declare(connection, witness)
        working = asyncio.create_task(work(broker.url, witness, chance))
        await passes(chance.uniform(0.2, 1.0))
        await fault(servers, stream, broker)
        if fault in LETHAL:
            with pytest.raises(ExceptionGroup) as lost:
                await asyncio.wait_for(working, 60)
            assert lost.group_contains(ClientError)
            return
        sent = witness.queues["orders"].sent
        await until(lambda: witness.queues["orders"].sent > sent + 20 or working.done())
        assert not working.done(), working.exception()
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)
        async with connect(broker.url) as connection:
            await look(connection, witness)
        broker.signal(signal.SIGKILL)


@pytest.mark.slow
@pytest.mark.timeout(300 + 60 * FAULTS)
async def test_what_was_confirmed_survives_faults_of_the_log_and_of_the_broker(
    log_servers: LogServers, log_address: str
) -> None:
    seed = int(os.environ.get("LASTVALUE_SEED", random.randrange(2**32)))
    print(f"seed {seed}")
    chance = random.Random(seed)
    witness = Witness()
    faults = list(ALL)
    chance.shuffle(faults)
    for number in range(FAULTS):
        fault = faults[number % len(faults)]
        print(f"{number + 1}: {fault.__name__}", flush=True)
        await live(log_servers, log_address, witness, chance, fault)
    async with serving(log_address) as broker:
        assert broker.url, (await broker.ended())[1]
        async with connect(broker.url) as connection:
            await look(connection, witness)
    assert all(known.sent > FAULTS for known in witness.queues.values())
    assert witness.commits > FAULTS
    assert witness.rollbacks > 0
