"""Java programs that Maven builds with their libraries."""

import hashlib
import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
OFFLINE: Final = re.compile(r"Could not (transfer|resolve)|Unknown host|Connect to|could not be resolved")


def built(project: Path) -> list[str]:
    """The command that runs a class of the project; the test is skipped where nothing can build it.

    It is built once for each version of its files, in `.cache`.
    """
    maven, java = shutil.which("mvn"), shutil.which("java")
    if maven is None or java is None:
        pytest.skip(f"Maven and a JDK are needed for {project.name}")
    copy = ROOT / ".cache" / f"{project.name}-{_version(project)}"
    done = copy / "built"
    if not done.exists():
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(project, copy, ignore=shutil.ignore_patterns("target"))
        build = subprocess.run(
            [maven, "-q", "-B", "package"], cwd=copy, capture_output=True, text=True, timeout=300, check=False
        )
        if build.returncode and OFFLINE.search(build.stdout):
            pytest.skip(f"Maven cannot get what {project.name} needs")
        assert build.returncode == 0, build.stdout
        done.touch()
    target = copy / "target"
    return [java, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", f"{target}/*:{target}/lib/*"]


def _version(project: Path) -> str:
    files = sorted(file for file in [project / "pom.xml", *(project / "src").rglob("*")] if file.is_file())
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:12]


def outcomes(output: str) -> dict[str, str]:
    """What a program of checks printed: a line for each, its name, a tab and what it found."""
    return {name: outcome for name, _, outcome in (line.partition("\t") for line in output.splitlines())}
