"""What befalls a cluster: brokers, servers of the log, their disks, and the network between them."""

import contextlib
import random
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

from cluster_nodes import LEASE_MS, Cluster, ClusterBroker
from log_servers import LogServer
from waiting import passes

from lastvalue.client import connect
from lastvalue.client.errors import ClientError

LEASE_S: Final = LEASE_MS / 1000
_PAGE_BYTES: Final = 4096
Fault = Callable[[Cluster, random.Random], Awaitable[None]]


async def leader_killed(cluster: Cluster, _: random.Random) -> None:
    (await cluster.leader()).signal(signal.SIGKILL)
    await passes(LEASE_S)


async def leader_asleep(cluster: Cluster, chance: random.Random) -> None:
    """The zombie: it wakes up after its lease, and after another one leads."""
    leader = await cluster.leader()
    leader.signal(signal.SIGSTOP)
    await passes(LEASE_S * chance.uniform(0.5, 3))
    leader.signal(signal.SIGCONT)
    await passes(0.5)


async def leader_steps_down(cluster: Cluster, _: random.Random) -> None:
    leader = await cluster.leader()
    try:
        async with connect(leader.url, reconnect=False) as connection:
            await connection.manage("STEP_DOWN", body={"alone": True}, kind="cluster")
    except ClientError as fault:
        print(f"   not stepped down: {fault}")
    await passes(1)


async def follower_killed(cluster: Cluster, chance: random.Random) -> None:
    (await _follower(cluster, chance)).signal(signal.SIGKILL)
    await passes(0.5)


async def follower_asleep(cluster: Cluster, chance: random.Random) -> None:
    follower = await _follower(cluster, chance)
    follower.signal(signal.SIGSTOP)
    await passes(1.5 * LEASE_S)
    follower.signal(signal.SIGCONT)


async def server_killed(cluster: Cluster, chance: random.Random) -> None:
    server = await _server(cluster, chance)
    server.kill()
    await passes(chance.uniform(0.5, 3))
    server.start()


async def server_asleep(cluster: Cluster, chance: random.Random) -> None:
    server = await _server(cluster, chance)
    server.pause()
    await passes(chance.uniform(0.5, 2) * LEASE_S)
    server.resume()


async def all_servers_restarted(cluster: Cluster, chance: random.Random) -> None:
    for server in cluster.servers.servers:
        server.kill()
    await passes(chance.uniform(0, 1))
    for server in cluster.servers.servers:
        server.start()


async def leader_and_server_killed(cluster: Cluster, _: random.Random) -> None:
    server = await cluster.server_leader()
    (await cluster.leader()).signal(signal.SIGKILL)
    server.kill()
    await passes(LEASE_S)
    server.start()


async def disk_full(cluster: Cluster, chance: random.Random) -> None:
    """Its server is started again once there is room."""
    server = await _server(cluster, chance)
    ballast = server.place.directory / "ballast"
    _fill(ballast)
    await passes(1.5 * LEASE_S)
    ballast.unlink()
    server.kill()
    server.start()


async def leader_cut_off(cluster: Cluster, chance: random.Random) -> None:
    """From all servers of the log; its clients still reach it."""
    leader = await cluster.leader()
    cluster.network.part([leader.machine], [cluster.machine_of(each) for each in cluster.servers.servers])
    await _heal_later(cluster, chance)


async def leader_with_few_servers(cluster: Cluster, chance: random.Random) -> None:
    """The leader and one server are on one side, all others on the other one."""
    leader = await cluster.leader()
    server = await _server(cluster, chance)
    side = [leader.machine, cluster.machine_of(server)]
    cluster.network.part(side, [each for each in cluster.network.machines if each not in side])
    await _heal_later(cluster, chance)


async def server_cut_off(cluster: Cluster, chance: random.Random) -> None:
    """From the other servers; the brokers still reach it."""
    alone = await _server(cluster, chance)
    others = [cluster.machine_of(each) for each in cluster.servers.servers if each is not alone]
    cluster.network.part([cluster.machine_of(alone)], others)
    await _heal_later(cluster, chance)


async def one_way(cluster: Cluster, chance: random.Random) -> None:
    """One machine's packets to some others are lost, and theirs arrive."""
    sender, *rest = chance.sample(cluster.network.machines, len(cluster.network.machines))
    for receiver in rest[: chance.randint(1, len(rest))]:
        cluster.network.cut(sender, receiver)
    await _heal_later(cluster, chance)


ALL: Final[tuple[Fault, ...]] = (
    leader_killed,
    leader_asleep,
    leader_cut_off,
    leader_with_few_servers,
    leader_and_server_killed,
    leader_steps_down,
    server_killed,
    server_asleep,
    server_cut_off,
    all_servers_restarted,
    disk_full,
    one_way,
    follower_killed,
    follower_asleep,
)


def _fill(ballast: Path) -> None:
    with ballast.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(bytes(_PAGE_BYTES))


async def _heal_later(cluster: Cluster, chance: random.Random) -> None:
    await passes(LEASE_S * chance.uniform(0.5, 3))
    cluster.network.heal()


async def _follower(cluster: Cluster, chance: random.Random) -> ClusterBroker:
    """One that follows; where nobody does, the leader."""
    leader = await cluster.leader()
    return chance.choice([each for each in cluster.brokers if each is not leader] or [leader])


async def _server(cluster: Cluster, chance: random.Random) -> LogServer:
    """The server that leads the stream, or any one."""
    return chance.choice([await cluster.server_leader(), *cluster.servers.servers])
