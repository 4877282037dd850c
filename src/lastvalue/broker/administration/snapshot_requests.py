"""Requests that begin a snapshot of the broker's store and show its progress."""

from abc import abstractmethod
from typing import Any, Final

from mypy_extensions import mypyc_attr

from lastvalue.broker.administration.request import Request, Response, unknown_operation
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import BrokerError

TYPE: Final = "store"
BEGUN: Final = 202


@mypyc_attr(allow_interpreted_subclasses=True)
class Snapshots:
    """The snapshots of a broker's store."""

    __slots__ = ()

    @abstractmethod
    def begin(self, directory: str) -> None:
        """Begin to write a snapshot into a directory, or to a URL of object storage.

        It includes everything confirmed before.

        Raises:
            SnapshotRefusedError: there is no store, or a snapshot cannot be written there now.
        """
        raise NotImplementedError

    @abstractmethod
    def segments(self) -> list[dict[str, int]]:
        """The store's segments, oldest first: `number` and `bytes`."""
        raise NotImplementedError

    @abstractmethod
    def state(self) -> dict[str, Any]:
        """The last snapshot: `state` is none, running, done or failed; `written` counts up to `bytes`."""
        raise NotImplementedError


@mypyc_attr(native_class=False)
class SnapshotRefusedError(BrokerError):
    """A snapshot cannot be written."""

    condition = Condition.NOT_ALLOWED


def _is_absolute(directory: str) -> bool:
    return directory.startswith("/") or "://" in directory


def ask_snapshots(snapshots: Snapshots | None, request: Request) -> Response:
    """READ returns the progress of the last snapshot; SNAPSHOT begins one in the `directory` of the body.

    SEGMENTS returns the sizes of the store's segments.
    """
    if request.operation not in ("READ", "SEGMENTS", "SNAPSHOT"):
        return unknown_operation(request, "READ, SEGMENTS or SNAPSHOT")
    if snapshots is None:
        raise SnapshotRefusedError("the broker has no store; start it with `lastvalue serve --store DIR`")
    if request.operation == "SEGMENTS":
        return Response(200, "OK", snapshots.segments())
    if request.operation == "SNAPSHOT":
        directory = request.body.get("directory")
        if not isinstance(directory, str) or len(request.body) != 1 or not _is_absolute(directory):
            raise SnapshotRefusedError(
                "SNAPSHOT needs `directory`, a path that begins with /, or a URL as in s3://BUCKET/PREFIX/NAME"
            )
        snapshots.begin(directory)
        return Response(BEGUN, "begun", snapshots.state())
    return Response(200, "OK", snapshots.state())
