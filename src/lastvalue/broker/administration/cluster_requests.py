"""Requests about the brokers that share a log: who leads, who follows, and handing over."""

from abc import abstractmethod
from typing import Any, Final

from mypy_extensions import mypyc_attr

from lastvalue.broker.administration.request import Request, Response, unknown_operation
from lastvalue.model.conditions import Condition
from lastvalue.model.errors import BrokerError

TYPE: Final = "cluster"
READ: Final = "READ"
STEP_DOWN: Final = "STEP_DOWN"
LEADER: Final = "leader"
FOLLOWER: Final = "follower"


@mypyc_attr(allow_interpreted_subclasses=True)
class Cluster:
    """What a broker knows of those with which it shares a log."""

    __slots__ = ()

    @abstractmethod
    def state(self) -> dict[str, Any]:
        """What is known of the cluster.

        `role` is LEADER or FOLLOWER; `leader`, `term`, `lease_ms`, and the lag of a follower; `followers` and
        `servers` are lists of maps, and `missing` has the addresses of brokers that should be there.
        """
        raise NotImplementedError

    @abstractmethod
    def step_down(self, *, alone: bool) -> None:
        """Hand over to a follower, and end.

        Raises:
            NotAllowedNowError: this broker does not lead, or, unless `alone`, nobody follows it.
        """
        raise NotImplementedError


@mypyc_attr(native_class=False)
class NotAllowedNowError(BrokerError):
    """The broker cannot do that now."""

    condition = Condition.NOT_ALLOWED


def ask_cluster(cluster: Cluster | None, request: Request) -> Response:
    """READ returns the state; STEP_DOWN hands over, with `alone` in the body also where nobody follows."""
    if request.operation not in (READ, STEP_DOWN):
        return unknown_operation(request, "READ or STEP_DOWN")
    if cluster is None:
        raise NotAllowedNowError(
            "the broker shares no log; start it with `lastvalue serve --store nats://HOST/NAME`"
        )
    if request.operation == STEP_DOWN:
        cluster.step_down(alone=request.body.get("alone") is True)
    return Response(200, "OK", cluster.state())
