"""The server's options from the command line, the environment and the file, and whether they fit together."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from lastvalue.config.errors import NO_VALUE, Fault
from lastvalue.config.server_options import (
    AMQP_010,
    AMQP_10,
    CORE,
    MQTT,
    PROTOCOLS,
    SETTINGS,
    ServerOptions,
)
from lastvalue.config.server_setting import InvalidSettingError


def merged_options(
    file: Mapping[str, Any], environment: Mapping[str, str], flags: Mapping[str, Any]
) -> ServerOptions:
    """The options by precedence: the command line, the environment, the file, the defaults.

    `file` has values that were read, `flags` values as typed; an empty variable is ignored.

    Raises:
        InvalidSettingError: a flag or variable has an invalid value, or contradicts the others. The text
            names it.
    """
    values = dict(file)
    sources: dict[str, str] = {}
    for name, declared in SETTINGS.items():
        source, raw = declared.flag, flags.get(name)
        # A flag that may be repeated is empty if it is absent.
        if raw in (None, [], ()):
            source, raw = declared.env, environment.get(declared.env) or None
        if raw is not None:
            values[name] = declared.read_text(raw, source)
            sources[name] = source
    if faults := list(contradictions(values, lambda name: sources.get(name, SETTINGS[name].flag))):
        raise InvalidSettingError(faults)
    return ServerOptions(**values)


def contradictions(values: Mapping[str, Any], source: Callable[[str], str] = str) -> Iterator[Fault]:
    """The faults of settings that contradict each other; `source` gives a setting's name for the text."""
    for user, password in values.get("users", {}).items():
        if not user or not isinstance(password, str) or not password:
            yield Fault((source("users"), user), "expected a password, as text", NO_VALUE)
    lets_in = ("users", "users_file", "token_keys", "tls_client_ca")
    if values.get("anonymous") is False and not any(values.get(name) for name in lets_in):
        reason = f"this accepts no clients; set {source('users_file')} or {source('users')}"
        yield Fault((source("anonymous"),), reason, value=False)
    protocols = values.get("protocols") or PROTOCOLS
    needs = (
        ("core_port", (CORE,)),
        ("core_management", (CORE,)),
        ("mqtt_port", (MQTT,)),
        ("mqtt_tls_port", (MQTT,)),
        ("ws_port", (AMQP_10, MQTT)),
        ("wss_port", (AMQP_10, MQTT)),
        ("qmf", (AMQP_010,)),
    )
    for name, offering in needs:
        value = values.get(name)
        if value is not None and value is not False and not set(offering) & set(protocols):
            text = f"it needs {' or '.join(offering)}, which {source('protocols')} leaves out"
            yield Fault((source(name),), text, value)
    for name, value in values.items():
        words, needed = SETTINGS[name].needs or ("", name)
        if needed not in values:
            yield Fault((source(name),), f"{words} {source(needed)}", value)
