"""Installs lastvalue as its users do, in an empty environment, and serves, sends and browses with it.

    python packaging/try_install.py readme       the commands of README's Install, in this checkout
    python packaging/try_install.py sdist        the source archive
    python packaging/try_install.py container    what packaging/Containerfile runs to build and install

Packages come as pip finds them; nothing is pinned that the user does not pin.
Without a C compiler what comes must be plain Python, and say so; with one it must be compiled.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from set_up import find_compiler_fault

ROOT: Final = Path(__file__).parents[1]
ENVIRONMENT: Final = "lv"
"""The folder that README's first command makes."""
WHEEL: Final = "make wheel"
"""What is not done again, as `make test-all` has just done it."""
NOT_HERE: Final = "apt-get "
"""What only a container's root runs."""
_LISTENING: Final = re.compile(r"127\.0\.0\.1:(\d+)")


class TrialError(Exception):
    """What was installed does not do what it should."""


def install_blocks(readme: str) -> list[list[str]]:
    """The commands of README's Install, block by block, without their comments."""
    (section,) = re.findall(r"(?ms)^## Install\n(.*?)^## ", readme)
    blocks = re.findall(r"(?ms)^```\n(.*?)^```$", section)
    return [[line.partition("  #")[0].strip() for line in block.splitlines()] for block in blocks]


def build_instructions(containerfile: str) -> Iterator[tuple[str, str]]:
    """The words of the Containerfile's first stage, each with what follows."""
    text = re.sub(r"\\\n\s*", "", containerfile)
    for line in text.splitlines():
        word, _, rest = line.partition(" ")
        if word == "FROM" and not rest.endswith(" AS build"):
            return
        if word in ("COPY", "ARG", "RUN"):
            yield word, rest


def try_readme(folder: Path) -> None:
    """Run each block in a new environment; all are made as the first command says."""
    environment = ROOT / ENVIRONMENT
    if environment.exists():
        raise TrialError(f"{environment} is in the way; remove it first")
    blocks = install_blocks((ROOT / "README.md").read_text())
    first = blocks[0].pop(0)
    built = any((ROOT / "dist").glob("*.whl"))
    try:
        for block in blocks:
            commands = [each for each in block if each != WHEEL or not built]
            run("\n".join([first, *commands]), ROOT, python3_first(folder))
            use(environment / "bin" / "lastvalue", plain="LASTVALUE_PURE=1" in block[0])
            shutil.rmtree(environment)
    finally:
        shutil.rmtree(environment, ignore_errors=True)


def try_sdist(folder: Path) -> None:
    """Build the source archive, and install what it has."""
    python = python3_first(folder)
    run("python3 -m venv tools && tools/bin/pip install --quiet build", folder, python)
    run(f"tools/bin/python -m build --sdist --outdir dist '{ROOT}'", folder, python)
    run("""python3 -m venv sdist && sdist/bin/pip install "$(echo dist/*.tar.gz)[cli]\"""", folder, python)
    use(folder / "sdist" / "bin" / "lastvalue")


def try_container(folder: Path) -> None:
    """Run what the first stage of the Containerfile runs, in a folder instead of a container."""
    source = folder / "source"
    source.mkdir()
    variables = python3_first(folder) | {"PATH": f"{folder / 'bin'}:{os.environ['PATH']}"}
    (folder / "bin" / "python").symlink_to("python3")
    for word, rest in build_instructions((ROOT / "packaging" / "Containerfile").read_text()):
        if word == "ARG":
            name, _, value = rest.partition("=")
            variables[name] = value
        elif word == "COPY":
            *names, into = rest.split()
            run(f"mkdir -p '{source / into}'", ROOT, variables)
            for name in names:
                whole = f"{name}/." if (ROOT / name).is_dir() else name
                run(f"cp -R '{whole}' '{source / into}'", ROOT, variables)
        elif not rest.startswith(NOT_HERE):
            run(re.sub(r"/(opt|wheels)\b", rf"{folder}/\1", rest), source, variables)
    use(folder / "opt" / "lastvalue" / "bin" / "lastvalue")


TRIALS: Final = {"readme": try_readme, "sdist": try_sdist, "container": try_container}


def python3_first(folder: Path) -> dict[str, str]:
    """Variables with which `python3` is the interpreter that runs this."""
    python = folder / "bin" / "python3"
    if not python.exists():
        python.parent.mkdir(exist_ok=True)
        python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
        python.chmod(0o700)
    return os.environ | {"PATH": f"{python.parent}:{os.environ['PATH']}"}


def run(commands: str, folder: Path, variables: Mapping[str, str]) -> None:
    """Run lines of a shell; the first that fails ends it."""
    print("\n".join(f"+ {line}" for line in commands.splitlines()), flush=True)
    shell = subprocess.run(["bash", "-ec", commands], cwd=folder, env=variables, check=False)  # noqa: S603, S607 - what the documents say
    if shell.returncode:
        raise TrialError(f"ended with {shell.returncode}: {commands}")


def use(command: Path, *, plain: bool = False) -> None:
    """Serve, send and browse."""
    version = ask(command, "--version")
    expected = "plain Python: " if plain or find_compiler_fault() else "compiled"
    if f", {expected}" not in version:
        raise TrialError(f"{command} should be {expected!r}, and says: {version}")
    with serving(command) as url:
        ask(command, "queue", "add", "prices", "--lvq-key", "symbol", "--url", url)
        for price in ("101.5", "101.7"):
            ask(command, "send", "prices", price, "--key", "AAPL", "--url", url)
        browsed = ask(command, "browse", "prices", "--url", url)
    if "101.7" not in browsed or "101.5" in browsed:
        raise TrialError(f"the newest value is 101.7, and what was browsed is: {browsed}")
    print(f"It serves, sends and browses: {version.strip()}", flush=True)


def ask(command: Path, *arguments: str) -> str:
    """What a command prints."""
    told = subprocess.run([command, *arguments], capture_output=True, text=True, check=False)  # noqa: S603 - what was installed
    if told.returncode:
        raise TrialError(f"lastvalue {' '.join(arguments)} ended with {told.returncode}: {told.stderr}")
    return told.stdout


@contextmanager
def serving(command: Path) -> Iterator[str]:
    """The URL of a broker, which ends with the block."""
    arguments = [str(command), "serve", "--port", "0"]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as broker:  # noqa: S603 - what was installed
        try:
            lines = []
            for line in broker.stdout or ():
                lines.append(line)
                if found := _LISTENING.search(line):
                    yield f"amqp://127.0.0.1:{found[1]}"
                    return
            raise TrialError(f"the broker ended before it listened: {''.join(lines)}")
        finally:
            broker.terminate()


def main() -> int:
    """Try what the arguments say; 1 if it fails."""
    parser = argparse.ArgumentParser(description="Installs lastvalue as its users do.")
    parser.add_argument("trials", nargs="+", choices=TRIALS)
    for name in parser.parse_args().trials:
        began_s = time.monotonic()
        try:
            with tempfile.TemporaryDirectory() as folder:
                TRIALS[name](Path(folder))
        except TrialError as error:
            print(f"lastvalue: the trial {name} failed: {error}", file=sys.stderr)
            return 1
        print(f"The trial {name} took {time.monotonic() - began_s:.0f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
