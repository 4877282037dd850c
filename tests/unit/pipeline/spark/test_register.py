"""lastvalue.pipeline.spark.register; tests/spark registers the formats."""

import importlib
import pkgutil

import lastvalue.pipeline


def test_no_exported_function_has_the_name_of_a_module_that_would_hide_it() -> None:
    importlib.import_module("lastvalue.pipeline.spark.register")
    modules = {each.name for each in pkgutil.iter_modules(lastvalue.pipeline.__path__)}
    assert modules.isdisjoint(lastvalue.pipeline.__all__)
    assert callable(lastvalue.pipeline.register)
