"""The URLs of the brokers that have a queue."""

from typing import Any, cast

import pytest

from lastvalue.client import RefusedError, blocking
from lastvalue.client.leaders import Leaders, leaders_in
from lastvalue.pipeline.broker_access import each_url
from lastvalue.pipeline.leader_urls import leader_urls


class Told:
    """A connection to a broker that gives an answer."""

    def __init__(self, answer: object) -> None:
        self._answer = answer

    def leaders(self, name: str) -> Leaders:
        assert name == "q"
        if isinstance(self._answer, Exception):
            raise self._answer
        return leaders_in(self._answer)


def told(answer: Any, url: str = "amqp://one") -> tuple[str, ...]:
    return leader_urls(cast("blocking.Connection", Told(answer)), url, "q")


@pytest.mark.parametrize("url", ["amqps://ann:s%2Cx@one:5671", "amqps://ann:s%2Cx@one:5671,amqps://b"])
def test_they_have_the_scheme_and_the_user_of_the_url_that_was_given(url: str) -> None:
    urls = told({"leaders": ["one:5672,two:5672", "[::1]:5673"], "own": 0}, url)
    assert urls == (
        "amqps://ann:s%2Cx@one:5672,amqps://ann:s%2Cx@two:5672",
        "amqps://ann:s%2Cx@[::1]:5673",
    )
    assert each_url(urls[0]) == ["amqps://ann:s%2Cx@one:5672", "amqps://ann:s%2Cx@two:5672"]


def test_a_queue_that_is_not_partitioned_has_none() -> None:
    assert told({"leaders": [], "own": -1}) == ()


def test_a_broker_without_partitions_has_every_queue() -> None:
    assert told(RefusedError("refused", "amqp:invalid-field", "unknown type 'partition'")) == ()


def test_other_refusals_pass() -> None:
    with pytest.raises(RefusedError, match="may not"):
        told(RefusedError("refused", "amqp:unauthorized-access", "ann may not"))
