"""The process that forks the Python workers of a local session: Spark's own, with what workers import.

Arrow and pandas, which a worker needs at its first Arrow batch, would take a second of each.
An import of this module imports nothing of Spark.
"""

import gc
import os
import sys
from contextlib import suppress
from importlib import import_module
from typing import Final

PYTHON_DAEMON: Final = __name__
"""The value of Spark's setting `spark.python.daemon.module`."""

_SHARED: Final = ("pyarrow", "pandas", "pyspark.worker", "pyspark_lastvalue")


def main() -> None:
    """Serve Spark until it closes the standard input."""
    from pyspark.daemon import manager  # noqa: PLC0415 - an import of this module needs no Spark

    for name in _SHARED:
        # Without them plain Python functions run; what needs them says so in the worker.
        with suppress(ImportError):
            import_module(name)
    if "numpy" in sys.modules:
        # Otherwise all workers draw the same numbers.
        os.register_at_fork(after_in_child=sys.modules["numpy"].random.seed)
    # A collection in a worker would copy the pages of all objects that it shares with the daemon.
    gc.freeze()
    manager()


if __name__ == "__main__":
    main()
