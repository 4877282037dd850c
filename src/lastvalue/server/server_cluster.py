"""The brokers that share a log with a server, as far as it knows."""

import asyncio
from collections.abc import Callable, Container
from typing import TYPE_CHECKING, Any, Final

from lastvalue.broker.administration.cluster_requests import (
    FOLLOWER,
    LEADER,
    Cluster,
    NotAllowedNowError,
)
from lastvalue.config.server_options import ServerOptions
from lastvalue.server.follower import Follower
from lastvalue.server.open_store import OpenStore

if TYPE_CHECKING:
    from lastvalue.cluster.stream_log import KnownFollower, StreamLog

_ANSWERS_S: Final = 0.1


class ServerCluster(Cluster):
    """What a server knows of the brokers with which it shares a log.

    Args:
        options: returns the server's options as they are now.
        address: returns where clients reach this one.
        follower: returns it while the server follows.
        store: returns it while the server leads.
        end: lets the server end in order.
    """

    def __init__(
        self,
        options: Callable[[], ServerOptions],
        address: Callable[[], str],
        follower: Callable[[], Follower | None],
        store: Callable[[], OpenStore | None],
        end: Callable[[], None],
    ) -> None:
        self._options = options
        self._address = address
        self._follower = follower
        self._store = store
        self._end = end

    def state(self) -> dict[str, Any]:
        """See Cluster."""
        follower, log = self._follower(), self._log
        if follower is not None:
            state = {"role": FOLLOWER, "term": follower.term, **follower.known()}
        else:
            state = {"role": LEADER, "term": 0 if log is None else log.term, "leader": self._address()}
        followers = self._followers(state["leader"])
        return state | {
            "lease_ms": self._options().store_lease_ms,
            "followers": [
                {"address": each.address, "process": each.name, "records_unsent": each.behind}
                for each in followers
            ],
            "missing": self._missing({state["leader"], *(each.address for each in followers)}),
            "servers": [
                {
                    "server": each.name,
                    "role": LEADER if each.leads else FOLLOWER,
                    "current": each.current,
                    "records_behind": each.behind,
                }
                for each in (() if log is None else log.servers)
            ],
        }

    def known(self) -> dict[str, Any]:
        """What `$management` shows of it among the facts of the process."""
        state = self.state()
        return {
            "role": state["role"],
            "term": state["term"],
            "lease_ms": state["lease_ms"],
            "followers": len(state["followers"]),
            "missing_brokers": len(state["missing"]),
            "log_servers": len(state["servers"]),
            "log_servers_current": sum(each["current"] for each in state["servers"]),
        }

    def _followers(self, leader: str) -> "list[KnownFollower]":
        """Who follows; the servers may not know yet that one of them leads."""
        return [] if self._log is None else [each for each in self._log.followers if each.address != leader]

    def _missing(self, present: Container[str]) -> list[str]:
        """The brokers that should share the log and neither lead nor follow."""
        return [each for each in self._options().cluster_brokers if each not in present]

    @property
    def _log(self) -> "StreamLog | None":
        follower, store = self._follower(), self._store()
        if follower is not None:
            return follower.log
        return None if store is None else store.log

    def step_down(self, *, alone: bool) -> None:
        """See Cluster."""
        follower = self._follower()
        if follower is not None:
            leader = follower.leader or "that one"
            raise NotAllowedNowError(f"this broker follows another one; {leader} leads")
        if not alone and not self._followers(self._address()):
            raise NotAllowedNowError(
                "no broker follows this one, so nobody would lead; start one with --follow, or add --alone"
            )
        # Who asked gets the answer before its connection ends.
        asyncio.get_running_loop().call_later(_ANSWERS_S, self._end)
