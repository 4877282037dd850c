"""Reads configurations from TOML."""

import base64
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from lastvalue.addresses.name_pattern import check_pattern
from lastvalue.broker.partitions import Partition
from lastvalue.broker.rights.permissions import PermissionRuleError, parse_rule
from lastvalue.config.address_settings import AddressSettings, Wildcards
from lastvalue.config.arguments import read_argument
from lastvalue.config.configuration import (
    EXCHANGE_TYPES,
    UNROUTABLE,
    AddressSetting,
    AutoCreate,
    Configuration,
    ConfiguredBinding,
    ConfiguredExchange,
    ConfiguredPartition,
    ConfiguredPermission,
    ConfiguredQueue,
    ConfiguredTopics,
)
from lastvalue.config.cross_checks import cross_check
from lastvalue.config.declarations import rehearsed_declarations
from lastvalue.config.errors import NO_VALUE, ConfigurationError, Fault, IllegalMatchError
from lastvalue.config.merged_options import contradictions
from lastvalue.config.pipeline_reading import cross_check_pipeline, read_pipeline
from lastvalue.config.server_options import SETTINGS
from lastvalue.config.server_setting import InvalidSettingError
from lastvalue.config.setting_fields import read_setting
from lastvalue.config.tables import Table
from lastvalue.frontends.mqtt.retained_queues import RetainedQueue
from lastvalue.model.errors import InvalidSpecError
from lastvalue.queues.spec_arguments import spec_from_arguments

NAME: Final = "lastvalue.toml"


