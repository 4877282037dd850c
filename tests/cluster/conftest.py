"""Three servers of a log for the tests of this directory, each test with a stream of its own."""

from collections.abc import Iterator
from uuid import uuid4

import pytest
from log_servers import MISSING, PROGRAM, LogServers


@pytest.fixture(scope="module")
def log_servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LogServers]:
    """The servers; a test that harms them starts them again."""
    if PROGRAM is None:
        pytest.skip(MISSING)
    pytest.importorskip("nats", reason="needs `pip install 'lastvalue[cluster]'`")
    with LogServers(tmp_path_factory.mktemp("log")) as servers:
        yield servers


@pytest.fixture
def address(log_servers: LogServers) -> str:
    """The address of a store that is new."""
    return log_servers.address(f"T{uuid4().hex[:12]}")
