"""What the process that runs a broker knows of itself."""

from abc import abstractmethod
from typing import Any, Final

from mypy_extensions import mypyc_attr

PROCESS: Final[dict[str, str]] = {
    "version": "of lastvalue",
    "compiled": "whether the hot path is compiled",
    "started_ms": "when it began to listen",
    "memory_limit_bytes": "at which all producers wait; 0 is none",
    "event_loop_lag_ms": "by how much the event loop was late when it was measured last",
    "descriptors": "open descriptors",
    "listeners": "the port of each protocol that it listens on: amqp, amqps, ws and wss",
    "login_failures": "peers that were refused for their credentials",
    "login_failures_by": "these by the mechanism that they tried last; `none` is any other",
    "config_reload_ok": "whether the configuration file was read without a fault last; absent without a file",
    "certificate_expires_ms": "when the listeners' certificate ends; absent without TLS",
    "snapshot_ms": "when a snapshot was written last; 0 is never; absent if it may write none",
    "gateway_serves": "whether the process of the HTTP gateway answers; absent without one",
    "gateway_restarts": "how often it has ended and was started again; absent without one",
    "resident_bytes": "the memory of the process that is not swapped out; 0 if the system does not tell",
    "cpu_ms": "the processor's time that the process has used",
    "config_hash": "of the configuration file as it was applied last; absent without a file",
    "role": "leader or follower; this and the next six are absent without a replicated log",
    "term": "of the leader",
    "lease_ms": "how long it serves without an answer of the log",
    "followers": "brokers that follow the log",
    "missing_brokers": "brokers of `cluster_brokers` that neither lead nor follow",
    "log_servers": "servers that keep the log",
    "log_servers_current": "of these, those that have all that is confirmed",
    "leader": "the address of the broker that this one follows; absent where it follows none",
    "lag_ms": "how far it is behind that one; absent where it follows none",
    "lag_records": "how many messages of the log that are; absent where it follows none",
    "store_free_bytes": "free on the store's file system; absent without a store",
    "store_bytes": "the size of the store's segments; absent without a store",
    "store_live_bytes": "of these, what is still needed; compaction frees the rest; absent without a store",
    "store_segments": "how many there are; absent without a store",
    "store_waiting_bytes": "what waits to be written; absent without a store",
    "store_write_failures": "how often a write to the disk failed; absent without a store",
    "store_salvaged_bytes": "damaged bytes that were skipped when it was opened; absent without a store",
    "store_syncs": "how often the disk was synced; absent without a store",
    "store_sync_ms": "how long that took in all; absent without a store",
    "store_last_sync_ms": "how long the last sync took; absent without a store",
    "store_syncs_within": "how many syncs took at most this many milliseconds; absent without a store",
}
"""What a process knows, by name."""


@mypyc_attr(allow_interpreted_subclasses=True)
class BrokerProcess:
    """The process that runs a broker."""

    __slots__ = ()

    @abstractmethod
    def statistics(self) -> dict[str, Any]:
        """What the process alone knows, by the names of PROCESS."""
        raise NotImplementedError
