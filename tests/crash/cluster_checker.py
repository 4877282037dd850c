"""A cluster under load is harmed again and again, by a seed; what clients were told must hold.

`test_log_faults` runs it, on a network of its own.
Each round draws a fault, waits until the cluster has settled and all clients work again, stops them, and
looks:

* Nothing confirmed is lost, and nothing is there that was not sent, or twice, or in another order.
* No transaction is there by half.
* No key goes backwards for a reader that continues with its token, at whichever broker.
* No two brokers confirm in turn.
* Every follower shows what the leader has.
"""

import argparse
import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Final

from cluster_faults import ALL, Fault
from cluster_nodes import PORT, Cluster, ClusterBroker
from foreign_producers import DIALECTS, PAIRED, PAIRS, Confirmation, ForeignProducer, both_led
from token_reader import TokenReader
from waiting import passes, until
from workload import CONSUMED, RINGS, VALUES, Witness, declare, look, present, work

from lastvalue.client import Connection, connect
from lastvalue.client.errors import ClientError, ConnectFailedError, ConnectionLostError

READERS: Final = 3
_WORKS_S: Final = 300.0


@dataclass
class Outages:
    """How long clients waited, in seconds, by the name of the fault.

    Attributes:
        until_led: from the fault to the first confirmation of another process than the one that led.
        longest: the longest time without a confirmation of any one client.
    """

    until_led: dict[str, list[float]] = field(default_factory=dict)
    longest: dict[str, list[float]] = field(default_factory=dict)

    def note(self, fault: str, leader: str, began_s: float, history: Sequence[Confirmation]) -> None:
        """A fault began while this process led."""
        since = [each for each in history if each.ended_s >= began_s]
        others = [each.ended_s for each in since if each.process != leader]
        if others:
            self.until_led.setdefault(fault, []).append(min(others) - began_s)
        gaps: list[tuple[float, str]] = []
        for client in DIALECTS:
            times = [began_s, *(each.ended_s for each in since if each.client == client)]
            gaps += [(later - earlier, client) for earlier, later in pairwise(times)]
        longest_s, client = max(gaps)
        print(f"   longest wait: {longest_s:.2f} s, {client}", flush=True)
        self.longest.setdefault(fault, []).append(longest_s)

    def told(self) -> str:
        """A table of them."""
        lines = [f"{'fault':26} {'times':>5}  another led: p50   p99  longest wait: p50   p99"]
        rows = {**{name: self.until_led.get(name, []) for name in sorted(self.longest)}}
        rows["all"] = [each for times in self.until_led.values() for each in times]
        waits = {**self.longest, "all": [each for times in self.longest.values() for each in times]}
        for name, times in rows.items():
            led = (
                f"{_quantile(times, 50):16.2f} {_quantile(times, 99):5.2f}"
                if times
                else f"{'-':>16} {'-':>5}"
            )
            waited = f"{_quantile(waits[name], 50):18.2f} {_quantile(waits[name], 99):5.2f}"
            lines.append(f"{name:26} {len(waits[name]):5} {led} {waited}")
        return "\n".join(lines)


