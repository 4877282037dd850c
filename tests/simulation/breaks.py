"""Breaks a copy of the code in each way of `breaks.toml`, and says which seed finds it first.

python tests/simulation/breaks.py [NAME]
"""

import os
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

HERE: Final = Path(__file__).parent
ROOT: Final = HERE.parents[1]
MOST_SEEDS: Final = 500


@dataclass(frozen=True, slots=True)
class Break:
    """A place of the code, and how it is broken.

    Attributes:
        seed: finds it.
    """

    name: str
    rule: str
    file: str
    find: str
    replace: str
    seed: int


def breaks() -> list[Break]:
    """Those of the table."""
    return [Break(**each) for each in tomllib.loads((HERE / "breaks.toml").read_text())["break"]]


def simulate_broken(broken: Break, *arguments: str) -> str:
    """What the simulation says of a broken copy of the code; it ends at the first seed that finds that."""
    with TemporaryDirectory() as name:
        copy = Path(name) / "src"
        shutil.copytree(ROOT / "src", copy, ignore=shutil.ignore_patterns("__pycache__"))
        file = Path(name) / broken.file
        text = file.read_text()
        if text.count(broken.find) != 1:
            raise ValueError(f"{broken.name}: its text is {text.count(broken.find)} times in {broken.file}")
        file.write_text(text.replace(broken.find, broken.replace))
        paths = os.pathsep.join(map(str, [copy, HERE.parent / "properties", HERE.parent / "dialogue"]))
        run = subprocess.run(
            [sys.executable, str(HERE / "simulate.py"), "--quick", *arguments],
            env={**os.environ, "PYTHONHASHSEED": "0", "PYTHONPATH": paths},
            capture_output=True,
            text=True,
            check=False,
        )
        return run.stdout + run.stderr


def main() -> int:
    """Look for the first seed that finds each break, or the one that is named."""
    missed = 0
    for broken in breaks():
        if sys.argv[1:] in ([], [broken.name]):
            said = simulate_broken(broken, "--seeds", f"0:{MOST_SEEDS}")
            found = said.startswith("seed ")
            missed += not found
            print(f"{broken.name}: {said[:200].strip() if found else 'NOT FOUND'}", flush=True)
    return missed


if __name__ == "__main__":
    sys.exit(main())
