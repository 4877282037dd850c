"""`lastvalue config check`, `show` and `convert`."""

import json
from collections.abc import Callable, Mapping
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, NoReturn, TypeAlias

import typer

from lastvalue.cli.exits import CommandFailedError, ExitCode, UsageError, complain
from lastvalue.cli.options import OutputOption
from lastvalue.cli.output import Output, print_record, print_records
from lastvalue.config.errors import ConfigurationError, Fault
from lastvalue.model.errors import InvalidSpecError

if TYPE_CHECKING:
    from lastvalue.config.configuration import Configuration
    from lastvalue.config.report import Report
    from lastvalue.queues.spec import QueueSpec

config_app = typer.Typer(
    no_args_is_help=True, help="Check and convert configurations, and bring brokers to them."
)

ConfigurationFile: TypeAlias = Annotated[
    Path,
    typer.Argument(
        metavar="FILE", exists=True, dir_okay=False, help="A configuration file, such as lastvalue.toml."
    ),
]


class Format(StrEnum):
    """The form of a configuration: our own, or another broker's."""

    TOML = "toml"
    JSON = "json"
    ARTEMIS = "artemis"
    BROKER_J = "broker-j"
    RABBITMQ = "rabbitmq"
    MOSQUITTO = "mosquitto"
    MOSQUITTO_ACL = "mosquitto-acl"


FileFormat: TypeAlias = Annotated[
    Format | None,
    typer.Option(
        "--format",
        help="The form of the file. Default: toml for .toml, artemis for .xml, "
        "mosquitto for .conf, for .json what its keys show.",
    ),
]


def check(file: ConfigurationFile) -> None:
    """Print what a configuration declares; if it has faults, list them all and fail."""
    configuration = load(file)
    _check_certificate(file, configuration)
    counts = {
        "queue": len(configuration.queues),
        "exchange": len(configuration.exchanges),
        "binding": len(configuration.bindings),
        "address setting": len(configuration.address_settings),
        "policy": len(configuration.auto_creates),
        "partition": len(configuration.partitions),
        "permission": len(configuration.permissions),
    }
    totals = [_counted(number, noun) for noun, number in counts.items() if number]
    print(f"{file} has no faults and declares {', '.join(totals) or 'nothing'}")


def show(
    file: ConfigurationFile,
    *,
    address: Annotated[
        str | None,
        typer.Option(
            "--address",
            metavar="NAME",
            help="Print the settings of this address, and the patterns that they come from.",
        ),
    ] = None,
    output: OutputOption = Output.TABLE,
) -> None:
    """Print the declarations of a configuration, or its settings for one address."""
    configuration = load(file)
    if address is not None:
        _show_address(configuration, address, output)
        return
    print_records(_records(configuration, output), ("kind", "name", "type", "options"), output)


def convert(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", exists=True, dir_okay=False, help="The other broker's configuration file."
        ),
    ],
    *,
    source: FileFormat = None,
    target: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FILE",
            help="The file to write, which must not exist. Default: standard output.",
        ),
    ] = None,
) -> None:
    """Convert another broker's configuration to TOML; what does not map is listed on standard error."""
    configuration, report = read_any(file, source)
    write_out(toml_of(configuration, f"Converted from {file.name} by `lastvalue config convert`."), target)
    for line in report.lines():
        complain(line)


def toml_of(configuration: "Configuration", title: str) -> str:
    """The configuration as TOML, which needs a package."""
    try:
        from lastvalue.config.toml_writer import to_toml
    except ModuleNotFoundError as error:
        raise _missing(error) from None
    return to_toml(configuration, title)


def write_out(text: str, target: Path | None) -> None:
    """Write to a new file, or to standard output."""
    if target is None:
        print(text, end="")
    else:
        _write(target, text)


def load(file: Path, code: ExitCode = ExitCode.FAILED) -> "Configuration":
    """The configuration in a file; if it has faults, print each on a line and end with the code."""
    # Imported here, so that the other commands do not wait for the configuration modules.
    from lastvalue.config.toml_reader import read_toml

    try:
        return read_toml(file)
    except ConfigurationError as error:
        end_with(error, code)


def _check_certificate(file: Path, configuration: "Configuration") -> None:
    """End the command if the files of TLS cannot be used, without which the broker does not start."""
    from lastvalue.config.merged_options import merged_options
    from lastvalue.config.tls_listener import TlsError, server_context
    from lastvalue.server.tls import tls_options

    options = tls_options(merged_options(configuration.server, {}, {}))
    if options is None:
        return
    try:
        server_context(options)
    except TlsError as error:
        fault = Fault(("server", "tls_certificate"), str(error))
        end_with(ConfigurationError(str(file), [fault], file.read_text(encoding="utf-8")))


# ---------------------------------------------------------------------- output


def end_with(error: ConfigurationError, code: ExitCode = ExitCode.FAILED) -> NoReturn:
    """Print each fault on a line, and end the command."""
    for line in error.lines():
        complain(line)
    raise typer.Exit(code)


def _counted(number: int, noun: str) -> str:
    if number == 1:
        return f"1 {noun}"
    return f"{number} {noun[:-1]}ies" if noun.endswith("y") else f"{number} {noun}s"


