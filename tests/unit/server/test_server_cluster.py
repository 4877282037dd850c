import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest

from lastvalue.broker.administration.cluster_requests import NotAllowedNowError
from lastvalue.cluster.jetstream import LogServer
from lastvalue.config.server_options import ServerOptions
from lastvalue.server.follower import Follower
from lastvalue.server.open_store import OpenStore
from lastvalue.server.server_cluster import ServerCluster

OPTIONS = ServerOptions(store_lease_ms=3000, cluster_brokers=("one:5672", "two:5672", "three:5672"))
ONE = SimpleNamespace(address="two:5672", name="process 7 of two", behind=3)


def log(*followers: object) -> SimpleNamespace:
    servers = (
        LogServer("n1", leads=True, current=True, behind=0),
        LogServer("n2", leads=False, current=False, behind=7),
    )
    return SimpleNamespace(term=4, followers=list(followers), servers=servers)


def leading(*followers: object, end: Any = None) -> ServerCluster:
    store = cast("OpenStore", SimpleNamespace(log=log(*followers)))
    return ServerCluster(lambda: OPTIONS, lambda: "one:5672", lambda: None, lambda: store, end)


def following() -> ServerCluster:
    facts = {"leader": "one:5672", "lag_ms": 12, "lag_records": 0}
    follower = cast("Follower", SimpleNamespace(term=4, leader="one:5672", known=lambda: facts, log=log(ONE)))
    return ServerCluster(lambda: OPTIONS, lambda: "", lambda: follower, lambda: None, lambda: None)


def test_the_leader_tells_who_follows() -> None:
    state = leading(ONE).state()
    assert (state["role"], state["term"], state["leader"]) == ("leader", 4, "one:5672")
    assert state["followers"] == [{"address": "two:5672", "process": "process 7 of two", "records_unsent": 3}]


def test_every_broker_tells_who_is_missing_and_who_keeps_the_log() -> None:
    for cluster in (leading(ONE), following()):
        state, known = cluster.state(), cluster.known()
        assert state["missing"] == ["three:5672"]
        assert state["servers"] == [
            {"server": "n1", "role": "leader", "current": True, "records_behind": 0},
            {"server": "n2", "role": "follower", "current": False, "records_behind": 7},
        ]
        assert (known["role"], known["term"], known["lease_ms"]) == (state["role"], 4, 3000)
        assert (known["followers"], known["missing_brokers"]) == (1, 1)
        assert (known["log_servers"], known["log_servers_current"]) == (2, 1)
    assert leading().state()["missing"] == ["two:5672", "three:5672"]


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
