"""lastvalue.http.follower."""

import asyncio
import json
from collections.abc import AsyncIterator
from unittest.mock import Mock

import pytest

from lastvalue.client import Connection, Message
from lastvalue.client.message_codec import decode_message
from lastvalue.http.broker_access import BrokerAccess
from lastvalue.http.caller import ANONYMOUS
from lastvalue.http.follow_events import FollowBatch
from lastvalue.http.follower import FollowTerms, follow_queue
from lastvalue.http.gateway_settings import GatewaySettings
from lastvalue.http.problems import Problem


async def test_what_ends_early_leaves_no_follower(url: str, connection: Connection) -> None:
    prices = await connection.declare("prices", lvq_key="symbol")
    await prices.send(Message(1, {"symbol": "A"}))
    access = BrokerAccess(GatewaySettings(url=url))
    events = await follow_queue(access, ANONYMOUS, "prices", FollowTerms(key=["A"]))
    event = (await anext(events)).events[0]
    assert (event.kind, json.loads(event.data)["body"], access.followers) == ("value", 1, 1)
    assert event.token is not None
    await events.aclose()
    assert access.followers == 0
    await access.close()


async def test_there_are_only_so_many_followers(
    url: str, connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lastvalue.http.follower.MOST_FOLLOWERS", 1)
    await connection.declare("prices", lvq_key="symbol")
    access = BrokerAccess(GatewaySettings(url=url))
    events = await follow_queue(access, ANONYMOUS, "prices", FollowTerms())
    with pytest.raises(Problem, match="too many followers"):
        await follow_queue(access, ANONYMOUS, "prices", FollowTerms())
    await events.aclose()
    await access.close()


async def read_to_newest(batches: AsyncIterator[FollowBatch], newest: dict[str, int]) -> int:
    """Read until each key has its newest value; how many values that took, none of them after a newer one."""
    seen: dict[str, int] = {}
    count = 0
    async for batch in batches:
        for told in (json.loads(event.data) for event in batch.events if event.kind == "value"):
            assert told["body"] >= seen.get(told["key"], -1)
            seen[told["key"]] = told["body"]
            count += 1
        if seen == newest:
            break
    return count


async def test_many_followers_get_newest_values_and_who_does_not_read_is_sent_little(
    url: str, connection: Connection
) -> None:
    """The short form of bench/followers.py."""
    keys, updates = 10, 1000
    prices = await connection.declare("prices", lvq_key="symbol")
    access = BrokerAccess(GatewaySettings(url=url))
    followers = [await follow_queue(access, ANONYMOUS, "prices", FollowTerms()) for _ in range(20)]
    stalled = followers.pop()
    await anext(stalled)
    newest = {f"k{number}": updates - keys + number for number in range(keys)}
    reading = [asyncio.ensure_future(read_to_newest(follower, newest)) for follower in followers]
    await prices.send_many(Message(number, {"symbol": f"k{number % keys}"}) for number in range(updates))
    counts = await asyncio.gather(*reading)
    assert all(keys <= count <= updates for count in counts)
    sent = [link["delivered"] for link in await connection.statistics("consumer")]
    assert len(sent) == 1
    await asyncio.gather(*(follower.aclose() for follower in [*followers, stalled]))
    assert access.followers == 0
    await access.close()


async def test_a_message_that_many_follow_is_decoded_once(
    url: str, connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    decoded = Mock(wraps=decode_message)
    monkeypatch.setattr("lastvalue.http.follow_events.decode_message", decoded)
    prices = await connection.declare("prices", lvq_key="symbol")
    await prices.send(Message("a text of this test alone", {"symbol": "A"}))
    access = BrokerAccess(GatewaySettings(url=url))
    for _ in range(3):
        events = await follow_queue(access, ANONYMOUS, "prices", FollowTerms())
        await anext(events)
        await events.aclose()
    assert len([call for call in decoded.call_args_list if b"of this test alone" in call.args[0]]) == 1
    await access.close()
