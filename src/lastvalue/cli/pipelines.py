"""`lastvalue pipeline validate`, `run` and `status`: pipelines that a file declares."""

import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lastvalue.cli.configuration import ConfigurationFile, end_with, load
from lastvalue.cli.exits import ExitCode, UsageError, confirm
from lastvalue.cli.history import history, migrate_history
from lastvalue.cli.options import Columns, OutputOption
from lastvalue.cli.output import Output, print_record, print_records
from lastvalue.config.errors import ConfigurationError
from lastvalue.config.pipeline_settings import PipelineDeclaration
from lastvalue.model.errors import LastvalueError

if TYPE_CHECKING:
    from lastvalue.pipeline.running.pipeline_run import PipelineRun
    from lastvalue.pipeline.running.runner import Runner
    from lastvalue.pipeline.running.status import RunStatus

_COLUMNS = (
    "name",
    "kind",
    "state",
    "batch",
    "batch_time",
    "rows",
    "published",
    "conflation",
    "lag",
    "lag_unit",
    "error",
)


def validate(
    file: ConfigurationFile,
    *,
    connect: Annotated[
        bool,
        typer.Option("--connect", help="Also check the broker and the paths, and let Spark plan the feeds."),
    ] = False,
    broker: Annotated[
        str | None,
        typer.Option(
            "--broker",
            metavar="URL",
            help="Ask this broker, instead of the file's, whether the queues are there; without Spark.",
        ),
    ] = None,
) -> None:
    """Print the parts of a pipeline; if it has faults, list them all and fail."""
    pipeline = _declared(file)
    if broker is not None:
        pipeline = replace(pipeline, settings=replace(pipeline.settings, url=broker))
        _asked(_whole(file, pipeline))
    if connect:
        _connected(_whole(file, pipeline))
    counts = {
        "feed": len(pipeline.feeds),
        "history": len(pipeline.histories),
        "replay": len(pipeline.replays),
    }
    totals = [
        f"{number} {kind if number == 1 else _plural(kind)}" for kind, number in counts.items() if number
    ]
    print(f"{file} has no faults and declares {', '.join(totals) or 'no feeds, histories or replays'}")


def run(
    file: ConfigurationFile,
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME]...", help="The parts to run. Default: all.")
    ] = None,
    *,
    once: Annotated[bool, typer.Option("--once", help="Process the data that exists now, and end.")] = False,
    master: Annotated[
        str | None, typer.Option("--master", help="The master of Spark, instead of the file's.")
    ] = None,
) -> int:
    """Run the feeds, histories and replays that a file declares, until a signal.

    On INT and TERM the running micro-batches finish first.
    """
    pipeline = _declared(file)
    chosen = _chosen(file, pipeline, names or [])
    _require_spark()
    from lastvalue.pipeline.running.pipeline_run import PipelineRun

    work = PipelineRun(file, pipeline, chosen, once)
    with work.state.locked():
        done = _run(work, master or pipeline.settings.master)
    return ExitCode.OK if done.healthy else ExitCode.FAILED


def status(file: ConfigurationFile, *, output: OutputOption = Output.TABLE, columns: Columns = None) -> int:
    """Print the status of a pipeline's parts; fail if a part has failed or the runner has died."""
    pipeline = _declared(file)
    from lastvalue.pipeline.running.state import StateDirectory
    from lastvalue.pipeline.running.status import read_status

    state = StateDirectory.of(file, pipeline.settings)
    status = read_status(state.status)
    if not state.is_locked():
        status = status.dead()
    if output is Output.TABLE:
        line = f"{status.state}, process {status.pid}, Spark on {status.master}"
        print(f"{line}: {status.error}" if status.error else line)
        print_records([part.record() for part in status.parts], _COLUMNS, output, columns)
    else:
        print_record(status.record(), output)
    return ExitCode.OK if status.healthy else ExitCode.FAILED


def _declared(file: Path) -> PipelineDeclaration:
    return load(file).pipeline


def _chosen(file: Path, pipeline: PipelineDeclaration, names: Sequence[str]) -> frozenset[str]:
    known = [part.name for _, part in pipeline.parts()]
    if not known:
        raise UsageError(f"{file} declares no [[feed]], [[history]] or [[replay]]")
    for name in names:
        if name not in known:
            raise UsageError(f"{file} has no part {name!r}; it has {', '.join(known)}")
    return frozenset(names or known)


def _plural(kind: str) -> str:
    return "histories" if kind == "history" else f"{kind}s"


