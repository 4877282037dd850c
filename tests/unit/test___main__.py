"""lastvalue.__main__."""

import subprocess
import sys

from lastvalue import __version__
from lastvalue.server.build import describe_build


def test_the_package_is_a_command() -> None:
    command = [sys.executable, "-m", "lastvalue", "--version"]
    ended = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    assert ended.stdout == f"lastvalue {__version__}, {describe_build()}\n"
