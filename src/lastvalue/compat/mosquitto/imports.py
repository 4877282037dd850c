"""Imports configurations from `mosquitto.conf`: what of it is a setting of the server."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from lastvalue.config.configuration import Configuration
from lastvalue.config.report import Draft, Report, UnreadableSourceError

_ALL_ADDRESSES: Final = "0.0.0.0"  # noqa: S104 - where Mosquitto listens without an address, too
_DEFAULT_PORT: Final = "1883"
_MQTT: Final = "mqtt"
_WEB: Final = "websockets"
_PORTS: Final = {
    (_MQTT, False): "mqtt_port",
    (_MQTT, True): "mqtt_tls_port",
    (_WEB, False): "ws_port",
    (_WEB, True): "wss_port",
}
_OF_LISTENER: Final = ("certfile", "keyfile", "cafile", "require_certificate", "protocol")
_LIFETIME: Final = re.compile(r"(\d+)([hdwmy])")
_HOURS: Final = {"h": 1, "d": 24, "w": 7 * 24, "m": 30 * 24, "y": 365 * 24}
USERS_FILE: Final = "users.toml"
"""Where `lastvalue user import` puts the users."""
_ELSEWHERE: Final = {
    "password_file": f"an import reads no other file; `lastvalue user import FILE` writes it to {USERS_FILE}",
    "acl_file": "an import reads no other file; convert that one with --format mosquitto-acl",
    "include_dir": "an import reads no other file; convert each of them",
    "plugin": "there are no plug-ins; users have passwords, certificates or tokens",
    "auth_plugin": "there are no plug-ins; users have passwords, certificates or tokens",
    "global_plugin": "there are no plug-ins; users have passwords, certificates or tokens",
    "sys_interval": "there is no tree $SYS; statistics are metrics, and `lastvalue top` shows them",
    "max_inflight_messages": "how many a client takes before it answers, the client says",
    "queue_qos0_messages": "messages at QoS 0 wait for a client that is away, too",
    "use_identity_as_username": "a client with a certificate is the user of that, unless it names another",
    "log_dest": "the log goes to standard error; `log_level` and `log_format` are settings",
    "log_type": "the log goes to standard error; `log_level` and `log_format` are settings",
    "user": "whoever starts the broker decides as whom it runs",
    "pid_file": "whoever starts the broker knows its process",
    "retain_available": "retained messages need the right to write to their queue, such as mqtt.retained",
    "autosave_interval": "the store has each message before it is confirmed",
    "autosave_on_changes": "the store has each message before it is confirmed",
    "persistence_file": "a store is a directory",
    "per_listener_settings": "users are the same on every port",
}
_BRIDGE: Final = "the broker connects to no other one; `lastvalue import-retained` copies retained messages"


@dataclass
class _Listener:
    """A port, and what the file says of it.

    Attributes:
        path: where it begins.
        said: by name, the line and the value.
    """

    path: str
    port: str
    address: str = ""
    said: dict[str, tuple[str, str]] = field(default_factory=dict)

    @property
    def protocol(self) -> str:
        return self.said.get("protocol", ("", _MQTT))[1]

    @property
    def has_tls(self) -> bool:
        return "certfile" in self.said


class _Importer:
    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.options: dict[str, Any] = {}
        self.listeners: list[_Listener] = []
        # What comes before any listener: the port of Mosquitto 1 and its options.
        self._first = _Listener("", "")
        self._persistence: tuple[str, bool] = ("", False)
        self._location: tuple[str, str] = ("", "")
        self._bridges = False

    def take(self, path: str, name: str, value: str) -> None:
        """A line of the file."""
        take = _TAKERS.get(name)
        if name == "password_file":
            self.options["users_file"] = USERS_FILE
        if name == "connection":
            self._bridges = True
        if self._bridges:
            self.draft.leave_out(path, _BRIDGE)
        elif name == "listener":
            port, _, address = value.partition(" ")
            self.listeners.append(_Listener(path, port, address.strip()))
        elif name in ("port", "bind_address"):
            self._first.path = path
            self._first.port = value if name == "port" else self._first.port or _DEFAULT_PORT
            self._first.address = value if name == "bind_address" else self._first.address
        elif name in _OF_LISTENER:
            listener = self.listeners[-1] if self.listeners else self._first
            listener.said[name] = (path, value)
        elif name == "persistence":
            self._persistence = (path, value == "true")
        elif name == "persistence_location":
            self._location = (path, value)
        elif take is not None:
            self._set(path, take(value), value)
        else:
            reason = _ELSEWHERE.get(name, "a setting here does not have this")
            self.draft.leave_out(path, reason)

    def _set(self, path: str, found: Mapping[str, Any] | str, value: str) -> None:
        if isinstance(found, str):
            self.draft.leave_out(path, found, value)
        else:
            self.options |= found

    def finish(self) -> None:
        if self._first.port or self._first.said or not self.listeners:
            # [Mosquitto] Without a listener it is on the loopback alone.
            address = self._first.address or ("" if self._first.port else "localhost")
            first = _Listener(self._first.path, self._first.port or _DEFAULT_PORT, address, self._first.said)
            self.listeners.insert(0, first)
        if self.listeners[0].path:
            # [Mosquitto 2] On ports that are named nobody is anonymous unless that is said.
            self.options.setdefault("anonymous", False)
        for listener in self.listeners:
            self._listen(listener)
        path, keeps = self._persistence
        if keeps:
            self.options["store"] = f"{self._location[1].rstrip('/') or '.'}/lastvalue"
            self.draft.note(f"{path}: the store is new; `import-retained` copies the retained messages")
        elif self._location[0]:
            self.draft.leave_out(self._location[0], "without `persistence true` nothing is stored")

    def _listen(self, listener: _Listener) -> None:
        key = _PORTS.get((listener.protocol, listener.has_tls))
        if key is None:
            self.draft.leave_out(listener.path, f"the protocol {listener.protocol!r} is not spoken")
            return
        if not listener.port.isdecimal() or listener.port == "0":
            self.draft.leave_out(listener.path, "expected a port; the broker listens on no socket of a file")
            return
        host = listener.address or _ALL_ADDRESSES
        if key in self.options:
            self.draft.leave_out(listener.path, f"there is one `{key}`, which is {self.options[key]}")
            return
        if host != self.options.setdefault("host", host):
            reason = f"all ports are at one `host`, which is {self.options['host']!r}"
            self.draft.leave_out(listener.path, reason, host)
            return
        self.options[key] = int(listener.port)
        if listener.has_tls:
            self._secure(listener)
        else:
            for path, _ in listener.said.values():
                if path != listener.said.get("protocol", ("", ""))[0]:
                    self.draft.leave_out(path, "the listener has no `certfile`")

    def _secure(self, listener: _Listener) -> None:
        required = listener.said.get("require_certificate", ("", "false"))[1] == "true"
        wanted = {
            "tls_certificate": listener.said["certfile"],
            "tls_key": listener.said.get("keyfile"),
            "tls_client_ca": listener.said.get("cafile") if required else None,
        }
        for key, said in wanted.items():
            if said is not None and self.options.setdefault(key, said[1]) != said[1]:
                self.draft.leave_out(said[0], f"there is one `{key}`, which is {self.options[key]}")
        if required:
            self.options["tls_client_required"] = True


def import_mosquitto(text: str) -> tuple[Configuration, Report]:
    """Import the settings of a `mosquitto.conf`, with a report.

    Raises:
        UnreadableSourceError: a line of it is none.
    """
    draft = Draft()
    importer = _Importer(draft)
    for number, line in enumerate(text.splitlines(), 1):
        name, _, value = line.strip().partition(" ")
        if not name or name.startswith("#"):
            continue
        if not re.fullmatch(r"[a-z0-9_]+", name):
            raise UnreadableSourceError(f"line {number} is none of mosquitto.conf: {name!r:.40}")
        importer.take(f"line {number}, {name}", name, value.strip())
    importer.finish()
    draft.set("server", importer.options, "mosquitto.conf")
    return draft.finish()


# ---------------------------------------------------------------------- values

_Taken = Mapping[str, Any] | str
"""The settings, or why there are none."""


def _number(key: str, factor: int = 1, unlimited: tuple[str, ...] = ()) -> Callable[[str], _Taken]:
    def take(value: str) -> _Taken:
        if value in unlimited:
            return f"`{key}` has always a limit"
        return {key: factor * int(value)} if value.isdecimal() else "expected a number"

    return take


def _expiry(value: str) -> _Taken:
    found = _LIFETIME.fullmatch(value)
    if found is None:
        return "expected a number and one of h, d, w, m, y"
    return {"mqtt_max_session_expiry_s": int(found[1]) * _HOURS[found[2]] * 3600}


def _anonymous(value: str) -> _Taken:
    return {"anonymous": value == "true"}


_TAKERS: Final[dict[str, Callable[[str], _Taken]]] = {
    "allow_anonymous": _anonymous,
    "max_connections": _number("max_connections", unlimited=("-1",)),
    "global_max_connections": _number("max_connections", unlimited=("-1",)),
    "max_packet_size": _number("max_message_size", unlimited=("0",)),
    "message_size_limit": _number("max_message_size", unlimited=("0",)),
    "max_queued_messages": _number("mqtt_max_session_messages", unlimited=("0",)),
    # [Mosquitto] Of a client; here half of the time after which any peer is gone.
    "max_keepalive": _number("idle_timeout_ms", 2000, unlimited=("0",)),
    "persistent_client_expiration": _expiry,
}