def _require_spark() -> None:
    # Imported here: other commands must not need Spark, and a missing package has an error of ours.
    from lastvalue.pipeline.spark.session import check_requirements

    check_requirements()


def _whole(file: Path, pipeline: PipelineDeclaration) -> "PipelineRun":
    from lastvalue.pipeline.running.pipeline_run import PipelineRun

    return PipelineRun(file, pipeline, frozenset(part.name for _, part in pipeline.parts()))


def _asked(work: "PipelineRun") -> None:
    from lastvalue.pipeline.running.brokers import broker_faults, missing_variables

    faults = list(missing_variables(work.pipeline.settings, os.environ))
    faults = faults or broker_faults(work.pipeline, work.names)
    if faults:
        end_with(work.invalid(faults))


def _connected(work: "PipelineRun") -> None:
    _require_spark()
    from lastvalue.pipeline.running.runner import plan_feeds
    from lastvalue.pipeline.spark.session import create_session

    try:
        _check(work)
        if work.pipeline.feeds:
            confirm("starting Spark on local[1]")
            session = create_session(work.session_options("local[1]"))
            try:
                plan_feeds(session, work)
            finally:
                session.stop()
    except ConfigurationError as error:
        end_with(error)


def _check(work: "PipelineRun") -> None:
    """Check everything that needs no Spark.

    Raises:
        ConfigurationError: contains all faults.
    """
    from lastvalue.pipeline.running.brokers import (
        broker_faults,
        missing_variables,
        unusable_paths,
    )

    pipeline = work.pipeline
    faults = list(missing_variables(pipeline.settings, os.environ))
    faults += unusable_paths(pipeline, work.names, work.paths(), work.file.resolve().parent)
    if not any(fault.path[0] == "pipeline" for fault in faults):
        faults += broker_faults(pipeline, work.names)
    if faults:
        raise work.invalid(faults)


def _run(work: "PipelineRun", master: str) -> "RunStatus":
    """Run a pipeline whose state directory is locked; the status has why it did not start."""
    from lastvalue.cli.pipeline_display import PipelineDisplay
    from lastvalue.pipeline.running.status import State
    from lastvalue.pipeline.spark.session import create_session

    board = work.board(master)
    try:
        _check(work)
        with PipelineDisplay() as display:
            display.show(board.write(State.STARTING))
            with _interrupted_by_term():
                session = create_session(work.session_options(master, work.state.logs))
                # Imported here: it imports PySpark, which takes as long as the check of everything else.
                from lastvalue.pipeline.running.runner import Runner, claim_names, plan_feeds
            try:
                with _interrupted_by_term():
                    planned = plan_feeds(session, work)
                    claim_names(work)
                runner = Runner(work, session, planned, board)
                with _StopBySignals(runner):
                    return runner.run(display.show)
            finally:
                session.stop()
    except ConfigurationError as error:
        board.write(State.FAILED, error.lines()[0])
        end_with(error)
    except LastvalueError as error:
        board.write(State.FAILED, str(error))
        raise
    except KeyboardInterrupt:
        board.write(State.STOPPED)
        raise


@contextmanager
def _interrupted_by_term() -> Iterator[None]:
    """While there is nothing to finish, TERM interrupts as INT does."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


class _StopBySignals(AbstractContextManager[None]):
    """Stop the runner on INT and TERM; a second signal ends the process."""

    def __init__(self, runner: "Runner") -> None:
        self._runner = runner
        self._before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def __enter__(self) -> None:
        for number in self._before:
            signal.signal(number, self._stop)

    def __exit__(self, *_: object) -> None:
        self._restore()

    def _stop(self, _number: int, _frame: object) -> None:
        print("lastvalue: stopping after the running micro-batches", file=sys.stderr)
        self._restore()
        self._runner.stop()

    def _restore(self) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)


pipeline_app = typer.Typer(no_args_is_help=True, help="Pipelines on Spark, and histories in tables.")
pipeline_app.command(epilog="Example: lastvalue pipeline history prices --tables /var/lib/history")(history)
pipeline_app.command(
    "migrate-history", epilog="Example: lastvalue pipeline migrate-history --tables /var/lib/history"
)(migrate_history)
pipeline_app.command(epilog="Example: lastvalue pipeline validate lastvalue.toml --connect")(validate)
pipeline_app.command(epilog="Example: lastvalue pipeline run lastvalue.toml --once")(run)
pipeline_app.command(epilog="Example: lastvalue pipeline status lastvalue.toml -o json")(status)
