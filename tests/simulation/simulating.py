"""Runs the program that simulates, in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def simulating(*arguments: str) -> subprocess.CompletedProcess[str]:
    """What `make simulate` does with these arguments."""
    paths = [str(HERE.parent / "properties"), str(HERE.parent / "dialogue"), os.environ.get("PYTHONPATH", "")]
    return subprocess.run(
        [sys.executable, str(HERE / "simulate.py"), *arguments],
        env={**os.environ, "PYTHONHASHSEED": "0", "PYTHONPATH": os.pathsep.join(filter(None, paths))},
        capture_output=True,
        text=True,
        check=False,
    )
