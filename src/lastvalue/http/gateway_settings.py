"""The settings of a gateway."""

import ssl
from dataclasses import asdict, dataclass, replace
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Self


class InvalidGatewaySettingsError(ValueError):
    """The settings of a gateway contradict each other, or would expose the broker."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GatewaySettings:
    """The settings of a gateway.

    Attributes:
        url: the broker's, as `client.connect` takes it. Its user reads the metrics.
        host, port: to listen on; port 0 takes a free one.
        names: the names by which browsers may reach it, besides addresses and localhost.
        anonymous: serve callers without credentials; None: only on a loopback address.
        behind_proxy: a proxy in front of it speaks TLS with the callers.
        certificate, private_key: files of its own TLS, or None.
        sessions: the file that keeps sessions of browsers for its next process, or None.
        tables: those of `lastvalue pipeline history`, for records that the broker no longer has.
        webhook: the URL that hears of alerts, or None.
        tls: how the broker's certificate is checked; None trusts the authorities of the machine.
    """

    url: str
    host: str = "127.0.0.1"
    port: int = 8080
    names: tuple[str, ...] = ()
    anonymous: bool | None = None
    behind_proxy: bool = False
    certificate: str | None = None
    private_key: str | None = None
    sessions: str | None = None
    tables: Path | str | None = None
    webhook: str | None = None
    tls: ssl.SSLContext | None = None

    def __post_init__(self) -> None:
        if not self.is_local and not self.behind_proxy and self.certificate is None:
            raise InvalidGatewaySettingsError(
                f"on {self.host} passwords would travel in clear text; "
                "give a certificate, or say that a proxy speaks TLS"
            )

    @classmethod
    def from_document(cls, document: dict[str, Any]) -> Self:
        """The settings of a document that `document` has made."""
        return cls(**document | {"names": tuple(document["names"])})

    def document(self) -> dict[str, Any]:
        """The settings as JSON has them; those of `tls` cannot be in it."""
        tables = None if self.tables is None else str(self.tables)
        return asdict(replace(self, tls=None)) | {"tables": tables}

    @property
    def is_local(self) -> bool:
        """Whether only this machine reaches it."""
        return is_loopback(self.host)

    @property
    def is_secure(self) -> bool:
        """Whether callers reach it by TLS."""
        return self.behind_proxy or self.certificate is not None

    @property
    def session_cookie(self) -> str:
        """The name of its cookie; with the prefix browsers take it only over TLS, for this host alone."""
        return "__Host-lastvalue-session" if self.is_secure else "lastvalue-session"

    @property
    def serves_anonymous(self) -> bool:
        """Whether callers without credentials are served."""
        return self.is_local if self.anonymous is None else self.anonymous


def is_loopback(host: str) -> bool:
    """Whether a host is this machine alone."""
    if host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
