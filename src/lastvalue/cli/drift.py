"""`lastvalue config diff`, `apply` and `reload`, `export` and `import`: a broker's drift from a file."""

import asyncio
import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from lastvalue.cli.configuration import (
    ConfigurationFile,
    FileFormat,
    config_app,
    read_any,
    toml_of,
    write_out,
)
from lastvalue.cli.exits import ExitCode, complain
from lastvalue.cli.options import DEFAULT_URL, OutputOption, Url
from lastvalue.cli.output import Output, print_records
from lastvalue.client import connect
from lastvalue.client.errors import RefusedError

if TYPE_CHECKING:
    from lastvalue.client import Connection
    from lastvalue.config.configuration import Configuration
    from lastvalue.config.definitions import Arguments, Definitions
    from lastvalue.config.plan import Change

Prune: TypeAlias = Annotated[
    bool, typer.Option("--prune/--no-prune", help="Remove what only the broker has.")
]
DryRun: TypeAlias = Annotated[
    bool, typer.Option("--dry-run/--no-dry-run", help="Print what would be done, and change nothing.")
]


class ExportFormat(StrEnum):
    """The form of exported definitions."""

    TOML = "toml"
    JSON = "json"


_AT_A_START = "partitions are read when a broker starts"
_AT_THE_BROKER = "address settings, [server] and users count at the broker's own file; see config reload"


def diff(
    file: ConfigurationFile,
    *,
    source: FileFormat = None,
    url: Url = DEFAULT_URL,
    output: OutputOption = Output.TABLE,
) -> None:
    """Print what a configuration would change at a running broker; exits with 1 if there is anything."""
    configuration, report = read_any(file, source)
    changes = asyncio.run(_compared(url, configuration))
    _print([_record(change) for change in changes], output)
    _hint(configuration, report.lines())
    if changes:
        raise typer.Exit(ExitCode.FAILED)


def apply(
    file: ConfigurationFile,
    *,
    source: FileFormat = None,
    dry_run: DryRun = False,
    prune: Prune = False,
    url: Url = DEFAULT_URL,
    output: OutputOption = Output.TABLE,
) -> None:
    """Bring a running broker to a configuration in any format, each change wholly or not at all."""
    configuration, report = read_any(file, source)
    records = asyncio.run(_applied(url, configuration, prune=prune, dry_run=dry_run))
    _hint(configuration, report.lines())
    _end(records, output)


def export(
    *,
    source: Annotated[
        ExportFormat, typer.Option("--format", help="The form of the definitions.")
    ] = ExportFormat.TOML,
    target: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FILE",
            help="The file to write, which must not exist. Default: standard output.",
        ),
    ] = None,
    url: Url = DEFAULT_URL,
) -> None:
    """Write the definitions of a running broker as a configuration; without passwords."""
    from lastvalue.config.definitions import configuration_of
    from lastvalue.config.document import to_document

    configuration = configuration_of(asyncio.run(_exported(url)).lasting())
    if source is ExportFormat.JSON:
        text = json.dumps(to_document(configuration), indent=2, ensure_ascii=False) + "\n"
    else:
        text = toml_of(configuration, "Written by `lastvalue export`.")
    write_out(text, target)


def reload(
    *,
    dry_run: DryRun = False,
    prune: Prune = False,
    url: Url = DEFAULT_URL,
    output: OutputOption = Output.TABLE,
) -> None:
    """Let a running broker read its own configuration file again and apply what differs."""
    _end(asyncio.run(_reloaded(url, prune=prune, dry_run=dry_run)), output)


# ---------------------------------------------------------------------- output


def _record(change: "Change", *, done: bool = False, fault: str = "") -> dict[str, Any]:
    line = f"{change}: {fault}" if fault else str(change)
    return {"verdict": change.verdict.value, "line": line, "done": done, "fault": fault}


def _print(records: list[dict[str, Any]], output: Output) -> None:
    if output is not Output.TABLE:
        print_records(records, ("verdict", "line", "done", "fault"), output)
        return
    for record in records:
        print(record["line"])


def _end(records: list[dict[str, Any]], output: Output) -> None:
    """Print what was done; what was not goes to standard error and fails the command."""
    failed = [record for record in records if _has_failed(record)]
    if output is Output.TABLE:
        _print([record for record in records if record not in failed], output)
        for record in failed:
            complain(record["line"])
    else:
        _print(records, output)
    if failed:
        raise typer.Exit(ExitCode.FAILED)


def _has_failed(record: Mapping[str, Any]) -> bool:
    return bool(record.get("fault")) or record["verdict"] in ("cannot change", "fault")


def _hint(configuration: "Configuration", lines: list[str]) -> None:
    for line in lines:
        complain(line)
    if configuration.server or configuration.address_settings:
        complain(_AT_THE_BROKER)


# ---------------------------------------------------------------------- the broker


