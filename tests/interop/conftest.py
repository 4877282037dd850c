"""One broker process for all interop tests; each test has queues of its own."""

from collections.abc import Iterator

import pytest
from served_broker import PASSWORD, USER, ServedBroker


@pytest.fixture(scope="session")
def broker() -> Iterator[ServedBroker]:
    with ServedBroker("--user", f"{USER}:{PASSWORD}", "--anonymous") as served:
        yield served
        code, _, complaints = served.stop()
        assert (code, complaints) == (0, "")


@pytest.fixture
def standard_queue(broker: ServedBroker) -> str:
    """A queue that keeps every message."""
    return broker.declare()


@pytest.fixture
def prices(broker: ServedBroker) -> str:
    """A last-value queue keyed by the property `ticker`, as in the document's example."""
    return broker.declare(lvq_key="ticker")
