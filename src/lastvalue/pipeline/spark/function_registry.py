"""Spark's registry of SQL functions, loaded while Spark's context starts.

Spark loads the class of each function for the first plan of a session: half a second, in one thread.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

_REGISTRY: Final = "org.apache.spark.sql.catalyst.analysis.FunctionRegistry$"


@contextmanager
def function_registry_loading(java: Any) -> Iterator[None]:
    """Let Java load the registry in a thread, which has ended when the context ends.

    Nothing else may use Spark SQL meanwhile: two threads that initialise classes which need each other would
    wait for each other forever. Spark's core needs no class of Spark SQL, but a plugin or a listener may:
    this is for sessions without foreign code, which have no MLlib either.

    Args:
        java: PySpark's view of the Java virtual machine.
    """
    thread = threading.Thread(target=_load, args=(java,), name="function-registry", daemon=True)
    thread.start()
    try:
        yield
    finally:
        thread.join()


def _load(java: Any) -> None:
    # A Spark that has the registry elsewhere loads it later. An error of Java is one of the context, too.
    with suppress(Exception):
        java.java.lang.Class.forName(_REGISTRY)
