"""lastvalue.server.websocket_gate: hosts and origins of WebSocket requests."""

import pytest

from lastvalue.server.websocket_gate import WebSocketGate


@pytest.mark.parametrize(
    ("hosts", "host"),
    [
        ((), "localhost:8080"),
        ((), "LocalHost"),
        ((), "127.0.0.1:8080"),
        ((), "[::1]:8080"),
        ((), "192.0.2.7"),
        (("Broker.example",), "broker.EXAMPLE:443"),
        (("*",), "any.example"),
    ],
)
def test_a_program_connects_to_a_known_name_or_an_address(hosts: tuple[str, ...], host: str) -> None:
    assert WebSocketGate(hosts).refusal([host], []) is None


@pytest.mark.parametrize("hosts", [[], [""], ["other.example"], ["localhost", "localhost"], ["["]])
def test_another_host_is_refused(hosts: list[str]) -> None:
    assert WebSocketGate(("broker.example",)).refusal(hosts, []) is not None


def test_a_request_with_two_origins_is_refused() -> None:
    assert WebSocketGate().refusal(["localhost"], ["http://localhost", "http://localhost"]) is not None


def test_a_page_whose_name_was_made_to_resolve_here_is_refused() -> None:
    refusal = WebSocketGate().refusal(["evil.example:8080"], ["http://evil.example:8080"])
    assert (
        refusal == "This broker is not known as 'evil.example:8080'; the setting ws_hosts names its hosts.\n"
    )


@pytest.mark.parametrize(
    ("origins", "origin", "connects"),
    [
        ((), "http://broker.example:8000", False),
        ((), "http://broker.example:8080", True),
        ((), "https://BROKER.example:8080", True),
        ((), "https://broker.example", False),
        ((), "https://app.example", False),
        (("https://app.example",), "https://app.example", True),
        (("*",), "https://app.example", True),
        (("*",), "null", False),
        (("null",), "null", True),
        ((), "http://[", False),
        ((), "", False),
    ],
)
def test_a_page_connects_from_this_host_or_an_allowed_origin(
    origins: tuple[str, ...], origin: str, connects: bool
) -> None:
    gate = WebSocketGate(("broker.example",), origins)
    assert (gate.refusal(["broker.example:8080"], [origin]) is None) is connects
