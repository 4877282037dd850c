"""`lastvalue config check`, `show` and `import`."""

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, TypeAlias

import typer

from lastvalue.cli.exits import CommandFailedError, ExitCode, UsageError, complain
from lastvalue.cli.options import OutputOption
from lastvalue.cli.output import Output, print_record, print_records
from lastvalue.config.configuration import Configuration
from lastvalue.config.errors import ConfigurationError
from lastvalue.model.errors import InvalidSpecError
from lastvalue.queues.spec import QueueSpec
from lastvalue.queues.spec_arguments import spec_to_arguments

if TYPE_CHECKING:
    from lastvalue.config.report import Report

config_app = typer.Typer(
    no_args_is_help=True, help="Check, show and import configurations, such as lastvalue.toml."
)

ConfigurationFile: TypeAlias = Annotated[
    Path, typer.Argument(metavar="FILE", help="A configuration file, such as lastvalue.toml.")
]


class Format(StrEnum):
    """The broker whose configuration is imported."""

    ARTEMIS = "artemis"
    BROKER_J = "broker-j"


def check(file: ConfigurationFile) -> None:
    """Print what a configuration declares; if it has faults, list them all and fail."""
    configuration = load(file)
    counts = {
        "queue": len(configuration.queues),
        "exchange": len(configuration.exchanges),
        "binding": len(configuration.bindings),
        "address setting": len(configuration.address_settings),
        "policy": len(configuration.auto_creates),
    }
    totals = [_counted(number, noun) for noun, number in counts.items() if number]
    print(f"{file}: {', '.join(totals) or 'nothing'}; no faults")


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


def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The other broker's configuration file.")],
    *,
    source: Annotated[
        Format | None,
        typer.Option(
            "--format",
            help="The other broker. Default: artemis for a name that ends in .xml, broker-j for .json.",
        ),
    ] = None,
    target: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="OUT",
            help="The file to write, which must not exist. Default: standard output.",
        ),
    ] = None,
) -> None:
    """Convert another broker's configuration; settings that do not map are listed on standard error."""
    configuration, report = _imported(file, source or _format_of(file))
    try:
        from lastvalue.config.toml_writer import to_toml
    except ModuleNotFoundError as error:
        raise _missing(error) from None
    text = to_toml(configuration, f"Converted from {file.name} by `lastvalue config import`.")
    if target is None:
        print(text, end="")
    else:
        _write(target, text)
    for line in report.lines():
        complain(line)


def load(file: Path, code: ExitCode = ExitCode.FAILED) -> Configuration:
    """The configuration in a file; if it has faults, print each on a line and end with the code."""
    # Imported here, so that the other commands do not wait for the configuration modules.
    from lastvalue.config.toml_reader import read_toml

    try:
        return read_toml(file)
    except ConfigurationError as error:
        end_with(error, code)


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


def _records(configuration: Configuration, output: Output) -> list[dict[str, Any]]:
    records = [_queue_record(configuration.spec_of(queue), queue.address) for queue in configuration.queues]
    for exchange in configuration.exchanges:
        options = {
            name: value
            for name in ("durable", "alternate", "unroutable")
            if (value := getattr(exchange, name)) not in (None, False, "discard")
        }
        records.append({"kind": "exchange", "name": exchange.name, "type": exchange.type, "options": options})
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


def _queue_record(spec: QueueSpec, address: str) -> dict[str, Any]:
    options: dict[str, Any] = spec_to_arguments(spec)
    kind = options.pop("type")
    if address != spec.name:
        options = {"address": address, **options}
    return {"kind": "queue", "name": spec.name, "type": kind, "options": options}


def _line(options: Mapping[str, Any]) -> str:
    return " ".join(f"{name}={value}" for name, value in options.items())


def _show_address(configuration: Configuration, address: str, output: Output) -> None:
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


def _format_of(file: Path) -> Format:
    known = {".xml": Format.ARTEMIS, ".json": Format.BROKER_J}
    if file.suffix.lower() not in known:
        raise UsageError(
            f"the name {file} does not show which broker's it is; add --format artemis or --format broker-j"
        )
    return known[file.suffix.lower()]


def _imported(file: Path, source: Format) -> tuple[Configuration, "Report"]:
    from lastvalue.config.report import UnreadableSourceError

    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise CommandFailedError(f"{file} cannot be read: {reason}") from None
    try:
        match source:
            case Format.ARTEMIS:
                from lastvalue.config.artemis import import_artemis

                return import_artemis(text)
            case Format.BROKER_J:
                from lastvalue.config.broker_j import import_broker_j

                return import_broker_j(text)
    except UnreadableSourceError as error:
        raise CommandFailedError(f"{file}: {error}") from None
    except ModuleNotFoundError as error:
        raise _missing(error) from None


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
    "import": "Example: lastvalue config import broker.xml -o lastvalue.toml",
}

for _name, _command in (("check", check), ("show", show), ("import", import_)):
    config_app.command(_name, epilog=_EXAMPLES[_name])(_command)
