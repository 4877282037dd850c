"""Runs one program of Mosquitto's broker tests against this broker: `TEST PORT` in the folder of the test.

The tests start their broker themselves, by its configuration file, and compare answers octet by octet. So
`start_broker` starts this one, with what an import makes of the file, and what comes from it is read, and
given on with Mosquitto's own limits in CONNACK and without reason strings, which the specification leaves to
each server.
"""

import os
import re
import runpy
import shutil
import subprocess
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

from lastvalue.codec.mqtt.errors import MqttError
from lastvalue.codec.mqtt.fields import variable
from lastvalue.codec.mqtt.frames import FrameReader
from lastvalue.codec.mqtt.packet_decoder import decode_packet
from lastvalue.codec.mqtt.packet_encoder import encode_packet
from lastvalue.codec.mqtt.packet_types import LEVEL_5, LEVEL_311, PacketType
from lastvalue.codec.mqtt.packets import Ack, Auth, ConnAck, Disconnect, Packet, Publish, SubAck
from lastvalue.codec.mqtt.properties import Properties, PropertyId
from lastvalue.codec.mqtt.reason_codes import ReasonCode
from lastvalue.compat.mosquitto.imports import import_mosquitto
from lastvalue.compat.mosquitto.passwords import MECHANISM, read_passwords
from lastvalue.config.toml_writer import to_toml
from lastvalue.server.users import Users

SECONDS = 10
DISCONNECT = 0xE0
NO_MQTT = (b"\xe0\x01\x81", b"\xe0\x01\x82")
"""DISCONNECT for a malformed packet, and for one against the protocol: which of them is a matter of taste."""
RULES = ("read,write amq.topic", "browse,write mqtt.retained", "read mqtt.shared/*")
LIMITS = {
    PropertyId.TOPIC_ALIAS_MAXIMUM: 10,
    PropertyId.MAXIMUM_PACKET_SIZE: 2_000_000,
    PropertyId.RECEIVE_MAXIMUM: 20,
}


class Answer(bytes):
    """What came; the reason of a DISCONNECT may be either of the two for what is no MQTT."""

    def __eq__(self, other: object) -> bool:
        return bytes(self) == other or (bytes(self) in NO_MQTT and other in NO_MQTT)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = bytes.__hash__


class Answers:
    """A socket whose peer answers as Mosquitto would where the specification leaves that open."""

    def __init__(self, real: Any) -> None:
        self._real = real
        self._level = LEVEL_311
        self._sent = b""
        self._reader = FrameReader(1 << 28)
        self._answers = b""
        self._told_end = False
        self.settimeout(SECONDS)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    def settimeout(self, timeout_s: float | None) -> None:
        """They wait for two seconds, in which a busy machine may have done nothing."""
        self._real.settimeout(timeout_s if timeout_s is None else max(timeout_s, SECONDS))

    def send(self, data: bytes, *flags: int) -> int:
        self._learn(data)
        return int(self._real.send(data, *flags))

    def sendall(self, data: bytes, *flags: int) -> None:
        self._learn(data)
        self._real.sendall(data, *flags)

    def _learn(self, data: bytes) -> None:
        """The level of the protocol, from the CONNECT."""
        if len(self._sent) < 1 << 8:
            self._sent += data
            place = self._sent.find(b"MQTT")
            if place >= 0 and len(self._sent) > place + 4:
                self._level = self._sent[place + 4]

    def recv(self, size: int, *flags: int) -> bytes:
        while not self._answers:
            if self._told_end:
                # The broker closes once its peer has, or after two seconds.
                return b""
            data = self._real.recv(1 << 16, *flags)
            if not data:
                return b""
            self._reader.feed(data)
            while self._reader.next():
                self._answers += self._given()
        self._told_end = self._answers[0] == DISCONNECT
        if size == 1 and self._told_end:
            # Whether the connection has ended is asked so: this is its end, told with a reason.
            return b""
        taken, self._answers = self._answers[:size], self._answers[size:]
        return Answer(taken)

    def _given(self) -> bytes:
        reader = self._reader
        body = reader.data[reader.start : reader.end]
        if self._level == LEVEL_5:
            try:
                packet = decode_packet(reader.first, reader.data, reader.start, reader.end, LEVEL_5)
            except MqttError:
                # The broker answers a CONNECT that it has not read as in MQTT 3.1.1.
                pass
            else:
                return encode_packet(plain(packet), LEVEL_5)
        return bytes((reader.first,)) + variable(len(body)) + body


