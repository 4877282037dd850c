"""`lastvalue serve`: a broker in the foreground."""

import asyncio
import contextlib
import errno
import gc
import inspect
import os
import platform
import signal
import time
from collections.abc import Iterator
from enum import StrEnum
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from lastvalue.cli.configuration import load
from lastvalue.cli.exits import CommandFailedError, ExitCode, UsageError
from lastvalue.cli.http import broker_gateway, check_package, gateway_settings
from lastvalue.cli.options import option, with_options
from lastvalue.cli.progress import show_progress
from lastvalue.config.configuration import Configuration
from lastvalue.config.merged_options import merged_options
from lastvalue.config.server_options import SETTINGS, EventLoop, OnDrift, ServerOptions
from lastvalue.config.server_setting import InvalidSettingError, ServerSetting
from lastvalue.model.errors import LastvalueError
from lastvalue.store.log_address import LogAddress
from lastvalue.store.segments import StoreError

if TYPE_CHECKING:
    from lastvalue.server.broker_server import BrokerServer
    from lastvalue.server.clock import Clock
    from lastvalue.server.log_output import LogOutput


class ClockKind(StrEnum):
    """The clock of the queues."""

    SYSTEM = "system"
    MANUAL = "manual"


def _flag(setting: ServerSetting) -> inspect.Parameter:
    of_text = setting.reader is not None or setting.is_size or setting.is_duration
    kind: Any = list[str] if setting.kind in (tuple, dict) else str if of_text else setting.kind
    off = f"/--no-{setting.flag[2:]}" if kind is bool else ""
    regular = setting.env == "LASTVALUE_" + setting.flag[2:].replace("-", "_").upper()
    return option(
        setting.name,
        kind,
        setting.flag + off,
        metavar=setting.metavar or (f"{setting.least}-{setting.most}" if kind is int else None),
        help=setting.sentence if regular else f"{setting.sentence} Its variable is {setting.env}.",
        show_default=setting.shown_default if setting.shown_default not in ("none", "false") else False,
        rich_help_panel=next(
            (panel for panel, begins in _PANELS if setting.name.startswith(begins)), "Limits"
        ),
    )


_HANDS_OVER_S: Final = 0.5
"""How long clients may finish what they have begun, where the broker hands over to another one."""

_PANELS: Final = (
    (
        "Addresses and protocols",
        ("host", "port", "protocols", "qmf", "core_management", "refuse_", "ignore_unknown", "announce"),
    ),
    ("Users", ("anonymous", "user", "token", "ignore_token", "wrong_")),
    ("TLS and WebSocket", ("tls_", "ws_", "wss_")),
    ("Health and HTTP", ("health_", "http_")),
    ("Store", ("store", "snapshots", "sync", "on_corruption", "segment_", "journal_", "disk_")),
    ("Logs", ("log_", "slow_", "audit")),
)
"""The panels of the help, each with how the names of its settings begin."""


