"""`lastvalue serve`: a broker in the foreground."""

import asyncio
import errno
import logging
import os
import signal
import sys
from collections.abc import Iterable
from dataclasses import replace
from enum import StrEnum
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lastvalue.cli.configuration import end_with, load
from lastvalue.cli.exits import CommandFailedError, UsageError
from lastvalue.cli.progress import shown
from lastvalue.config.configuration import Configuration, ServerSettings
from lastvalue.config.errors import ConfigurationError
from lastvalue.store.segments import StoreError
from lastvalue.store.writer import Sync

if TYPE_CHECKING:
    from lastvalue.server.broker_server import BrokerServer
    from lastvalue.server.clock import Clock


class ClockKind(StrEnum):
    """Whose time the queues live by."""

    SYSTEM = "system"
    MANUAL = "manual"


class OnCorruption(StrEnum):
    """What to do where the store is damaged in the middle."""

    REFUSE = "refuse"
    SALVAGE = "salvage"


DEFAULT_HOST = "127.0.0.1"
_LOOPBACK = ("127.0.0.1", "::1", "localhost")
DEFAULT_PORT = 5672
DEFAULT_TLS_PORT = 5671
DEFAULT_JOURNAL_BYTES = 16 << 20


def serve(  # noqa: PLR0913 - one for each flag
    *,
    config: Annotated[
        Path | None,
        typer.Option(
            "--config", metavar="FILE", help="What to declare and how to listen; other options go before it."
        ),
    ] = None,
    host: Annotated[
        str | None,
        typer.Option(
            "--host", help="The address to listen on; 0.0.0.0 is every one.", show_default=DEFAULT_HOST
        ),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(
            "--port",
            min=0,
            max=65535,
            help="The port to listen on; 0 is any free one.",
            show_default=str(DEFAULT_PORT),
        ),
    ] = None,
    port_fallback: Annotated[
        bool | None, typer.Option("--port-fallback", help="Where the port is taken, take the next free one.")
    ] = None,
    user: Annotated[
        list[str] | None,
        typer.Option(
            "--user",
            metavar="NAME:PASSWORD",
            envvar="LASTVALUE_USERS",
            help="Let this user in; may be given again.",
        ),
    ] = None,
    users_file: Annotated[
        Path | None,
        typer.Option("--users-file", metavar="FILE", help="Let these users in; see `lastvalue user`."),
    ] = None,
    tls_certificate: Annotated[
        Path | None,
        typer.Option("--tls-certificate", metavar="FILE", help="Listen with TLS too, and show this (PEM)."),
    ] = None,
    tls_key: Annotated[
        Path | None,
        typer.Option("--tls-key", metavar="FILE", help="Its key, where that is not in the same file."),
    ] = None,
    tls_port: Annotated[
        int | None,
        typer.Option(
            "--tls-port",
            min=0,
            max=65535,
            help="The port to listen on with TLS; 0 is any free one.",
            show_default=str(DEFAULT_TLS_PORT),
        ),
    ] = None,
    tls_client_ca: Annotated[
        Path | None,
        typer.Option("--tls-client-ca", metavar="FILE", help="Believe client certificates of these (PEM)."),
    ] = None,
    tls_client_required: Annotated[
        bool | None,
        typer.Option("--tls-client-required", help="With TLS let in only who shows a certificate."),
    ] = None,
    ws_port: Annotated[
        int | None,
        typer.Option("--ws-port", min=0, max=65535, help="Speak AMQP over WebSocket on this port, too."),
    ] = None,
    wss_port: Annotated[
        int | None,
        typer.Option("--wss-port", min=0, max=65535, help="The same over TLS, with --tls-certificate."),
    ] = None,
    ws_origin: Annotated[
        list[str] | None,
        typer.Option(
            "--ws-origin",
            metavar="ORIGIN",
            help="Let web pages of this origin connect, * is every one; may be given again.",
        ),
    ] = None,
    anonymous: Annotated[
        bool | None,
        typer.Option(
            "--anonymous/--no-anonymous",
            help="Let in who gives no name; by default only where there are no users.",
        ),
    ] = None,
    store: Annotated[
        Path | None,
        typer.Option("--store", metavar="DIR", help="Keep durable queues and messages in this directory."),
    ] = None,
    restore: Annotated[
        Path | None,
        typer.Option(
            "--restore", metavar="DIR", help="Begin with this snapshot, in a store directory that is empty."
        ),
    ] = None,
    sync: Annotated[
        Sync | None,
        typer.Option(
            "--sync",
            help="When the disk has a message: before it is confirmed, soon, or some time.",
            show_default=Sync.ALWAYS.value,
        ),
    ] = None,
    on_corruption: Annotated[
        OnCorruption | None,
        typer.Option(
            "--on-corruption",
            help="What to do where the store is damaged in the middle.",
            show_default=OnCorruption.REFUSE.value,
        ),
    ] = None,
    memory_limit: Annotated[
        int | None,
        typer.Option(
            "--memory-limit",
            min=0,
            metavar="BYTES",
            help="What messages may take before producers have to wait; 0 is any amount.",
            show_default="half of the machine's memory",
        ),
    ] = None,
    journal_limit: Annotated[
        int | None,
        typer.Option(
            "--journal-limit",
            min=1,
            metavar="BYTES",
            help="What may wait for the store's disk before producers of durable queues have to wait.",
            show_default=str(DEFAULT_JOURNAL_BYTES),
        ),
    ] = None,
    disk_reserve: Annotated[
        int | None,
        typer.Option(
            "--disk-reserve",
            min=0,
            metavar="BYTES",
            help="What producers of durable queues leave free on the store's disk.",
            show_default="5 % of it, at most 1 GiB",
        ),
    ] = None,
    health_port: Annotated[
        int | None,
        typer.Option(
            "--health-port",
            min=0,
            max=65535,
            help="Answer GET /healthz and /readyz on this port; 0 is any free one.",
            show_default="nowhere",
        ),
    ] = None,
    health_host: Annotated[
        str | None,
        typer.Option("--health-host", help="The address to do that on.", show_default=DEFAULT_HOST),
    ] = None,
    clock: Annotated[
        ClockKind,
        typer.Option("--clock", help="The queues' time: the system's, or one that `lastvalue clock` moves."),
    ] = ClockKind.SYSTEM,
    clock_start: Annotated[
        int | None,
        typer.Option(
            "--clock-start",
            min=0,
            metavar="MS",
            help="Where a manual clock begins, since the epoch.",
        ),
    ] = None,
) -> None:
    """Run a broker until Ctrl-C or a TERM signal; without --store what its queues hold is lost then."""
    configuration = load(config) if config is not None else Configuration()
    given: dict[str, Any] = {
        "host": host,
        "port": port,
        "port_fallback": port_fallback,
        "users": parsed_users(user) if user else None,
        "users_file": None if users_file is None else str(users_file),
        "tls_certificate": None if tls_certificate is None else str(tls_certificate),
        "tls_key": None if tls_key is None else str(tls_key),
        "tls_port": tls_port,
        "tls_client_ca": None if tls_client_ca is None else str(tls_client_ca),
        "tls_client_required": tls_client_required,
        "ws_port": ws_port,
        "wss_port": wss_port,
        "ws_origins": tuple(ws_origin) if ws_origin else None,
        "anonymous": anonymous,
        "memory_limit": memory_limit,
        "journal_limit": journal_limit,
        "disk_reserve": disk_reserve,
        "health_host": health_host,
        "health_port": health_port,
        "store": None if store is None else str(store),
        "sync": None if sync is None else sync.value,
        "on_corruption": None if on_corruption is None else on_corruption.value,
    }
    settings = replace(
        configuration.server, **{name: value for name, value in given.items() if value is not None}
    )
    _check_exposure(settings)
    # Here, so that the other commands do not wait for the broker to be loaded.
    from lastvalue.config.application import apply  # noqa: PLC0415 - see above
    from lastvalue.server.broker_server import BrokerServer, options_from  # noqa: PLC0415 - see above
    from lastvalue.server.health import HealthPortError  # noqa: PLC0415 - see above
    from lastvalue.server.storage import store_from  # noqa: PLC0415 - see above

    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    server = BrokerServer(
        options_from(settings), store=store_from(settings), clock=_clock(clock, clock_start)
    )
    if restore is not None:
        _restore(restore, settings.store)
    _recover(server, settings.store)
    try:
        apply(configuration, server.broker, server.now_ms, str(config))
        asyncio.run(_serve(server))
    except ConfigurationError as error:
        end_with(error)
    except HealthPortError as error:
        raise CommandFailedError(str(error)) from None
    except OSError as error:
        raise CommandFailedError(_cannot_listen(server.options.host, server.options.port, error)) from None