def plain(packet: Packet) -> Packet:
    """An answer without what the specification leaves to the server."""
    if isinstance(packet, Publish):
        return packet
    if not isinstance(packet, (ConnAck, Ack, SubAck, Disconnect, Auth)):
        return packet
    values = {
        key: value
        for key, value in packet.properties.values.items()
        if key != PropertyId.REASON_STRING and key not in LIMITS
    }
    if isinstance(packet, ConnAck):
        if packet.reason is ReasonCode.SUCCESS:
            first, *rest = LIMITS
            values = {first: LIMITS[first], **values, **{key: LIMITS[key] for key in rest}}
        return ConnAck(packet.session_present, packet.reason, Properties(values))
    properties = Properties(values, packet.properties.user)
    if isinstance(packet, Ack):
        reason = packet.reason
        if packet.packet_type is PacketType.PUBREC and reason is ReasonCode.NO_MATCHING_SUBSCRIBERS:
            # [MQTT 5.0 §3.5.2.1] A server may say it, and Mosquitto does so in PUBACK alone.
            reason = ReasonCode.SUCCESS
        return Ack(packet.packet_type, packet.packet_id, reason, properties)
    if isinstance(packet, SubAck):
        return SubAck(packet.packet_type, packet.packet_id, packet.reasons, properties)
    return type(packet)(packet.reason, properties)


def configuration_of(folder: Path, text: str, port: int) -> Path:
    """Our file for one of Mosquitto's, and its users."""
    said = {line.split()[0]: line.split()[-1] for line in text.splitlines() if line.split()}
    configuration, _ = import_mosquitto(text or f"listener {port}\nallow_anonymous true")
    file = folder / "lastvalue.toml"
    document = to_toml(configuration, "Of a test.").replace("users.toml", str(folder / "users.toml"))
    file.write_text(re.sub('store = ".*"', f'store = "{store_of(said)}"', document))
    if "password_file" in said:
        found, _ = read_passwords(Path(said["password_file"]).read_text())
        users = Users(folder / "users.toml")
        users.adopt({name: {MECHANISM: one} for name, one in found.items()}, RULES)
        if said.get("allow_anonymous") == "true":
            users.put("anonymous", None, RULES)
    return file


def store_of(said: dict[str, str]) -> Path:
    """The store of a broker, which is new unless the file is there that Mosquitto would have written."""
    file = Path(said.get("persistence_location", "."), said.get("persistence_file", "mosquitto.db"))
    store = Path(os.environ["MOSQUITTO_TESTS_FOLDER"], f"{file.name} store")
    if said.get("persistence") == "true" and not file.exists():
        shutil.rmtree(store, ignore_errors=True)
        file.touch()
    return store


def start_broker(filename: str, cmd: Any = None, port: int = 0, use_conf: bool = False, **more: Any) -> Any:
    """As of `mosq_test`."""
    del cmd
    if more.get("expect_fail"):
        raise NotImplementedError("a configuration that Mosquitto refuses")
    text = Path(filename.replace(".py", ".conf")).read_text() if use_conf else ""
    if use_conf and "listener" not in text:
        text += f"\nlistener {port}\n"
    folder = Path(tempfile.mkdtemp(dir=os.environ["MOSQUITTO_TESTS_FOLDER"]))
    file = configuration_of(folder, text, port)
    log = (folder / "log").open("w+b")
    command = [sys.executable, "-m", "lastvalue", "serve", "--config", str(file), "--port", "0"]
    command += ["--host", "127.0.0.1", "--drain-timeout-ms", "200", "--log-level", "warning"]
    broker = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log)
    broker.mosq_log = log  # type: ignore[attr-defined] # their name
    assert broker.stdout is not None
    for line in broker.stdout:
        if line.startswith(b"listening on mqtt"):
            return broker
    log.seek(0)
    raise AssertionError(f"the broker does not listen: {log.read().decode()}")


def main(program: str, port: str) -> None:
    """Run a test as its main program."""
    sys.path[:0] = [str(Path.cwd()), str(Path.cwd().parent)]
    mosq_test: Any = import_module("mosq_test")
    connect = mosq_test.client_connect_only
    mosq_test.client_connect_only = lambda *given, **more: Answers(connect(*given, **more))
    mosq_test.start_broker = start_broker
    sys.argv = [program, port]
    runpy.run_path(program, run_name="__main__")


if __name__ == "__main__":
    main(*sys.argv[1:3])
