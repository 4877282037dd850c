"""A Spark session with settings for the machine it runs on."""

import logging
import os
import re
import shlex
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lastvalue.model.conditions import Condition
from lastvalue.model.errors import LastvalueError
from lastvalue.pipeline.cache import cache_directory, make_private
from lastvalue.pipeline.failure_cause import failure_cause
from lastvalue.pipeline.java import JAVA_STDERR, WITHOUT_MLLIB, find_java, launch_home
from lastvalue.pipeline.spark.plain_files import use_plain_files
from lastvalue.pipeline.spark.python_daemon import PYTHON_DAEMON
from lastvalue.pipeline.spark.python_launcher import python_launcher
from lastvalue.pipeline.spark.register import register
from lastvalue.pipeline.spark.start_logs import StartLogs
from lastvalue.pipeline.spark.worker_start import start_worker

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# Rename is atomic on a local disk, so the plain file manager is safe there. Together with the missing
# checksum files it reduces the shortest micro-batch from about 150 ms to 50 ms.
_FILE_MANAGER: Final = "spark.sql.streaming.checkpointFileManagerClass"
_LOCAL_CHECKPOINTS: Final = {
    _FILE_MANAGER: (
        "org.apache.spark.sql.execution.streaming.checkpointing.FileSystemBasedCheckpointFileManager"
    ),
    "spark.sql.streaming.checkpoint.fileChecksum.enabled": "false",
}
_FILE_MANAGER_4_0: Final = "org.apache.spark.sql.execution.streaming.FileSystemBasedCheckpointFileManager"

_LOW_LATENCY: Final = {
    # A micro-batch of a feed has one stage, so there is nothing to adapt.
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.ui.retainedExecutions": "10",
}

_JAVA_OPTIONS: Final = "spark.driver.extraJavaOptions"
_STACK: Final = "-Xss4m"
"""Spark searches the text of an error by a regular expression that recurses for each character, for which the
usual megabyte is too small: the stop of a query that reads a queue could end in a StackOverflowError."""
_TRACING: Final = ("DataFrameQueryContextLogger", "SQLQueryContextLogger")
"""Loggers of PySpark that print the trace of Java for an error that is raised anyway."""
_ONE_TIER: Final = "-XX:TieredStopAtLevel=1"
_SERIAL_COLLECTOR: Final = "-XX:+UseSerialGC"
"""Its barriers are the shortest, so that the compiler has less to do."""
_COLLECTOR: Final = re.compile(r"-XX:\+Use\w+GC\b")
_JAVA_VARIABLES: Final = ("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS")
"""Variables of the environment from which Java reads options."""

# Spark's own settings print four warnings at every start, none of which matters here.
_LEVELS: Final = """\
rootLogger.level = ${sys:lastvalue.log.level:-ERROR}
logger.spark.name = org.apache.spark
logger.spark.level = ${sys:lastvalue.log.level:-ERROR}
rootLogger.appenderRef.log.ref = log
appender.log.name = log
appender.log.layout.type = PatternLayout
"""
_TO_STDERR: Final = """\
appender.log.layout.pattern = %d{HH:mm:ss} %p %c{1}: %m%n%ex
appender.log.type = Console
appender.log.target = SYSTEM_ERR
"""
_TO_FILE: Final = """\
appender.log.layout.pattern = %d{yyyy-MM-dd'T'HH:mm:ss.SSSX} %p %c{1}: %m%n%ex
appender.log.type = RollingFile
appender.log.fileName = ${sys:lastvalue.log.directory}/spark.log
appender.log.filePattern = ${sys:lastvalue.log.directory}/spark.log.%i
appender.log.policies.type = Policies
appender.log.policies.size.type = SizeBasedTriggeringPolicy
appender.log.policies.size.size = 10MB
appender.log.strategy.type = DefaultRolloverStrategy
appender.log.strategy.max = 3
"""


class MissingRequirementError(LastvalueError):
    """A package that the pipeline needs is missing, or PySpark cannot use its version."""

    condition = Condition.NOT_IMPLEMENTED

    def __init__(self, package: str, fault: str) -> None:
        super().__init__(f"the pipeline needs {package}, {fault}: run `pip install 'lastvalue[spark]'`")
        self.package = package


class SparkStartError(LastvalueError):
    """Spark does not start."""


