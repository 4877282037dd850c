"""Java loads the registry of SQL functions beside what the caller does; a Java without it does no harm."""

import threading
from types import SimpleNamespace
from typing import Any

from lastvalue.pipeline.spark.function_registry import function_registry_loading


def java_with(for_name: Any) -> Any:
    """What PySpark calls the Java virtual machine, with `Class.forName`."""
    return SimpleNamespace(
        java=SimpleNamespace(lang=SimpleNamespace(Class=SimpleNamespace(forName=for_name)))
    )


def test_the_registry_is_loaded_beside_the_block_and_before_its_end() -> None:
    began, may_end, loaded = threading.Event(), threading.Event(), []

    def load(name: str) -> None:
        began.set()
        assert may_end.wait(120)
        loaded.append(name)

    with function_registry_loading(java_with(load)):
        assert began.wait(120)
        assert not loaded
        may_end.set()
    assert loaded == ["org.apache.spark.sql.catalyst.analysis.FunctionRegistry$"]


def test_a_java_without_the_registry_does_no_harm() -> None:
    def load(name: str) -> None:
        raise ValueError(name)

    with function_registry_loading(java_with(load)):
        pass
