"""lastvalue.http.gateway_socket."""

import pytest

from lastvalue.http.gateway_settings import GatewaySettings
from lastvalue.http.gateway_socket import GatewayPortError, listen, url_of

URL = "amqp://127.0.0.1:1"


def test_a_port_that_is_taken_is_said() -> None:
    with (
        listen(GatewaySettings(url=URL, port=0)) as first,
        pytest.raises(GatewayPortError, match="is taken; choose another"),
    ):
        listen(GatewaySettings(url=URL, port=first.getsockname()[1]))


def test_an_address_of_another_machine_is_said() -> None:
    with pytest.raises(GatewayPortError, match=r"cannot serve HTTP on 192\.0\.2\.1:0: Cannot assign"):
        listen(GatewaySettings(url=URL, host="192.0.2.1", port=0, behind_proxy=True))


@pytest.mark.parametrize(
    ("host", "certificate", "shown"),
    [
        ("127.0.0.1", None, "http://127.0.0.1:"),
        ("::1", None, "http://[::1]:"),
        ("localhost", "server.pem", "https://localhost:"),
    ],
)
def test_the_url_is_one_that_a_caller_can_use(host: str, certificate: str | None, shown: str) -> None:
    settings = GatewaySettings(url=URL, host=host, port=0, certificate=certificate)
    with listen(settings) as listening:
        assert url_of(settings, listening) == f"{shown}{listening.getsockname()[1]}"
