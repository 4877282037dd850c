"""`lastvalue doctor`: whether this machine and the way to the broker are as they should be."""

import asyncio
import os
import platform
import shutil
import socket
import ssl
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Final

import typer

from lastvalue.cli.exits import CommandFailedError
from lastvalue.cli.hints import hint
from lastvalue.cli.options import DEFAULT_URL, OutputOption, Url
from lastvalue.cli.output import Output, print_records
from lastvalue.client import connect
from lastvalue.client.url import BrokerUrl, parse_url
from lastvalue.config.certificate_expiry import expiry_of_pem_ms
from lastvalue.http.gateway_settings import is_loopback
from lastvalue.model.errors import LastvalueError

_OLDEST_PYTHON: Final = (3, 11)
_LOW_DISK_BYTES: Final = 1024**3
_FEW_DESCRIPTORS: Final = 4096
_SKEW_MS: Final = 2000
_ANSWER_S: Final = 5.0
_DAYS: Final = 14
"""A certificate that ends sooner must be renewed; the broker's alarm is raised from then on, too."""
_EXTRAS: Final = ("pyspark", "pyarrow", "uvloop", "websockets")


class State(StrEnum):
    """What a check found."""

    OK = "ok"
    NOTE = "note"
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class Finding:
    """What was checked, and what was found.

    Attributes:
        check: what was looked at.
        state: whether it is as it should be; a note is of something that only some need.
        found: what was found, and what can be done.
    """

    check: str
    state: State
    found: str


def doctor(
    *,
    store: Annotated[
        Path | None,
        typer.Option("--store", metavar="DIR", help="Check the disk and the permissions of this store."),
    ] = None,
    http: Annotated[
        str | None,
        typer.Option(
            "--http", metavar="URL", help="Check the HTTP gateway at this URL, as http://host:8080."
        ),
    ] = None,
    url: Url = DEFAULT_URL,
    output: OutputOption = Output.TABLE,
) -> None:
    """Check Python, Java, Spark, the disk, ports, permissions, the clock, and the way to the broker."""
    findings = [*of_python(), of_java(), *map(of_package, _EXTRAS), of_descriptors()]
    findings += of_directory(Path.cwd() if store is None else store)
    broker = asyncio.run(_of_broker(url))
    if broker[0].state is not State.OK:
        findings += of_ports(url)
    findings += [*of_certificate(parse_url(url)), *broker]
    if http is not None:
        findings.append(of_gateway(http, parse_url(url)))
    print_records([asdict(each) for each in findings], ("check", "state", "found"), output)
    faults = sum(each.state is State.FAULT for each in findings)
    if faults:
        raise CommandFailedError(f"{faults} of {len(findings)} checks found a fault")


def of_python() -> Iterator[Finding]:
    """Python's version, and whether the hot path runs compiled; if not, why."""
    from lastvalue.server.build import describe_build, is_compiled

    name = f"{platform.python_implementation()} {platform.python_version()}, {sys.executable}"
    old = sys.version_info < _OLDEST_PYTHON
    yield Finding("python", State.FAULT if old else State.OK, name)
    yield Finding("compiled", State.OK if is_compiled() else State.NOTE, describe_build())


def of_java() -> Finding:
    """Which Java Spark would run on."""
    from lastvalue.pipeline.java import JavaNotFoundError, find_java

    try:
        java = find_java()
    except JavaNotFoundError as error:
        return Finding("java", State.NOTE, f"only pipelines need it: {error}")
    return Finding("java", State.OK, f"{java.version}, {java.home}")


def of_package(name: str) -> Finding:
    """Whether a package of an extra is installed."""
    if find_spec(name) is None:
        return Finding(name, State.NOTE, "not installed")
    try:
        return Finding(name, State.OK, version(name))
    except PackageNotFoundError:
        return Finding(name, State.OK, "of unknown version")


def of_descriptors() -> Finding:
    """How many connections the system lets a broker have."""
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    few = 0 <= hard < _FEW_DESCRIPTORS
    text = "no limit" if hard < 0 else f"at most {hard}; every connection needs one"
    return Finding("descriptors", State.NOTE if few else State.OK, text)