@with_options([_flag(setting) for setting in SETTINGS.values()])
def serve(
    *,
    config: Annotated[
        Path | None,
        typer.Option(
            "--config",
            metavar="FILE",
            help="A file with declarations and settings; flags and variables take precedence.",
        ),
    ] = None,
    restore: Annotated[
        str | None,
        typer.Option(
            "--restore",
            metavar="DIR|URL",
            help="Restore this snapshot into a store directory that is empty.",
        ),
    ] = None,
    clock: Annotated[
        ClockKind,
        typer.Option(
            "--clock",
            help="The queues' clock: the system's, or a manual one that `lastvalue clock` advances.",
        ),
    ] = ClockKind.SYSTEM,
    clock_start: Annotated[
        int | None,
        typer.Option(
            "--clock-start",
            min=0,
            metavar="MS",
            help="The start of a manual clock, milliseconds since the epoch.",
        ),
    ] = None,
    **flags: Any,
) -> None:
    """Run a broker until Ctrl-C or a TERM signal; without --store its messages are lost then.

    It then waits for what clients have begun, up to --drain-timeout-ms; a second signal ends the wait.

    The options from --host on can also be environment variables
    (--health-port is LASTVALUE_HEALTH_PORT) or keys of the configuration. A flag
    precedes a variable, and a variable precedes the configuration.
    """
    # A service manager need not try again: the code says that the file or the options are wrong.
    configuration = load(config, ExitCode.USAGE) if config is not None else Configuration()
    try:
        options = merged_options(configuration.server, os.environ, flags)
    except InvalidSettingError as error:
        raise UsageError(str(error)) from None
    _check_exposure(options)
    # Imported here, so that the other commands do not wait for the broker to be loaded.
    from lastvalue.server.broker_server import BrokerServer
    from lastvalue.server.log_output import LogOutput
    from lastvalue.server.open_store import advertised_address
    from lastvalue.server.recent_lines import RecentLines

    try:
        output = LogOutput(options)
    except OSError as error:
        raise CommandFailedError(f"{options.audit_log} cannot be written: {error.strerror}") from None
    recent = RecentLines()
    output.keep(recent.filter)
    with output, _failing_in_the_log(output), _without_collections():
        _tell_start(options)
        server = BrokerServer(options, clock=_clock(clock, clock_start))
        server.broker.log = recent
        own = advertised_address(options, options.port)
        server.broker.authorization.partitions = configuration.partitions_for(own)
        if restore is not None:
            _restore(restore, options.store)
        _recover(server)
        if config is not None:
            server.serve_configuration(config, lambda read: merged_options(read.server, os.environ, flags))
            _reach(server, configuration, config)
            _serve_pipeline(server, configuration, config)
        _run(server, output)


@contextlib.contextmanager
def _failing_in_the_log(output: "LogOutput") -> Iterator[None]:
    """Tell why the broker ends by an event, with the trace of what nobody expected, if the log is JSON."""
    from lastvalue.server.log_events import SERVER_FAILED

    try:
        yield
    except Exception as error:
        if output.is_text or isinstance(error, typer.Exit):
            raise
        known = isinstance(error, CommandFailedError | UsageError | LastvalueError)
        SERVER_FAILED.log(None if known else error, cause=str(error) or type(error).__name__)
        code = ExitCode.USAGE if isinstance(error, UsageError) else ExitCode.FAILED
        raise typer.Exit(code) from None


