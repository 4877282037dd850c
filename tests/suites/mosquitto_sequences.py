"""Runs the sequences of packets of Mosquitto's `msg_sequence_test.py`: `FOLDER`, that of its files of JSON.

`mosquitto.py` beside this brings them, and calls this. Each is a conversation of one connection: packets,
most of them with a fault, what the broker answers, and whether the connection ends then. The files are read
where they were cloned. What runs them is here, as Mosquitto's own program ends at the first answer that does
not come.
"""

import json
import os
import re
import socket
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from mosquitto_test_runner import Answers, start_broker

from lastvalue.codec.mqtt.fields import variable

OTHERWISE: Final = {
    r"MQTT-3\.1\.0-1|FORBIDDEN: 0. first packet|CONNECT: 10 missing protocol string": (
        "less than the eight bytes by which a port knows a peer's protocol: it ends after `open_timeout_ms`"
    ),
    r"(?:topic|Topic|Client ID|[Uu]sername) with (?:U\+|0x)00(?:01|1F|7F|9F)": "control characters are taken",
    r"CONNECT: 10 proto ver [26]": "CONNACK is in the form of MQTT 3.1.1 for a level that is not known",
    r"3\.1   CONNECT: 14": "the first byte of a CONNECT, by which a port knows MQTT, has no flags",
    r"v5.*Client ID with": "a text that is no UTF-8 is a malformed packet, and no wrong identifier",
    r"QoS 2 Dup flow\*3": "a PUBLISH may be sent again as often as a client likes",
    r"PUBLISH with \$ topic": "a topic may begin with $",
    r"topic alias > max": "64 aliases are taken, and 10 by Mosquitto",
    r"v5.*(?:50|62) (?:unsolicited len=|with )|62 unsolicited len": (
        "PUBREL and PUBCOMP of an unknown packet identifier say so (0x92)"
    ),
    r"SUBSCRIBE: (?:82|A2) (?:single topic len 0|multiple|invalid topic)": (
        "a wrong filter is refused in SUBACK or UNSUBACK"
    ),
    r"0A with illegal length": "a packet is judged once its length has come",
    r"self publish qos2": "delivers at QoS 2 with PUBREL; here it is with PUBLISH",
    r"self publish qos1 nolocal": "PUBACK says that nobody subscribes (0x10)",
    r"retain as normal qos[12]": "PUBACK comes before the publisher's own copy",
}
"""The sequences that are not run, by their names, each with what is different here."""

PORT: Final = 18831
SECONDS: Final = 2
MOST_OF_31: Final = 23
"""The characters of a client identifier in MQTT 3.1."""
CONNACK: Final = 0x20
NO_MQTT: Final = {b"\x20\3\0\x81\0", b"\x20\3\0\x82\0"}
"""CONNACK for a malformed packet, and for one against the protocol."""
WAITS: Final = b"nothing"
"""In place of an answer that does not come."""
PING: Final = (b"\xc0\x00", b"\xd0\x00")
_TOKEN: Final = re.compile(
    r"'(?P<text>[^']*)'|(?P<kind>[iHkmsLvr])(?P<number>\d+)|(?P<octets>(?:[0-9A-Fa-f]{2})+)"
)
_SIZES: Final = {"i": 1, "H": 2, "k": 2, "m": 2, "s": 2, "L": 4}


@dataclass(frozen=True, slots=True)
class Sequence:
    """A conversation, and whether the connection ends with it."""

    name: str
    level: int
    connects: bool
    ends: bool
    steps: list[dict[str, Any]]


def octets_of(text: str) -> bytes:
    """The octets of a packet: hexadecimal, decimal numbers of a size, texts."""
    octets = b""
    for found in _TOKEN.finditer(text):
        if found["text"] is not None:
            octets += found["text"].encode()
        elif found["octets"]:
            octets += bytes.fromhex(found["octets"])
        elif found["kind"] in _SIZES:
            octets += int(found["number"]).to_bytes(_SIZES[found["kind"]], "big")
        else:
            octets += variable(int(found["number"]))
    return octets


