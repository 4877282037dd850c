"""The events that the server logs: each with a name and fields that stay as they are.

They go to the loggers `lastvalue.COMPONENT` of `logging`, so that a program that embeds a broker can handle
them; `lastvalue serve` renders them (`server/log_output.py`). `docs/operate/logs.md` lists them.
"""

import logging
from typing import Any, Final, final

LOGGER: Final = "lastvalue"
"""The logger above those of the components."""

MOST_CHARACTERS: Final = 256
"""Characters of a value; longer ones are cut."""

_NEEDS_QUOTES: Final = frozenset(" =\"'")


@final
class LogEvent:
    """Something that is logged.

    Attributes:
        name: its component, a dot, and what happened.
        level: of `logging`.
        sentence: what has happened, and what follows from it.
        fields: the names of its values; a line leaves out those that are None.
    """

    __slots__ = ("_allowed", "_logger", "component", "fields", "level", "name", "sentence")

    def __init__(self, name: str, level: int, sentence: str, *fields: str) -> None:
        self.name = name
        self.level = level
        self.sentence = sentence
        self.fields = fields
        self.component = name.partition(".")[0]
        self._allowed = frozenset(fields)
        self._logger = logging.getLogger(f"{LOGGER}.{self.component}")

    def log(self, fault: BaseException | None = None, /, **values: Any) -> None:
        """Log it, with the trace of a fault if one is passed.

        Raises:
            TypeError: it has no such field.
        """
        if not self._logger.isEnabledFor(self.level):
            return
        if not self._allowed.issuperset(values):
            raise TypeError(f"{self.name} has no field {sorted(set(values) - self._allowed)}")
        shown = {name: _shown(value) for name, value in values.items() if value is not None}
        extra = {"event": self, "fields": shown}
        self._logger.log(self.level, _Line(self, shown), extra=extra, exc_info=fault)


class _Line:
    """The message of a record, for handlers that know no fields; it is made only for them."""

    __slots__ = ("_event", "_shown")

    def __init__(self, event: LogEvent, shown: dict[str, Any]) -> None:
        self._event = event
        self._shown = shown

    def __str__(self) -> str:
        values = "".join(f" {name}={_quoted(value)}" for name, value in self._shown.items())
        return f"{self._event.name}: {self._event.sentence}{values}"


def clean_text(text: str) -> str:
    """A text as `escape_text` makes it, cut where it is long."""
    return escape_text(text if len(text) <= MOST_CHARACTERS else text[:MOST_CHARACTERS] + "…")


def escape_text(text: str) -> str:
    """A text in which everything is escaped that a terminal or a reader of lines could act on.

    That is what is not printable: control characters, escape sequences, ends of lines, and characters that
    change the direction of a text.
    """
    return text if text.isprintable() else "".join(map(_escaped, text))


def _escaped(character: str) -> str:
    if character.isprintable():
        return character
    number = ord(character)
    if number < 0x100:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


def _shown(value: Any) -> Any:
    return value if isinstance(value, bool | int | float) else clean_text(str(value))


def _quoted(value: Any) -> str:
    text = str(value)
    return repr(text) if not text or _NEEDS_QUOTES.intersection(text) else text


# ---------------------------------------------------------------------- the events

_DEBUG: Final = logging.DEBUG
_INFO: Final = logging.INFO
_WARNING: Final = logging.WARNING
_ERROR: Final = logging.ERROR

_PEER: Final = ("peer", "user", "protocol", "client")
_ASKER: Final = (*_PEER, "on_behalf_of")

