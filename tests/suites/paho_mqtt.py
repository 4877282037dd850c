"""Runs Eclipse Paho's interoperability tests of MQTT against a broker, and writes how many passed.

    python tests/suites/paho_mqtt.py                     runs both, and says what failed
    python tests/suites/paho_mqtt.py --write             and writes docs/conformance.md
    python tests/suites/paho_mqtt.py --sources FOLDER    with a clone that is there already

The tests are in no package: git brings them, and where it cannot, nothing is run. They expect a broker at
port 1883, which must be free.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from lastvalue.protocols.sasl import ANONYMOUS_IDENTITY
from lastvalue.server.users import Users

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


SUITES = {
    "client_test.py": "Eclipse Paho's tests, MQTT 3.1.1",
    "client_test5.py": "Eclipse Paho's tests, MQTT 5.0",
}
CONFIGURATION = '[[mqtt.topics]]\npattern = "{place}/nosubscribe"\nqueue = "secret"\n'
"""One test expects that it may not subscribe to `test/nosubscribe`: the queue of that topic is not for it.

The others subscribe to all topics, for which the right to all of their queues is needed.
"""
REFUSED = "test_subscribe_failure"
LEFT_OUT = {
    "client_test5.py": {REFUSED: "takes no other reason than 0x80; the broker says 0x87, Not authorized"}
}
RULES = ("read,write,browse,configure amq.*", "read,write,browse,configure mqtt.*")


def sources(folder: Path) -> Path:
    """A clone of the tests."""
    clone = folder / "paho.mqtt.testing"
    subprocess.run(["git", "clone", "--quiet", REPOSITORY, str(clone)], check=True)
    subprocess.run(["git", "-C", str(clone), "checkout", "--quiet", COMMIT], check=True)
    return clone


def run_suite(program: str, clone: Path) -> tuple[Row, str]:
    """Run a program of the tests; what it came to, and what it printed."""
    with tempfile.TemporaryDirectory() as name:
        users = Users(Path(name, "users.toml"))
        users.put(ANONYMOUS_IDENTITY, None, RULES)
        configuration = Path(name, "lastvalue.toml")
        configuration.write_text(CONFIGURATION)
        refusing = ("--anonymous", "--users-file", str(users.path), "--config", str(configuration))
        printed = printed_by(clone, (program,), ())
        alone = printed_by(clone, (program, f"Test.{REFUSED}"), refusing)
    run = sum(int(count) for count in _RUN.findall(printed))
    failed = set(_FAILED.findall(printed)) - {REFUSED} | set(_FAILED.findall(alone))
    left_out = LEFT_OUT.get(program, {})
    run -= len(left_out)
    reasons = "; ".join(f"`{test}` {reason}" for test, reason in left_out.items())
    return Row(SUITES[program], program, run, run - len(failed - left_out.keys()), reasons), printed + alone


def printed_by(clone: Path, command: tuple[str, ...], flags: tuple[str, ...]) -> str:
    """Run tests against a broker with these flags; what they printed."""
    with ServedBroker("--mqtt-port", str(PORT), *flags) as broker:
        broker.announced("mqtt://")
        result = subprocess.run(
            [sys.executable, *command],
            cwd=clone / "interoperability",
            env={key: value for key, value in os.environ.items() if key != "PYTHONPATH"},
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
            check=False,
        )
    return result.stdout + result.stderr


def main(arguments: list[str]) -> int:
    """Run the suites; the exit code says whether all passed of what was run."""
    rows = []
    with tempfile.TemporaryDirectory() as name:
        given = arguments[arguments.index("--sources") + 1] if "--sources" in arguments else ""
        try:
            clone = Path(given) if given else sources(Path(name))
        except (OSError, subprocess.CalledProcessError) as fault:
            print(f"Nothing is run, and the table stays as it is: {fault}", file=sys.stderr)
            return 0
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