async def _exported(url: str) -> "Definitions":
    async with connect(url, reconnect=False) as connection:
        definitions = await _nodes(connection)
        try:
            definitions = replace(definitions, policies=await _policies(connection))
        except RefusedError as refusal:
            complain(f"without the policies: {refusal}")
        try:
            return replace(definitions, permissions=await _permissions(connection))
        except RefusedError as refusal:
            complain(f"without the permissions of users: {refusal}")
            return definitions


async def _compared(url: str, configuration: "Configuration") -> list["Change"]:
    async with connect(url, reconnect=False) as connection:
        return await _planned(connection, configuration, prune=False)


async def _planned(
    connection: "Connection", configuration: "Configuration", *, prune: bool
) -> list["Change"]:
    from lastvalue.config.declarations import rehearsed_declarations
    from lastvalue.config.plan import plan

    wanted, _ = rehearsed_declarations(configuration)
    moved: list[Change] = []
    if configuration.partitions:
        moved, elsewhere = await _divided(connection, configuration, sorted(wanted.definitions.queues))
        wanted = wanted.without(elsewhere)
    present = await _nodes(connection)
    try:
        present = replace(present, policies=await _policies(connection))
    except RefusedError:
        if configuration.auto_creates or prune:
            raise
    if configuration.permissions:
        present = replace(present, permissions=await _permissions(connection))
    return moved + plan(wanted, present, prune=prune)


async def _divided(
    connection: "Connection", configuration: "Configuration", names: Iterable[str]
) -> tuple[list["Change"], set[str]]:
    """Which of these queues have other leaders at the broker, and which are not there, as it says itself."""
    from lastvalue.config.plan import Change, Verdict

    asked = configuration.partitions_for("")
    moved: list[Change] = []
    elsewhere: set[str] = set()
    for name in names:
        partition = None if asked is None else asked.of(name)
        found = await connection.leaders(name)
        has = [",".join(each) for each in found.addresses]
        leaders = [] if partition is None else list(partition.leaders)
        if has and found.own < 0:
            elsewhere.add(name)
        if has != leaders:
            text = f"{'; '.join(has) or 'none'} → {'; '.join(leaders) or 'none'}: {_AT_A_START}"
            moved.append(Change(Verdict.FIXED, f"leaders of queue {name!r}", text))
    return moved, elsewhere


async def _nodes(connection: "Connection") -> "Definitions":
    """The nodes and bindings of a running broker, as far as the user may see them."""
    from lastvalue.config.definitions import Arguments, Definitions, Place

    exchanges = await connection.exchanges()
    bindings: dict[Place, Arguments] = {
        (exchange.name, binding.destination, binding.key): binding.arguments
        for exchange in exchanges
        for binding in exchange.bindings
    }
    return Definitions(
        {queue.name: {**queue.options} for queue in await connection.queues()},
        {exchange.name: exchange.options for exchange in exchanges},
        bindings,
    )


async def _policies(connection: "Connection") -> tuple["Arguments", ...]:
    """The policies about missing names."""
    found = await connection.manage("QUERY", kind="policy")
    return tuple(found) if isinstance(found, list) else ()


async def _permissions(connection: "Connection") -> dict[str, tuple[str, ...]]:
    """The rules of the broker's users; a user without rules may do everything."""
    found = await connection.manage("QUERY", kind="permission")
    return {each["user"]: tuple(each["rules"]) for each in found} if isinstance(found, list) else {}


async def _applied(
    url: str, configuration: "Configuration", *, prune: bool, dry_run: bool
) -> list[dict[str, Any]]:
    async with connect(url, reconnect=False) as connection:
        changes = await _planned(connection, configuration, prune=prune)
        if dry_run:
            return [_record(change) for change in changes]
        return await _carried_out(connection, changes)


async def _carried_out(connection: "Connection", changes: Iterable["Change"]) -> list[dict[str, Any]]:
    records = []
    for change in changes:
        request = change.request
        if request is None:
            records.append(_record(change))
            continue
        try:
            await connection.manage(request.operation, request.name, request.body, kind=request.type)
        except RefusedError as refusal:
            records.append(_record(change, fault=str(refusal)))
        else:
            records.append(_record(change, done=True))
    return records


async def _reloaded(url: str, *, prune: bool, dry_run: bool) -> list[dict[str, Any]]:
    async with connect(url, reconnect=False) as connection:
        body = {"prune": prune, "dry_run": dry_run}
        changes = await connection.manage("RELOAD", "", body, kind="configuration")
    return [dict(change) for change in changes] if isinstance(changes, list) else []


config_app.command(epilog="Example: lastvalue config diff lastvalue.toml")(diff)
config_app.command(epilog="Example: lastvalue config apply lastvalue.toml --dry-run")(apply)
config_app.command(epilog="Example: lastvalue config reload --url amqp://admin:secret@broker")(reload)