@contextlib.contextmanager
def _without_collections() -> Iterator[None]:
    """Search for no garbage until the server listens: what there is then stays, and may be much."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _tell_start(options: ServerOptions) -> None:
    from lastvalue import __version__
    from lastvalue.server.build import is_compiled
    from lastvalue.server.event_loop import chosen_event_loop
    from lastvalue.server.log_events import SERVER_STARTING

    SERVER_STARTING.log(
        version=__version__,
        compiled=is_compiled(),
        python=platform.python_version(),
        event_loop=chosen_event_loop(options.event_loop).value,
        pid=os.getpid(),
        store=options.store,
    )


def _check_exposure(options: ServerOptions) -> None:
    """Refuse a public address without users unless --anonymous says so, and what lacks its package.

    Raises:
        UsageError: the options need another one, or a package is missing.
    """
    if options.anonymous is None and not options.knows_users and not options.is_local:
        raise UsageError(
            f"on {options.host} everybody could do everything; "
            "add --users-file (`lastvalue user add` makes one), or --anonymous"
        )
    if options.http_port is not None:
        check_package()
        gateway_settings(options, options.port)
    if (options.ws_port, options.wss_port) != (None, None) and find_spec("websockets") is None:
        raise UsageError("WebSocket needs `pip install 'lastvalue[websocket]'`")
    if options.event_loop is EventLoop.UVLOOP and find_spec("uvloop") is None:
        raise UsageError("--event-loop uvloop needs `pip install 'lastvalue[uvloop]'`")
    if isinstance(options.store, LogAddress) and find_spec("nats") is None:
        raise UsageError("a store in a replicated log needs `pip install 'lastvalue[cluster]'`")


def _clock(kind: ClockKind, start_ms: int | None) -> "Clock":
    from lastvalue.server.clock import Clock, ManualClock

    if kind is ClockKind.MANUAL:
        return ManualClock(Clock().now_ms() if start_ms is None else start_ms)
    if start_ms is not None:
        raise UsageError("--clock-start needs --clock manual")
    return Clock()


def _restore(snapshot: str, store: Path | LogAddress | None) -> None:
    from lastvalue.store.snapshot_places import read_snapshot_place, restore_from

    if isinstance(store, LogAddress):
        raise UsageError(
            "--restore needs a --store that is a directory; for a replicated log restore its stream "
            "(`nats stream restore`)"
        )
    if store is None:
        raise UsageError("--restore needs --store DIR, the directory to restore into")
    try:
        with show_progress("restoring", "bytes") as progress:
            restore_from(read_snapshot_place(snapshot), store, progress)
    except StoreError as error:
        raise CommandFailedError(str(error)) from None
    except OSError as error:
        where = error.filename or store
        raise CommandFailedError(f"{where} cannot be used: {error.strerror or error}") from None


def _recover(server: "BrokerServer") -> None:
    """Restore the store's content into the broker, and log the progress if there is much of it."""
    from lastvalue.server.log_events import STORE_READING

    parts = "messages" if isinstance(server.options.store, LogAddress) else "segments"

    def progress(read: int, of: int) -> None:
        if of > 1:
            STORE_READING.log(read=read, of=of, parts=parts)

    try:
        server.recover(progress)
    except StoreError as error:
        raise CommandFailedError(str(error)) from None
    except OSError as error:
        raise CommandFailedError(
            f"the store {server.options.store} cannot be used: {error.strerror or error}"
        ) from None


def _reach(server: "BrokerServer", configuration: Configuration, file: Path) -> None:
    """Bring the broker to its configuration; what cannot be done is logged, or ends the command."""
    from lastvalue.config.drift import drift_at_start
    from lastvalue.server.log_events import CONFIG_LOADED
    from lastvalue.server.served_configuration import log_outcomes

    on_drift = server.options.on_drift
    server.retained_queues.divide([(each.pattern, each.queue) for each in configuration.mqtt_topics])
    outcomes = drift_at_start(configuration, server.broker, server.now_ms, on_drift)
    if on_drift is OnDrift.REFUSE and outcomes:
        log_outcomes(outcomes)
        raise UsageError(f"the store differs from {file}; --on-drift apply changes what can change")
    CONFIG_LOADED.log(file=file, queues=len(configuration.queues), exchanges=len(configuration.exchanges))
    log_outcomes(outcomes)


def _serve_pipeline(server: "BrokerServer", configuration: Configuration, file: Path) -> None:
    from lastvalue.cli.served_pipeline import ServedPipeline

    if any(configuration.pipeline.parts()):
        server.broker.pipeline = ServedPipeline(file, configuration.pipeline)


def _run(server: "BrokerServer", output: "LogOutput") -> None:
    """Serve until a signal."""
    from lastvalue.server.event_loop import event_loop_factory
    from lastvalue.server.health import HealthPortError

    try:
        with asyncio.Runner(loop_factory=event_loop_factory(server.options.event_loop)) as runner:
            runner.run(_serve(server, output))
    except HealthPortError as error:
        raise CommandFailedError(str(error)) from None
    except OSError as error:
        raise CommandFailedError(_cannot_listen(server.options.host, server.options.port, error)) from None


