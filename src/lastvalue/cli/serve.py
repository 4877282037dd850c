"""`lastvalue serve`: a broker in the foreground."""

import asyncio
import errno
import logging
import os
import signal
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer

from lastvalue.cli.exits import CommandFailedError, UsageError

if TYPE_CHECKING:
    from lastvalue.server.broker_server import BrokerServer

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 5672


def serve(
    *,
    host: Annotated[
        str, typer.Option("--host", help="The address to listen on; 0.0.0.0 is every one.")
    ] = DEFAULT_HOST,
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="The port to listen on; 0 is any free one.")
    ] = DEFAULT_PORT,
    port_fallback: Annotated[
        bool, typer.Option("--port-fallback", help="Where the port is taken, take the next free one.")
    ] = False,
    user: Annotated[
        list[str] | None,
        typer.Option(
            "--user",
            metavar="NAME:PASSWORD",
            envvar="LASTVALUE_USERS",
            help="Let this user in; may be given again.",
        ),
    ] = None,
    anonymous: Annotated[
        bool | None,
        typer.Option(
            "--anonymous/--no-anonymous",
            help="Let in who gives no name; by default only where there are no users.",
        ),
    ] = None,
) -> None:
    """Run a broker until Ctrl-C or a TERM signal; what its queues hold is lost then."""
    users = parsed_users(user or ())
    lets_anyone = not users if anonymous is None else anonymous
    if not users and not lets_anyone:
        raise UsageError("--no-anonymous without --user lets nobody in; name users")
    # Here, so that the other commands do not wait for the broker to be loaded.
    from lastvalue.server.broker_server import BrokerServer, ServerOptions  # noqa: PLC0415 - see above

    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    options = ServerOptions(
        host=host, port=port, port_fallback=port_fallback, anonymous=lets_anyone, users=users
    )
    try:
        asyncio.run(_serve(BrokerServer(options)))
    except OSError as error:
        raise CommandFailedError(_cannot_listen(host, port, error)) from None


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
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    async with server:
        host = server.options.host
        print(f"listening on amqp://{f'[{host}]' if ':' in host else host}:{server.port}", flush=True)
        await stopped.wait()


def _cannot_listen(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} of {host} is taken; choose another with --port, or add --port-fallback"
    reason = os.strerror(error.errno) if error.errno and error.errno > 0 else str(error)
    return f"cannot listen on {host}:{port}: {reason}"