SERVER_STARTING: Final = LogEvent(
    "server.starting",
    _INFO,
    "the broker starts",
    "version",
    "compiled",
    "python",
    "event_loop",
    "pid",
    "store",
)
SERVER_LISTENING: Final = LogEvent("server.listening", _INFO, "peers may connect", "url")
SERVER_READY: Final = LogEvent(
    "server.ready",
    _INFO,
    "the broker has started",
    "seconds",
    "descriptors",
    "descriptors_before",
    "max_connections",
)
SERVER_FEW_DESCRIPTORS: Final = LogEvent(
    "server.few_descriptors",
    _WARNING,
    "fewer descriptors may be open than connections; raise the limit, or lower max_connections",
    "descriptors",
    "max_connections",
)
SERVER_STOPPING: Final = LogEvent(
    "server.stopping", _INFO, "the broker stops: it confirms what it took and closes", "connections"
)
SERVER_UNFINISHED: Final = LogEvent(
    "server.unfinished",
    _WARNING,
    "connections are closed before their clients have finished; messages that they hold come again, "
    "transactions are rolled back",
    "messages",
    "transactions",
)
SERVER_STOPPED: Final = LogEvent("server.stopped", _INFO, "the broker has stopped", "seconds")
SERVER_FAILED: Final = LogEvent("server.failed", _ERROR, "the broker cannot start, or has failed", "cause")
SERVER_OUT_OF_DESCRIPTORS: Final = LogEvent(
    "server.out_of_descriptors", _ERROR, "new connections are dropped", "cause"
)
SERVER_NOTIFY_FAILED: Final = LogEvent(
    "server.notify_failed", _WARNING, "the service manager cannot be notified", "address", "cause"
)

GATEWAY_STARTED: Final = LogEvent(
    "gateway.started", _INFO, "the process of the HTTP gateway answers", "pid", "seconds"
)
GATEWAY_ENDED: Final = LogEvent(
    "gateway.ended",
    _ERROR,
    "the process of the HTTP gateway has ended; callers wait until it starts again",
    "cause",
    "restart_s",
)
GATEWAY_PRINTED: Final = LogEvent(
    "gateway.printed", _WARNING, "the process of the HTTP gateway has written a line", "line"
)

STORE_READING: Final = LogEvent(
    "store.reading", _INFO, "the store is being read, part by part", "read", "of", "parts"
)
STORE_RECOVERED: Final = LogEvent(
    "store.recovered",
    _INFO,
    "the store has been read",
    "directory",
    "queues",
    "exchanges",
    "bindings",
    "messages",
    "branches",
    "segments",
    "records",
    "seconds",
)
STORE_TORN: Final = LogEvent(
    "store.torn_end",
    _WARNING,
    "the end of a segment was not written completely and is cut off; it was never confirmed",
    "segment",
    "start",
    "end",
)
STORE_MISSING: Final = LogEvent(
    "store.segment_missing", _ERROR, "a missing segment is skipped, and is lost", "segment"
)
STORE_UNFINISHED: Final = LogEvent(
    "store.closed_with_fault", _ERROR, "what was not confirmed is lost", "directory", "cause"
)
STORE_LOST: Final = LogEvent(
    "store.damage_skipped", _ERROR, "damaged records are skipped, and are lost", "segment", "start", "end"
)
STORE_PASSED_OVER: Final = LogEvent(
    "store.node_skipped", _ERROR, "a node in the store is passed over", "kind", "name", "cause"
)
STORE_DOUBTFUL: Final = LogEvent(
    "store.doubtful",
    _WARNING,
    "the replicated log may lose what was confirmed, if all its servers lose power or one is lost",
    "directory",
    "cause",
)
STORE_HELD: Final = LogEvent(
    "store.held",
    _ERROR,
    "nothing is served: the replicated log has not answered for as long as the lease, so another broker may "
    "have taken over",
    "directory",
)
STORE_RESUMED: Final = LogEvent(
    "store.resumed", _WARNING, "the replicated log has answered: this broker still leads", "directory"
)
STORE_TAKEN_OVER: Final = LogEvent(
    "store.taken_over", _ERROR, "all connections are closed: this broker may not serve any more", "cause"
)
STORE_NEWER: Final = LogEvent(
    "store.newer",
    _ERROR,
    "all connections are closed, and this broker waits to be upgraded: a newer version has written the log",
    "cause",
)
STORE_FOLLOWED: Final = LogEvent(
    "store.followed",
    _INFO,
    "this broker follows another one's log: it serves readers, and takes over when that one ends",
    "directory",
    "leader",
    "queues",
    "messages",
    "seconds",
)
STORE_READ_ANEW: Final = LogEvent(
    "store.read_anew",
    _WARNING,
    "the log was read again from its beginning: the leader had deleted what this broker had not read yet",
    "directory",
)
STORE_LED: Final = LogEvent(
    "store.led",
    _WARNING,
    "this broker leads now: it writes the log, and serves everything",
    "directory",
    "queues",
    "messages",
    "seconds",
)
STORE_FAILING: Final = LogEvent(
    "store.failing", _ERROR, "durable messages are refused", "directory", "cause", "full"
)
STORE_WRITABLE: Final = LogEvent("store.writable", _WARNING, "durable messages are taken again", "directory")