def _records(configuration: "Configuration", output: Output) -> list[dict[str, Any]]:
    from lastvalue.config.document import to_document

    exchanges = to_document(configuration).get("exchange", ())
    records = [_queue_record(configuration.spec_of(queue), queue.address) for queue in configuration.queues]
    for said in exchanges:
        options = {name: value for name, value in said.items() if name not in ("name", "type")}
        records.append({"kind": "exchange", "name": said["name"], "type": said["type"], "options": options})
    for binding in configuration.bindings:
        options = {"queue": binding.queue, "key": binding.key, **binding.arguments}
        records.append({"kind": "binding", "name": binding.exchange, "type": "", "options": options})
    records.extend(
        {"kind": "setting", "name": setting.match, "type": "", "options": dict(setting.fields)}
        for setting in configuration.address_settings
    )
    for policy in configuration.auto_creates:
        when = {"on_publish": policy.on_publish, "on_consume": policy.on_consume}
        options = {
            name: value for name, value in {**when, **policy.options}.items() if value not in (None, False)
        }
        records.append({"kind": "policy", "name": policy.pattern, "type": policy.node, "options": options})
    if output is Output.TABLE:
        return [{**record, "options": _line(record["options"])} for record in records]
    return records


def _queue_record(spec: "QueueSpec", address: str) -> dict[str, Any]:
    from lastvalue.queues.spec_arguments import spec_to_arguments

    options: dict[str, Any] = spec_to_arguments(spec)
    kind = options.pop("type")
    if address != spec.name:
        options = {"address": address, **options}
    return {"kind": "queue", "name": spec.name, "type": kind, "options": options}


def _line(options: Mapping[str, Any]) -> str:
    return " ".join(f"{name}={value}" for name, value in options.items())


def _show_address(configuration: "Configuration", address: str, output: Output) -> None:
    from lastvalue.queues.spec_arguments import spec_to_arguments

    ranked = configuration.settings.ranked(address)
    settings = {**configuration.settings.match(address)}
    try:
        declaration = spec_to_arguments(configuration.created_spec(address))
    except InvalidSpecError as error:
        raise CommandFailedError(f"a queue {address!r} cannot be created: {error}") from None
    record: dict[str, Any] = {
        "address": address,
        "matches": [match for match, _ in ranked],
        "settings": settings,
        "declaration": declaration,
    }
    if output is Output.TABLE:
        record["matches"] = ", ".join(record["matches"])
        record |= {"settings": _line(settings), "declaration": _line(declaration)}
    print_record(record, output)


# ---------------------------------------------------------------------- conversion of others

_IMPORTERS: Final = {
    Format.ARTEMIS: ("artemis.imports", "import_artemis"),
    Format.BROKER_J: ("broker_j.imports", "import_broker_j"),
    Format.RABBITMQ: ("rabbitmq.imports", "import_rabbitmq"),
    Format.MOSQUITTO: ("mosquitto.imports", "import_mosquitto"),
    Format.MOSQUITTO_ACL: ("mosquitto.access_list", "import_access_list"),
}
"""The modules of `lastvalue.compat`, which are imported where they are needed, and their functions."""


def read_any(file: Path, source: Format | None = None) -> tuple["Configuration", "Report"]:
    """The configuration in a file of any format, with what does not map."""
    from lastvalue.config.report import Report, UnreadableSourceError

    if source is Format.TOML or (source is None and file.suffix.lower() == ".toml"):
        return load(file), Report()
    text = _text(file)
    source = source or _format_of(file, text)
    importer = _IMPORTERS.get(source)
    if importer is None:
        return _own_json(file, text), Report()
    module, function = importer
    try:
        return _imported(getattr(import_module(f"lastvalue.compat.{module}"), function), text)
    except UnreadableSourceError as error:
        raise CommandFailedError(f"{file}: {error}") from None
    except ModuleNotFoundError as error:
        raise _missing(error) from None


def _imported(
    importer: Callable[[str], tuple["Configuration", "Report"]], text: str
) -> tuple["Configuration", "Report"]:
    return importer(text)


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise CommandFailedError(f"{file} cannot be read: {reason}") from None


def _format_of(file: Path, text: str) -> Format:
    if file.suffix.lower() == ".xml":
        return Format.ARTEMIS
    if file.suffix.lower() == ".conf":
        return Format.MOSQUITTO
    if file.suffix.lower() == ".json":
        return _json_format(text)
    known = ", ".join(f"--format {each.value}" for each in Format)
    raise UsageError(f"the name {file} does not show which broker's it is; add one of {known}")


def _json_format(text: str) -> Format:
    """The broker of a JSON file, by the keys that only its files have."""
    from lastvalue.config.document import TABLES

    try:
        root = json.loads(text)
    except ValueError:
        root = {}
    keys = set(root) if isinstance(root, dict) else set()
    if keys & {"rabbit_version", "rabbitmq_version", "vhosts", "bindings"}:
        return Format.RABBITMQ
    return Format.JSON if keys and keys <= set(TABLES) else Format.BROKER_J


def _own_json(file: Path, text: str) -> "Configuration":
    from lastvalue.config.toml_reader import from_document

    try:
        root = json.loads(text)
    except ValueError as error:
        raise CommandFailedError(f"{file} is not JSON: {error}") from None
    configuration, faults = from_document(root if isinstance(root, dict) else {"": root})
    if faults:
        end_with(ConfigurationError(str(file), faults))
    return configuration


def _missing(error: ModuleNotFoundError) -> CommandFailedError:
    return CommandFailedError(f"an import needs the package {error.name}; pip install 'lastvalue[cli]'")


def _write(target: Path, text: str) -> None:
    try:
        with target.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise CommandFailedError(f"{target} exists; name another file, or remove it") from None
    except OSError as error:
        raise CommandFailedError(f"{target} cannot be written: {error.strerror}") from None


_EXAMPLES = {
    "check": "Example: lastvalue config check lastvalue.toml",
    "show": "Example: lastvalue config show lastvalue.toml --address prices.eu -o json",
    "convert": "Example: lastvalue config convert broker.xml --out lastvalue.toml",
}

for _name, _command in (("check", check), ("show", show), ("convert", convert)):
    config_app.command(_name, epilog=_EXAMPLES[_name])(_command)
