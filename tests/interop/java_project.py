"""Java programs that Maven builds with their libraries."""

import hashlib
import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest
from installing import CACHE, install_once

OFFLINE: Final = re.compile(r"Could not (transfer|resolve)|Unknown host|Connect to|could not be resolved")
SECONDS: Final = 600


def built(project: Path, client: str = "", *, javax: bool = False) -> list[str]:
    """The command that runs a class of the project; the test is skipped where nothing can build it.

    It is built once for each version of its files, in `.cache`.

    Args:
        project: the directory of its `pom.xml`.
        client: the group, name and version of the library that the project leaves open, with colons.
        javax: the library is of JMS 2.0, whose package has that name.
    """
    maven, java, compiler = (shutil.which(name) for name in ("mvn", "java", "javac"))
    if maven is None or java is None or compiler is None:
        pytest.skip(f"{project.name} needs Maven and a JDK, and mvn, java or javac is not on PATH")

    def build(folder: Path) -> None:
        shutil.copytree(project, folder, ignore=shutil.ignore_patterns("target"), dirs_exist_ok=True)
        for source in folder.rglob("*.java") if javax else ():
            source.write_text(source.read_text().replace("jakarta.jms", "javax.jms"))
        names = ("client.group", "client.artifact", "client.version")
        chosen = [f"-D{name}={value}" for name, value in zip(names, client.split(":"), strict=False) if value]
        command = [maven, "-q", "-B", "package", *chosen]
        result = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False
        )
        if result.returncode and OFFLINE.search(result.stdout):
            pytest.skip(f"Maven cannot get what {project.name} needs")
        assert result.returncode == 0, result.stdout

    of_client = "-".join(["", *client.split(":")[1:]])
    target = install_once(CACHE / f"{project.name}{of_client}-{_version(project)}", build) / "target"
    return [java, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", f"{target}/*:{target}/lib/*"]


def _version(project: Path) -> str:
    files = sorted(file for file in [project / "pom.xml", *(project / "src").rglob("*")] if file.is_file())
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:12]


def outcomes(output: str) -> dict[str, str]:
    """What a program of checks printed: a line for each, its name, a tab and what it found."""
    return {name: outcome for name, _, outcome in (line.partition("\t") for line in output.splitlines())}