def read_toml(path: Path) -> Configuration:
    """Read the configuration in a file.

    Raises:
        ConfigurationError: the file cannot be read, is not TOML, or has faults; it lists all of them.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise ConfigurationError(str(path), [Fault((), f"cannot be read: {reason}")]) from None
    return parse_toml(text, str(path))


def parse_toml(text: str, file: str = NAME) -> Configuration:
    """Read a configuration from a TOML text; `file` names it in faults.

    Raises:
        ConfigurationError: the text is not TOML, or has faults; it lists all of them.
    """
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError(file, [Fault((), f"is not TOML: {error}")]) from None
    configuration, faults = from_document(document)
    if faults:
        raise ConfigurationError(file, faults, text)
    return configuration


def from_document(document: Mapping[str, Any]) -> tuple[Configuration, list[Fault]]:
    """The configuration of a document and its faults; with faults it must not be used."""
    faults: list[Fault] = []
    root = Table(document, (), faults)
    server = _server(root.table("server"))
    wildcards = _wildcards(root.table("wildcards"))
    configuration = Configuration(
        server=server,
        wildcards=wildcards,
        queues=_each(root, "queue", _queue),
        exchanges=_each(root, "exchange", _exchange),
        bindings=_each(root, "binding", _binding),
        address_settings=_each(root, "address-setting", _setting_reader(wildcards)),
        auto_creates=_each(root, "auto-create", _auto_create),
        partitions=_each(root, "partition", _partition),
        permissions=_each(root, "permission", _permission),
        mqtt_topics=_mqtt(root.table("mqtt")),
        pipeline=read_pipeline(root),
    )
    root.end()
    unsound = {tuple(fault.path[:2]) for fault in faults}
    faults.extend(cross_check(configuration, unsound))
    faults.extend(cross_check_pipeline(configuration.pipeline))
    return configuration, faults or rehearsed_declarations(configuration)[1]


def _each(root: Table, key: str, reader: Callable[[Table], Any]) -> tuple[Any, ...]:
    return tuple(reader(table) for table in root.tables(key))


def _server(table: Table) -> dict[str, Any]:
    said: dict[str, Any] = {}
    faults: list[Fault] = []
    for name, setting in SETTINGS.items():
        if (raw := table.take(name)) is not None:
            try:
                said[name] = setting.read(raw, name)
            except InvalidSettingError as error:
                faults.extend(error.faults)
    faults.extend(contradictions(said))
    table.faults.extend(Fault((*table.path, *fault.path), fault.reason, fault.value) for fault in faults)
    table.end()
    return said


def _wildcards(table: Table) -> Wildcards:
    plain = Wildcards()
    values = {
        "delimiter": table.any_text("delimiter", plain.delimiter),
        "any_words": table.any_text("any_words", plain.any_words),
        "single_word": table.any_text("single_word", plain.single_word),
        "literal_markers": table.any_text("literal_markers", plain.literal_markers),
    }
    table.end()
    try:
        return Wildcards(**values)
    except IllegalMatchError as error:
        table.fault(None, str(error), NO_VALUE)
        return plain


def _queue(table: Table) -> ConfiguredQueue:
    name = table.required("name", 'name = "prices"')
    address = table.text("address") or name
    return ConfiguredQueue(name, address, _arguments(table, read_argument))


def _exchange(table: Table) -> ConfiguredExchange:
    name = table.required("name", 'name = "news"')
    kind = table.required("type", 'type = "topic"')
    options = _exchange_options(table)
    table.end()
    if kind and kind.lower() not in EXCHANGE_TYPES:
        table.fault("type", "expected one of " + ", ".join(EXCHANGE_TYPES), kind)
    if name.startswith(("amq.", "qpid.", "$")):
        table.fault("name", "names that begin with amq., qpid. or $ are reserved for the broker", name)
    return ConfiguredExchange(name, kind.lower(), **options)


def _exchange_options(table: Table) -> dict[str, Any]:
    options = {
        "durable": table.flag("durable"),
        "alternate": table.text("alternate"),
        "unroutable": table.choice("unroutable", UNROUTABLE, "discard"),
    }
    rare = {name: table.flag(name) for name in ("auto_delete", "initial_value", "numbered", "internal")}
    rare["description"] = table.any_text("description")
    return options | {name: value for name, value in rare.items() if value}


def _binding(table: Table) -> ConfiguredBinding:
    exchange = table.required("exchange", 'exchange = "news"')
    queue = table.required("queue", 'queue = "prices"')
    key = table.any_text("key")
    arguments, octets = table.mapping("arguments"), table.mapping("octets")
    nulls = table.texts("nulls")
    table.end()
    for name, value in arguments.items():
        if not _is_argument(value):
            text = "expected text, a number, true or false, or a list or table of them"
            table.faults.append(Fault((*table.path, "arguments", name), text, value))
    for name, value in octets.items():
        if not _is_base64(value):
            table.faults.append(Fault((*table.path, "octets", name), "expected octets in Base64", value))
    for name in {*arguments, *octets}.intersection(nulls):
        text = "it is among the arguments or the octets, too; keep one"
        table.faults.append(Fault((*table.path, "nulls"), text, name))
    return ConfiguredBinding(exchange, queue, key, arguments, octets, nulls)


def _is_argument(value: object) -> bool:
    if isinstance(value, list):
        return all(map(_is_argument, value))
    if isinstance(value, Mapping):
        return all(map(_is_argument, value.values()))
    return isinstance(value, str | int | float)


def _is_base64(value: object) -> bool:
    try:
        return isinstance(value, str) and bool(base64.b64decode(value, validate=True) or not value)
    except ValueError:
        return False


def _partition(table: Table) -> ConfiguredPartition:
    queues = table.required("queues", 'queues = "prices.#"')
    leaders = table.texts("leaders")
    table.end()
    if queues:
        try:
            Partition(queues, list(leaders))
        except InvalidSpecError as error:
            table.fault("leaders" if leaders else None, str(error), leaders or NO_VALUE)
    return ConfiguredPartition(queues, leaders)


def _permission(table: Table) -> ConfiguredPermission:
    user = table.required("user", 'user = "alice"')
    rules: list[str] = []
    for rule in table.texts("rules"):
        try:
            parse_rule(rule)
        except PermissionRuleError as error:
            table.fault("rules", str(error), rule)
        rules.append(rule)
    table.end()
    return ConfiguredPermission(user, tuple(rules))


def _mqtt(table: Table) -> tuple[ConfiguredTopics, ...]:
    topics = _each(table, "topics", _topics)
    table.end()
    return topics


def _topics(table: Table) -> ConfiguredTopics:
    pattern = table.required("pattern", 'pattern = "prices/{symbol}"')
    queue = table.required("queue", 'queue = "prices"')
    table.end()
    if pattern and queue:
        try:
            RetainedQueue(queue, pattern).spec()
        except InvalidSpecError as error:
            table.fault("pattern", str(error), pattern)
    return ConfiguredTopics(pattern, queue)


def _setting_reader(wildcards: Wildcards) -> Callable[[Table], AddressSetting]:
    settings = AddressSettings(wildcards)

    def setting(table: Table) -> AddressSetting:
        match = table.required("match", 'match = "prices.#"') or "(none)"
        fields = _arguments(table, read_setting)
        try:
            settings.check(match)
        except IllegalMatchError as error:
            table.fault("match", str(error), match)
            return AddressSetting("(none)", fields)
        return AddressSetting(match, fields)

    return setting


def _auto_create(table: Table) -> AutoCreate:
    pattern = table.required("pattern", 'pattern = "prices.*"')
    node = table.choice("node", ("queue", "exchange"), "queue") or "queue"
    publish, consume = table.flag("on_publish"), table.flag("on_consume")
    options = table.table("options")
    table.end()
    if not publish and not consume:
        table.fault(None, "no use creates the node; set on_publish, on_consume or both to true", NO_VALUE)
    if node == "queue":
        values = _arguments(options, read_argument)
        _check_created(options, values)
    else:
        kind = options.choice("type", EXCHANGE_TYPES, "direct")
        values = {"type": kind, **_exchange_options(options)}
        options.end()
    try:
        if pattern:
            check_pattern(pattern)
    except InvalidSpecError as error:
        table.fault("pattern", str(error), pattern)
    return AutoCreate(pattern, node, on_publish=publish, on_consume=consume, options=values)


def _check_created(options: Table, values: Mapping[str, Any]) -> None:
    try:
        spec_from_arguments("a queue", values)
    except InvalidSpecError as error:
        options.fault(None, str(error), NO_VALUE)


def _arguments(table: Table, reader: Callable[[str, Any], tuple[str, Any]]) -> dict[str, Any]:
    """The other keys of a table as options; two spellings of an option must have the same value."""
    arguments: dict[str, Any] = {}
    spelt: dict[str, str] = {}
    for spelling, raw in table.rest().items():
        try:
            name, value = reader(spelling, raw)
        except InvalidSpecError as error:
            table.fault(spelling, str(error), raw)
            continue
        if name in arguments and arguments[name] != value:
            table.fault(spelling, f"{spelt[name]!r} is the same option with another value", raw)
            continue
        arguments[name] = value
        spelt.setdefault(name, spelling)
    return arguments
