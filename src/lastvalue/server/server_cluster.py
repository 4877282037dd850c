"""The brokers that share a log with a server, as far as it knows."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from lastvalue.broker.administration.cluster_requests import Cluster, NotAllowedNowError
from lastvalue.server.follower import Follower
from lastvalue.server.open_store import OpenStore

if TYPE_CHECKING:
    from lastvalue.cluster.stream_log import KnownFollower

_ANSWERS_S: Final = 0.1


class ServerCluster(Cluster):
    """What a server knows of the brokers with which it shares a log.

    Args:
        address: returns where clients reach this one.
        follower: returns it while the server follows.
        store: returns it while the server leads.
        end: lets the server end in order.
    """

    def __init__(
        self,
        address: Callable[[], str],
        follower: Callable[[], Follower | None],
        store: Callable[[], OpenStore | None],
        end: Callable[[], None],
    ) -> None:
        self._address = address
        self._follower = follower
        self._store = store
        self._end = end

    def state(self) -> dict[str, Any]:
        """See Cluster."""
        follower = self._follower()
        if follower is not None:
            return {"role": "follower", "term": follower.term, **follower.known()}
        return {
            "role": "leader",
            "term": self._term,
            "leader": self._address(),
            "followers": [
                {"address": each.address, "process": each.name, "records_unsent": each.behind}
                for each in self._followers
            ],
        }

    @property
    def _term(self) -> int:
        store = self._store()
        return 0 if store is None or store.log is None else store.log.term

    @property
    def _followers(self) -> "list[KnownFollower]":
        store = self._store()
        return [] if store is None or store.log is None else store.log.followers

    def step_down(self, *, alone: bool) -> None:
        """See Cluster."""
        follower = self._follower()
        if follower is not None:
            leader = follower.leader or "that one"
            raise NotAllowedNowError(f"this broker follows another one; {leader} leads")
        if not self._followers and not alone:
            raise NotAllowedNowError(
                "no broker follows this one, so nobody would lead; start one with --follow, or add --alone"
            )
        # Who asked gets the answer before its connection ends.
        asyncio.get_running_loop().call_later(_ANSWERS_S, self._end)
