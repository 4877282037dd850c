"""TLS of a listener: a certificate that may be replaced while the process runs."""

import os
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from lastvalue.config.certificate_expiry import certificate_expiry_ms
from lastvalue.config.file_access import explain_file_access
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError


class TlsError(LastvalueError):
    """A certificate, its key or its authorities cannot be used."""

    condition = Condition.INVALID_FIELD


@dataclass(frozen=True)
class TlsOptions:
    """The listener's certificate, and the authorities that it trusts.

    Attributes:
        certificate: a file in PEM with the chain.
        key: a file in PEM; None if the certificate's file has the key.
        client_ca: a file in PEM with the authorities of client certificates; None asks for no certificates.
        client_required: peers without a certificate are refused.
    """

    certificate: Path
    key: Path | None = None
    client_ca: Path | None = None
    client_required: bool = False


class TlsListener:
    """The context of the listener; new handshakes use the current files.

    Args:
        on_change: called when the files have changed, with the reason why they cannot be used, or None.

    Attributes:
        expires_ms: when the certificate in use ends.

    Raises:
        TlsError: the files cannot be used.
    """

    def __init__(self, options: TlsOptions, on_change: Callable[[TlsOptions, TlsError | None], None]) -> None:
        self._options = options
        self._on_change = on_change
        self._stamp = self._files()
        self._newest = server_context(options)
        self.expires_ms = certificate_expiry_ms(options.certificate)
        self.context = self._newest
        self.context.sni_callback = self._handshake

    def use(self, options: TlsOptions) -> None:
        """Use these files for new handshakes; open connections stay.

        Raises:
            TlsError: the files cannot be used; those of before stay in use.
        """
        self._newest = server_context(options)
        self.expires_ms = certificate_expiry_ms(options.certificate)
        self._options = options
        self._stamp = self._files()

    def _handshake(self, connection: ssl.SSLObject, name: str | None, context: ssl.SSLContext) -> None:
        del name, context
        stamp = self._files()
        if stamp != self._stamp:
            self._stamp = stamp
            try:
                self._newest = server_context(self._options)
                self.expires_ms = certificate_expiry_ms(self._options.certificate)
            except TlsError as error:
                self._on_change(self._options, error)
            else:
                self._on_change(self._options, None)
        connection.context = self._newest

    def _files(self) -> tuple[object, ...]:
        options = self._options
        return tuple(_stamp(path) for path in (options.certificate, options.key, options.client_ca))


def server_context(options: TlsOptions) -> ssl.SSLContext:
    """The context of a listener with these files.

    Raises:
        TlsError: the files cannot be used.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        context.load_cert_chain(options.certificate, options.key)
        if options.client_ca is not None:
            context.load_verify_locations(options.client_ca)
            context.verify_mode = ssl.CERT_REQUIRED if options.client_required else ssl.CERT_OPTIONAL
    except (OSError, ValueError) as error:
        files = [path for path in (options.certificate, options.key, options.client_ca) if path]
        names = " and ".join(str(path) for path in files)
        raise TlsError(f"the certificate in {names} cannot be used: {_reason(error, files)}") from error
    return context


def _reason(error: Exception, files: list[Path]) -> str:
    denied = [path for path in files if not os.access(path, os.R_OK)]
    # The library does not say which of the files it could not open.
    return (
        explain_file_access(error, denied[0]) if isinstance(error, PermissionError) and denied else str(error)
    )


def _stamp(path: Path | None) -> object:
    if path is None:
        return None
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