async def _serve(server: "BrokerServer", output: "LogOutput") -> None:
    from lastvalue.server.broker_server import STOP_TIMEOUT_S
    from lastvalue.server.descriptors import raise_descriptor_limit
    from lastvalue.server.full_collections import FullCollections
    from lastvalue.server.notifier import Notifier

    began_s = time.monotonic()
    notifier = Notifier.from_environment()
    stopped, hurried = asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, _take_signal, stopped, hurried)
    # Without a file there is nothing to read again; the signal must not end the broker either.
    loop.add_signal_handler(signal.SIGHUP, server.reload_configuration)
    before, descriptors = raise_descriptor_limit()
    async with server:
        FullCollections().look_regularly(loop)
        gc.enable()
        _print_addresses(server)
        _start_gateway(server)
        _tell_ready(before, descriptors, server.options.max_connections, time.monotonic() - began_s)
        output.look_regularly(loop)
        notifier.ready()
        cause = await _stopped_or_ended(stopped, server)
        if server.gateway is not None:
            await server.gateway.stop(hurried)
        notifier.stopping(server.options.drain_timeout_ms / 1000 + STOP_TIMEOUT_S)
        if cause is None:
            if not stopped.is_set():
                loop.call_later(_HANDS_OVER_S, hurried.set)
            await server.drain(hurried)
    if cause is not None:
        raise CommandFailedError(str(cause))


def _start_gateway(server: "BrokerServer") -> None:
    from lastvalue.server.gateway_figures import gateway_figures
    from lastvalue.server.log_events import SERVER_LISTENING
    from lastvalue.server.queue_alerts import read_threshold

    started = broker_gateway(server.options, server.port)
    if started is not None:
        server.gateway, url = started
        thresholds = [read_threshold(each) for each in server.options.http_alerts]
        server.gateway.start(partial(gateway_figures, server.broker, thresholds))
        print(f"listening on {url}", flush=True)
        SERVER_LISTENING.log(url=url)


def _print_addresses(server: "BrokerServer") -> None:
    host = server.options.host
    shown = f"[{host}]" if ":" in host else host
    ports = {
        "amqp": server.port,
        "amqps": server.tls_port,
        "tcp": server.core_port,
        "mqtt": server.mqtt_port,
        "mqtts": server.mqtt_tls_port,
        "ws": server.ws_port,
        "wss": server.wss_port,
    }
    for scheme, port in ports.items():
        if port:
            print(f"listening on {scheme}://{shown}:{port}", flush=True)
    if server.health_port:
        print(f"health on http://{server.options.health_host}:{server.health_port}/readyz", flush=True)


async def _stopped_or_ended(stopped: asyncio.Event, server: "BrokerServer") -> StoreError | None:
    """Wait for a signal, or until the store lets this broker serve no more; the cause of that."""
    if server.ended is None:
        raise RuntimeError("the server is not started")
    waiting = asyncio.ensure_future(stopped.wait())
    await asyncio.wait((waiting, server.ended), return_when=asyncio.FIRST_COMPLETED)
    waiting.cancel()
    return server.ended.result() if server.ended.done() else None


def _take_signal(stopped: asyncio.Event, hurried: asyncio.Event) -> None:
    """The first signal stops the broker, a further one ends its wait for what clients have begun."""
    (hurried if stopped.is_set() else stopped).set()


def _tell_ready(before: int, descriptors: int, connections: int, seconds: float) -> None:
    from lastvalue.server.log_events import SERVER_FEW_DESCRIPTORS, SERVER_READY

    SERVER_READY.log(
        seconds=round(seconds, 3),
        descriptors=descriptors,
        descriptors_before=before,
        max_connections=connections,
    )
    if 0 <= descriptors < connections:
        SERVER_FEW_DESCRIPTORS.log(descriptors=descriptors, max_connections=connections)


def _cannot_listen(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} of {host} is taken; choose another with --port, or add --port-fallback"
    reason = os.strerror(error.errno) if error.errno and error.errno > 0 else str(error)
    return f"cannot listen on {host}:{port}: {reason}"
