"""Starts Spark's Python workers from installed modules: the daemon of a local session.

Spark puts `pyspark.zip` first on the path of workers, and Python keeps nothing that it compiles from there.
So each daemon, and each worker behind it, compiles PySpark anew, half a second of processor time apiece.
"""

import sys
from collections.abc import Sequence
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Final

MODULE: Final = __name__


def installed_path(path: Sequence[str]) -> list[str]:
    """A module path without the zip files of Spark; the same path where it is needed or is of another Spark.

    The zip file of a PySpark that pip installed is in it, at `pyspark/python/lib/pyspark.zip`.
    """
    for archive in (Path(entry) for entry in path if Path(entry).name == "pyspark.zip"):
        rest = [entry for entry in path if Path(entry).parent != archive.parent]
        found = PathFinder.find_spec("pyspark", rest)
        origin = Path((found and found.origin) or "")
        # Spark's path has no symbolic links in it, Python's may.
        own = origin.resolve() == (archive.parents[2] / "__init__.py").resolve()
        if own and PathFinder.find_spec("py4j", rest):
            return rest
    return list(path)


def main() -> None:
    """Serve Spark until it closes the standard input."""
    sys.path[:] = installed_path(sys.path)
    from pyspark.daemon import manager  # noqa: PLC0415 - from the path as it is now

    manager()


if __name__ == "__main__":
    main()
