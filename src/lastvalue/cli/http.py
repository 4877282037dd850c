"""`lastvalue http`: the HTTP gateway; and the process with it that `lastvalue serve` starts."""

import asyncio
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from lastvalue.cli.exits import CommandFailedError, UsageError
from lastvalue.cli.options import DEFAULT_URL, Tables, Url

if TYPE_CHECKING:
    from lastvalue.config.server_options import ServerOptions
    from lastvalue.http.gateway_settings import GatewaySettings
    from lastvalue.server.gateway_process import GatewayProcess

DEFAULT_PORT = 8080
SESSIONS: Final = "http-sessions.json"
"""The file of the sessions of browsers, in the directory of the store."""


def http(  # noqa: PLR0913 - each is an option of the command
    *,
    url: Url = DEFAULT_URL,
    host: Annotated[str, typer.Option("--host", help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="The port to listen on; 0 for any free one.")
    ] = DEFAULT_PORT,
    name: Annotated[
        list[str] | None,
        typer.Option(
            "--http-name",
            metavar="NAME",
            help="A name by which browsers may reach it, besides addresses and localhost.",
        ),
    ] = None,
    anonymous: Annotated[
        bool | None,
        typer.Option(
            "--anonymous/--no-anonymous",
            help="Serve callers without credentials; by default only on a loopback address.",
            show_default=False,
        ),
    ] = None,
    behind_proxy: Annotated[
        bool, typer.Option("--behind-proxy", help="A proxy in front of it speaks TLS with the callers.")
    ] = False,
    certificate: Annotated[
        Path | None,
        typer.Option("--certificate", metavar="FILE", help="Speak TLS, with this certificate (PEM)."),
    ] = None,
    key: Annotated[
        Path | None,
        typer.Option("--key", metavar="FILE", help="The certificate's key, if it has its own file (PEM)."),
    ] = None,
    tables: Tables = None,
) -> None:
    """Serve a broker's queues, values and metrics over HTTP until Ctrl-C or a TERM signal.

    Each request has the rights of the user whose credentials it carries. The URL's user reads the metrics.
    """
    check_package()
    from lastvalue.gateway.gateway_server import GatewayServer
    from lastvalue.http.gateway_settings import GatewaySettings, InvalidGatewaySettingsError
    from lastvalue.http.gateway_socket import GatewayPortError

    try:
        settings = GatewaySettings(
            url=url,
            host=host,
            port=port,
            names=tuple(name or ()),
            anonymous=anonymous,
            behind_proxy=behind_proxy,
            certificate=None if certificate is None else str(certificate),
            private_key=None if key is None else str(key),
            tables=tables,
        )
        server = GatewayServer(settings)
    except InvalidGatewaySettingsError as error:
        raise UsageError(f"{error}: --certificate FILE, or --behind-proxy") from None
    except GatewayPortError as error:
        raise CommandFailedError(str(error)) from None
    print(f"listening on {server.url}", flush=True)
    asyncio.run(server.serve())


def check_package() -> None:
    """Refuse without the packages of the gateway.

    Raises:
        UsageError: they are missing.
    """
    if not has_gateway():
        raise UsageError("HTTP needs `pip install 'lastvalue[http]'`")


def has_gateway() -> bool:
    """Whether the packages of the gateway are installed."""
    return find_spec("fastapi") is not None and find_spec("uvicorn") is not None


def broker_gateway(options: "ServerOptions", port: int) -> "tuple[GatewayProcess, str] | None":
    """The gateway of a broker that listens on a port, and its URL, if the options ask for one.

    Callers may connect from now on; they wait until it is started.

    Raises:
        CommandFailedError: it cannot listen.
    """
    if options.http_port is None:
        return None
    from lastvalue.http.gateway_socket import GatewayPortError, listen, url_of
    from lastvalue.server.gateway_process import GatewayProcess

    settings = gateway_settings(options, port)
    try:
        listening = listen(settings)
    except GatewayPortError as error:
        raise CommandFailedError(str(error)) from None
    # -P: what lies in the folder in which the broker was started is no part of it.
    command = (sys.executable, "-P", "-m", "lastvalue.cli.gateway_child")
    return GatewayProcess(command, settings.document(), listening), url_of(settings, listening)


def gateway_settings(options: "ServerOptions", port: int) -> "GatewaySettings":
    """The settings of the gateway of a broker that listens on a port.

    Raises:
        UsageError: the options would expose it.
    """
    from lastvalue.http.gateway_settings import GatewaySettings, InvalidGatewaySettingsError

    every = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - compared, not listened on
    host = every.get(options.host, options.host)
    try:
        return GatewaySettings(
            url=f"amqp://{f'[{host}]' if ':' in host else host}:{port}",
            host=options.http_host,
            port=options.http_port or 0,
            names=options.http_names,
            anonymous=options.anonymous,
            behind_proxy=options.http_behind_proxy,
            certificate=None if options.tls_certificate is None else str(options.tls_certificate),
            private_key=None if options.tls_key is None else str(options.tls_key),
            tables=options.http_tables,
            webhook=options.http_webhook,
            # A store in a log has no directory of its own.
            sessions=str(options.store / SESSIONS) if isinstance(options.store, Path) else None,
        )
    except InvalidGatewaySettingsError as error:
        raise UsageError(f"{error}: --tls-certificate FILE, or --http-behind-proxy") from None
