"""lastvalue.model.peer_host: hosts and ports of peers, and by what limits count them."""

import pytest

from lastvalue.model.peer_host import canonical_host, network_of, peer_host, peer_port


@pytest.mark.parametrize(
    ("peer", "host", "port"),
    [
        ("10.0.0.1:5", "10.0.0.1", 5),
        ("[::1]:5", "::1", 5),
        ("[::1]", "::1", None),
        ("[fe80::1%eth0]:5", "fe80::1%eth0", 5),
        ("10.0.0.1", "10.0.0.1", None),
        ("2001:db8::5", "2001:db8::5", None),
        ("2001:db8::/64", "2001:db8::/64", None),
        ("", "", None),
    ],
)
def test_a_peer_has_a_host_and_maybe_a_port(peer: str, host: str, port: int | None) -> None:
    assert (peer_host(peer), peer_port(peer)) == (host, port)


@pytest.mark.parametrize(
    ("host", "canonical"),
    [
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("::FFFF:c000:201", "192.0.2.1"),
        ("192.0.2.1", "192.0.2.1"),
        ("2001:db8::1", "2001:db8::1"),
        ("::1", "::1"),
        ("localhost", "localhost"),
        ("", ""),
    ],
)
def test_an_ipv4_address_that_is_mapped_into_ipv6_is_the_ipv4_address(host: str, canonical: str) -> None:
    assert canonical_host(host) == canonical


@pytest.mark.parametrize(
    ("host", "network"),
    [
        ("2001:db8::1", "2001:db8::/64"),
        ("2001:db8:0:0:ffff:ffff:ffff:ffff", "2001:db8::/64"),
        ("2001:db8:0:1::1", "2001:db8:0:1::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.2", "192.0.2.2"),
        ("192.0.2.1", "192.0.2.1"),
        ("::1", "::1"),
        ("2001:db8::/64", "2001:db8::/64"),
        ("a:name", "a:name"),
        ("", ""),
    ],
)
def test_limits_count_the_network_of_an_ipv6_address(host: str, network: str) -> None:
    assert network_of(host) == network
