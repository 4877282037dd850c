"""lastvalue.compat.mosquitto.imports."""

from typing import Any

import pytest

from lastvalue.compat.mosquitto.imports import import_mosquitto
from lastvalue.config.report import UnreadableSourceError

WITH_TLS = """
listener 8883
cafile /tls/ca.crt
certfile /tls/server.crt
keyfile /tls/server.key
"""


def settings(text: str) -> dict[str, Any]:
    return {name: str(value) for name, value in import_mosquitto(text)[0].server.items()}


def told(text: str) -> list[str]:
    return import_mosquitto(text)[1].lines()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", {"host": "localhost", "mqtt_port": "1883"}),
        ("# a comment\n\n  allow_anonymous true", {"anonymous": "True"}),
        ("port 1884", {"host": "0.0.0.0", "mqtt_port": "1884"}),
        ("bind_address 10.0.0.1", {"host": "10.0.0.1", "mqtt_port": "1883"}),
        ("listener 1883\nlistener 9001\nprotocol websockets", {"mqtt_port": "1883", "ws_port": "9001"}),
        (
            WITH_TLS,
            {
                "host": "0.0.0.0",
                "mqtt_tls_port": "8883",
                "tls_certificate": "/tls/server.crt",
                "tls_key": "/tls/server.key",
            },
        ),
        (
            f"{WITH_TLS}require_certificate true\nprotocol websockets",
            {"wss_port": "8883", "tls_client_ca": "/tls/ca.crt", "tls_client_required": "True"},
        ),
        ("allow_anonymous false\npassword_file /etc/p", {"anonymous": "False", "users_file": "users.toml"}),
        ("listener 1883\npassword_file /etc/p", {"anonymous": "False", "users_file": "users.toml"}),
        ("max_packet_size 1000", {"max_message_size": "1000"}),
        ("message_size_limit 1000", {"max_message_size": "1000"}),
        ("max_queued_messages 50", {"mqtt_max_session_messages": "50"}),
        ("max_connections 10", {"max_connections": "10"}),
        ("max_keepalive 60", {"idle_timeout_ms": "120000"}),
        ("persistent_client_expiration 2d", {"mqtt_max_session_expiry_s": "172800"}),
        ("persistence true", {"store": "lastvalue"}),
        ("persistence_location /var/lib/m/\npersistence true", {"store": "/var/lib/m/lastvalue"}),
    ],
)
def test_what_maps_is_a_setting(text: str, expected: dict[str, str]) -> None:
    assert settings(text).items() >= expected.items()
    left_out = [line for line in told(text) if line.startswith("not mapped") and "password_file" not in line]
    assert [line for line in left_out if "mosquitto.conf/anonymous" not in line] == []


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("\nmax_inflight_messages 20", "line 2, max_inflight_messages: how many a client takes"),
        ("password_file /etc/p", "line 1, password_file: an import reads no other file; `lastvalue user"),
        ("acl_file /etc/a", "line 1, acl_file: an import reads no other file; convert that one with"),
        ("wonder 7", "line 1, wonder: a setting here does not have this"),
        ("max_packet_size big", "line 1, max_packet_size = 'big': expected a number"),
        ("max_packet_size 0", "line 1, max_packet_size = '0': `max_message_size` has always a limit"),
        ("persistent_client_expiration 2s", "line 1, persistent_client_expiration = '2s': expected a number"),
        ("persistence_location /x", "line 1, persistence_location: without `persistence true`"),
        ("listener 1883\nlistener 1884", "line 2, listener: there is one `mqtt_port`, which is 1883"),
        ("listener 1883 a\nlistener 9001 b\nprotocol websockets", "line 2, listener = 'b': all ports are at"),
        ("listener 0 /run/m.sock", "line 1, listener: expected a port"),
        ("listener 1883\nprotocol other", "line 1, listener: the protocol 'other' is not spoken"),
        ("listener 1883\nkeyfile k", "line 2, keyfile: the listener has no `certfile`"),
        (
            f"{WITH_TLS}listener 9443\nprotocol websockets\ncertfile /b",
            "line 8, certfile: there is one",
        ),
        ("connection up\naddress b:1883\ntopic # both", "line 3, topic: the broker connects to no other one"),
        ("max_connections 0", "mosquitto.conf/max_connections = 0: expected"),
    ],
)
def test_what_does_not_map_is_told_with_its_line(text: str, line: str) -> None:
    assert [each for each in told(text) if each.startswith(f"not mapped: {line}")], told(text)


def test_where_nobody_would_be_let_in_that_is_told() -> None:
    line = "not mapped: mosquitto.conf/anonymous = False: this accepts no clients; set users_file or users"
    assert told("listener 1883") == [line]
    assert told("listener 1883\nallow_anonymous true") == []


def test_one_faulty_setting_takes_no_other_one_along() -> None:
    assert settings("max_connections 0\nmax_packet_size 10")["max_message_size"] == "10"


def test_another_file_is_refused() -> None:
    with pytest.raises(UnreadableSourceError, match=r"line 2 is none of mosquitto\.conf: '<broker>'"):
        import_mosquitto("port 1883\n<broker> x")
