"""The host and the port of a peer, and which hosts are one for a limit by address."""

from ipaddress import IPv6Address, IPv6Network
from typing import Final

IPV6_PREFIX: Final = 64
"""[RFC 4291 §2.5.4] The bits of an IPv6 address that name a network; its machines choose the others."""


def peer_host(peer: str) -> str:
    """The host of `host:port` or `[host]:port`; a text without a port is the host itself."""
    if peer.startswith("["):
        return peer[1:].partition("]")[0]
    return peer.partition(":")[0] if peer.count(":") == 1 else peer


def peer_port(peer: str) -> int | None:
    """The port of `host:port` or `[host]:port`; None if the text has none."""
    port = peer.rpartition("]")[2].rpartition(":")[2] if peer.startswith("[") or peer.count(":") == 1 else ""
    return int(port) if port.isdecimal() else None


def canonical_host(host: str) -> str:
    """A host as it is shown and compared: an IPv4 address mapped into IPv6 is the IPv4 address."""
    address = _ipv6(host)
    mapped = None if address is None else address.ipv4_mapped
    return host if mapped is None else str(mapped)


def network_of(host: str) -> str:
    """By what a limit counts a host: of an IPv6 address its network, else the host itself.

    A machine with IPv6 usually has a whole network of addresses, so a limit on each would not bind it.
    """
    host = canonical_host(host)
    address = _ipv6(host)
    if address is None or address.is_loopback:
        return host
    return str(IPv6Network((int(address), IPV6_PREFIX), strict=False))


def _ipv6(host: str) -> IPv6Address | None:
    if ":" not in host:
        return None
    try:
        # A zone (`%eth0`) is this machine's name of a link.
        return IPv6Address(host.partition("%")[0])
    except ValueError:
        return None