def read_sequences(folder: Path) -> Iterator[Sequence]:
    """All of the files, in their order."""
    for file in sorted(folder.glob("*.json")):
        for group in json.loads(file.read_text()):
            for test in group["tests"]:
                of_both = {**group, **test}
                yield Sequence(
                    f"{group['group']}: {test['name']}",
                    of_both.get("ver", 4),
                    of_both.get("connect", True),
                    of_both.get("expect_disconnect", True),
                    test["msgs"],
                )


def connect(name: str, level: int) -> bytes:
    """A CONNECT that begins a session."""
    rest = (b"\x00\x04MQTT" if level > 3 else b"\x00\x06MQIsdp") + bytes((level, 2, 0, 60))
    rest += (b"\x00" if level == 5 else b"") + len(name).to_bytes(2, "big") + name.encode()
    return b"\x10" + variable(len(rest)) + rest


class Conversation:
    """A connection to the broker, on which one sequence is said."""

    def __init__(self) -> None:
        self._real = socket.create_connection(("127.0.0.1", PORT))
        self._answers = Answers(self._real)
        self._real.settimeout(SECONDS)
        self._refused = False

    def run(self, sequence: Sequence) -> str:
        """What was otherwise than in the sequence, or nothing."""
        with self._real:
            try:
                return self._said(sequence) or self._end(ends=sequence.ends)
            except ConnectionError:
                return "" if sequence.ends else "the connection ended"

    def _said(self, sequence: Sequence) -> str:
        if sequence.connects:
            self._answers.sendall(connect(sequence.name[-MOST_OF_31:], sequence.level))
            if not self._read(1 << 10):
                return "there was no CONNACK"
        for step in sequence.steps:
            if step["type"] == "send":
                self._answers.sendall(octets_of(step["payload"]))
            elif step["type"] == "external_publish":
                publish(step)
            else:
                expected = octets_of(step["payload"])
                answer = self._read(len(expected))
                self._refused = answer[:1] == bytes((CONNACK,)) and answer[3] > 0
                if answer != expected and not {bytes(answer), expected} <= NO_MQTT:
                    return f"{bytes(answer).hex(' ')} instead of {expected.hex(' ')}"
        return ""

    def _end(self, *, ends: bool) -> str:
        """What was otherwise at the end, which DISCONNECT may tell, or a CONNACK that refuses."""
        if not ends:
            self._answers.sendall(PING[0])
            answer = self._read(len(PING[1]))
            return "" if answer == PING[1] else f"{bytes(answer).hex(' ') or 'an end'} instead of PINGRESP"
        answer = b"" if self._refused else self._read(1)
        if answer and answer[0] == CONNACK:
            return "" if self._read(3)[-1] else "CONNACK instead of an end"
        return f"{bytes(answer).hex(' ')} instead of an end" if answer else ""

    def _read(self, size: int) -> bytes:
        try:
            return self._answers.recv(size)
        except TimeoutError:
            return WAITS


def publish(step: dict[str, Any]) -> None:
    """Publish a message on another connection, and answer until the broker has it."""
    topic, packet_id = step["topic"].encode(), b"\0\1" if step["qos"] else b""
    rest = len(topic).to_bytes(2, "big") + topic + packet_id + step["payload"].encode()
    with socket.create_connection(("127.0.0.1", PORT)) as other:
        other.settimeout(SECONDS)
        other.sendall(connect("other", 4) + bytes((0x30 | step["qos"] << 1,)) + variable(len(rest)) + rest)
        if step["qos"] == 2:
            other.sendall(b"\x62\2\0\1")
        other.sendall(PING[0])
        answers = b""
        while PING[1] not in answers:
            answers += other.recv(1 << 10)


def run_sequences(folder: Path) -> tuple[int, int, int]:
    """Run all; how many were run, how many passed, and how many are otherwise here."""
    with tempfile.TemporaryDirectory() as of_broker:
        os.environ["MOSQUITTO_TESTS_FOLDER"] = of_broker
        broker = start_broker("", port=PORT)
        try:
            every = list(read_sequences(folder))
            run = [each for each in every if not any(re.search(name, each.name) for name in OTHERWISE)]
            passed = 0
            for each in run:
                otherwise = Conversation().run(each)
                passed += not otherwise
                if otherwise:
                    print(f"{each.name}: {otherwise}", flush=True)
            return len(run), passed, len(every) - len(run)
        finally:
            broker.terminate()
            broker.wait()


if __name__ == "__main__":
    print(run_sequences(Path(sys.argv[1])))
