"""One broker process for all interop tests; each test has queues of its own."""

import subprocess
from collections.abc import Iterator

import pytest
from qpid_python import installed, python27
from served_broker import PASSWORD, USER, ServedBroker
from tls_broker import TlsBroker, serving_tls


@pytest.fixture(scope="session")
def broker() -> Iterator[ServedBroker]:
    with ServedBroker("--user", f"{USER}:{PASSWORD}", "--anonymous") as served:
        yield served
        code, _, complaints = served.stop()
        assert (code, complaints) == (0, "")


@pytest.fixture(scope="session")
def tls_broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TlsBroker]:
    """A broker with TLS and users, and the queues `mine`, for ann, and `others`."""
    with serving_tls(tmp_path_factory.mktemp("tls")) as served:
        yield served


@pytest.fixture
def standard_queue(broker: ServedBroker) -> str:
    """A queue that keeps every message."""
    return broker.declare()


@pytest.fixture
def prices(broker: ServedBroker) -> str:
    """A last-value queue keyed by the property `ticker`, as in the document's example."""
    return broker.declare(lvq_key="ticker")


@pytest.fixture(scope="session")
def qpid_python() -> None:
    """Skips the test where no Python 2.7 with qpid-python and qpid-tools can be had."""
    python = python27()
    if python is None:
        pytest.skip("qpid-python needs a Python 2.7: none is on PATH, pyenv's or LASTVALUE_PYTHON27's")
    try:
        installed(python)
    except subprocess.CalledProcessError:
        pytest.skip(f"pip of {python} cannot install qpid-python")
