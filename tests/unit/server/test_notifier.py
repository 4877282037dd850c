"""lastvalue.server.notifier, with a socket in systemd's place."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from logged_events import logged

from lastvalue.server.notifier import Notifier

SERVE = [sys.executable, "-c", "from lastvalue.cli.main import main; main()", "serve", "--port", "0"]


@pytest.fixture
def systemd(tmp_path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(str(tmp_path / "notify"))
        listener.settimeout(120)
        yield listener


def heard(listener: socket.socket) -> str:
    return listener.recv(4096).decode()


def test_a_service_tells_when_it_is_ready_that_it_lives_and_that_it_stops(systemd: socket.socket) -> None:
    told = {"NOTIFY_SOCKET": str(systemd.getsockname()), "WATCHDOG_USEC": "100000"}
    with subprocess.Popen(SERVE, env=os.environ | told, stdout=subprocess.DEVNULL) as broker:
        assert heard(systemd) == "READY=1"
        assert [heard(systemd), heard(systemd)] == ["WATCHDOG=1", "WATCHDOG=1"]
        broker.send_signal(signal.SIGTERM)
        while (word := heard(systemd)) == "WATCHDOG=1":
            pass
        assert word == "STOPPING=1\nEXTEND_TIMEOUT_USEC=19000000"
        assert broker.wait(120) == 0


def test_a_socket_may_have_an_abstract_name() -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind("")
        name = "@" + listener.getsockname()[1:].decode()
        Notifier.from_environment({"NOTIFY_SOCKET": name}).tell("STATUS=well")
        assert heard(listener) == "STATUS=well"


@pytest.mark.parametrize("watchdog", [{}, {"WATCHDOG_USEC": "1000", "WATCHDOG_PID": "1"}])
async def test_a_watchdog_that_does_not_watch_this_process_is_not_fed(
    systemd: socket.socket, watchdog: dict[str, str]
) -> None:
    Notifier.from_environment({"NOTIFY_SOCKET": str(systemd.getsockname()), **watchdog}).ready()
    assert heard(systemd) == "READY=1"
    systemd.setblocking(False)
    # A watchdog that is fed is fed at once.
    with pytest.raises(BlockingIOError):
        heard(systemd)


async def test_without_a_service_manager_nothing_is_told() -> None:
    manager = Notifier.from_environment({"WATCHDOG_USEC": "1000"})
    manager.ready()
    manager.stopping(1.5)


def test_a_manager_that_is_not_there_is_told_of_once(
    caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    notifier = Notifier(str(tmp_path / "none"))
    notifier.ready()
    notifier.stopping(1.5)
    told = {"address": f"{tmp_path}/none", "cause": "No such file or directory"}
    assert logged(caplog) == [("server.notify_failed", told)]
