"""Runs Eclipse Paho's interoperability tests of MQTT against a broker, and writes how many passed.

    python tests/suites/paho_mqtt.py                     runs both, and says what failed
    python tests/suites/paho_mqtt.py --write             and writes docs/conformance.md
    python tests/suites/paho_mqtt.py --sources FOLDER    with a clone that is there already

The tests are in no package: git brings them. They expect a broker at port 1883, which must be free.
"""

import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "tests" / "interop"), str(Path(__file__).parent)]

from served_broker import ServedBroker  # noqa: E402 - found only now, in tests/interop
from suites_table import Row, write  # noqa: E402 - sorted behind what is found only now

REPOSITORY = "https://github.com/eclipse/paho.mqtt.testing"
COMMIT = "9d7bb80bb8b9d9cfc0b52f8cb4c1916401281103"
PORT = 1883
TIMEOUT_S = 600
_RUN = re.compile(r"^Ran (\d+) tests?", re.MULTILINE)
_FAILED = re.compile(r"^(?:FAIL|ERROR): (\w+)", re.MULTILINE)


@dataclass(frozen=True)
class Suite:
    """A program of the tests.

    Attributes:
        client: what the table calls it.
        left_out: by test that is not counted, why.
    """

    client: str
    left_out: dict[str, str]


REFUSED_TOPIC = {
    "test_subscribe_failure": "needs a user without the right to subscribe to `test/nosubscribe`",
}
SUITES = {
    "client_test.py": Suite("Eclipse Paho's tests, MQTT 3.1.1", REFUSED_TOPIC),
    "client_test5.py": Suite("Eclipse Paho's tests, MQTT 5.0", REFUSED_TOPIC),
}


def sources(folder: Path) -> Path:
    """A clone of the tests."""
    clone = folder / "paho.mqtt.testing"
    subprocess.run(["git", "clone", "--quiet", REPOSITORY, str(clone)], check=True)
    subprocess.run(["git", "-C", str(clone), "checkout", "--quiet", COMMIT], check=True)
    return clone


def run_suite(program: str, clone: Path) -> tuple[Row, str]:
    """Run a program of the tests; what it came to, and what it printed."""
    suite = SUITES[program]
    with ServedBroker("--mqtt-port", str(PORT)) as broker:
        broker.announced("mqtt://")
        result = subprocess.run(
            [sys.executable, program],
            cwd=clone / "interoperability",
            env={key: value for key, value in os.environ.items() if key != "PYTHONPATH"},
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
            check=False,
        )
    printed = result.stdout + result.stderr
    failed = set(_FAILED.findall(printed))
    run = sum(int(count) for count in _RUN.findall(printed)) - len(suite.left_out)
    passed = run - len(failed - suite.left_out.keys())
    left_out = "; ".join(f"`{test}` {reason}" for test, reason in suite.left_out.items())
    return Row(suite.client, program, run, passed, left_out), printed


def main(arguments: list[str]) -> int:
    """Run the suites; the exit code says whether all passed of what was run."""
    rows = []
    with tempfile.TemporaryDirectory() as name:
        given = arguments[arguments.index("--sources") + 1] if "--sources" in arguments else ""
        clone = Path(given) if given else sources(Path(name))
        for program in SUITES:
            row, printed = run_suite(program, clone)
            print(row, flush=True)
            if row.passed < row.run or not row.run:
                print(printed[-6000:])
            rows.append(row)
    if "--write" in arguments:
        write(rows)
    return 0 if all(0 < row.run == row.passed for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
