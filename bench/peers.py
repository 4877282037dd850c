"""CPU time for a message of other brokers and of ours, under the same loads in one run.

    make bench-peers
    python bench/peers.py --server .venv-compiled/bin/lastvalue --only "end to end"
    python bench/peers.py --rounds 1 --count 100000 --json

Runs what it finds on PATH of Redis, NATS (nats-server), Mosquitto and RabbitMQ (rabbitmq-server), each alone
beside the load, one after the other in each round; the medians count. All get the same keys in the same order
and the same bodies of 100 bytes from senders that encode before; readers only count. What "kept" and
"confirmed" mean is each product's own: nothing here is written to a disk.
"""

import argparse
import json
import os
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

import wiremqtt
import wirenats
import wireredis
from broker import serving
from lastvalue.client import blocking
from listeners import listening
from load import END_MARK
from wire import Peer
from wire091 import CONSUME, NO_ACK, message, short
from wire091 import Peer as Peer091
from wires import HOST, Answers, Block, Flow, PacedSender, Sender10, WindowedSender

QUEUE = "measured"
WARM_UP = 50_000
START_WITHIN_S = 60.0
ENDLESS_CREDIT = (1 << 31) - 1
EXCHANGE = "amq.fanout"


@dataclass(frozen=True, slots=True)
class Scenario:
    """What is run.

    Attributes:
        kept: the broker keeps the newest message of each key.
        answered: each message is confirmed.
        readers: who get all that comes, or its newest; the cost is then that of a delivery.
        share: the part of the messages that is sent.
    """

    name: str
    kept: bool = True
    answered: bool = False
    readers: int = 0
    share: int = 1


SCENARIOS = (
    Scenario("in, newest of each key"),
    Scenario("in, newest of each key, confirmed", answered=True),
    Scenario("end to end, first in first out", kept=False, readers=1, share=2),
    Scenario("each delivery to 100 live readers", readers=100, share=50),
)


@dataclass(frozen=True, slots=True)
class Broker:
    """One that runs."""

    pid: int
    port: int

    def cpu_s(self) -> float:
        """What its processes have used."""
        root = psutil.Process(self.pid)
        return sum(sum(each.cpu_times()[:2]) for each in [root, *root.children(recursive=True)])


class Product(ABC):
    """One kind of broker."""

    name: str

    @abstractmethod
    def start(self, folder: Path) -> Iterator[Broker]:
        """Start it; it ends with the generator."""

    @abstractmethod
    def sender(self, flow: Flow, scenario: Scenario) -> PacedSender | None:
        """Somebody to publish, once there is what the messages need; None where the product has none such."""

    @abstractmethod
    def listen(self, flow: Flow, scenario: Scenario) -> socket.socket:
        """A connection that has subscribed."""


class LastValue(Product):
    """Ours, over AMQP 1.0."""

    name = "lastvalue"

    def __init__(self, server: Path) -> None:
        self._server = server

    def start(self, folder: Path) -> Iterator[Broker]:
        del folder
        with serving(self._server) as (pid, port):
            yield Broker(pid, port)

    def sender(self, flow: Flow, scenario: Scenario) -> PacedSender:
        with blocking.connect(f"amqp://{HOST}:{flow.port}") as connection:
            if scenario.kept:
                connection.declare(flow.queue, lvq_key="key")
            else:
                connection.declare(flow.queue)
            # The end mark of the round before is there.
            connection.purge(flow.queue)
        return Sender10(flow)

    def listen(self, flow: Flow, scenario: Scenario) -> socket.socket:
        peer = Peer(HOST, flow.port, "reader")
        peer.attach_receiver(flow.queue, browse=scenario.kept, settled=True)
        peer.grant(0, ENDLESS_CREDIT, 0)
        return peer.socket


class LastValueMqtt(LastValue):
    """Ours, over MQTT 3.1.1, as Mosquitto."""

    name = "lastvalue over MQTT"

    def sender(self, flow: Flow, scenario: Scenario) -> PacedSender:
        """See Product."""
        return wiremqtt.MqttSender(flow, retained=scenario.kept)

    def listen(self, flow: Flow, scenario: Scenario) -> socket.socket:
        """See Product."""
        del scenario
        return wiremqtt.subscribe(flow)


