"""The settings of the server, declared once; file, flags, environment and reference page derive from them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, fields
from enum import Enum
from pathlib import Path
from typing import Any, Final, get_args, get_origin, get_type_hints

from lastvalue.config.errors import NO_VALUE, Fault
from lastvalue.config.server_setting import InvalidSettingError, ServerSetting, setting
from lastvalue.store.file_journal import StoreOptions
from lastvalue.store.writer import Sync

_PORT: Final = {"most": 65535}
_MANY: Final = {"most": 2**20}
_BYTES: Final = {"most": 2**53, "unit": "bytes", "metavar": "BYTES"}
_MS: Final = {"unit": "milliseconds", "metavar": "MS"}
_FILE: Final = {"metavar": "FILE"}
_TLS: Final = {"needs": ("TLS needs", "tls_certificate"), "page": "security.md#tls"}
_TOKENS: Final = {"needs": ("tokens need", "token_keys"), "page": "security.md#tokens"}
_WEB: Final = {"page": "../protocols/websocket.md"}


class OnCorruption(Enum):
    """What to do where the store is damaged in the middle."""

    REFUSE = "refuse"
    SALVAGE = "salvage"


@dataclass(frozen=True, kw_only=True)
class ServerOptions:
    """How a broker listens, whom it lets in, what it bears and where it keeps what is durable."""

    host: str = setting("127.0.0.1", "The address to listen on; 0.0.0.0 is every one.")
    # In Kubernetes a service that is called lastvalue sets LASTVALUE_PORT, to a URL.
    port: int = setting(5672, "The port to listen on; 0 is any free one.", **_PORT, env="LASTVALUE_AMQP_PORT")
    port_fallback: bool = setting(
        default=False, sentence="Where the port is taken, take the next free one, up to 100 further."
    )
    anonymous: bool | None = setting(
        None, "Let in who gives no name.", default_text="true where there are no users"
    )
    users: Mapping[str, str] = setting(
        {},
        "Let these users in: passwords by name.",
        flag="--user",
        metavar="NAME:PASSWORD",
        page="security.md",
    )
    users_file: Path | None = setting(
        None, "Let the users of this file in; see `lastvalue user`.", page="security.md", **_FILE
    )
    token_keys: Path | None = setting(
        None, "Let in who has a token that these keys signed.", page="security.md#tokens", **_FILE
    )
    token_audience: str = setting("lastvalue", "The audience that tokens must name.", **_TOKENS)
    token_issuer: str | None = setting(
        None, "The issuer that tokens must have.", default_text="any", **_TOKENS
    )
    token_user_claim: str = setting("sub", "The claim of a token that is the user's name.", **_TOKENS)
    tls_port: int = setting(5671, "The port to listen on with TLS; 0 is any free one.", **_PORT, **_TLS)
    tls_certificate: Path | None = setting(
        None, "Listen with TLS too, and show this certificate (PEM).", page="security.md#tls", **_FILE
    )
    tls_key: Path | None = setting(
        None, "The certificate's key, where it is in a file of its own (PEM).", **_FILE, **_TLS
    )
    tls_client_ca: Path | None = setting(
        None, "Believe client certificates of these authorities (PEM).", **_FILE, **_TLS
    )
    tls_client_required: bool = setting(
        default=False, sentence="With TLS let in only who shows a certificate.", **_TLS
    )
    ws_port: int | None = setting(None, "Speak AMQP over WebSocket on this port, too.", **_PORT, **_WEB)
    wss_port: int | None = setting(
        None, "Speak AMQP over WebSocket with TLS on this port, too.", **_PORT, **_TLS | _WEB
    )
    ws_origins: tuple[str, ...] = setting(
        (),
        "Let web pages of these origins connect, beside this host's own; * is every one.",
        flag="--ws-origin",
        metavar="ORIGIN",
        **_WEB,
    )
    max_frame_size: int = setting(
        64 * 1024, "The largest frame that is taken.", least=512, unit="bytes", metavar="BYTES"
    )
    max_message_size: int = setting(
        64 * 1024 * 1024, "The largest message that is taken.", least=1, **_BYTES | {"most": 2**40}
    )
    idle_timeout_ms: int = setting(
        120_000, "A connection that is silent for so long is closed; 0 is never.", **_MS
    )
    open_timeout_ms: int = setting(
        10_000, "A connection that is not open after so long is closed; 0 is never.", **_MS
    )
    max_connections: int = setting(10_000, "Connections beyond that are dropped.", least=1, **_MANY)
    max_connections_per_user: int = setting(
        0, "How many connections a user may have; 0 is any number.", page="limits.md#connections", **_MANY
    )
    connection_rate: int = setting(
        0,
        "How many connections an address may make in a second; 0 is any number.",
        page="limits.md#connections",
        **_MANY,
    )
    refuse_unknown_filters: bool = setting(
        default=False,
        sentence="Refuse a link that asks for an unknown filter; else the answer leaves it out.",
    )
    ignore_unknown_arguments: bool = setting(
        default=False,
        sentence="Leave out unknown arguments of a declaration by AMQP 0-9-1; else it is refused.",
        page="../protocols/amqp-0-9-1.md",
    )
    slow_consumer_ms: int = setting(
        60_000,
        "Log a consumer that leaves messages waiting for so long because its peer takes none; 0 is never.",
        page="statistics.md#slow-consumers",
        **_MS,
    )
    memory_limit: int | None = setting(
        None,
        "What messages may take before producers have to wait; 0 is any amount.",
        default_text="half of the machine's memory",
        page="limits.md",
        **_BYTES,
    )
    journal_limit: int = setting(
        16 << 20,
        "What may wait for the store's disk before producers of durable queues have to wait.",
        least=1,
        page="limits.md",
        **_BYTES,
    )
    disk_reserve: int | None = setting(
        None,
        "What producers of durable queues leave free on the store's disk.",
        default_text="5 % of it, at most 1 GiB",
        page="limits.md",
        **_BYTES,
    )
    announce: str | None = setting(
        None,
        "The product and version that peers are told.",
        form=("(?s).+ [^ ]+", 'a product and a version, as "RabbitMQ 4.2.0"'),
        default_text="what it is",
        page="../clients/rabbitmq-amqp-python-client.md",
    )
    health_host: str = setting("127.0.0.1", "The address to answer for health on.", page="deploy.md#health")
    health_port: int | None = setting(
        None,
        "Answer GET /healthz and /readyz on this port; 0 is any free one.",
        page="deploy.md#health",
        **_PORT,
    )
    store: Path | None = setting(
        None, "Keep durable queues and messages in this directory.", metavar="DIR", page="store.md"
    )
    snapshots: Path | None = setting(
        None,
        "Write snapshots of the store below this directory, where an administrator asks for one.",
        metavar="DIR",
        default_text="nowhere",
        page="store.md#backup-and-restore",
    )
    sync: Sync = setting(
        StoreOptions.sync,
        "When the disk has a message: before it is confirmed, soon, or when the system writes it.",
        page="store.md",
    )
    sync_interval_ms: int = setting(
        StoreOptions.interval_ms, "With sync interval, how much later at most.", least=1, **_MS
    )
    on_corruption: OnCorruption = setting(
        OnCorruption.REFUSE, "Where the store is damaged in the middle, do not start, or keep the rest."
    )
    segment_size: int = setting(
        StoreOptions.segment_bytes,
        "The store begins another file after so much.",
        least=64 * 1024,
        unit="bytes",
        metavar="BYTES",
    )

    @property
    def admits_anonymous(self) -> bool:
        """Whether a peer without a name is let in; where there are users, only if that is said."""
        return not self.knows_users if self.anonymous is None else self.anonymous

    @property
    def knows_users(self) -> bool:
        """Whether there are users, or tokens that name them."""
        return bool(self.users) or self.users_file is not None or self.token_keys is not None


def merged(
    file: Mapping[str, Any], environment: Mapping[str, str], flags: Mapping[str, Any]
) -> ServerOptions:
    """The options: what the command line says, else the environment, else the file, else the defaults.

    `file` has values that were read, `flags` those that were typed; an empty variable says nothing.

    Raises:
        InvalidSettingError: a flag or variable has a value that it cannot have, or contradicts the others.
            The text names it.
    """
    said = dict(file)
    sources: dict[str, str] = {}
    for name, declared in SETTINGS.items():
        source, raw = declared.flag, flags.get(name)
        # What may be given several times, and is not, is empty.
        if raw in (None, [], ()):
            source, raw = declared.env, environment.get(declared.env) or None
        if raw is not None:
            said[name] = declared.read_text(raw, source)
            sources[name] = source
    if faults := list(contradictions(said, lambda name: sources.get(name, SETTINGS[name].flag))):
        raise InvalidSettingError(faults)
    return ServerOptions(**said)


def contradictions(said: Mapping[str, Any], source: Callable[[str], str] = str) -> Iterator[Fault]:
    """What is wrong with settings beside one another; `source` is what a fault calls a setting."""
    for user, password in said.get("users", {}).items():
        if not user or not isinstance(password, str) or not password:
            yield Fault((source("users"), user), "expected a password, as text", NO_VALUE)
    lets_in = ("users", "users_file", "token_keys", "tls_client_ca")
    if said.get("anonymous") is False and not any(said.get(name) for name in lets_in):
        reason = f"this lets nobody in; name a {source('users_file')}, or {source('users')}"
        yield Fault((source("anonymous"),), reason, value=False)
    for name, value in said.items():
        words, needed = SETTINGS[name].needs or ("", name)
        if needed not in said:
            yield Fault((source(name),), f"{words} {source(needed)}", value)


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
"""By name, in the order of the file."""
