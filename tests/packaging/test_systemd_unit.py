"""packaging/lastvalue.service: read here, and by systemd's own checks where the machine has them."""

import shutil
import subprocess
from collections import defaultdict
from pathlib import Path

import pytest

from lastvalue.config.server_options import SETTINGS

UNIT = Path(__file__).parents[2] / "packaging" / "lastvalue.service"
ANALYZE = shutil.which("systemd-analyze")
MOST_EXPOSED = 15
"""In tenths, of systemd's scale from 0 to 100."""
pytestmark = pytest.mark.pure
by_systemd = pytest.mark.skipif(ANALYZE is None, reason="needs systemd-analyze")


def settings() -> dict[str, list[str]]:
    """The unit's settings, each with all its values."""
    values = defaultdict(list)
    for line in UNIT.read_text().splitlines():
        name, equals, value = line.partition("=")
        if equals and not line.startswith("#"):
            values[name].append(value)
    return values


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """The unit with a program that every machine has."""
    unit = tmp_path / UNIT.name
    unit.write_text(UNIT.read_text().replace("/opt/lastvalue/bin/lastvalue", "/bin/true"))
    return unit


def test_its_command_has_options_that_there_are() -> None:
    program, command, *options = settings()["ExecStart"][0].split()
    flags = {option for option in options if option.startswith("-")}
    assert (program, command) == ("/opt/lastvalue/bin/lastvalue", "serve")
    assert flags <= {"--config", *(setting.flag for setting in SETTINGS.values())}


def test_the_users_file_is_read_as_a_credential() -> None:
    (credential,) = settings()["LoadCredential"]
    name, _, path = credential.partition(":")
    assert path == "/etc/lastvalue/users.toml"
    assert f"--users-file %d/{name}" in settings()["ExecStart"][0]


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("Type", ["notify"]),
        ("ExecReload", ["/bin/kill -HUP $MAINPID"]),
        ("SystemCallFilter", ["@system-service", "~@privileged @resources"]),
        ("SystemCallErrorNumber", ["EPERM"]),
        ("UMask", ["0077"]),
        ("LogsDirectory", ["lastvalue"]),
        ("DynamicUser", ["yes"]),
        ("RestrictSUIDSGID", ["yes"]),
        ("ProtectKernelLogs", ["yes"]),
        ("ProtectClock", ["yes"]),
        ("ProtectHostname", ["yes"]),
        ("StartLimitBurst", ["5"]),
    ],
)
def test_it_says_what_the_deployment_page_says(name: str, values: list[str]) -> None:
    assert settings()[name] == values


def test_systemd_gives_it_more_time_than_it_takes_to_stop() -> None:
    drain_s = SETTINGS["drain_timeout_ms"].default / 1000
    assert float(settings()["TimeoutStopSec"][0]) > drain_s + 9


@by_systemd
def test_systemd_finds_no_fault_in_it(installed: Path) -> None:
    verified = subprocess.run(
        [str(ANALYZE), "verify", installed], capture_output=True, text=True, check=False
    )
    assert (verified.returncode, verified.stdout + verified.stderr) == (0, "")


@by_systemd
def test_systemd_rates_its_exposure_low(installed: Path) -> None:
    options = ["--offline=true", f"--threshold={MOST_EXPOSED}", "--no-pager"]
    rated = subprocess.run(
        [str(ANALYZE), "security", *options, installed], capture_output=True, text=True, check=False
    )
    assert rated.returncode == 0, rated.stdout + rated.stderr