@dataclass(frozen=True, slots=True)
class SessionOptions:
    """How to start Spark.

    Attributes:
        name: the application's name.
        master: where it runs; `local[*]` is this process's machine.
        driver_memory: heap of the driver; on a local master all of Spark uses it.
        shuffle_partitions: None: the number of cores on a local master, Spark's own default on a cluster.
        log_level: what Spark logs.
        log_directory: where `spark.log` and `spark.stderr` are, with everything that Spark logs and prints;
            None: standard error.
        quick_start: compile in one tier and collect garbage in one thread, unless `settings` or the
            environment choose another collector; Spark starts in two thirds of the time and runs slower. For
            tests and sessions of minutes.
        registered: register the formats of lastvalue at once. Spark finds `lastvalue` itself when it looks
            for a format of Python for the first time, which takes a second.
        low_latency: on a local master, shorten small micro-batches and the time until the first one.
        mllib: Spark's MLlib is there. Without it Spark starts in three quarters of the time, and nothing of
            `pyspark.ml` works: Spark calls MLlib at each start, and MLlib needs Scala's reflection.
        settings: further Spark settings; they override all others. Java options are added to the others.
    """

    name: str = "lastvalue"
    master: str = "local[*]"
    driver_memory: str = "1g"
    shuffle_partitions: int | None = None
    log_level: str = "ERROR"
    log_directory: Path | None = None
    quick_start: bool = False
    registered: bool = True
    low_latency: bool = False
    mllib: bool = True
    settings: Mapping[str, str] = field(default_factory=dict)


def create_session(options: SessionOptions | None = None) -> "SparkSession":
    """A running session, with the sources and sinks of lastvalue registered unless the options say otherwise.

    It sets JAVA_HOME in this process, and on a local master PYSPARK_PYTHON and SPARK_LOCAL_IP.
    If a session runs already, it is returned with its settings changed where Spark allows it.

    Raises:
        MissingRequirementError: pyspark, pyarrow, pandas or numpy is missing or unusable.
        JavaNotFoundError: there is no Java 17 or newer.
        SparkStartError: Spark does not start: a setting is invalid, a port is in use, no master answers.
    """
    options = SessionOptions() if options is None else options
    check_requirements()
    cache = cache_directory()
    os.environ["JAVA_HOME"] = str(launch_home(find_java(), cache))
    python = python_launcher(spark_home(), cache) if _is_local(options) else sys.executable
    # What Spark runs for itself besides Java, for example to look for data sources.
    os.environ["PYSPARK_DRIVER_PYTHON"] = python
    if _is_local(options):
        # Otherwise workers run python3 from PATH, which may lack these packages. On a cluster the user
        # names the machines' own Python.
        os.environ["PYSPARK_PYTHON"] = python
        os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    logs = None if options.log_directory is None else StartLogs(options.log_directory)
    started, session = _start(session_settings(options, _logging_file(cache, options)), options, logs)
    _quieten(session, options.log_level)
    if started and _is_local(options):
        if options.low_latency:
            start_worker(session)
        use_plain_files(session)
    if options.registered:
        register(session)
    return session


def _start(
    settings: Mapping[str, str], options: SessionOptions, logs: StartLogs | None
) -> "tuple[bool, SparkSession]":
    """Whether Spark was started, or the session runs already; and the session."""
    from py4j.protocol import Py4JError  # noqa: PLC0415 - an import of this module needs no Spark
    from pyspark import SparkContext  # noqa: PLC0415 - an import of this module needs no Spark
    from pyspark.errors import PySparkException  # noqa: PLC0415 - an import of this module needs no Spark
    from pyspark.sql import SparkSession  # noqa: PLC0415 - an import of this module needs no Spark

    builder = SparkSession.builder
    for name, value in settings.items():
        builder = builder.config(name, value)
    starts = SparkContext._active_spark_context is None  # noqa: SLF001 - PySpark tells the session of this thread alone
    if logs is not None:
        os.environ[JAVA_STDERR] = str(logs.stderr)
    if not options.mllib:
        os.environ[WITHOUT_MLLIB] = "1"
    # PySpark imports pandas at its first call into Java, for a third of a second; Java starts meanwhile.
    threading.Thread(target=import_module, args=("pandas",), daemon=True).start()
    try:
        return starts, builder.getOrCreate()
    except (Py4JError, PySparkException, OSError) as error:
        fault = logs.fault() if logs is not None else None
        reason = fault or failure_cause(str(error)).text
        raise SparkStartError(f"Spark does not start: {reason}") from error
    finally:
        os.environ.pop(JAVA_STDERR, None)
        os.environ.pop(WITHOUT_MLLIB, None)


