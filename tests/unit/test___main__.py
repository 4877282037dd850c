"""lastvalue.__main__."""

import subprocess
import sys

from lastvalue import __version__


def test_the_package_is_a_command() -> None:
    command = [sys.executable, "-m", "lastvalue", "--version"]
    ended = subprocess.run(command, capture_output=True, text=True, check=True, timeout=30)
    assert ended.stdout == f"lastvalue {__version__}\n"
