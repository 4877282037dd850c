import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest

from lastvalue.broker.administration.cluster_requests import NotAllowedNowError
from lastvalue.server.follower import Follower
from lastvalue.server.open_store import OpenStore
from lastvalue.server.server_cluster import ServerCluster

ONE = SimpleNamespace(address="two:5672", name="process 7 of two", behind=3)


def leading(*followers: object, end: Any = None) -> ServerCluster:
    store = SimpleNamespace(log=SimpleNamespace(term=4, followers=list(followers)))
    return ServerCluster(lambda: "one:5672", lambda: None, lambda: cast("OpenStore", store), end)


def following() -> ServerCluster:
    facts = {"leader": "one:5672", "lag_ms": 12, "lag_records": 0}
    follower = SimpleNamespace(term=4, leader="one:5672", known=lambda: facts)
    return ServerCluster(lambda: "", lambda: cast("Follower", follower), lambda: None, lambda: None)


def test_the_leader_tells_who_follows() -> None:
    state = leading(ONE).state()
    assert (state["role"], state["term"], state["leader"]) == ("leader", 4, "one:5672")
    assert state["followers"] == [{"address": "two:5672", "process": "process 7 of two", "records_unsent": 3}]


def test_a_follower_tells_how_far_it_is_behind() -> None:
    state = following().state()
    assert (state["role"], state["leader"], state["lag_ms"]) == ("follower", "one:5672", 12)


async def test_a_leader_ends_in_order_where_somebody_follows() -> None:
    ended = asyncio.Event()
    leading(ONE, end=ended.set).step_down(alone=False)
    await asyncio.wait_for(ended.wait(), 120)


def test_a_follower_and_one_whom_nobody_follows_do_not_hand_over() -> None:
    with pytest.raises(NotAllowedNowError, match="one:5672 leads"):
        following().step_down(alone=True)
    with pytest.raises(NotAllowedNowError, match="add --alone"):
        leading().step_down(alone=False)
