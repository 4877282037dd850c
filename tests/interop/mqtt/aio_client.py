"""What aiomqtt does with a broker, as JSON: `aio_client.py PORT LEVEL PREFIX`."""

import asyncio
import json
import sys
from typing import Any

import aiomqtt
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

PORT, LEVEL, PREFIX = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
VERSIONS = {3: aiomqtt.ProtocolVersion.V31, 4: aiomqtt.ProtocolVersion.V311, 5: aiomqtt.ProtocolVersion.V5}


def client(name: str, *, clean: bool = True, will: aiomqtt.Will | None = None) -> aiomqtt.Client:
    more: dict[str, Any] = {"clean_session": clean} if LEVEL < 5 else {"clean_start": clean}
    if LEVEL == 5 and not clean:
        more["properties"] = Properties(PacketTypes.CONNECT)
        more["properties"].SessionExpiryInterval = 60
    return aiomqtt.Client(
        "127.0.0.1", PORT, identifier=PREFIX + name, protocol=VERSIONS[LEVEL], will=will, **more
    )


async def heard(reader: aiomqtt.Client, count: int) -> list[list[Any]]:
    found = []
    async for message in reader.messages:
        topic = message.topic.value.removeprefix(PREFIX)
        found.append([topic, message.payload.decode(), bool(message.retain)])
        if len(found) == count:
            break
    return sorted(found)


async def shared(first: aiomqtt.Client, second: aiomqtt.Client, count: int) -> list[list[Any]]:
    """What members of a group get together."""
    found: asyncio.Queue[list[list[Any]]] = asyncio.Queue()

    async def read(member: aiomqtt.Client) -> None:
        while True:
            await found.put(await heard(member, 1))

    readers = [asyncio.create_task(read(member)) for member in (first, second)]
    got = [message for _ in range(count) for message in await found.get()]
    for reader in readers:
        reader.cancel()
    await asyncio.gather(*readers, return_exceptions=True)
    return sorted(got)


async def main() -> None:
    told = {}
    async with asyncio.timeout(60), client("publisher") as publisher, client("reader") as reader:
        await reader.subscribe(PREFIX + "round/#", 2)
        for qos, word in enumerate(["zero", "one", "two"]):
            await publisher.publish(f"{PREFIX}round/{qos}", word, qos)
        told["round"] = await heard(reader, 3)
        await publisher.publish(PREFIX + "kept/a", "value", 1, retain=True)
        async with client("late") as late:
            await late.subscribe(PREFIX + "kept/+", 1)
            told["retained"] = await heard(late, 1)
        async with client("sleeper", clean=False) as sleeper:
            await sleeper.subscribe(PREFIX + "later/#", 1)
        await publisher.publish(PREFIX + "later/x", "while away", 1)
        async with client("sleeper", clean=False) as sleeper:
            told["offline"] = await heard(sleeper, 1)
        async with client("watcher") as watcher:
            await watcher.subscribe(PREFIX + "gone", 1)
            doomed = client("doomed", will=aiomqtt.Will(PREFIX + "gone", "abruptly", 1))
            await doomed.__aenter__()
            doomed._client._sock_close()
            told["will"] = await heard(watcher, 1)
        async with client("first") as first, client("second") as second:
            for member in (first, second):
                await member.subscribe(f"$share/group/{PREFIX}work/#", 1)
            for number in range(4):
                await publisher.publish(f"{PREFIX}work/{number}", "do", 1)
            told["shared"] = await shared(first, second, 4)
    print(json.dumps(told))


asyncio.run(main())
