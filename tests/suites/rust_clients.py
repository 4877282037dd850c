"""Runs the tests that clients in Rust bring against a broker, and writes how many passed.

    python tests/suites/rust_clients.py            runs all, and says what failed
    python tests/suites/rust_clients.py --write    and writes docs/conformance.md

A crate comes with its tests from Cargo's registry; building them takes minutes of the processor. What is
built stays in `.cache/rust`. Without Cargo nothing is run, and the table stays as it is.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from lastvalue.server.users import Users

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "tests" / "interop"), str(ROOT / "packaging"), str(Path(__file__).parent)]

from served_broker import HOST, ServedBroker  # noqa: E402 - found only now, in tests/interop
from suites_table import Row, write  # noqa: E402 - sorted behind what is found only now

BUILT = ROOT / ".cache" / "rust"
USER = PASSWORD = "guest"
TIMEOUT_S = 3600
PROJECT = '[package]\nname = "suite"\nversion = "0.0.0"\nedition = "2021"\n\n[dependencies]\n{} = "={}"\n'
_TEST = re.compile(r"(?m)^test (\S+) \.\.\. (ok|FAILED)$")


@dataclass(frozen=True)
class Suite:
    """A crate's tests.

    Attributes:
        address: the variable that says where the broker is.
        left_out: by file of tests that is not run, why.
    """

    crate: str
    version: str
    address: str
    left_out: dict[str, str]


SUITES = (
    Suite(
        "lapin",
        "4.12.3",
        "AMQP_ADDR",
        {
            "conn_wrong_vhost": "there is one virtual host, under every name",
            "smol": "another runtime than the default",
        },
    ),
)


def sources(suite: Suite, folder: Path) -> Path:
    """A copy of a crate, whose folder Cargo may write to."""
    project = folder / "project"
    (project / "src").mkdir(parents=True)
    (project / "src" / "lib.rs").touch()
    (project / "Cargo.toml").write_text(PROJECT.format(suite.crate, suite.version))
    asked = ["cargo", "metadata", "--format-version", "1"]
    found = subprocess.run(asked, cwd=project, check=True, capture_output=True, text=True)
    packages = json.loads(found.stdout)["packages"]
    (manifest,) = [each["manifest_path"] for each in packages if each["name"] == suite.crate]
    return Path(shutil.copytree(Path(manifest).parent, folder / "crate"))


def run_suite(suite: Suite) -> tuple[Row, str]:
    """Run a crate's tests, file by file; what they came to, and what was printed."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        crate = sources(suite, folder)
        files = sorted({each.stem for each in crate.glob("tests/*.rs")} - suite.left_out.keys())
        users = Users(folder / "users.toml")
        users.put(USER, PASSWORD, None)
        with ServedBroker("--users-file", str(users.path)) as broker:
            url = f"amqp://{USER}:{PASSWORD}@{HOST}:{broker.port}/%2f"
            result = subprocess.run(
                ["cargo", "test", "--no-fail-fast", *(f"--test={each}" for each in files)],
                cwd=crate,
                env={**os.environ, "CARGO_TARGET_DIR": str(BUILT), suite.address: url},
                capture_output=True,
                text=True,
                timeout=TIMEOUT_S,
                check=False,
            )
    outcomes = [outcome for _, outcome in _TEST.findall(result.stdout)]
    left_out = "; ".join(f"`{file}`: {reason}" for file, reason in suite.left_out.items())
    row = Row(f"{suite.crate} {suite.version}", "cargo test", len(outcomes), outcomes.count("ok"), left_out)
    return row, result.stdout + result.stderr


def main(arguments: list[str]) -> int:
    """Run the suites; the exit code says whether all passed."""
    if shutil.which("cargo") is None:
        print("left out, there is no Cargo")
        return 0
    outcomes = [run_suite(suite) for suite in SUITES]
    for row, output in outcomes:
        print(row, flush=True)
        if row.passed < row.run or not row.run:
            print(output[-6000:])
    if "--write" in arguments:
        write([row for row, _ in outcomes])
    return 0 if all(0 < row.run == row.passed for row, _ in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
