from typing import Any

import pytest

from lastvalue.broker.administration.cluster_requests import Cluster, NotAllowedNowError, ask_cluster
from lastvalue.broker.administration.request import Request


class Alone(Cluster):
    def state(self) -> dict[str, Any]:
        return {"role": "leader", "followers": []}

    def step_down(self, *, alone: bool) -> None:
        if not alone:
            raise NotAllowedNowError("no broker follows this one")


def test_the_state_is_told_and_handing_over_is_refused_where_nobody_follows() -> None:
    assert ask_cluster(Alone(), Request("READ", "cluster", "", {})).body["role"] == "leader"
    with pytest.raises(NotAllowedNowError, match="no broker follows"):
        ask_cluster(Alone(), Request("STEP_DOWN", "cluster", "", {}))
    assert ask_cluster(Alone(), Request("STEP_DOWN", "cluster", "", {"alone": True})).status == 200


def test_a_broker_that_shares_no_log_says_what_would_make_it() -> None:
    with pytest.raises(NotAllowedNowError, match="--store nats://HOST/NAME"):
        ask_cluster(None, Request("READ", "cluster", "", {}))


def test_another_operation_is_unknown() -> None:
    answer = ask_cluster(Alone(), Request("ELECT", "cluster", "", {}))
    assert answer.status == 501
    assert "READ or STEP_DOWN" in answer.description
