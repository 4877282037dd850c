"""Runs the tests that clients in Go bring against a broker, and writes how many passed.

    python tests/suites/go_clients.py            runs all, and says what failed
    python tests/suites/go_clients.py --write    and writes docs/conformance.md
    python tests/suites/go_clients.py go-amqp    runs one

A module comes with its tests from Go's module proxy. The suites expect a broker at port 5672, which must be
free; amqp091-go's expects RabbitMQ's management API at 15672, which must be free as well: the broker's
gateway serves it. Without Go nothing is run, and the table stays as it is.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from lastvalue.server.users import Users

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "tests" / "interop"), str(Path(__file__).parent)]

from served_broker import HOST, ServedBroker  # noqa: E402 - found only now, in tests/interop
from suites_table import Row, write  # noqa: E402 - sorted behind what is found only now

PORT, MANAGEMENT_PORT = 5672, 15672
USER = PASSWORD = "guest"
TIMEOUT_S = 900
ANY_QUEUE = '[[auto-create]]\npattern = "#"\non_publish = true\non_consume = true\n'


@dataclass(frozen=True)
class Suite:
    """A module's tests.

    Attributes:
        module: its path and version.
        tags: what its tests are built with.
        left_out: by test that is not run, why.
        variables: where the broker is.
        flags: of the broker, besides its port.
        configuration: of the broker.
    """

    module: str
    tags: str
    left_out: dict[str, str]
    variables: dict[str, str]
    flags: tuple[str, ...] = ()
    configuration: str = ""

    @property
    def client(self) -> str:
        """Its name and version, as in the table."""
        path, _, version = self.module.partition("@v")
        return f"{path.rpartition('/')[2]} {version}"


SUITES = {
    "amqp091-go": Suite(
        "github.com/rabbitmq/amqp091-go@v1.16.0",
        "integration",
        {
            "TestIntegrationConsumeFlow": "expects that `channel.flow` is refused, as RabbitMQ does",
            "TestConnection_Close_WhenMemoryAlarmIsActive": "needs `rabbitmqctl`",
        },
        {"AMQP_URL": f"amqp://{USER}:{PASSWORD}@{HOST}:{PORT}/"},
    ),
    "go-amqp": Suite(
        "github.com/Azure/go-amqp@v1.7.0",
        "",
        {
            "TestSessionFlowDisablesTransfer": "is not written yet",
            "TestFuzzConnCorpus": "needs a corpus",
            "TestFuzzMarshalCorpus": "needs a corpus",
        },
        {"AMQP_BROKER_ADDR": f"amqp://{HOST}:{PORT}"},
        ("--anonymous",),
        ANY_QUEUE,
    ),
}


def sources(suite: Suite, folder: Path) -> Path:
    """A copy of a module, which may be written to."""
    asked = ["go", "mod", "download", "-json", suite.module]
    found = subprocess.run(asked, cwd=folder, check=True, capture_output=True, text=True)
    copy = folder / "module"
    # The module's own files may only be read, and its copy would inherit that.
    shutil.copytree(json.loads(found.stdout)["Dir"], copy, copy_function=shutil.copyfile)
    copy.chmod(0o755)
    for directory in copy.rglob("*/"):
        directory.chmod(0o755)
    return copy


def run_suite(suite: Suite) -> tuple[Row, str]:
    """Run a module's tests; what they came to, and what those printed that did not pass."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        module = sources(suite, folder)
        users = Users(folder / "users.toml")
        users.put(USER, PASSWORD, None)
        (folder / "lastvalue.toml").write_text(suite.configuration)
        flags = suite.flags or ("--users-file", str(users.path))
        options = ("-tags", suite.tags, "-count=1", "-json", f"-timeout={TIMEOUT_S}s")
        skipped = "|".join(f"^{each}$" for each in suite.left_out)
        listening = ("--port", str(PORT), "--http-port", str(MANAGEMENT_PORT))
        with ServedBroker(*listening, "--config", str(folder / "lastvalue.toml"), *flags) as broker:
            broker.announced("http")
            result = subprocess.run(
                ["go", "test", *options, "-skip", skipped, "."],
                cwd=module,
                env={**os.environ, **suite.variables},
                capture_output=True,
                text=True,
                check=False,
            )
    return outcome(suite, result.stdout + result.stderr)


def outcome(suite: Suite, printed: str) -> tuple[Row, str]:
    """Read what `go test -json` printed."""
    output: defaultdict[str, str] = defaultdict(str)
    actions: dict[str, str] = {}
    for line in printed.splitlines():
        event = json.loads(line) if line.startswith("{") else {"Action": "output", "Output": line + "\n"}
        test = event.get("Test", "")
        if event["Action"] == "output":
            output[test] += event["Output"]
        elif test:
            actions[test] = event["Action"]
    passed = [test for test, action in actions.items() if action == "pass"]
    left_out = "; ".join(f"`{test}` {reason}" for test, reason in suite.left_out.items())
    tests = f"go test -tags {suite.tags}" if suite.tags else "go test"
    row = Row(suite.client, tests, len(actions), len(passed), left_out)
    return row, "".join(text for test, text in output.items() if test not in passed)


def main(arguments: list[str]) -> int:
    """Run the suites; the exit code says whether all passed of what was run."""
    if shutil.which("go") is None:
        print("left out, there is no Go")
        return 0
    rows = []
    for name in [each for each in arguments if each != "--write"] or SUITES:
        row, output = run_suite(SUITES[name])
        print(row, flush=True)
        if row.passed < row.run or not row.run:
            print(output[-6000:])
        rows.append(row)
    if "--write" in arguments:
        write(rows)
    return 0 if all(0 < row.run == row.passed for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
