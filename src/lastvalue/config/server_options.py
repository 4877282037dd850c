"""The settings of the server, declared once; file, flags, environment and reference page derive from them."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass, fields
from enum import Enum
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Final, get_args, get_origin, get_type_hints

from lastvalue.codec.mqtt.packet_types import LASTS_FOR_EVER
from lastvalue.config.alert_setting import ALERT_SETTING, WEBHOOK_SETTING
from lastvalue.config.log_levels import LEVEL_FORM, LogFormat
from lastvalue.config.server_setting import ServerSetting, setting
from lastvalue.model.admission import (
    CONNECTION_RATE,
    CONNECTIONS,
    CONNECTIONS_OF_USER,
    OPENING_MS,
    TLS_HANDSHAKE_MS,
    TLS_HANDSHAKES,
    UNKNOWN_OF_ADDRESS,
    WRONG_PASSWORDS_OF_ADDRESS,
    WRONG_PASSWORDS_OF_USER,
)
from lastvalue.store.log_address import ADDRESS_FORM as LOG_FORM
from lastvalue.store.log_address import LogAddress, is_log_address, read_log_address
from lastvalue.store.log_settings import LogSettings
from lastvalue.store.object_address import ADDRESS_FORM as OBJECTS_FORM
from lastvalue.store.object_address import ObjectAddress, is_object_address, read_object_address
from lastvalue.store.store_options import StoreOptions
from lastvalue.store.writer import Sync

_PORT: Final = {"most": 65535}
_MANY: Final = {"most": 2**20}
_BYTES: Final = {"most": 2**53, "unit": "bytes", "metavar": "BYTES"}
_MS: Final = {"unit": "milliseconds", "metavar": "MS"}
_FILE: Final = {"metavar": "FILE"}
_TLS: Final = {"needs": ("TLS needs", "tls_certificate"), "page": "security.md#tls"}
_TOKENS: Final = {"needs": ("tokens need", "token_keys"), "page": "security.md#tokens"}
_WEB: Final = {"page": "../protocols/websocket.md"}
_MQTT: Final = {"page": "../protocols/mqtt.md"}
_LOG: Final = {"page": "logs.md"}
_OPEN: Final = {"page": "security.md#what-is-offered"}

AMQP_10: Final = "amqp-1.0"
AMQP_010: Final = "amqp-0-10"
AMQP_091: Final = "amqp-0-9-1"
CORE: Final = "core"
MQTT: Final = "mqtt"
PROTOCOLS: Final = (AMQP_10, AMQP_010, AMQP_091, CORE, MQTT)
"""The protocols that can be offered; that of 0-9-1 includes 0-9 and 0-8, MQTT is 3.1, 3.1.1 and 5.0."""


class OnCorruption(Enum):
    """What to do if the store is damaged before its end."""

    REFUSE = "refuse"
    SALVAGE = "salvage"


class OnUnsynced(Enum):
    """What to do if the servers of a replicated log may confirm what they have not synced."""

    WARN = "warn"
    REFUSE = "refuse"


class EventLoop(Enum):
    """Which event loop runs the server."""

    AUTO = "auto"
    """uvloop's where it is installed."""
    ASYNCIO = "asyncio"
    UVLOOP = "uvloop"


class OnDrift(Enum):
    """What to do at the start where the broker differs from its configuration."""

    APPLY = "apply"
    """Change what can change, and warn of the rest."""
    WARN = "warn"
    """Declare what is missing, change nothing, and warn."""
    REFUSE = "refuse"
    """Do not start."""


def _store_place(text: str) -> Path | LogAddress:
    return read_log_address(text) if is_log_address(text) else Path(text)


def _snapshots_place(text: str) -> Path | ObjectAddress:
    return read_object_address(text) if is_object_address(text) else Path(text)


