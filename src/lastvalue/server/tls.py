"""TLS of the broker: the files of its options, and the names of its peers."""

from typing import TYPE_CHECKING, Any

from lastvalue.config.tls_listener import TlsError, TlsOptions
from lastvalue.server.log_events import TLS_REPLACED, TLS_UNUSABLE

if TYPE_CHECKING:
    from lastvalue.config.server_options import ServerOptions


def tls_options(options: "ServerOptions") -> TlsOptions | None:
    """The files of a broker's TLS; None if it has none."""
    if options.tls_certificate is None:
        return None
    files = (options.tls_certificate, options.tls_key, options.tls_client_ca)
    return TlsOptions(*files, client_required=options.tls_client_required)


def log_changed_files(options: TlsOptions, fault: TlsError | None) -> None:
    """Log that the files of a listener have changed, and why they cannot be used."""
    if fault is None:
        TLS_REPLACED.log(file=options.certificate)
    else:
        TLS_UNUSABLE.log(cause=fault)


def certificate_name(certificate: Any) -> str | None:
    """The common name of a peer's certificate, as `ssl` gives it; None if it has none."""
    for part in (certificate or {}).get("subject", ()):
        for kind, value in part:
            if kind == "commonName":
                return str(value)
    return None
