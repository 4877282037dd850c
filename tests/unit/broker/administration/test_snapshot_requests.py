from typing import Any

import pytest

from lastvalue.broker.administration.request import Request
from lastvalue.broker.administration.snapshot_requests import SnapshotRefusedError, Snapshots, ask_snapshots


class NotedSnapshots(Snapshots):
    """Notes where snapshots were begun."""

    def __init__(self) -> None:
        self.directories: list[str] = []

    def begin(self, directory: str) -> None:
        self.directories.append(directory)

    def segments(self) -> list[dict[str, int]]:
        return [{"number": 1, "bytes": 10}]

    def state(self) -> dict[str, Any]:
        return {"state": "running" if self.directories else "none"}


def test_a_snapshot_is_begun_in_its_directory_and_asked_after() -> None:
    snapshots = NotedSnapshots()
    before = ask_snapshots(snapshots, Request("READ"))
    begun = ask_snapshots(snapshots, Request("SNAPSHOT", body={"directory": "/backup/1"}))
    assert (before.status, before.body) == (200, {"state": "none"})
    assert ask_snapshots(snapshots, Request("SEGMENTS")).body == [{"number": 1, "bytes": 10}]
    assert (begun.status, begun.body, snapshots.directories) == (202, {"state": "running"}, ["/backup/1"])


@pytest.mark.parametrize(
    "body", [{}, {"directory": "relative"}, {"directory": 5}, {"directory": "/a", "x": 1}]
)
def test_a_snapshot_without_an_absolute_directory_is_refused(body: dict[str, Any]) -> None:
    snapshots = NotedSnapshots()
    with pytest.raises(SnapshotRefusedError, match="begins with /"):
        ask_snapshots(snapshots, Request("SNAPSHOT", body=body))
    assert snapshots.directories == []


@pytest.mark.parametrize("operation", ["READ", "SEGMENTS", "SNAPSHOT"])
def test_a_broker_without_a_store_says_how_to_have_one(operation: str) -> None:
    with pytest.raises(SnapshotRefusedError, match="--store DIR"):
        ask_snapshots(None, Request(operation, body={"directory": "/backup"}))


def test_an_operation_that_there_is_not_is_answered_with_those_that_there_are() -> None:
    response = ask_snapshots(None, Request("DELETE"))
    assert (response.status, response.condition) == (501, "amqp:not-implemented")
