"""For all tests: machines are shared, so that no example is too slow, and what takes longest begins first."""

import pytest
from hypothesis import settings

settings.register_profile("shared machines", deadline=None)
settings.load_profile("shared machines")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.get_closest_marker("spark") is None)
