"""The daemon of a local session, which starts Spark's Python workers from installed modules.

Spark puts `pyspark.zip` first on the module path of workers, and Python stores no compiled code for modules
in a zip file. So each daemon and each worker would compile PySpark again: half a second of processor time
each.

Workers are forks of the daemon, so what it has imported they need not: pandas, which pyarrow imports at its
first array, and pyarrow take another second of each worker.
"""

import gc
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Final

PYTHON_DAEMON: Final = __name__
"""The value of Spark's setting `spark.python.daemon.module`."""

_SHARED: Final = ("pyarrow", "pandas")
"""What workers need at their first Arrow batch."""


def installed_path(path: Sequence[str]) -> list[str]:
    """The module path without Spark's zip files; unchanged if they are needed or belong to another Spark.

    The zip file of a PySpark that pip installed is inside the package, at `pyspark/python/lib/pyspark.zip`.
    """
    for archive in (Path(entry) for entry in path if Path(entry).name == "pyspark.zip"):
        rest = [entry for entry in path if Path(entry).parent != archive.parent]
        spec = PathFinder.find_spec("pyspark", rest)
        origin = Path((spec and spec.origin) or "")
        # Spark's path has no symbolic links in it, Python's may.
        own = origin.resolve() == (archive.parents[2] / "__init__.py").resolve()
        if own and PathFinder.find_spec("py4j", rest):
            return rest
    return list(path)


def main() -> None:
    """Serve Spark until it closes the standard input."""
    sys.path[:] = installed_path(sys.path)
    from pyspark.daemon import manager  # noqa: PLC0415 - from the path as it is now

    for name in _SHARED:
        # Without them plain Python functions run; what needs them says so in the worker.
        with suppress(ImportError):
            import_module(name)
    # A collection in a worker would copy the pages of all objects that it shares with the daemon.
    gc.freeze()
    manager()


if __name__ == "__main__":
    main()