class Program(Product):
    """One whose server is started by a command."""

    @abstractmethod
    def command(self, folder: Path, port: int) -> list[str]:
        """What starts it on this port, with its files in this folder."""

    def environment(self, folder: Path, port: int) -> dict[str, str]:
        """Variables that it needs."""
        del folder, port
        return {}

    def start(self, folder: Path) -> Iterator[Broker]:
        port = free_port()
        environment = os.environ | self.environment(folder, port)
        with (folder / "output").open("wb") as output:
            process = subprocess.Popen(
                self.command(folder, port),
                stdout=output,
                stderr=output,
                env=environment,
                start_new_session=True,
            )
        try:
            await_port(process, port, folder / "output")
            yield Broker(process.pid, port)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
            process.wait()


class Redis(Program):
    """SET, in pipelines, and PUBLISH to channels that are read by pattern."""

    name = "Redis"

    def command(self, folder: Path, port: int) -> list[str]:
        options = {"port": port, "bind": HOST, "save": "", "appendonly": "no", "dir": folder}
        limits = ["--client-output-buffer-limit", "pubsub 0 0 0"]
        named = [word for option, value in options.items() for word in (f"--{option}", str(value))]
        return ["redis-server", *named, *limits]

    def sender(self, flow: Flow, scenario: Scenario) -> PacedSender:
        return wireredis.RedisSender(flow, publishes=bool(scenario.readers))

    def listen(self, flow: Flow, scenario: Scenario) -> socket.socket:
        del scenario
        return wireredis.subscribe(flow)


class Nats(Program):
    """A stream of JetStream in memory that keeps one message a subject; readers subscribe to the subjects."""

    name = "NATS"

    def command(self, folder: Path, port: int) -> list[str]:
        options = folder / "nats.conf"
        options.write_text(
            f'listen: "{HOST}:{port}"\nmax_pending: 1GB\njetstream {{ store_dir: "{folder}" }}\n'
        )
        return ["nats-server", "-c", str(options)]

    def sender(self, flow: Flow, scenario: Scenario) -> PacedSender:
        if scenario.kept:
            wirenats.make_stream(flow)
        return wirenats.NatsSender(flow)

    def listen(self, flow: Flow, scenario: Scenario) -> socket.socket:
        del scenario
        return wirenats.subscribe(flow)


class Mosquitto(Program):
    """Retained messages of a topic each, QoS 0, or 1 where they are confirmed."""

    name = "Mosquitto"

    def command(self, folder: Path, port: int) -> list[str]:
        options = folder / "mosquitto.conf"
        limits = "max_queued_messages 0\nmax_inflight_messages 0\nset_tcp_nodelay true\n"
        options.write_text(f"listener {port} {HOST}\nallow_anonymous true\n{limits}")
        return ["mosquitto", "-c", str(options)]

    def sender(self, flow: Flow, scenario: Scenario) -> PacedSender:
        return wiremqtt.MqttSender(flow, retained=scenario.kept)

    def listen(self, flow: Flow, scenario: Scenario) -> socket.socket:
        del scenario
        return wiremqtt.subscribe(flow)


class RabbitMQ(Program):
    """A queue for each reader, bound to a fanout exchange; it keeps no newest message of a key."""

    name = "RabbitMQ"

    def command(self, folder: Path, port: int) -> list[str]:
        (folder / "rabbitmq.conf").write_text(f"listeners.tcp.1 = {HOST}:{port}\n")
        (folder / "enabled_plugins").write_text("[].\n")
        # Debian's command on PATH changes the user; the one behind it does not.
        program = shutil.which("rabbitmq-server", path=f"/usr/lib/rabbitmq/bin:{os.environ['PATH']}")
        # Erlang's daemon of names would outlive the server if the server started it.
        return ["sh", "-c", f"epmd & exec {program}"]

    def environment(self, folder: Path, port: int) -> dict[str, str]:
        return {
            "HOME": str(folder),
            "ERL_EPMD_ADDRESS": HOST,
            "ERL_EPMD_PORT": str(free_port()),
            "RABBITMQ_DIST_PORT": str(free_port()),
            "RABBITMQ_NODENAME": f"bench{port}@localhost",
            "RABBITMQ_CONFIG_FILE": str(folder / "rabbitmq"),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(folder / "enabled_plugins"),
            "RABBITMQ_MNESIA_BASE": str(folder / "mnesia"),
            "RABBITMQ_LOG_BASE": str(folder / "log"),
        }

    def sender(self, flow: Flow, scenario: Scenario) -> PacedSender | None:
        return None if scenario.kept and not scenario.readers else FanoutSender(flow)

    def listen(self, flow: Flow, scenario: Scenario) -> socket.socket:
        del scenario
        peer = Peer091(flow.port)
        # Exclusive and deleted with the connection.
        name = f"reader{peer.socket.getsockname()[1]}"
        peer.call((50, 10), b"\0\0" + short(name) + b"\x0c" + bytes(4))
        peer.call((50, 20), b"\0\0" + short(name) + short(EXCHANGE) + short("") + b"\0" + bytes(4))
        peer.call(CONSUME, b"\0\0" + short(name) + short("reader") + bytes((NO_ACK,)) + bytes(4))
        return peer.socket


