"""Runs Joram's tests of JMS 1.1 with Artemis's and Qpid's clients, and writes how many passed.

    python tests/suites/joram_jms.py            runs all, and says what failed
    python tests/suites/joram_jms.py --write    and writes docs/conformance.md
    python tests/suites/joram_jms.py artemis    runs the clients whose name has this part

It needs Maven and a JDK.
"""

import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "tests" / "interop"), str(Path(__file__).parent)]

from java_project import built  # noqa: E402 - found only now
from served_broker import HOST, ServedBroker  # noqa: E402 - found only now, in tests/interop
from suites_table import Row, write  # noqa: E402 - sorted behind what is found only now

PROJECT = Path(__file__).parent / "joram"
SUITE = "joram-jms-tests 1.0"
TIMEOUT_S = 900
CONFIGURATION = """
[[auto-create]]
pattern = "queues.#"
on_publish = true
on_consume = true

[[auto-create]]
pattern = "topics.#"
node = "exchange"
on_publish = true
on_consume = true
options = { type = "fanout" }
"""
"""Each test has queues and topics that no other has; AMQP's clients declare none."""


@dataclass(frozen=True)
class Client:
    """A client of JMS.

    Attributes:
        coordinates: Maven's, of its library: group, name and version.
        factory: the class of its connection factory.
        scheme: of the broker's URL, as it takes that.
    """

    coordinates: str
    factory: str
    scheme: str

    @property
    def name(self) -> str:
        """Its name and version."""
        return " ".join(self.coordinates.split(":")[1:])


_ARTEMIS = "org.apache.activemq.artemis.jms.client.ActiveMQJMSConnectionFactory"
CLIENTS = (
    Client("org.apache.activemq:artemis-jms-client:2.42.0", _ARTEMIS, "tcp"),
    Client("org.apache.activemq:artemis-jms-client:2.31.0", _ARTEMIS, "tcp"),
    Client("org.apache.qpid:qpid-jms-client:1.13.0", "org.apache.qpid.jms.JmsConnectionFactory", "amqp"),
)


@dataclass(frozen=True)
class Outcome:
    """What the tests came to with a client, and the lines about those that failed."""

    row: Row
    failed: tuple[str, ...]

    @property
    def whole(self) -> bool:
        """Whether all passed of what was run, which is something."""
        return 0 < self.row.run == self.row.passed


def run_client(client: Client) -> Outcome:
    """Run the tests with a client."""
    java, *more = built(PROJECT, client.coordinates)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "joram.toml"
        file.write_text(CONFIGURATION)
        with ServedBroker("--anonymous", "--config", str(file)) as broker:
            properties = [
                f"-Dfactory={client.factory}",
                f"-Durl={client.scheme}://{HOST}:{broker.port}",
            ]
            result = subprocess.run(
                [java, *properties, *more, "lastvalue.JoramSuite"],
                capture_output=True,
                text=True,
                timeout=TIMEOUT_S,
                check=False,
            )
    lines = result.stdout.splitlines()
    counts = [line.split("\t") for line in lines if line.startswith("tests\t")]
    if len(counts) != 1:
        raise RuntimeError(result.stdout + result.stderr)
    run, failures = int(counts[0][1]), int(counts[0][2])
    failed = tuple(line for line in lines if line.startswith("failed\t"))
    return Outcome(Row(client.name, SUITE, run, run - failures), failed)


def main(arguments: list[str]) -> int:
    """See the module."""
    parts = [each for each in arguments if not each.startswith("-")]
    chosen = [each for each in CLIENTS if not parts or any(part in each.coordinates for part in parts)]
    outcomes = []
    for client in chosen:
        outcome = run_client(client)
        print(outcome.row, flush=True)
        print("\n".join(outcome.failed), flush=True)
        outcomes.append(outcome)
    if "--write" in arguments:
        write([outcome.row for outcome in outcomes])
    return int(not all(outcome.whole for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
