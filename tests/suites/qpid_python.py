"""Runs the test suites of qpid-python for AMQP 0-10 against a broker, and writes how many passed.

    python tests/suites/qpid_python.py              runs both, and says what failed
    python tests/suites/qpid_python.py --write      and writes docs/conformance.md
    python tests/suites/qpid_python.py PATTERN      runs those of `qpid_tests.broker_0_10` that fit

It needs a Python 2.7: the one that LASTVALUE_PYTHON27 names, `python2.7` on the path, or pyenv's.
"""

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "tests" / "interop"), str(Path(__file__).parent)]

from installing import install_once  # noqa: E402 - found only now
from served_broker import HOST, ServedBroker  # noqa: E402 - found only now, in tests/interop
from suites_table import Row, write  # noqa: E402 - sorted behind what is found only now

PACKAGES = ("qpid-python==1.36.0.post1", "qpid-tools==1.36.0.post1")
INSTALLED = ROOT / ".venv-qpid"
QPID_PYTHON = "qpid-python 1.36.0"
SUITES = {
    "qpid_tests.broker_0_10": ("-m", "qpid_tests.broker_0_10", "qpid_tests.*"),
    "qpid.tests.messaging": ("-m", "qpid.tests.messaging"),
}
TIMEOUT_S = 1800
_TOTALS = re.compile(r"Totals: (\d+) tests, (\d+) passed")
_FAILED = re.compile(r"^(\S.*?)(?: \\\n\s+(\S+))? \.+ fail$", re.MULTILINE)


def python27() -> Path | None:
    """The Python 2.7 of this machine, or None."""
    named = os.environ.get("LASTVALUE_PYTHON27") or shutil.which("python2.7")
    if named is not None and _answers(Path(named)):
        return Path(named)
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    for found in sorted(pyenv.glob("versions/2.7*/bin/python")):
        return found
    return None


def _answers(python: Path) -> bool:
    """Whether it runs; pyenv has stand-ins for versions that are not in use."""
    return subprocess.run([python, "-V"], capture_output=True, check=False).returncode == 0


def installed(python: Path) -> Path:
    """The folder with the packages, which are installed there the first time.

    Raises:
        subprocess.CalledProcessError: this Python has no pip, or pip cannot get them.
    """

    def install(folder: Path) -> None:
        command = [str(python), "-m", "pip", "install", "--quiet", "--target", str(folder), *PACKAGES]
        subprocess.run(command, check=True)

    return install_once(INSTALLED, install)


@dataclass(frozen=True)
class Outcome:
    """What became of a suite."""

    tests: int
    passed: int
    failed: tuple[str, ...]
    output: str


def run_tool(python: Path, name: str, *arguments: str, timeout_s: float = TIMEOUT_S) -> str:
    """What a program of the packages prints."""
    folder = installed(python)
    result = subprocess.run(
        [python, folder / "bin" / name, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=timeout_s,
        env={**os.environ, "PYTHONPATH": str(folder)},
    )
    return result.stdout + result.stderr


def run_suite(python: Path, port: int, *arguments: str, timeout_s: float = TIMEOUT_S) -> Outcome:
    """Run a suite against the broker at a port."""
    output = run_tool(python, "qpid-python-test", "-b", f"{HOST}:{port}", *arguments, timeout_s=timeout_s)
    totals = _TOTALS.search(output)
    failed = tuple((found[2] or found[1]).strip() for found in _FAILED.finditer(output))
    tests, passed = (int(totals[1]), int(totals[2])) if totals else (0, 0)
    return Outcome(tests, passed, failed, output)


def main(arguments: list[str]) -> int:
    """See the module."""
    python = python27()
    if python is None:
        sys.stderr.write("there is no Python 2.7 here; name one by LASTVALUE_PYTHON27\n")
        return 1
    patterns = [each for each in arguments if each != "--write"]
    suites = {"qpid_tests.broker_0_10": ("-m", "qpid_tests.broker_0_10", *patterns)} if patterns else SUITES
    outcomes: dict[str, Outcome] = {}
    for suite, chosen in suites.items():
        with ServedBroker() as broker:
            outcomes[suite] = run_suite(python, broker.port, *chosen)
        outcome = outcomes[suite]
        sys.stdout.write(f"{suite}: {outcome.passed} of {outcome.tests} passed\n")
        for name in outcome.failed:
            sys.stdout.write(f"    failed: {name}\n")
    if "--write" in arguments:
        write([Row(QPID_PYTHON, name, each.tests, each.passed) for name, each in outcomes.items()])
    return 0 if all(each.tests and each.passed == each.tests for each in outcomes.values()) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
