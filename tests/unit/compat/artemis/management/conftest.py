"""A broker whose management is asked in messages of CORE."""

import pytest
from core_management import ManagedBroker


@pytest.fixture
def managed() -> ManagedBroker:
    return ManagedBroker()