def _check_exposure(settings: ServerSettings) -> None:
    """Refuse to let in nobody, or everybody from everywhere without being told so.

    Raises:
        UsageError: the settings do.
    """
    known = bool(settings.users or settings.users_file or settings.token_keys)
    if settings.anonymous is False and not known and settings.tls_client_ca is None:
        raise UsageError("--no-anonymous without users lets nobody in; give --users-file")
    host = settings.host or DEFAULT_HOST
    if not known and settings.anonymous is None and host not in _LOOPBACK:
        raise UsageError(
            f"on {host} anybody could do anything; give --users-file (`lastvalue user add` makes one), "
            "or say --anonymous"
        )
    asked = (settings.tls_port, settings.tls_key, settings.wss_port)
    if settings.tls_certificate is None and any(each is not None for each in asked):
        raise UsageError("TLS needs --tls-certificate")
    if (settings.ws_port, settings.wss_port) != (None, None) and find_spec("websockets") is None:
        raise UsageError("AMQP over WebSocket needs `pip install 'lastvalue[websocket]'`")


def _clock(kind: ClockKind, start_ms: int | None) -> "Clock":
    from lastvalue.server.clock import Clock, ManualClock  # noqa: PLC0415 - as the broker

    if kind is ClockKind.MANUAL:
        return ManualClock(Clock().now_ms() if start_ms is None else start_ms)
    if start_ms is not None:
        raise UsageError("--clock-start needs --clock manual")
    return Clock()


