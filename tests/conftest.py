"""For all tests: machines are shared, so that no example is too slow, and what takes longest begins first."""

import os

import pytest
from hypothesis import settings

EXAMPLES = int(os.environ.get("LASTVALUE_EXAMPLES", "100"))
"""Of each property test that has no number of its own."""

settings.register_profile("shared machines", deadline=None, max_examples=EXAMPLES)
settings.load_profile("shared machines")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.get_closest_marker("spark") is None)