class Checker:
    """Runs rounds against one cluster."""

    def __init__(self, cluster: Cluster, chance: random.Random) -> None:
        self.history: list[Confirmation] = []
        self.outages = Outages()
        self._cluster = cluster
        self._chance = chance
        self._witness = Witness()
        self._producers = [ForeignProducer(name, cluster, PORT, self.history) for name in DIALECTS]
        self._readers = [TokenReader("prices", cluster.brokers, chance) for _ in range(READERS)]
        # The highest number that was on each producer's queues when they were emptied.
        self._emptied = dict.fromkeys(DIALECTS, 0)

    async def prepare(self) -> None:
        """Make the queues."""
        leader = await self._cluster.settled()
        async with connect(leader.url) as connection:
            await declare(connection, self._witness)
            for name in (*(each for each in DIALECTS if each != PAIRS), *PAIRED):
                await connection.declare(name, durable=True)

    async def run(self, fault: Fault) -> None:
        """One round.

        Raises:
            AssertionError: something does not hold.
        """
        for producer in self._producers:
            producer.start()
        tasks = [asyncio.create_task(self._work())]
        tasks += [asyncio.create_task(reader.run()) for reader in self._readers]
        try:
            await self._all_work(tasks)
            leader = (await self._cluster.leader()).process_name
            began_s = time.monotonic()
            await fault(self._cluster, self._chance)
            await self._cluster.settled()
            await self._all_work(tasks)
            self.outages.note(fault.__name__, leader, began_s, self.history)
        finally:
            for task in tasks:
                task.cancel()
            ended = await asyncio.gather(*tasks, return_exceptions=True)
            for producer in self._producers:
                await asyncio.to_thread(producer.stop)
        for outcome in ended:
            if not isinstance(outcome, asyncio.CancelledError) and isinstance(outcome, BaseException):
                raise outcome
        await self._at_leader(self._look)
        await self._at_leader(self._empty)

    async def _work(self) -> None:
        """The clients of the tests that kill brokers with files, at whichever broker leads."""
        number = 0
        while True:
            number += 1
            broker = self._cluster.brokers[number % len(self._cluster.brokers)]
            try:
                await work(broker.url, self._witness, self._chance)
            except* (ClientError, OSError):
                await passes(0.05)

    async def _all_work(self, tasks: list[asyncio.Task[None]]) -> None:
        """Wait until everybody has got something done."""

        def counts() -> list[int]:
            known = self._witness.queues
            done = [len(producer.numbers.confirmed) // 3 for producer in self._producers]
            done += [len(known[name].confirmed) // 3 for name in CONSUMED]
            return [*done, self._witness.commits, *(reader.heard for reader in self._readers)]

        before = counts()
        await until(
            lambda: (
                any(task.done() for task in tasks)
                or all(now > then for now, then in zip(counts(), before, strict=True))
            ),
            limit_s=_WORKS_S,
            every_s=0.02,
        )

    # ------------------------------------------------------------------ what must hold

    async def _at_leader(self, act: Callable[[Connection, ClusterBroker], Awaitable[None]]) -> None:
        """Do something at the leader; at the next one if it loses its lease meanwhile on a busy machine."""
        while True:
            leader = await self._cluster.settled(idle=True)
            with suppress(ConnectionLostError, ConnectFailedError):
                async with connect(leader.url, reconnect=False) as connection:
                    await act(connection, leader)
                return

    async def _look(self, connection: Connection, leader: ClusterBroker) -> None:
        assert both_led(self.history) == []
        await look(connection, self._witness)
        for producer in self._producers:
            held = [await present(connection, queue) for queue in queues_of(producer)]
            assert held.count(held[0]) == len(held), f"transactions by half: {held}"
            self._look_at(producer, held[0])
        await self._compare(connection, leader)

    async def _empty(self, connection: Connection, _: ClusterBroker) -> None:
        for producer in self._producers:
            for queue in queues_of(producer):
                await connection.purge(queue)
            self._emptied[producer.name] = producer.numbers.sent

    def _look_at(self, producer: ForeignProducer, there: list[int]) -> None:
        known, emptied = producer.numbers, self._emptied[producer.name]
        assert there == sorted(set(there)), producer.name
        assert set(there) <= set(range(emptied + 1, known.sent + 1)), producer.name
        lost = {number for number in known.confirmed if number > emptied} - set(there)
        assert lost == set(), f"{producer.name}: confirmed and lost: {sorted(lost)}"

    async def _compare(self, connection: Connection, leader: ClusterBroker) -> None:
        names = [*CONSUMED, *VALUES, *RINGS, *PAIRED, *(each for each in DIALECTS if each != PAIRS)]
        expected = {name: await present(connection, name) for name in names}
        for broker in self._cluster.brokers:
            if broker is leader:
                continue
            async with connect(broker.url, reconnect=False) as following:
                for name in names:
                    shown = await present(following, name)
                    assert shown == expected[name], (
                        f"{broker.host} shows other messages of {name}: "
                        f"{sorted(set(shown) ^ set(expected[name]))[:20]}, {len(shown)} in place of "
                        f"{len(expected[name])}"
                    )


def queues_of(producer: ForeignProducer) -> Sequence[str]:
    """Where it sends to."""
    return PAIRED if producer.name == PAIRS else (producer.name,)


def _quantile(times: list[float], percent: int) -> float:
    return sorted(times)[(len(times) - 1) * percent // 100] if times else 0.0


async def check(directory: Path, faults: Sequence[Fault], brokers: int, chance: random.Random) -> None:
    """Run a round for each fault."""
    with Cluster(directory, brokers) as cluster:
        await asyncio.to_thread(cluster.servers.wait)
        checker = Checker(cluster, chance)
        await checker.prepare()
        try:
            for number, fault in enumerate(faults):
                print(f"{number + 1}: {fault.__name__}", flush=True)
                await checker.run(fault)
        finally:
            print(
                checker.outages.told(),
                f"\n{len(checker.history)} confirmations of foreign clients",
                flush=True,
            )


def main() -> None:
    """Parse the arguments, and check."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("directory", type=Path, help="of the log's servers and the brokers; empty")
    parser.add_argument("--faults", type=int, default=len(ALL))
    parser.add_argument("--only", help="faults whose names contain this")
    parser.add_argument("--brokers", type=int, default=3)
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    chance = random.Random(options.seed)
    kinds = [each for each in ALL if (options.only or "") in each.__name__]
    # Each kind comes equally often.
    faults = [kinds[number % len(kinds)] for number in range(options.faults)]
    chance.shuffle(faults)
    asyncio.run(check(options.directory, faults, options.brokers, chance))


if __name__ == "__main__":
    main()
