"""MQTT where the broker is killed: QoS 2 exactly once, QoS 1 at least once, retained values, wills."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from forked_broker import ForkedBroker
from mqtt_clients import SessionClient

from lastvalue.codec.mqtt.packets import Will
from lastvalue.codec.mqtt.properties import Properties, PropertyId

MESSAGES = 30
AT_ONCE = 5


def survived(store: Path, act: Callable[[int], bool]) -> None:
    """Act on one broker after another, each of which is killed, until the act is finished."""
    while True:
        with ForkedBroker(str(store)) as broker:
            if act(broker.port):
                return


@pytest.mark.parametrize("qos", [1, 2])
def test_what_is_published_comes_whatever_dies(tmp_path: Path, qos: int) -> None:
    """Three kills of a real process; tests/simulation has many, at all moments."""
    with closing(SessionClient("writer")) as writer, closing(SessionClient("reader")) as reader:
        published = 0
        kills = iter([8, 13, 19, 1 << 30])

        def act(port: int) -> bool:
            nonlocal published
            left = next(kills)
            present = reader.connect(port)
            if not present:
                reader.subscribe("a/#", qos)
            writer.connect(port)
            while writer.answered < MESSAGES or len(set(reader.got)) < MESSAGES:
                while published < min(MESSAGES, writer.answered + AT_ONCE):
                    writer.publish(f"a/{published % 3}", b"%d" % published, qos)
                    published += 1
                taker = writer if writer.waits else reader
                taker.take()
                left -= 1
                if left == 0:
                    return False
            return True

        survived(tmp_path / "store", act)
        bodies = [b"%d" % number for number in range(MESSAGES)]
        if qos == 2:
            assert reader.got == bodies
        assert list(dict.fromkeys(reader.got)) == bodies


@pytest.mark.parametrize("qos", [0, 1])
def test_retained_values_remain(tmp_path: Path, qos: int) -> None:
    store = tmp_path / "store"
    with closing(SessionClient("writer")) as writer:
        with ForkedBroker(str(store)) as broker:
            writer.connect(broker.port)
            writer.publish("a", b"old", 1, retain=True)
            writer.publish("a", b"new", 1, retain=True)
            writer.publish("b", b"gone", 1, retain=True)
            writer.publish("b", b"", 1, retain=True)
            while writer.waits:
                writer.take()
        with ForkedBroker(str(store)) as broker, closing(SessionClient("reader")) as reader:
            reader.connect(broker.port)
            reader.subscribe("#", qos)
            writer.connect(broker.port)
            writer.publish("c", b"last", 1, retain=True)
            while b"last" not in reader.got:
                reader.take()
            assert reader.got == [b"new", b"last"]


@pytest.mark.parametrize(("delay_s", "is_lost_before"), [(0, False), (1, False), (1, True)])
def test_a_will_comes_once_whether_its_client_or_the_broker_dies_first(
    tmp_path: Path, delay_s: int, is_lost_before: bool
) -> None:
    store = str(tmp_path / "store")
    will = Will("w", b"gone", 2, properties=Properties({PropertyId.WILL_DELAY_S: delay_s}))
    with closing(SessionClient("mortal", will)) as mortal, closing(SessionClient("heir")) as heir:
        with ForkedBroker(store) as broker:
            heir.connect(broker.port)
            heir.subscribe("w", 2)
            mortal.connect(broker.port)
            if is_lost_before:
                mortal.close()
                # The broker notices, or is killed before it does.
                heir.publish("x", b"", 1)
                heir.take()
        with ForkedBroker(store) as broker:
            heir.connect(broker.port)
            while not heir.got:
                heir.take()
        with ForkedBroker(store) as broker:
            heir.connect(broker.port)
            heir.publish("w", b"last", 1)
            while b"last" not in heir.got:
                heir.take()
    assert heir.got == [b"gone", b"last"]


def test_a_client_that_is_back_in_time_has_no_will(tmp_path: Path) -> None:
    store = str(tmp_path / "store")
    will = Will("w", b"gone", 1, properties=Properties({PropertyId.WILL_DELAY_S: 2}))
    with closing(SessionClient("mortal", will)) as mortal, closing(SessionClient("heir")) as heir:
        with ForkedBroker(store) as broker:
            heir.connect(broker.port)
            heir.subscribe("w", 1)
            mortal.connect(broker.port)
        with ForkedBroker(store) as broker:
            heir.connect(broker.port)
            assert mortal.connect(broker.port)
            mortal.leave()
            heir.wait_s(3)
            heir.publish("w", b"last", 1)
            while b"last" not in heir.got:
                heir.take()
    assert heir.got == [b"last"]
