"""When a certificate ends, which the standard library does not say of a server's own one [RFC 5280 §4.1]."""

import ssl
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

_BEGIN: Final = "-----BEGIN CERTIFICATE-----"
_END: Final = "-----END CERTIFICATE-----"
_VERSION: Final = 0xA0
_UTC_TIME: Final = 0x17
_CENTURY_YEAR: Final = 50
"""[RFC 5280 §4.1.2.5.1] Two digits from here on are of the century before."""


def certificate_expiry_ms(file: Path) -> int:
    """The end of the first certificate in a file in PEM, which is the owner's, milliseconds since the epoch.

    Raises:
        OSError: the file cannot be read.
        ValueError: it has no certificate.
    """
    text = file.read_text(encoding="ascii", errors="replace")
    if _BEGIN not in text:
        raise ValueError(f"{file} has no certificate in PEM")
    return expiry_of_pem_ms(text[text.index(_BEGIN) : text.index(_END) + len(_END)])


def expiry_of_pem_ms(pem: str) -> int:
    """The end of a certificate in PEM, milliseconds since the epoch."""
    whole = ssl.PEM_cert_to_DER_cert(pem)
    signed = _content(_content(whole, 0)[1], 0)[1]
    at = 0
    if signed[0] == _VERSION:
        at = _content(signed, 0)[2]
    # Serial number, signature algorithm, issuer.
    for _ in range(3):
        at = _content(signed, at)[2]
    validity = _content(signed, at)[1]
    kind, not_after, _ = _content(validity, _content(validity, 0)[2])
    digits = not_after.decode("ascii").removesuffix("Z")
    if kind == _UTC_TIME:
        digits = ("19" if int(digits[:2]) >= _CENTURY_YEAR else "20") + digits
    return round(datetime.strptime(digits, "%Y%m%d%H%M%S").replace(tzinfo=UTC).timestamp() * 1000)


def _content(data: bytes, at: int) -> tuple[int, bytes, int]:
    """The element at a place: its tag, its content, and where the next one begins [X.690 §8.1]."""
    tag, length, begins = data[at], data[at + 1], at + 2
    if length & 0x80:
        count = length & 0x7F
        length = int.from_bytes(data[begins : begins + count], "big")
        begins += count
    return tag, data[begins : begins + length], begins + length