def _quieten(session: "SparkSession", log_level: str) -> None:
    """Let Java and PySpark log nothing below the level, and no trace of an error that is raised."""
    from pyspark.logger import PySparkLogger  # noqa: PLC0415 - an import of this module needs no Spark

    session.sparkContext.setLogLevel(log_level)
    logging.getLogger("py4j").setLevel(logging.ERROR)
    for name in _TRACING:
        PySparkLogger.getLogger(name).setLevel(logging.CRITICAL)


def _is_local(options: SessionOptions) -> bool:
    """Whether Spark runs in this process's Java."""
    return options.master.startswith("local")


def session_settings(options: SessionOptions, logging_file: Path | None = None) -> dict[str, str]:
    """The Spark settings for the options."""
    java_options = [_STACK, f"-Dlastvalue.log.level={options.log_level}"]
    if options.log_directory is not None:
        java_options.append(f"-Dlastvalue.log.directory={shlex.quote(str(options.log_directory))}")
    if logging_file is not None:
        java_options.append(f"-Dlog4j2.configurationFile={shlex.quote(str(logging_file))}")
    if options.quick_start:
        java_options += _quick_start_options(options.settings.get(_JAVA_OPTIONS, ""))
    if _JAVA_OPTIONS in options.settings:
        java_options.append(options.settings[_JAVA_OPTIONS])
    settings = {
        "spark.app.name": options.name,
        "spark.master": options.master,
        "spark.driver.memory": options.driver_memory,
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.execution.arrow.pyspark.enabled": "true",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "65536",
    }
    if _is_local(options):
        settings |= _LOCAL_CHECKPOINTS
        settings["spark.python.daemon.module"] = PYTHON_DAEMON
        if version("pyspark").startswith("4.0."):
            settings[_FILE_MANAGER] = _FILE_MANAGER_4_0
        settings["spark.driver.host"] = settings["spark.driver.bindAddress"] = "127.0.0.1"
        # Spark's own default of 200 costs a streaming query on one machine seconds per batch.
        settings["spark.sql.shuffle.partitions"] = str(_local_cores(options.master))
        # What is shuffled stays on this machine, mostly in its memory.
        settings["spark.shuffle.compress"] = "false"
        if options.low_latency:
            settings |= _LOW_LATENCY
    if options.shuffle_partitions is not None:
        settings["spark.sql.shuffle.partitions"] = str(options.shuffle_partitions)
    return settings | dict(options.settings) | {_JAVA_OPTIONS: " ".join(java_options)}


def _quick_start_options(given: str) -> list[str]:
    """Java's options for a quick start, `given` being the user's own."""
    chosen = [given, *(os.environ.get(name, "") for name in _JAVA_VARIABLES)]
    # Java does not start with two collectors.
    return [_ONE_TIER] if _COLLECTOR.search(" ".join(chosen)) else [_ONE_TIER, _SERIAL_COLLECTOR]


def spark_home() -> Path:
    """The directory of Spark with its jar files."""
    spec = find_spec("pyspark")
    package = Path(spec.origin or "").parent if spec else Path()
    return Path(os.environ.get("SPARK_HOME", package))


def check_requirements() -> None:
    """Raise MissingRequirementError unless PySpark and what its Python sources need are installed."""
    for package in ("pyspark", "pyarrow", "numpy", "pandas"):
        try:
            installed = version(package)
        except PackageNotFoundError:
            raise MissingRequirementError(package, "which is not installed") from None
        if package == "pandas" and int(installed.partition(".")[0]) >= 3:
            raise MissingRequirementError("pandas below 3", f"and {installed} is installed")


def _logging_file(cache: Path, options: SessionOptions) -> Path | None:
    """The file of logging settings in the cache; None, for Spark's own, if it cannot be written."""
    to_file = options.log_directory is not None
    path = cache / ("log4j2-file.properties" if to_file else "log4j2.properties")
    text = _LEVELS + (_TO_FILE if to_file else _TO_STDERR)
    try:
        make_private(cache)
        if not path.is_file() or path.read_text() != text:
            draft = path.with_name(f"{path.name}.{os.getpid()}")
            draft.write_text(text)
            draft.replace(path)
    except OSError:
        return None
    return path


def _local_cores(master: str) -> int:
    """The number of cores in `local`, `local[N]`, `local[N, failures]` or `local[*]`."""
    count = master.removeprefix("local").strip("[]").partition(",")[0].strip() or "1"
    return len(os.sched_getaffinity(0)) if count == "*" else int(count)
