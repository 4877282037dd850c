"""What Eclipse Paho's client for Python does with a broker, as JSON: `paho_client.py PORT LEVEL PREFIX`."""

import json
import sys
import threading
from typing import Any, Self

import paho.mqtt.client as mqtt
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

PORT, LEVEL, PREFIX = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
SECONDS = 60


class Client:
    """A client that remembers what came."""

    def __init__(self, name: str, *, clean: bool = True) -> None:
        self.heard: list[list[Any]] = []
        self.came, self.subscribed = threading.Condition(), threading.Event()
        kept: dict[str, Any] = {} if LEVEL == 5 else {"clean_session": clean}
        self.client = mqtt.Client(
            mqtt.CallbackAPIVersion.VERSION2,
            client_id=PREFIX + name,
            protocol=mqtt.MQTTProtocolVersion(LEVEL),
            **kept,
        )
        self.clean = clean
        self.connected = threading.Event()
        self.client.on_connect = lambda *_: self.connected.set()
        self.client.on_subscribe = lambda *_: self.subscribed.set()
        self.client.on_message = self._take

    def open(self) -> Self:
        more: dict[str, Any] = {}
        if LEVEL == 5:
            properties = Properties(PacketTypes.CONNECT)
            if not self.clean:
                properties.SessionExpiryInterval = 60
            more = {"clean_start": self.clean, "properties": properties}
        self.client.connect("127.0.0.1", PORT, **more)
        self.client.loop_start()
        assert self.connected.wait(SECONDS)
        return self

    def subscribe(self, topic: str, qos: int) -> Self:
        self.client.subscribe(PREFIX + topic, qos)
        assert self.subscribed.wait(SECONDS)
        return self

    def share(self, topic: str, qos: int) -> Self:
        self.client.subscribe(f"$share/group/{PREFIX}{topic}", qos)
        assert self.subscribed.wait(SECONDS)
        return self

    def publish(self, topic: str, payload: str, qos: int, *, retain: bool = False) -> None:
        self.client.publish(PREFIX + topic, payload, qos, retain=retain).wait_for_publish(SECONDS)

    def _take(self, client: mqtt.Client, userdata: object, message: mqtt.MQTTMessage) -> None:
        del client, userdata
        with self.came:
            self.heard.append(
                [message.topic.removeprefix(PREFIX), message.payload.decode(), bool(message.retain)]
            )
            self.came.notify()

    def all(self, count: int) -> list[list[Any]]:
        with self.came:
            assert self.came.wait_for(lambda: len(self.heard) >= count, SECONDS)
        return sorted(self.heard)

    def close(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()


publisher = Client("publisher").open()
reader = Client("reader").open().subscribe("round/#", 2)
for qos, word in enumerate(["zero", "one", "two"]):
    publisher.publish(f"round/{qos}", word, qos)
told = {"round": reader.all(3)}
publisher.publish("kept/a", "value", 1, retain=True)
late = Client("late").open().subscribe("kept/+", 1)
told["retained"] = late.all(1)
sleeper = Client("sleeper", clean=False).open().subscribe("later/#", 1)
sleeper.close()
publisher.publish("later/x", "while away", 1)
sleeper = Client("sleeper", clean=False).open()
told["offline"] = sleeper.all(1)
watcher = Client("watcher").open().subscribe("gone", 1)
doomed = Client("doomed")
doomed.client.will_set(PREFIX + "gone", "abruptly", 1)
doomed.open()
doomed.client.loop_stop()
doomed.client._sock_close()
told["will"] = watcher.all(1)
members = [Client(name) for name in ("first", "second")]
members[1].heard, members[1].came = members[0].heard, members[0].came
for member in members:
    member.open().share("work/#", 1)
for number in range(4):
    publisher.publish(f"work/{number}", "do", 1)
told["shared"] = members[0].all(4)
for each in (publisher, reader, late, sleeper, watcher, *members):
    each.close()
print(json.dumps(told))
