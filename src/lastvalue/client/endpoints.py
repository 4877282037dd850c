"""The brokers that a connection may be to, and connecting to one of them."""

import asyncio
import ssl
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Final, final

from lastvalue.client.driver import Driver, now
from lastvalue.client.errors import (
    ClientError,
    ConnectFailedError,
    ConnectTimedOutError,
    TimedOutError,
    connect_error,
)
from lastvalue.client.timeouts import within_timeout
from lastvalue.client.url import BrokerUrl
from lastvalue.protocols.amqp10.connection import Connection as Engine
from lastvalue.protocols.amqp10.lease import announced_lease_ms
from lastvalue.protocols.amqp10.options import ConnectionOptions, Role

_ATTEMPTS_IN_A_LEASE: Final = 8
"""How often a connection is tried until another broker may lead, in place of the one that is lost."""
_LEAST_PATIENCE_S: Final = 0.5


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A broker, and how to connect to it."""

    broker: BrokerUrl
    options: ConnectionOptions
    tls: ssl.SSLContext | None

    @property
    def where(self) -> str:
        """Its host and port."""
        return f"{self.broker.host}:{self.broker.port}"

    def engine(self) -> Engine:
        """An engine for a new connection."""
        return Engine(Role.CLIENT, self.options, now())


@final
class Endpoints:
    """The brokers of a connection.

    Args:
        endpoints: at least one, the preferred one first.
        timeout_s: seconds that connecting to one of them may take.
    """

    def __init__(self, endpoints: Sequence[Endpoint], timeout_s: float) -> None:
        self._endpoints = list(endpoints)
        self._timeout_s = timeout_s
        # The broker that was connected last, and the one to which that has sent this client.
        self._last = self._endpoints[0]
        self._sent_to: Endpoint | None = None
        # Of the broker that was connected last: another one leads after so long a silence; 0 is no other.
        self._lease_s = 0.0
        self._patience_s = timeout_s

    async def connect(self, driver: Driver) -> ClientError | None:
        """Connect the driver, whose last socket is gone, to one of them; or why the last one failed."""
        failure: ClientError | None = None
        self._take_redirect(driver)
        sent_to = [] if self._sent_to is None else [self._sent_to]
        for endpoint in [*sent_to, *self._endpoints]:
            try:
                await self._connect_to(endpoint, driver)
            except (ConnectFailedError, ConnectTimedOutError) as error:
                # Its frames refer to it, and to the driver.
                failure = error.with_traceback(None)
                if isinstance(error, ConnectTimedOutError):
                    self._patience_s = min(2 * self._patience_s, self._timeout_s)
            else:
                self._last = endpoint
                self._take_lease(driver)
                return None
        return failure

    def _take_lease(self, driver: Driver) -> None:
        """A broker that is stopped is connected to and does not answer: leave it for another one soon."""
        remote = driver.engine.remote
        self._lease_s = 0.0 if remote is None else announced_lease_ms(remote) / 1000
        patience_s = max(_LEAST_PATIENCE_S, self._lease_s / 4) if self._lease_s else self._timeout_s
        self._patience_s = min(patience_s, self._timeout_s)

    def wait_s(self, failed: int, wait_s: float) -> float:
        """How long to wait after this many failures: `wait_s`, or less while another broker may lead."""
        if self._lease_s and failed < 2 * _ATTEMPTS_IN_A_LEASE:
            return min(wait_s, self._lease_s / _ATTEMPTS_IN_A_LEASE)
        return wait_s

    def _take_redirect(self, driver: Driver) -> None:
        """Try the broker first to which the last one has sent this client, as the same user."""
        redirect, driver.redirect = driver.redirect, None
        if redirect is not None:
            broker = replace(self._last.broker, host=redirect.host, port=redirect.port)
            options = replace(self._last.options, hostname=redirect.host)
            self._sent_to = replace(self._last, broker=broker, options=options)

    def others(self, addresses: Sequence[str]) -> "Endpoints":
        """Brokers at these addresses, HOST:PORT, as the same user, with the same TLS."""
        last = self._last
        endpoints = []
        for address in addresses:
            host, _, port = address.rpartition(":")
            broker = replace(last.broker, host=host.strip("[]"), port=int(port))
            known = last.options.credentials
            options = replace(
                last.options, hostname=broker.host, credentials=None if known is None else copy(known)
            )
            endpoints.append(Endpoint(broker, options, last.tls))
        return Endpoints(endpoints, self._timeout_s)

    def forget_credentials(self) -> None:
        """Drop the passwords, because it does not connect again."""
        self._sent_to = None
        for endpoint in self._endpoints:
            if endpoint.options.credentials is not None:
                endpoint.options.credentials.forget()
        self._endpoints = [
            replace(each, broker=replace(each.broker, password="")) for each in self._endpoints
        ]
        self._last = self._endpoints[0]

    async def _connect_to(self, endpoint: Endpoint, driver: Driver) -> None:
        broker = endpoint.broker
        driver.begin(endpoint.engine(), broker.host, broker.port)
        try:
            async with within_timeout(self._patience_s, f"connecting to {endpoint.where}"):
                await asyncio.get_running_loop().create_connection(
                    lambda: driver, broker.host, broker.port, ssl=endpoint.tls
                )
                await driver.until_open()
        except TimedOutError as error:
            # TimeoutError is an OSError too, so it must come first.
            raise ConnectTimedOutError(f"connecting to {endpoint.where}", error.timeout_s) from None
        except OSError as error:
            # asyncio's frames refer to it.
            raise connect_error(broker.host, broker.port, error) from error.with_traceback(None)
        finally:
            if driver.session is None:
                await driver.drop()