def of_directory(path: Path) -> Iterator[Finding]:
    """Whether a store's directory can be written, and how much room there is."""
    place = next(each for each in (path, *path.absolute().parents) if each.exists())
    usable = place.is_dir() and os.access(place, os.R_OK | os.W_OK | os.X_OK)
    who = f"user {os.getuid()}, mode {place.stat().st_mode & 0o777:o} of user {place.stat().st_uid}"
    text = f"{place} can be written" if usable else f"{place} cannot be written: {who}"
    yield Finding("permissions", State.OK if usable else State.FAULT, text)
    free = shutil.disk_usage(place).free
    yield Finding(
        "disk",
        State.OK if free >= _LOW_DISK_BYTES else State.FAULT,
        f"{free / 1024**3:.1f} GiB free at {place}",
    )


def of_ports(url: str) -> Iterator[Finding]:
    """Whether a broker could have its port, if that is on this machine."""
    where = parse_url(url)
    if is_loopback(where.host):
        yield of_port(where.port)


def of_port(port: int) -> Finding:
    """Whether a broker could listen on a port of this machine."""
    with socket.socket() as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind(("127.0.0.1", port))
        except OSError as error:
            return Finding(f"port {port}", State.NOTE, f"taken or not allowed: {error.strerror}")
    return Finding(f"port {port}", State.OK, "free")


def of_certificate(where: BrokerUrl) -> Iterator[Finding]:
    """When the certificate of a broker with TLS ends; the way to the broker tells whether it is trusted."""
    if not where.tls:
        return
    try:
        pem = ssl.get_server_certificate((where.host, where.port), timeout=_ANSWER_S)
    except OSError as error:
        yield Finding("certificate", State.FAULT, f"is not shown: {error.strerror or error}")
        return
    yield of_end(expiry_of_pem_ms(pem), _now_ms())


def of_end(ends_ms: int, now_ms: int) -> Finding:
    """How long a certificate still holds."""
    days = (ends_ms - now_ms) // 86_400_000
    day = datetime.fromtimestamp(ends_ms / 1000, UTC).date()
    if days < 0:
        return Finding(
            "certificate", State.FAULT, f"ended on {day}; the broker takes a new file as it is put there"
        )
    return Finding("certificate", State.NOTE if days < _DAYS else State.OK, f"ends on {day}, in {days} days")


def of_gateway(address: str, where: BrokerUrl) -> Finding:
    """Whether an HTTP gateway answers, and reaches its broker."""
    # Imported here: without --http it takes a tenth of the time of the command.
    from urllib.error import HTTPError
    from urllib.request import urlopen

    name = f"{address.rstrip('/')}/readyz"
    if not name.startswith(("http://", "https://")):
        return Finding("http", State.FAULT, f"{address!r} is no URL of http or https")
    context = where.tls_context() if name.startswith("https:") else None
    try:
        with urlopen(name, timeout=_ANSWER_S, context=context):  # noqa: S310 - the scheme is checked above
            return Finding("http", State.OK, f"{name} answers")
    except HTTPError as error:
        return Finding("http", State.FAULT, f"{name} answers {error.code} {error.reason}")
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", error)
        return Finding("http", State.FAULT, f"{name} does not answer: {reason}")


async def _of_broker(url: str) -> list[Finding]:
    where = parse_url(url)
    name = f"{where.host}:{where.port}"
    try:
        async with connect(url, timeout_s=_ANSWER_S, reconnect=False) as connection:
            before_ms = _now_ms()
            broker_ms = await connection.clock_ms(timeout_s=_ANSWER_S)
            after_ms = _now_ms()
    except LastvalueError as error:
        advice = hint(error)
        found = f"{error}; {advice}" if advice else str(error)
        return [Finding("broker", State.FAULT, found)]
    return [Finding("broker", State.OK, f"{name} answers"), of_clock(broker_ms - (before_ms + after_ms) // 2)]


def of_clock(ahead_ms: int) -> Finding:
    """How the broker's clock compares with this machine's."""
    state = State.OK if abs(ahead_ms) <= _SKEW_MS else State.NOTE
    return Finding("clock", state, f"the broker's is {ahead_ms} ms ahead of this machine's")


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
