"""The fixtures of the pytest plug-in; pytest loads this module wherever lastvalue is installed.

It imports the broker only where a test asks for a fixture.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from lastvalue.testing.broker_thread import BrokerThread

MARKER = "lastvalue_broker"


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker."""
    config.addinivalue_line("markers", f"{MARKER}(**settings): settings of the fixture of that name")


@pytest.fixture
def lastvalue_broker(request: pytest.FixtureRequest, tmp_path: Path) -> "Iterator[BrokerThread]":
    """A broker of its own for the test; the marker of the same name gives it settings of `lastvalue serve`.

    Its store is in the test's temporary directory, its clock the system's, or a manual one where the test
    also asks for `lastvalue_clock`.
    """
    from lastvalue.server.broker_server import ServerOptions  # noqa: PLC0415 - every run of pytest loads the plug-in
    from lastvalue.testing.broker_thread import BrokerThread  # noqa: PLC0415 - only its users need a broker

    marker = request.node.get_closest_marker(MARKER)
    options = ServerOptions(**(marker.kwargs if marker else {}))
    manual_clock = lastvalue_clock.__name__ in request.fixturenames
    with BrokerThread(options, tmp_path / "lastvalue", manual_clock=manual_clock) as broker:
        yield broker


@pytest.fixture
def lastvalue_clock(lastvalue_broker: "BrokerThread") -> "Callable[..., None]":
    """Moves the broker's clock, which otherwise stands still: `lastvalue_clock(minutes=5)`."""
    return lastvalue_broker.advance