class FanoutSender(WindowedSender):
    """Publishes without confirms."""

    def __init__(self, flow: Flow) -> None:
        block = Block(flow, lambda key: message("", key, exchange=EXCHANGE))
        self._peer = Peer091(flow.port)
        super().__init__(self._peer, block, answered=False)

    def confirms(self) -> int:
        return 0

    def _finish(self) -> None:
        self.peer.socket.sendall(message("", "the-end", exchange=EXCHANGE, body=END_MARK))
        self._peer.call((60, 10), bytes(7))

    def close(self) -> None:
        self._peer.close()


def free_port() -> int:
    with socket.create_server((HOST, 0)) as probe:
        return int(probe.getsockname()[1])


def await_port(process: "subprocess.Popen[bytes]", port: int, output: Path) -> None:
    """Wait until somebody listens there."""
    deadline = time.monotonic() + START_WITHIN_S
    while time.monotonic() < deadline and process.poll() is None:
        try:
            Answers(port, b"").socket.close()
        except ConnectionRefusedError:
            time.sleep(0.1)
        else:
            return
    raise SystemExit(f"{process.args!r} does not listen: {output.read_text()[-500:]}")


@contextmanager
def running(product: Product) -> Iterator[Broker]:
    """The product, with a folder of its own."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        yield from product.start(Path(folder))


def cost_us(broker: Broker, product: Product, scenario: Scenario, count: int, keys: int) -> float | None:
    """CPU time of the broker for a message, or for a delivery where there are readers."""
    flow = Flow(broker.port, QUEUE, keys, False, scenario.answered)
    sender = product.sender(flow, scenario)
    if sender is None:
        return None
    with listening(lambda: product.listen(flow, scenario), scenario.readers) as delivered:
        before = broker.cpu_s()
        sender.send(count)
        counted = delivered() if scenario.readers else count
        used = broker.cpu_s() - before
    sender.close()
    return used * 1e6 / counted


def measure(
    products: list[Product], scenarios: list[Scenario], count: int, keys: int, rounds: int
) -> Iterator[tuple[Scenario, dict[str, float]]]:
    """For each scenario what each product costs: the median."""
    for scenario in scenarios:
        tried: dict[str, list[float]] = {}
        with ExitStack() as stack:
            brokers = [(product, stack.enter_context(running(product))) for product in products]
            for product, broker in brokers:
                cost_us(broker, product, scenario, WARM_UP // scenario.share, keys)
            for _ in range(rounds):
                for product, broker in brokers:
                    cost = cost_us(broker, product, scenario, count // scenario.share, keys)
                    if cost is not None:
                        tried.setdefault(product.name, []).append(cost)
        yield scenario, {name: statistics.median(costs) for name, costs in tried.items()}


def found(server: Path) -> list[Product]:
    """Ours, and what of the others is on PATH."""
    others = {
        "redis-server": Redis(),
        "nats-server": Nats(),
        "mosquitto": Mosquitto(),
        "rabbitmq-server": RabbitMQ(),
    }
    products: list[Product] = [LastValue(server), LastValueMqtt(server)]
    for program, product in others.items():
        if shutil.which(program):
            products.append(product)
        else:
            print(f"{product.name} is left out: there is no {program} on PATH", file=sys.stderr)
    return products


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    beside = Path(sys.executable).with_name("lastvalue")
    parser.add_argument("--server", type=Path, default=beside, help="the `lastvalue` command to start")
    parser.add_argument("--count", type=int, default=500_000, help="messages a round")
    parser.add_argument("--keys", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="", help="scenarios whose names have this in them")
    parser.add_argument("--json", action="store_true", help="one line of JSON for each figure")
    options = parser.parse_args()
    scenarios = [scenario for scenario in SCENARIOS if options.only in scenario.name]
    products = found(options.server)
    measured = measure(products, scenarios, options.count, options.keys, options.rounds)
    for scenario, costs in measured:
        reference = costs["lastvalue"]
        for name, cost in costs.items():
            if options.json:
                told = {"scenario": scenario.name, "product": name, "cpu_us": cost, "ratio": cost / reference}
                print(json.dumps(told), flush=True)
            else:
                print(f"{scenario.name:36}{name:12}{cost:8.3f} us{cost / reference:8.2f}", flush=True)


if __name__ == "__main__":
    main()
