"""lastvalue.cli.gateway_child, started by `lastvalue serve --http-port`."""

import json
import os
import signal
import ssl
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import httpx
import pytest
import trustme
from log_servers import free_ports
from waiting import wait_until

from lastvalue.cli.gateway_child import NICENESS

COMMAND = [sys.executable, "-m", "lastvalue", "serve", "--port", "0", "--http-port", "0"]


@dataclass
class Served:
    """A broker with a gateway, and its log."""

    process: subprocess.Popen[str]
    url: str
    log: IO[str]

    def events(self, name: str) -> list[dict[str, Any]]:
        """The lines of an event."""
        # Seeking would move the place where the process writes, too.
        written = os.pread(self.log.fileno(), 1 << 20, 0).decode()
        lines = [json.loads(line) for line in written.splitlines() if line.endswith("}")]
        return [each for each in lines if each["event"] == name]

    def gateway(self, number: int = 1) -> int:
        """The gateway's process, if it has answered so many times."""
        wait_until(lambda: len(self.events("gateway.started")) >= number)
        return int(self.events("gateway.started")[-1]["pid"])

    def ended(self) -> int:
        return self.process.wait(60)


@contextmanager
def serving(*arguments: str) -> Iterator[Served]:
    with (
        tempfile.TemporaryFile("w+") as log,
        subprocess.Popen(
            [*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=log, text=True, start_new_session=True
        ) as process,
    ):
        assert process.stdout is not None
        try:
            line = next((line for line in process.stdout if "http" in line), "")
            assert line, os.pread(log.fileno(), 1 << 20, 0).decode()
            yield Served(process, line.removeprefix("listening on ").strip(), log)
        finally:
            process.kill()


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_callers_wait_for_the_first_and_for_the_next_process() -> None:
    with serving() as served:
        assert httpx.get(f"{served.url}/healthz", timeout=60).json() == {"status": "ok"}
        os.kill(served.gateway(), signal.SIGKILL)
        assert httpx.get(f"{served.url}/healthz", timeout=60).json() == {"status": "ok"}
        told = httpx.get(f"{served.url}/metrics", timeout=60).text
        assert {"lastvalue_gateway_up 1.0", "lastvalue_gateway_restarts_total 1.0"} <= set(told.splitlines())
        assert served.events("gateway.ended")[0]["cause"] == "signal 9, Killed"


def test_the_broker_gets_more_of_a_processor_than_its_gateway() -> None:
    with serving() as served:
        usual = os.getpriority(os.PRIO_PROCESS, served.process.pid)
        assert os.getpriority(os.PRIO_PROCESS, served.gateway()) == usual + NICENESS


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_to_the_process_group_ends_both_in_order(number: signal.Signals) -> None:
    with serving() as served:
        gateway = served.gateway()
        os.killpg(served.process.pid, number)
        assert served.ended() == 0
        assert not is_alive(gateway)
        assert served.events("gateway.ended") == []


def test_it_does_not_outlive_a_broker_that_is_killed_and_leaves_its_port_free() -> None:
    (port,) = free_ports(1)
    with serving("--http-port", str(port)) as served:
        gateway = served.gateway()
        served.process.kill()
        wait_until(lambda: not is_alive(gateway))
    with serving("--http-port", str(port)) as again:
        assert httpx.get(f"{again.url}/healthz", timeout=60).is_success


def test_a_hangup_gives_it_a_changed_certificate_and_its_log_is_a_part_of_the_brokers(tmp_path: Path) -> None:
    authority = trustme.CA()
    first, second = (authority.issue_cert("localhost", common_name=name) for name in ("first", "second"))
    first.private_key_and_cert_chain_pem.write_to_path(tmp_path / "first.pem")
    second.private_key_and_cert_chain_pem.write_to_path(tmp_path / "second.pem")
    config = tmp_path / "lastvalue.toml"
    settings = '[server]\ntls_port = 0\nhttp_host = "localhost"\ntls_certificate = '
    config.write_text(f'{settings}"{tmp_path}/first.pem"\n')
    trust = ssl.create_default_context()
    authority.configure_trust(trust)

    def shown() -> str:
        with httpx.Client(verify=trust, timeout=60) as client, client.stream("GET", served.url) as answer:
            certificate = answer.extensions["network_stream"].get_extra_info("ssl_object").getpeercert()
        return str(dict(part[0] for part in certificate["subject"])["commonName"])

    with serving("--config", str(config)) as served:
        assert shown() == "first"
        config.write_text(f'{settings}"{tmp_path}/second.pem"\n')
        served.process.send_signal(signal.SIGHUP)
        wait_until(lambda: shown() == "second", every_s=0.1)
        (tmp_path / "second.pem").write_text("nonsense")
        assert shown() == "second"
        wait_until(lambda: len(served.events("library")) == 2)
        new, unusable = served.events("library")
        assert new["component"] == unusable["component"] == "lastvalue.gateway.gateway_server"
        assert (new["level"], unusable["level"]) == ("info", "error")
        assert unusable["message"].startswith("the old certificate stays in use: ")
        second.private_key_and_cert_chain_pem.write_to_path(tmp_path / "second.pem")
        os.kill(served.gateway(), signal.SIGKILL)
        assert shown() == "second"
