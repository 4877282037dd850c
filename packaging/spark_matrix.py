"""Runs the pipeline's Spark tests with each version of PySpark: docs/pipeline/versions.md has the results.

    python packaging/spark_matrix.py              each version
    python packaging/spark_matrix.py 4.2          that one

A version that is not this environment's is installed into a virtual environment of its own in
.cache/spark-VERSION, which takes all else from the environment that runs this. The tests are the same with
each; those of what a version has not are skipped, by the marker `pyspark`.
"""

import subprocess
import sys
import sysconfig
import venv
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
VERSIONS: Final = ("4.0", "4.1", "4.2", "4.3")
TESTS: Final = (
    *("versions", "conflation", "delivery_order", "groups", "newest_in_files", "selection"),
    *(
        "history_queries",
        "parity",
        "sink_on_spark",
        "source_on_spark",
        "views",
        "feed_on_spark",
        "exactly_once",
    ),
)
"""Of `tests/spark`: operators, queries of histories, source and sink, feeds."""
LATE_SOCKETS: Final = (
    *("-W", "ignore::ResourceWarning"),
    *("-W", "ignore::pytest.PytestUnraisableExceptionWarning"),
)
"""PySpark before 4.2 leaves sockets to Python's garbage collection, which warns."""


def environment(version: str) -> Path:
    """The interpreter of an environment with this PySpark, which is made where there is none."""
    if version_of("pyspark").startswith(f"{version}."):
        return Path(sys.executable)
    folder = ROOT / ".cache" / f"spark-{version}"
    python = folder / "bin" / "python"
    ready = folder / "ready"
    if not ready.exists():
        venv.create(folder, with_pip=True, clear=True)
        install = [str(python), "-m", "pip", "install", "--quiet", "--no-deps", f"pyspark=={version}.*"]
        subprocess.run(install, check=True)
        # Behind its own packages, so that everything but PySpark is this environment's.
        paths = sysconfig.get_paths(vars={"base": str(folder), "platbase": str(folder)})
        own = sysconfig.get_paths()["purelib"]
        Path(paths["purelib"], "others.pth").write_text(f"import site; site.addsitedir({own!r})\n")
        ready.touch()
    return python


def run(version: str, more: list[str]) -> int:
    """Run the tests with a version; returns pytest's exit code."""
    files = [f"tests/spark/test_{name}.py" for name in TESTS]
    print(f"PySpark {version}", flush=True)
    command = [str(environment(version)), "-m", "pytest", "-q", "-n", "0", "-m", "not long", *LATE_SOCKETS]
    return subprocess.run([*command, *files, *more], cwd=ROOT, check=False).returncode


def main() -> None:
    """Run the tests with each version, and exit with 1 if any fails."""
    versions = [each for each in sys.argv[1:] if each in VERSIONS] or VERSIONS
    more = [each for each in sys.argv[1:] if each not in VERSIONS]
    codes = {version: run(version, more) for version in versions}
    for version, code in codes.items():
        print(f"PySpark {version}: {'passed' if code == 0 else f'failed ({code})'}")
    sys.exit(any(codes.values()))


if __name__ == "__main__":
    main()