def _restore(snapshot: Path, store: str | None) -> None:
    from lastvalue.store.snapshot import restore  # noqa: PLC0415 - as the broker

    if store is None:
        raise UsageError("--restore needs --store DIR, the directory to restore into")
    try:
        with shown("restoring", "bytes") as progress:
            restore(snapshot, Path(store), progress)
    except StoreError as error:
        raise CommandFailedError(str(error)) from None
    except OSError as error:
        where = error.filename or store
        raise CommandFailedError(f"{where} cannot be used: {error.strerror or error}") from None


def _recover(server: "BrokerServer", store: str | None) -> None:
    """Put what the store holds onto the broker, saying how far that is where it takes long."""

    def progress(read: int, of: int) -> None:
        if of > 1:
            print(f"reading the store: {read} of {of} segments", file=sys.stderr, flush=True)

    try:
        server.recover(progress)
    except StoreError as error:
        raise CommandFailedError(str(error)) from None
    except OSError as error:
        raise CommandFailedError(f"the store {store} cannot be used: {error.strerror or error}") from None


def parsed_users(pairs: Iterable[str]) -> dict[str, str]:
    """Passwords by name from NAME:PASSWORD.

    Raises:
        UsageError: one has another form, or a name comes twice.
    """
    users: dict[str, str] = {}
    for pair in pairs:
        name, colon, password = pair.partition(":")
        if not name or not colon or not password:
            raise UsageError("--user is NAME:PASSWORD, both not empty")
        if name in users:
            raise UsageError(f"--user names {name!r} twice")
        users[name] = password
    return users


async def _serve(server: "BrokerServer") -> None:
    from lastvalue.server.notifier import Notifier  # noqa: PLC0415 - as the broker

    notifier = Notifier.from_environment()
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    async with server:
        host = server.options.host
        shown = f"[{host}]" if ":" in host else host
        print(f"listening on amqp://{shown}:{server.port}", flush=True)
        if server.tls_port:
            print(f"listening on amqps://{shown}:{server.tls_port}", flush=True)
        if server.ws_port:
            print(f"listening on ws://{shown}:{server.ws_port}", flush=True)
        if server.wss_port:
            print(f"listening on wss://{shown}:{server.wss_port}", flush=True)
        if server.health_port:
            print(f"health on http://{server.options.health_host}:{server.health_port}/readyz", flush=True)
        notifier.ready()
        await stopped.wait()
        notifier.stopping()


def _cannot_listen(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} of {host} is taken; choose another with --port, or add --port-fallback"
    reason = os.strerror(error.errno) if error.errno and error.errno > 0 else str(error)
    return f"cannot listen on {host}:{port}: {reason}"
