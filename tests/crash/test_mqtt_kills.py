"""MQTT where the broker is killed: at QoS 2 exactly once, at QoS 1 at least once, retained values remain."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from forked_broker import ForkedBroker
from mqtt_clients import SessionClient

MESSAGES = 30
AT_ONCE = 5


def survived(store: Path, act: Callable[[int], bool]) -> None:
    """Act on one broker after another, each of which is killed, until the act is finished."""
    while True:
        with ForkedBroker(str(store)) as broker:
            if act(broker.port):
                return


@pytest.mark.parametrize("kill_after", [3, 8, 14, 23])
@pytest.mark.parametrize("qos", [1, 2])
def test_what_is_published_comes_whatever_dies(tmp_path: Path, qos: int, kill_after: int) -> None:
    with closing(SessionClient("writer")) as writer, closing(SessionClient("reader")) as reader:
        published = 0
        kills = iter([kill_after, kill_after + 5, kill_after + 11, 1 << 30])

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