SNAPSHOT_WRITTEN: Final = LogEvent(
    "snapshot.written", _INFO, "a snapshot is complete", "directory", "bytes", "sent"
)
SNAPSHOT_FAILED: Final = LogEvent("snapshot.failed", _ERROR, "no snapshot was written", "directory", "cause")

CONNECTION_OPENED: Final = LogEvent(
    "connection.opened", _INFO, "a peer has connected", "connection", *_PEER, "mechanism"
)
CONNECTION_CLOSED: Final = LogEvent(
    "connection.closed",
    _INFO,
    "a connection has ended",
    "connection",
    *_PEER,
    "cause",
    "seconds",
    "bytes_in",
    "bytes_out",
)
CONNECTION_REFUSED: Final = LogEvent(
    "connection.refused", _WARNING, "a connection ended before it was open", "peer", "user", "cause"
)
CONNECTION_DROPPED: Final = LogEvent(
    "connection.dropped", _WARNING, "a new connection is dropped at once", "peer", "cause"
)
CONNECTION_SILENT: Final = LogEvent(
    "connection.silent", _DEBUG, "a peer connected and went before it said who it is", "peer"
)
CONNECTION_FAILED: Final = LogEvent(
    "connection.internal_error", _ERROR, "a fault of the broker; the connection is closed", "peer"
)

USERS_RELOADED: Final = LogEvent("users.reloaded", _INFO, "the changed users file holds from now on", "file")
USERS_UNREADABLE: Final = LogEvent("users.unreadable", _ERROR, "the users stay as they are", "cause")
USERS_GUESSED: Final = LogEvent(
    "users.too_many_wrong_passwords",
    _WARNING,
    "further passwords are refused unchecked",
    "peer",
    "user",
    "per_minute",
)
USERS_UNCHECKED: Final = LogEvent(
    "users.check_failed", _ERROR, "a password cannot be checked", "user", "cause"
)
USERS_TOKEN_REFUSED: Final = LogEvent("users.token_refused", _WARNING, "a token is not accepted", "cause")

TLS_REPLACED: Final = LogEvent("tls.certificate_replaced", _INFO, "a new certificate is shown", "file")
TLS_UNUSABLE: Final = LogEvent(
    "tls.certificate_unusable", _ERROR, "the old certificate stays in use", "cause"
)

CONSUMER_SLOW: Final = LogEvent(
    "consumer.slow",
    _WARNING,
    "a consumer leaves messages waiting",
    "queue",
    "connection",
    "peer",
    "user",
    "container",
    "waits_for",
    "waited_ms",
)
CONSUMER_RESUMED: Final = LogEvent(
    "consumer.resumed",
    _INFO,
    "a slow consumer continues, or is gone",
    "queue",
    "connection",
    "peer",
    "user",
    "container",
    "slow_ms",
)
SERVER_FAULT: Final = LogEvent(
    "server.fault",
    _ERROR,
    "a part of a turn has failed; the reader or command that it concerned has ended, the others continue",
    "part",
    "queue",
)
CONSUMER_OVERTAKEN: Final = LogEvent(
    "consumer.overtaken",
    _WARNING,
    "a consumer holds messages that others have overtaken; less credit keeps the order",
    "queue",
)
CONSUMER_PASSED_OVER: Final = LogEvent(
    "consumer.passed_over",
    _WARNING,
    "a consumer was not given a message that it cannot take; the message stays for others",
    "queue",
    "cause",
)
QUEUE_UNORDERED: Final = LogEvent(
    "queue.order_missing",
    _WARNING,
    "a producer's messages lack the queue's order_by property, or it does not compare with their key's value",
    "queue",
    "producer",
)
QUEUE_LOST_LETTERS: Final = LogEvent(
    "queue.dead_letters_lost",
    _WARNING,
    "a dead letter of a queue was lost; the statistic lost_letters counts the next ones",
    "queue",
    "cause",
)
QUEUE_BLOCKED: Final = LogEvent(
    "queue.blocked",
    _WARNING,
    "the producers of a full queue wait for its consumers",
    "queue",
    "blocked_ms",
    "messages",
    "bytes",
    "producers",
)
QUEUE_AGED: Final = LogEvent(
    "queue.aged",
    _WARNING,
    "values of keys of a queue have become older than its max_age_ms",
    "queue",
    "keys",
    "aged_keys",
    "key",
    "max_age_ms",
    "removed",
)
QUEUE_FRESH: Final = LogEvent(
    "queue.fresh", _INFO, "no value of a key of the queue is older than its max_age_ms any more", "queue"
)
QUEUE_UNBLOCKED: Final = LogEvent(
    "queue.unblocked", _INFO, "the producers of a queue continue", "queue", "blocked_ms"
)

