"""lastvalue.http.gateway_settings."""

import pytest

from lastvalue.http.gateway_settings import GatewaySettings, InvalidGatewaySettingsError, is_loopback

URL = "amqp://127.0.0.1"


@pytest.mark.parametrize(
    ("host", "local"),
    [
        ("127.0.0.1", True),
        ("localhost", True),
        ("::1", True),
        ("[::1]", True),
        ("0.0.0.0", False),
        ("web", False),
    ],
)
def test_a_loopback_address_is_this_machine_alone(host: str, local: bool) -> None:
    assert is_loopback(host) is local


def test_elsewhere_it_needs_tls_or_a_proxy() -> None:
    with pytest.raises(InvalidGatewaySettingsError, match="clear text"):
        GatewaySettings(url=URL, host="web")
    assert not GatewaySettings(url=URL, host="web", behind_proxy=True).is_local
    assert not GatewaySettings(url=URL, host="web", certificate="cert.pem").is_local


def test_without_credentials_only_this_machine_is_served_unless_settings_say_otherwise() -> None:
    assert GatewaySettings(url=URL).serves_anonymous
    assert not GatewaySettings(url=URL, anonymous=False).serves_anonymous
    assert not GatewaySettings(url=URL, host="web", behind_proxy=True).serves_anonymous
    assert GatewaySettings(url=URL, host="web", behind_proxy=True, anonymous=True).serves_anonymous
