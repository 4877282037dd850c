"""Requests about the broker's store, which its owner has: a snapshot is begun, and asked after."""

from typing import Any, Final

from mypy_extensions import mypyc_attr

from lastvalue.broker.requests import Request, Response
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import BrokerError

TYPE: Final = "store"


@mypyc_attr(allow_interpreted_subclasses=True)
class Snapshots:
    """The snapshots of a broker's store."""

    __slots__ = ()

    def begin(self, directory: str) -> None:
        """Begin to write a snapshot into a directory; everything that was confirmed before is in it.

        Raises:
            SnapshotRefusedError: there is no store, or no snapshot can be written there now.
        """
        raise NotImplementedError

    def state(self) -> dict[str, Any]:
        """How far the last one is: `state` none, running, done or failed; `written` of `bytes`."""
        raise NotImplementedError


@mypyc_attr(native_class=False)
class SnapshotRefusedError(BrokerError):
    """No snapshot is written."""

    condition = Condition.NOT_ALLOWED


def ask_snapshots(snapshots: Snapshots | None, request: Request) -> Response:
    """READ tells how far the last snapshot is; SNAPSHOT begins one in the `directory` of the body."""
    if request.operation not in ("READ", "SNAPSHOT"):
        return Response(
            501,
            f"no operation {request.operation!r}; known are READ, SNAPSHOT",
            None,
            Condition.NOT_IMPLEMENTED.amqp10,
        )
    if snapshots is None:
        raise SnapshotRefusedError("the broker has no store; start it with `lastvalue serve --store DIR`")
    if request.operation == "SNAPSHOT":
        directory = request.body.get("directory")
        if not isinstance(directory, str) or not directory.startswith("/") or len(request.body) != 1:
            raise SnapshotRefusedError("SNAPSHOT takes `directory`, a path that begins with /")
        snapshots.begin(directory)
        return Response(202, "begun", snapshots.state())
    return Response(200, "OK", snapshots.state())
