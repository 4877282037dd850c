"""lastvalue.cli.retained_import."""

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import trustme

from lastvalue.broker.rights.permissions import Permissions, parse_rule
from lastvalue.cli.exits import ExitCode
from lastvalue.client.loop_thread import LoopThread
from lastvalue.codec.mqtt.packet_encoder import encode_packet
from lastvalue.codec.mqtt.packet_types import LEVEL_5, LEVEL_311, PacketType
from lastvalue.codec.mqtt.packets import ConnAck, Disconnect, Packet, Publish, SubAck
from lastvalue.codec.mqtt.properties import NONE
from lastvalue.codec.mqtt.reason_codes import ReasonCode
from lastvalue.server.broker_server import BrokerServer, ServerOptions

Run = Callable[[str], tuple[int, str, str]]
SOON = "--quiet-s 0.2"


@contextmanager
def served(options: ServerOptions | None = None) -> Iterator[BrokerServer]:
    """Another broker."""
    thread, server = LoopThread(), BrokerServer(options or ServerOptions(port=0))
    thread.run(server.start())
    try:
        yield server
    finally:
        thread.run(server.stop())
        thread.stop()


@contextmanager
def scripted(*answers: list[bytes]) -> Iterator[str]:
    """A broker that says this to each connection, a part after each thing that it hears."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        for parts in answers:
            peer = listener.accept()[0]
            for part in parts:
                peer.recv(1 << 16)
                peer.sendall(part)
            if not parts:
                peer.recv(1 << 16)
                peer.close()
                continue
            while peer.recv(1 << 16):
                pass
            peer.close()

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    yield f"mqtt://127.0.0.1:{listener.getsockname()[1]}"
    thread.join(60)
    listener.close()


def said(*packets: Packet, level: int = LEVEL_5) -> bytes:
    return b"".join(encode_packet(each, level) for each in packets)


def retained(topic: str, payload: bytes, *, retain: bool = True) -> Publish:
    message = Publish(topic, payload, 0, 0, NONE)
    message.retain = retain
    return message


def keep(lastvalue: Run, port: int) -> None:
    """Have a broker keep two retained messages."""
    url = f"--url amqp://127.0.0.1:{port}"
    lastvalue(f"queue add mqtt.retained --lvq-key topic --durable --delete-on-empty {url}")
    assert lastvalue(f"put mqtt.retained home/door open -p by=ann {url}")[0] == 0
    assert lastvalue(f"put mqtt.retained home/door/bell 7 {url}")[0] == 0


@pytest.mark.usefixtures("url")
def test_retained_messages_move_with_their_properties(lastvalue: Run) -> None:
    with served() as source:
        keep(lastvalue, source.port)
        code, _, errors = lastvalue(f"import-retained mqtt://127.0.0.1:{source.port} {SOON}")
        assert (code, errors) == (0, "copied 2 retained messages\n")
        found = json.loads(lastvalue("get mqtt.retained home/door -o jsonl")[1])
        assert (found["body"], found["properties"]) == ("open", {"topic": "home/door", "by": "ann"})
        line = f"import-retained mqtt://127.0.0.1:{source.port} --filter home/+ --filter nothing {SOON}"
        assert lastvalue(line)[2] == "copied 1 retained messages\n"


@pytest.mark.usefixtures("url")
def test_they_move_over_tls_from_a_broker_whose_certificate_is_trusted(
    lastvalue: Run, tmp_path: Path
) -> None:
    authority = trustme.CA()
    certificate, trusted = tmp_path / "server.pem", tmp_path / "ca.pem"
    authority.issue_cert("localhost").private_key_and_cert_chain_pem.write_to_path(certificate)
    authority.cert_pem.write_to_path(trusted)
    options = ServerOptions(port=0, mqtt_tls_port=0, tls_certificate=certificate)
    with served(options) as source:
        keep(lastvalue, source.port)
        secure = f"import-retained mqtts://localhost:{source.mqtt_tls_port}"
        code, _, errors = lastvalue(f"{secure} {SOON}")
        assert (code, "certificate" in errors) == (ExitCode.CANNOT_CONNECT, True)
        assert lastvalue(f"{secure}?ca_file={trusted} {SOON}")[2] == "copied 2 retained messages\n"
    found = json.loads(lastvalue("get mqtt.retained home/door -o jsonl")[1])
    assert (found["body"], found["properties"]) == ("open", {"topic": "home/door", "by": "ann"})


@pytest.mark.usefixtures("url")
def test_a_broker_that_knows_3_1_1_alone_is_asked_again(lastvalue: Run) -> None:
    granted = SubAck(PacketType.SUBACK, 1, (ReasonCode.SUCCESS,))
    old = [
        said(ConnAck(), level=LEVEL_311),
        said(granted, retained("a", b"1"), retained("b", b"2", retain=False), level=LEVEL_311),
    ]
    with scripted([b"\x20\x02\x00\x01"], old) as source:
        assert lastvalue(f"import-retained {source} {SOON}")[2] == "copied 1 retained messages\n"
    with scripted([], old) as source:
        assert lastvalue(f"import-retained {source} {SOON}")[2] == "copied 1 retained messages\n"
    assert '"1"' in lastvalue("get mqtt.retained a -o jsonl")[1]


@pytest.mark.parametrize(
    ("answers", "code", "fault"),
    [
        ([[], []], 1, "lets nobody in by MQTT: it closed the connection"),
        ([[said(ConnAck(reason=ReasonCode.BANNED))]], 1, "lets nobody in by MQTT: reason code 0x8a"),
        ([[said(ConnAck(reason=ReasonCode.NOT_AUTHORIZED))]], 3, "the broker refuses the credentials"),
        (
            [[said(ConnAck()), said(SubAck(PacketType.SUBACK, 1, (ReasonCode.NOT_AUTHORIZED,)))]],
            1,
            "127.0.0.1 refuses the filter '#'",
        ),
        ([[said(ConnAck()), said(Disconnect(ReasonCode.SERVER_BUSY))]], 1, "disconnected: SERVER_BUSY"),
        ([[said(ConnAck()), b"\xf0\x00\x30\x00"]], 1, "127.0.0.1 says what is no MQTT"),
    ],
)
@pytest.mark.usefixtures("url")
def test_what_the_other_broker_refuses_is_told(
    lastvalue: Run, answers: list[list[bytes]], code: int, fault: str
) -> None:
    with scripted(*answers) as source:
        found, _, errors = lastvalue(f"import-retained {source} {SOON}")
    assert fault in errors
    assert found == code


def test_what_this_broker_refuses_is_told_and_the_rest_comes(lastvalue: Run) -> None:
    with served() as source, served() as target:
        keep(lastvalue, source.port)
        rules = Permissions((parse_rule("write amq.topic"),))
        target.broker.authorization.permissions = lambda user: rules
        line = f"import-retained mqtt://127.0.0.1:{source.port} --url amqp://127.0.0.1:{target.port} {SOON}"
        code, _, errors = lastvalue(line)
        assert code == ExitCode.FAILED
        assert "lastvalue: home/door: refused: not authorized\n" in errors
        assert "copied 0 retained messages\n" in errors
        assert "2 of 2 retained messages were refused" in errors


@pytest.mark.parametrize("url", ["http://x", "x", "mqtt:x"])
def test_another_url_is_refused(lastvalue: Run, url: str) -> None:
    code, _, errors = lastvalue(f"import-retained {url}")
    assert (code, "expected mqtt://host or mqtts://host" in errors) == (2, True)