@dataclass(frozen=True, kw_only=True)
class ServerOptions:
    """The options of a server: addresses, users, limits, memory and the store."""

    host: str = setting(
        "127.0.0.1", "The address to listen on; 0.0.0.0 for all, `::` for all with those of IPv6."
    )
    # In Kubernetes a service named lastvalue sets LASTVALUE_PORT, to a URL.
    port: int = setting(
        5672, "The port to listen on; 0 for any free one.", **_PORT, env="LASTVALUE_AMQP_PORT"
    )
    port_fallback: bool = setting(
        default=False, sentence="If the port is taken, use the next free one, at most 100 further."
    )
    protocols: tuple[str, ...] = setting(
        (),
        f"Offer only these protocols: {', '.join(PROTOCOLS)}; 0-9-1 includes 0-9 and 0-8.",
        flag="--protocol",
        metavar="NAME",
        default_text="all",
        form=("|".join(map(re.escape, PROTOCOLS)), f"one or more of {', '.join(PROTOCOLS)}"),
        **_OPEN,
    )
    qmf: bool | None = setting(
        None, "Offer the management of Qpid, QMF, over AMQP 0-10.", default_text="true on loopback", **_OPEN
    )
    core_management: bool | None = setting(
        None,
        "Offer the management of Artemis, `activemq.management`, over CORE.",
        default_text="true on loopback",
        **_OPEN,
    )
    anonymous: bool | None = setting(
        None, "Accept clients without a name.", default_text="true if there are no users"
    )
    users: Mapping[str, str] = setting(
        {},
        "Accept these users: passwords by name.",
        flag="--user",
        metavar="NAME:PASS",
        page="security.md",
        live=True,
    )
    users_file: Path | None = setting(
        None, "Accept the users of this file; see `lastvalue user`.", page="security.md", **_FILE
    )
    token_keys: Path | None = setting(
        None, "Accept clients with a token that one of these keys signed.", page="security.md#tokens", **_FILE
    )
    token_audience: str = setting("lastvalue", "The audience that tokens must have.", **_TOKENS)
    token_issuer: str | None = setting(
        None, "The issuer that tokens must have.", default_text="any", **_TOKENS
    )
    token_user_claim: str = setting("sub", "The claim of a token with the user's name.", **_TOKENS)
    ignore_token_expiry: bool = setting(
        default=False, sentence="Leave a connection open when its token expires.", **_TOKENS
    )
    wrong_passwords_per_address: int = setting(
        WRONG_PASSWORDS_OF_ADDRESS.most,
        "The most wrong passwords of an address per minute; further ones are refused unchecked; 0 for any.",
        page="security.md#wrong-passwords",
        **_MANY,
        live=True,
    )
    wrong_passwords_per_user: int = setting(
        WRONG_PASSWORDS_OF_USER.most,
        "The most wrong passwords for a user per minute; further ones are refused unchecked; 0 for any.",
        page="security.md#wrong-passwords",
        **_MANY,
        live=True,
    )
    tls_port: int = setting(5671, "The port to listen on with TLS; 0 for any free one.", **_PORT, **_TLS)
    tls_certificate: Path | None = setting(
        None, "Also listen with TLS, with this certificate (PEM).", page="security.md#tls", **_FILE, live=True
    )
    tls_key: Path | None = setting(
        None, "The certificate's key, if it has its own file (PEM).", **_FILE, **_TLS, live=True
    )
    tls_client_ca: Path | None = setting(
        None, "Accept client certificates of these authorities (PEM).", **_FILE, **_TLS, live=True
    )
    tls_client_required: bool = setting(
        default=False, sentence="With TLS accept only clients with a certificate.", **_TLS, live=True
    )
    tls_handshakes: int = setting(
        TLS_HANDSHAKES.most,
        "The most TLS handshakes at a time; further peers wait.",
        least=1,
        **_MANY | {"needs": _TLS["needs"], "page": "connections.md#tls-handshakes"},
        live=True,
    )
    tls_handshake_timeout_ms: int = setting(
        TLS_HANDSHAKE_MS.most,
        "Drop a peer whose TLS handshake takes longer than this.",
        least=1,
        **_MS | {"needs": _TLS["needs"], "page": "connections.md#tls-handshakes"},
        live=True,
    )
    core_port: int | None = setting(
        None,
        "Also listen on this port, for all protocols; Artemis's clients expect 61616.",
        **_PORT,
        page="../protocols/core.md",
    )
    mqtt_port: int | None = setting(
        None,
        "Also listen on this port, for all protocols; MQTT's clients expect 1883.",
        **_PORT,
        **_MQTT,
    )
    mqtt_tls_port: int | None = setting(
        None,
        "Also listen on this port with TLS, for all protocols; MQTT's clients expect 8883.",
        **_PORT,
        **_TLS | _MQTT,
    )
    mqtt_max_session_messages: int = setting(
        100_000,
        "The most messages that wait for a client of MQTT; the oldest are dropped.",
        least=1,
        **_MANY,
        **_MQTT,
    )
    mqtt_max_session_expiry_s: int = setting(
        LASTS_FOR_EVER,
        "How long a session of MQTT outlives its connection at most, whatever its client asks for.",
        most=LASTS_FOR_EVER,
        unit="seconds",
        metavar="S",
        **_MQTT,
    )
    ws_port: int | None = setting(
        None, "Also listen on this port for AMQP and MQTT over WebSocket.", **_PORT, **_WEB
    )
    wss_port: int | None = setting(
        None, "Also listen on this port for AMQP and MQTT over WebSocket with TLS.", **_PORT, **_TLS | _WEB
    )
    ws_origins: tuple[str, ...] = setting(
        (),
        "Accept web pages of these origins, besides those of this host and port; * for all.",
        flag="--ws-origin",
        metavar="ORIGIN",
        **_WEB,
        live=True,
    )
    ws_hosts: tuple[str, ...] = setting(
        (),
        "Accept WebSockets to these host names, besides addresses, localhost and `host`; * for all.",
        flag="--ws-host",
        metavar="NAME",
        **_WEB,
        live=True,
    )
    max_frame_size: int = setting(
        64 * 1024, "The largest frame that is accepted.", least=512, unit="bytes", metavar="BYTES", live=True
    )
    max_message_size: int = setting(
        8 * 1024 * 1024,
        "The largest message that is accepted.",
        least=1,
        **_BYTES | {"most": 2**40},
        live=True,
    )
    idle_timeout_ms: int = setting(
        120_000,
        "Close a connection that is silent for this long; 0 for never.",
        page="connections.md#silent-peers",
        **_MS,
        live=True,
    )
    open_timeout_ms: int = setting(
        OPENING_MS.most, "Close a connection that is not open after this long; 0 for never.", **_MS, live=True
    )
    max_connections: int = setting(
        CONNECTIONS.most, "The most connections; further ones are dropped.", least=1, **_MANY, live=True
    )
    max_unknown_per_address: int = setting(
        UNKNOWN_OF_ADDRESS.most,
        "The most connections of an address without a login; the oldest gives way; 0 for any.",
        page="connections.md#connections",
        **_MANY,
        live=True,
    )
    max_connections_per_user: int = setting(
        CONNECTIONS_OF_USER.most,
        "The most connections of a user; 0 for any number.",
        page="connections.md#connections",
        **_MANY,
        live=True,
    )
    max_queues_per_user: int = setting(
        10_000, "The most queues of a user; 0 for any number.", page="limits.md#queues", **_MANY, live=True
    )
    max_bindings_per_user: int = setting(
        10_000,
        "The most exchanges and bindings of a user, of which some count as several; 0 for any number.",
        page="limits.md#bindings",
        **_MANY,
        live=True,
    )
    max_transaction_messages: int = setting(
        20_000,
        "The most messages that a transaction publishes and settles; 0 for any number.",
        page="unfinished-work.md#transactions",
        **_MANY,
        live=True,
    )
    connection_rate: int = setting(
        CONNECTION_RATE.most,
        "The most new connections of an address per second; 0 for any number.",
        page="connections.md#connections",
        **_MANY,
        live=True,
    )
    refuse_unknown_filters: bool = setting(
        default=False,
        sentence="Refuse a link with an unknown filter; otherwise the answer leaves the filter out.",
        live=True,
    )
    ignore_unknown_arguments: bool = setting(
        default=False,
        sentence="Ignore unknown arguments of AMQP 0-9-1 declarations; otherwise refuse them.",
        page="../protocols/amqp-0-9-1.md",
        live=True,
    )
    drain_timeout_ms: int = setting(
        10_000,
        "At a TERM signal wait this long for what clients have begun; 0 for not at all.",
        page="deploy.md#stop",
        **_MS,
        live=True,
    )
    slow_consumer_ms: int = setting(
        60_000,
        "Log a consumer whose peer leaves messages waiting for this long; 0 for never.",
        page="statistics.md#slow-consumers",
        **_MS,
    )
    memory_limit: int | None = setting(
        None,
        "The memory for messages; producers wait beyond it; 0 for any amount.",
        default_text="half of the machine's memory",
        page="limits.md",
        **_BYTES,
        live=True,
    )
    connection_memory_limit: int = setting(
        256 << 20,
        "The memory for what a connection began and did not finish; more of it is refused; 0 for any amount.",
        page="unfinished-work.md#unfinished-work",
        **_BYTES,
        live=True,
    )
    user_memory_limit: int = setting(
        0,
        "The memory for what a user began and did not finish; more of it is refused; 0 for any amount.",
        page="unfinished-work.md#unfinished-work",
        **_BYTES,
        live=True,
    )
    journal_limit: int = setting(
        16 << 20,
        "How much may wait for the store's disk; producers of durable queues wait beyond it.",
        least=1,
        page="limits.md",
        **_BYTES,
        live=True,
    )
    disk_reserve: int | None = setting(
        None,
        "The free space on the store's disk; producers of durable queues wait below it.",
        default_text="5 % of it, at most 1 GiB",
        page="limits.md",
        **_BYTES,
        live=True,
    )
    announce: str | None = setting(
        None,
        "The product and version in the server's properties.",
        form=("(?s).+ [^ ]+", 'a product and a version, such as "RabbitMQ 4.2.0"'),
        default_text="what it is",
        page="../clients/rabbitmq-amqp-python-client.md",
        live=True,
    )
    health_host: str = setting("127.0.0.1", "The address for health requests.", page="deploy.md#health")
    health_port: int | None = setting(
        None,
        "Answer GET /healthz, /readyz and /leaderz on this port; 0 for any free one.",
        page="deploy.md#health",
        **_PORT,
    )
    http_port: int | None = setting(
        None, "Serve HTTP on this port; 0 for any free one.", page="http.md", **_PORT
    )
    http_host: str = setting("127.0.0.1", "The address for HTTP.", page="http.md")
    http_names: tuple[str, ...] = setting(
        (),
        "Serve HTTP to browsers that use these host names, besides addresses and localhost.",
        flag="--http-name",
        metavar="NAME",
        page="http.md",
    )
    http_behind_proxy: bool = setting(
        default=False, sentence="A proxy in front of HTTP speaks TLS with the callers.", page="http.md"
    )
    http_alerts: tuple[str, ...] = setting(
        (),
        "Alert on queues that hold more than NAME:messages=N, NAME:bytes=N or NAME:age_s=N.",
        **ALERT_SETTING,
    )
    http_webhook: str | None = setting(
        None, "Post each alert of HTTP that begins or ends to this URL.", **WEBHOOK_SETTING
    )
    http_tables: str | None = setting(
        None,
        "The tables of `lastvalue pipeline history`, for HTTP to look back further than the broker.",
        metavar="DIR|URL",
        page="http-following.md#the-past",
    )
    log_format: LogFormat = setting(
        LogFormat.AUTO, "The form of the log; auto is text on a terminal and JSON lines elsewhere.", **_LOG
    )
    log_level: tuple[str, ...] = setting(
        (),
        "The least level that is logged, LEVEL for all components or COMPONENT=LEVEL for one.",
        metavar="LEVEL",
        default_text="info",
        form=LEVEL_FORM,
        page="logs.md#levels",
        live=True,
    )
    audit_log: Path | None = setting(
        None,
        "Write the audit into this file.",
        default_text="the log",
        page="logs.md#audit",
        **_FILE,
    )
    store: Path | LogAddress | None = setting(
        None,
        "Keep durable queues and messages in this directory, or in the replicated log at "
        "nats://HOST[:PORT],.../NAME.",
        metavar="DIR|URL",
        page="store.md",
        form=(f"(?s)(?!(?:nats|tls)://).+|{LOG_FORM[0]}", f"a directory, or {LOG_FORM[1]}"),
        reader=_store_place,
    )
    store_replicas: int = setting(
        LogSettings.replicas,
        "How many servers of a replicated log keep a copy, where the broker makes the log.",
        least=1,
        most=5,
        page="cluster.md",
    )
    store_lease_ms: int = setting(
        LogSettings.lease_ms,
        "How long a broker serves after its last answered append to a replicated log; "
        "another takes over after this time at the earliest.",
        least=500,
        page="cluster.md#who-may-write",
        **_MS,
    )
    store_monitors: tuple[str, ...] = setting(
        (),
        "The monitoring addresses of the log's servers, which tell when they sync: http://HOST:8222.",
        flag="--store-monitor",
        metavar="URL",
        form=("https?://.+", "one or more URLs of monitoring ports"),
        page="cluster.md#when-servers-sync",
    )
    store_unsynced: OnUnsynced = setting(
        OnUnsynced.WARN,
        "If the log's servers may answer before their disks have a batch: warn, or do not start.",
        page="cluster.md#when-servers-sync",
    )
    follow: bool = setting(
        default=False,
        sentence="Follow the broker that writes the log: serve readers, and take over when that one ends.",
        page="followers.md#followers",
    )
    advertise: str = setting(
        "",
        "The address of this broker for clients, to which followers send them: HOST:PORT.",
        metavar="HOST:PORT",
        default_text="--host and --port",
        form=(r"|.+:[0-9]+", "a host and a port: HOST:PORT"),
        page="followers.md#followers",
    )
    cluster_brokers: tuple[str, ...] = setting(
        (),
        "The brokers that should share the log; one that neither leads nor follows is shown as missing.",
        flag="--cluster-broker",
        metavar="HOST:PORT",
        form=(r".+:[0-9]+", "hosts and ports: HOST:PORT"),
        page="followers.md#watch-a-cluster",
        live=True,
    )
    max_lag_ms: int = setting(
        5000,
        "A follower that is further behind its leader is not ready.",
        least=1,
        page="followers.md#followers",
        live=True,
        **_MS,
    )
    snapshots: Path | ObjectAddress | None = setting(
        None,
        "Write snapshots of the store, which administrators request, below this directory, or URL of object "
        "storage.",
        metavar="DIR|URL",
        default_text="nowhere",
        page="store.md#backup-and-restore",
        form=(f"(?s)(?!.*://).+|{OBJECTS_FORM[0]}", f"a directory, or {OBJECTS_FORM[1]}"),
        reader=_snapshots_place,
    )
    sync: Sync = setting(
        StoreOptions.sync,
        "When messages are flushed to disk: before the confirmation, at intervals, or by the system.",
        page="store.md",
    )
    sync_interval_ms: int = setting(
        StoreOptions.interval_ms, "The interval of flushes for sync = interval.", least=1, **_MS
    )
    on_corruption: OnCorruption = setting(
        OnCorruption.REFUSE, "If the store is damaged before its end: do not start, or keep the rest."
    )
    on_drift: OnDrift = setting(
        OnDrift.APPLY,
        "If the store differs from the file: change what can change and warn of the rest, "
        "only warn, or do not start.",
        page="configuration.md#changes",
        live=True,
    )
    event_loop: EventLoop = setting(
        EventLoop.AUTO,
        "Run on the event loop of asyncio or of uvloop; auto is uvloop where it is installed.",
        page="serve.md#the-event-loop",
    )
    segment_size: int = setting(
        StoreOptions.segment_bytes,
        "The size after which the store begins another file.",
        least=64 * 1024,
        unit="bytes",
        metavar="BYTES",
    )

    @property
    def is_local(self) -> bool:
        """Whether only this machine reaches the broker: `host` is a loopback address."""
        try:
            return self.host == "localhost" or ip_address(self.host).is_loopback
        except ValueError:
            return False

    @property
    def offers_qmf(self) -> bool:
        """Whether consoles of Qpid may manage the broker; by default only those of this machine."""
        return self.is_local if self.qmf is None else self.qmf

    @property
    def offers_core_management(self) -> bool:
        """Whether clients of Artemis may manage the broker; by default only those of this machine."""
        return self.is_local if self.core_management is None else self.core_management

    def offers(self, protocol: str) -> bool:
        """Whether one of PROTOCOLS is offered."""
        return not self.protocols or protocol in self.protocols

    @property
    def admits_anonymous(self) -> bool:
        """Whether clients without a name are accepted; if there are users, only with `anonymous`."""
        return not self.knows_users if self.anonymous is None else self.anonymous

    @property
    def knows_users(self) -> bool:
        """Whether there are users, or keys for tokens that name them."""
        return bool(self.users) or self.users_file is not None or self.token_keys is not None


def _declared() -> Iterator[ServerSetting]:
    hints = get_type_hints(ServerOptions)
    for each in fields(ServerOptions):
        default = {} if each.default is MISSING else each.default
        yield ServerSetting(name=each.name, kind=_kind(hints[each.name]), default=default, **each.metadata)


def _kind(hint: Any) -> Any:
    if (origin := get_origin(hint)) in (tuple, Mapping):
        return tuple if origin is tuple else dict
    return next(kind for kind in (*get_args(hint), hint) if kind is not type(None))


SETTINGS: Final = {each.name: each for each in _declared()}
"""The settings by name, in the order of the file."""
