"""Runs Mosquitto's broker tests, as far as they are about the protocol, and writes how many passed.

    python tests/suites/mosquitto.py                     runs them, and says what failed
    python tests/suites/mosquitto.py --write             and writes docs/conformance.md
    python tests/suites/mosquitto.py --sources FOLDER    with a clone that is there already
    python tests/suites/mosquitto.py --only 07-will      those whose names begin so
    python tests/suites/mosquitto.py --only sequences    the conversations of `mosquitto_sequences.py` alone

The tests are in no package: git brings them, and where it cannot, nothing is run. `mosquitto_test_runner.py`
beside this runs each.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from mosquitto_sequences import run_sequences
from suites_table import Row, write

REPOSITORY = "https://github.com/eclipse-mosquitto/mosquitto"
COMMIT = "7b8aba105b77253309de24664bbae69d0cae3da0"
RUNNER = Path(__file__).with_name("mosquitto_test_runner.py")
PORT = 18830
TIMEOUT_S = 600
GROUPS = ("01-", "02-", "03-", "04-", "05-", "07-", "11-", "12-")
"""How the names begin of tests about the protocol; the others are of bridges, plug-ins, TLS, files."""
SEQUENCES = "sequences"

_SETTING: Final = "of a setting that is not here"
_SIZE: Final = "limits payloads to a byte; here a packet of 16 KiB is always taken"
_HASHES: Final = "its hashes are of one round, which no import takes over"
_AT_ONCE: Final = "delivers at QoS 2 with PUBREL; here it is with PUBLISH, as the specification allows, too"
LEFT_OUT: Final = {
    "01-connect-575314.py": "measures CONNECTs of 65 KiB; here one has at most 16 KiB",
    "01-connect-accept-protocol.py": _SETTING,
    "01-connect-allow-anonymous.py": _SETTING,
    "01-connect-auto-id.py": _SETTING,
    "01-connect-global-max-clients.py": _SETTING,
    "01-connect-global-max-connections.py": _SETTING,
    "01-connect-listener-allow-anonymous.py": _SETTING,
    "01-connect-max-connections.py": "beyond `max_connections` the connection is closed without a CONNACK",
    "01-connect-max-keepalive.py": "refuses MQTT 3.1.1 with a longer keep alive; here that is served",
    "01-connect-uname-no-password-denied.py": _HASHES,
    "01-connect-uname-or-anon.py": _HASHES,
    "01-connect-uname-password-denied-no-will.py": _HASHES,
    "01-connect-uname-password-denied.py": _HASHES,
    "01-connect-uname-password-success-no-tls.py": _HASHES,
    "01-connect-unix-socket.py": "there is no socket of a file",
    "01-connect-zero-length-id.py": _SETTING,
    "01-plugin-connect-uname-password-denied.py": "of a plug-in",
    "02-subpub-qos0-long-topic.py": "a filter has at most 200 levels there, 254 here",
    "02-subpub-qos0-oversize-payload.py": _SIZE,
    "02-subpub-qos1-oversize-payload.py": _SIZE,
    "02-subpub-qos2-max-inflight-bytes.py": _AT_ONCE,
    "02-subscribe-long-topic.py": "a filter has at most 200 levels there, 254 here",
    "03-publish-bad-flags.py": _SETTING,
    "03-publish-c2b-disconnect-qos2.py": "has an identifier of over 23 characters, which MQTT 3.1 forbids",
    "03-publish-long-topic.py": "a topic has at most 200 levels there, 256 here",
    "03-publish-qos1-max-inflight-expire.py": _SETTING,
    "03-publish-qos1-max-inflight.py": _SETTING,
    "03-publish-qos1-queued-bytes.py": "imports a module of Python 2",
    "03-publish-qos1-retain-disabled.py": _SETTING,
    "03-publish-qos2-max-inflight-exceeded.py": "takes 20 unanswered messages; here it is 1,024",
    "03-publish-qos2-max-inflight.py": _SETTING,
    "03-publish-qos2-reuse-mid.py": _AT_ONCE,
    "04-retain-check-source-persist-diff-port.py": _SETTING,
    "04-retain-check-source-persist.py": _SETTING,
    "04-retain-check-source.py": _SETTING,
    "04-retain-clear-multiple.py": "expects retained messages in another order than the one they came in",
    "04-retain-upgrade-outgoing-qos.py": _SETTING,
    "07-will-oversize-payload.py": _SIZE,
    "07-will-properties.py": "expects the properties in an order",
    "07-will-takeover.py": "expects no will of a connection whose session another one takes over",
    "11-persistence-autosave-changes.py": "of Mosquitto's file",
    "11-persistent-subscription-no-local.py": "counts a subscriber that wants no message of its own",
    "11-pub-props.py": "expects the properties in an order",
    "12-prop-assigned-client-identifier.py": "expects a CONNACK with Mosquitto's own properties",
    "12-prop-maximum-packet-size-broker.py": _SETTING,
    "12-prop-maximum-packet-size-publish-qos2.py": _AT_ONCE,
    "12-prop-server-keepalive.py": "expects the properties in an order",
}
"""Those that are not run, each with what is different here."""


def sources(folder: Path) -> Path:
    """A clone of the tests."""
    clone = folder / "mosquitto"
    subprocess.run(["git", "clone", "--quiet", "--filter=blob:none", REPOSITORY, str(clone)], check=True)
    subprocess.run(["git", "-C", str(clone), "checkout", "--quiet", COMMIT], check=True)
    return clone


def run_test(program: Path) -> str:
    """Run a test; what it printed if it failed, or nothing."""
    with tempfile.TemporaryDirectory() as folder:
        result = subprocess.run(
            [sys.executable, str(RUNNER), program.name, str(PORT)],
            cwd=program.parent,
            env={**os.environ, "MOSQUITTO_TESTS_FOLDER": folder},
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
            check=False,
        )
    failed = result.returncode != 0 or " failed: " in result.stdout
    return result.stdout + result.stderr + f"\nexit code {result.returncode}" if failed else ""


def main(arguments: list[str]) -> int:
    """Run the tests; the exit code says whether all passed of what was run."""
    groups = (arguments[arguments.index("--only") + 1],) if "--only" in arguments else GROUPS
    with tempfile.TemporaryDirectory() as name:
        given = arguments[arguments.index("--sources") + 1] if "--sources" in arguments else ""
        try:
            clone = Path(given) if given else sources(Path(name))
        except (OSError, subprocess.CalledProcessError) as fault:
            print(f"Nothing is run, and the table stays as it is: {fault}", file=sys.stderr)
            return 0
        if groups in (GROUPS, (SEQUENCES,)):
            run, right, otherwise = run_sequences(clone / "test" / "broker" / "data")
        else:
            run, right, otherwise = 0, 0, 0
        found = sorted((clone / "test" / "broker").glob("*.py"))
        programs = [each for each in found if each.name.startswith(groups) and each.name not in LEFT_OUT]
        passed = 0
        for program in programs:
            printed = run_test(program)
            passed += not printed
            print(f"{program.name}: {'failed' if printed else 'passed'}", flush=True)
            if printed:
                print(printed[-3000:], flush=True)
    here = "what is otherwise here: [MQTT](protocols/mqtt.md#beside-mosquitto)"
    reasons = f"{len(LEFT_OUT)} of settings, files and hashes of Mosquitto's own, or of {here}"
    rows = [
        Row("Mosquitto's broker tests", "test/broker", len(programs), passed, reasons),
        Row("Mosquitto's broker tests", "msg_sequence_test.py", run, right, f"{otherwise} of {here}"),
    ]
    print(*rows, sep="\n")
    if "--write" in arguments and groups == GROUPS:
        write(rows)
    return 0 if 0 < passed + right == len(programs) + run else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
