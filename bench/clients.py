"""CPU time of client libraries for a message: ours beside those of other products, in one run.

    python bench/clients.py
    python bench/clients.py --server .venv-compiled/bin/lastvalue --only received
    python bench/clients.py --rounds 1 --count 20000 --json

Each program, such as `client_pika`, runs in a process of its own and measures itself; the rounds take turns,
and the medians count. Other clients are installed into `.cache/clients` the first time. Clients of AMQP speak
to this broker; nats-py and redis-py to nats-server and redis-server, if these are on PATH.
"""

import argparse
import json
import shutil
import statistics
import subprocess
import sys
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from broker import serving
from peers import Nats, Program, Redis, running

BENCH = Path(__file__).parent
INSTALLED = BENCH.parent / ".cache" / "clients"
PINS = ("nats-py==2.16.0", "redis==8.1.0", "pika==1.4.4", "aio-pika==10.2.1", "python-qpid-proton==0.40.0")


@dataclass(frozen=True, slots=True)
class Client:
    """A client library.

    Attributes:
        program: the module that runs it.
        loads: what it is measured with.
        peer: the broker of another product that it needs, and its command.
        share: the part of the messages that it gets, as it is slow.
    """

    program: str
    loads: tuple[str, ...]
    peer: tuple[Program, str] | None = None
    share: int = 1


COMMON = ("many", "one", "received")
CLIENTS = {
    "lastvalue": Client("client_lastvalue", (*COMMON, "batches", "browsed", "watched")),
    "lastvalue, blocking": Client("client_lastvalue", tuple(f"blocking_{each}" for each in COMMON)),
    "nats-py": Client("client_nats", COMMON, (Nats(), "nats-server")),
    "redis-py": Client("client_redis", COMMON, (Redis(), "redis-server")),
    "pika": Client("client_pika", COMMON, share=2),
    "aio-pika": Client("client_aio_pika", COMMON, share=5),
    "python-qpid-proton": Client("client_proton", COMMON, share=2),
}
LOADS = {
    "many": "many sent and confirmed (nats, pika: not confirmed; redis: SET in pipelines of 100)",
    "one": "one sent and awaited (nats: JetStream; redis: SET)",
    "received": "received and accepted one by one (nats, redis: nothing to accept)",
    "batches": "received in batches, each accepted",
    "browsed": "browsed",
    "watched": "a change that a watcher yields",
}
SHARE_OF_ONE = 5
"""Each message waits for its answer, so there are fewer."""


def installed() -> Path:
    """The Python that has the other clients."""
    python, ready = INSTALLED / "bin" / "python", INSTALLED / ".ready"
    if not ready.exists() or ready.read_text() != "\n".join(PINS):
        shutil.rmtree(INSTALLED, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", INSTALLED], check=True)
        subprocess.run([python, "-m", "pip", "--quiet", "install", *PINS], check=True)
        ready.write_text("\n".join(PINS))
    return python


def cost_us(python: Path, client: Client, load: str, port: int, count: int) -> float:
    """CPU time of the client's process for a message."""
    count //= client.share * (SHARE_OF_ONE if load.endswith("one") else 1)
    program = str(BENCH / f"{client.program}.py")
    done = subprocess.run(
        [str(python), program, load, str(port), str(max(1000, count // 1000 * 1000))],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    if done.returncode:
        raise SystemExit(f"{client.program} {load} failed:\n{done.stderr[-2000:]}")
    return float(done.stdout)


def measure(
    server: Path, names: list[str], loads: list[str], count: int, rounds: int
) -> dict[str, dict[str, float]]:
    """The medians by load and client, in microseconds."""
    ours, others = server.with_name("python"), installed()
    costs: dict[str, dict[str, list[float]]] = {load: {} for load in loads}
    with ExitStack() as stack:
        _, port = stack.enter_context(serving(server))
        peers = {name: CLIENTS[name].peer for name in names}
        ports = {name: stack.enter_context(running(each[0])).port for name, each in peers.items() if each}
        for number in range(rounds):
            for load in loads:
                for name in names:
                    client = CLIENTS[name]
                    for named in (each for each in client.loads if each.removeprefix("blocking_") == load):
                        python = ours if client.program == "client_lastvalue" else others
                        cost = cost_us(python, client, named, ports.get(name, port), count)
                        costs[load].setdefault(name, []).append(cost)
            print(f"round {number + 1} of {rounds}", file=sys.stderr, flush=True)
    return {load: {name: statistics.median(each) for name, each in of.items()} for load, of in costs.items()}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--server", type=Path, default=Path(sys.executable).with_name("lastvalue"))
    parser.add_argument("--count", type=int, default=50_000, help="messages of a load")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="", help="loads with this text in their name")
    parser.add_argument("--clients", nargs="*", default=list(CLIENTS), choices=list(CLIENTS))
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    there = [
        name for name in options.clients if (peer := CLIENTS[name].peer) is None or shutil.which(peer[1])
    ]
    loads = [each for each in LOADS if options.only in each]
    medians = measure(options.server, there, loads, options.count, options.rounds)
    if options.json:
        print(json.dumps(medians))
        return
    for load, of in medians.items():
        print(LOADS[load])
        for name, each in of.items():
            print(
                f"  {name:20}{each:9.2f} us" + (f"{each / of['lastvalue']:8.2f}" if "lastvalue" in of else "")
            )


if __name__ == "__main__":
    main()