MEMORY_HIGH: Final = LogEvent(
    "memory.high", _WARNING, "all producers wait for consumers", "used_bytes", "limit_bytes"
)
MEMORY_NORMAL: Final = LogEvent("memory.normal", _WARNING, "producers continue", "used_bytes", "limit_bytes")
DISK_SLOW: Final = LogEvent(
    "disk.slow",
    _WARNING,
    "producers of durable queues get credit at the pace of the disk",
    "waiting_bytes",
    "bytes_per_second",
)
DISK_KEEPS_UP: Final = LogEvent(
    "disk.keeps_up", _WARNING, "the disk keeps up with the producers of durable queues again"
)
DISK_LOW: Final = LogEvent(
    "disk.low",
    _WARNING,
    "producers of durable queues wait for room on the disk",
    "directory",
    "free_bytes",
    "reserve_bytes",
)
DISK_ENOUGH: Final = LogEvent(
    "disk.enough", _WARNING, "producers continue", "directory", "free_bytes", "reserve_bytes"
)
DISK_UNKNOWN: Final = LogEvent(
    "disk.unknown", _DEBUG, "the free space is not available", "directory", "cause"
)

CLOCK_STEPPED: Final = LogEvent(
    "clock.stepped",
    _WARNING,
    "the system's clock was set; the broker's time continues, restart it to follow",
    "seconds",
)
CONFIG_LOADED: Final = LogEvent(
    "config.loaded", _INFO, "the declarations of the configuration hold", "file", "queues", "exchanges"
)

CONFIG_CHANGED: Final = LogEvent(
    "config.changed", _INFO, "the configuration has changed the broker", "change"
)
CONFIG_EXTRA: Final = LogEvent(
    "config.extra",
    _INFO,
    "the configuration does not name something; `lastvalue config reload --prune` removes it",
    "change",
)
CONFIG_LEFT: Final = LogEvent(
    "config.left", _WARNING, "the broker differs from the configuration and stays so", "change"
)
CONFIG_FAILED: Final = LogEvent("config.failed", _ERROR, "a change could not be made", "change")
CONFIG_INVALID: Final = LogEvent(
    "config.invalid", _ERROR, "the file has a fault; the configuration stays as it is", "fault"
)
CONFIG_NONE: Final = LogEvent(
    "config.none", _WARNING, "there is no configuration file that could be read again"
)

LOG_LEVELS: Final = LogEvent("log.levels_changed", _INFO, "the log has other levels", "levels")
LOG_LEFT_OUT: Final = LogEvent(
    "log.left_out", _WARNING, "lines of an event were left out", "of", "peer", "lines"
)
LOG_UNWRITABLE: Final = LogEvent(
    "log.audit_unwritable", _ERROR, "lines of the audit are lost", "file", "cause"
)
LOG_WRITABLE: Final = LogEvent("log.audit_writable", _WARNING, "the audit is written again", "file", "lines")

AUDIT_DONE: Final = LogEvent(
    "audit.done", _INFO, "somebody has changed something", *_ASKER, "verb", "name", "destination", "detail"
)
AUDIT_DENIED: Final = LogEvent(
    "audit.denied", _WARNING, "somebody was refused for lack of a right", *_ASKER, "verb", "name", "right"
)

AUDIT_LOGIN: Final = LogEvent(
    "audit.login", _INFO, "somebody has logged in", *_PEER, "connection", "mechanism"
)
AUDIT_LOGIN_FAILED: Final = LogEvent(
    "audit.login_failed", _WARNING, "somebody was not let in", "peer", "user", "cause"
)

EVENTS: Final = tuple(each for each in globals().values() if isinstance(each, LogEvent))
"""All events."""
