"""What consoles of QMF v1 ask, and how they are answered."""

from uuid import UUID

import pytest
from qmf_console import Console

from lastvalue.codec.amqp010.encoder import encode_map

INSTANCE = UUID(int=7)


def test_an_old_console_asks_for_the_broker_and_its_schema(console: Console) -> None:
    assert console.old(b"B") == [b"AM2b\0\0\0\5" + INSTANCE.bytes]
    package, done = console.old(b"P")
    assert package[8:] == b"\x16org.apache.qpid.broker"
    assert done[:4] == b"AM2z"
    *classes, done = console.old(b"Q", b"\x16org.apache.qpid.broker")
    assert len(classes) == 29
    queue = next(each for each in classes if b"\x05queue" in each)
    (schema,) = console.old(b"S", queue[9:])
    assert schema[:4] == b"AM2s"
    assert b"msgDepth" in schema


def test_an_old_console_gets_objects_and_calls_methods(console: Console) -> None:
    found, done = console.old(b"G", encode_map({"_class": "broker"}), "agent.1.0")
    assert (found[:4], done[:4]) == (b"AM2g", b"AM2z")
    key = found[8 : 8 + 23 + 7 + 16]
    identity = found[8 + 46 + 24 : 8 + 46 + 40]
    call = identity + key + b"\x04echo" + (3).to_bytes(4, "big") + b"\x00\x02hi"
    (answer,) = console.old(b"M", call, "agent.1.0")
    assert answer == b"AM2m\0\0\0\5" + bytes(4) + b"\x00\x02OK" + b"\0\0\0\3" + b"\x00\x02hi"


@pytest.mark.parametrize("content", [b"", b"\xff", b"\x05ab"])
def test_what_an_old_console_says_badly_is_not_answered(console: Console, content: bytes) -> None:
    assert console.old(b"S", content) == []
