"""A pipeline's run: its parts, its state, and the options of its session.

This module does not import pyspark: Java starts before.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lastvalue.config.errors import ConfigurationError, Fault
from lastvalue.config.pipeline_settings import (
    FILE_FORMATS,
    FeedSettings,
    HistorySettings,
    PipelineDeclaration,
    ReplaySettings,
)
from lastvalue.pipeline.running.package_file import package_file
from lastvalue.pipeline.running.state import StateDirectory, located
from lastvalue.pipeline.running.status import PartStatus, StatusBoard
from lastvalue.pipeline.sink.options import FORMAT
from lastvalue.pipeline.spark.session import SessionOptions, spark_home

_FOREIGN_CODE: Final = (
    "spark.jars",
    "spark.driver.extraClassPath",
    "spark.extraListeners",
    "spark.plugins",
    "spark.sql.catalog.",
    "spark.sql.extensions",
    "spark.sql.queryExecutionListeners",
    "spark.sql.streaming.streamingQueryListeners",
)
"""The beginnings of settings that bring code to Spark."""
_KINDS: Final = {FeedSettings: "feed", HistorySettings: "history", ReplaySettings: "replay"}


@dataclass(frozen=True, slots=True)
class PipelineRun:
    """A pipeline and the parts of it to run.

    Attributes:
        file: the file that declares the pipeline.
        pipeline: the declaration.
        names: of the parts to run.
        once: feeds end when they have published all present rows; then histories land all present records.
    """

    file: Path
    pipeline: PipelineDeclaration
    names: frozenset[str]
    once: bool = False

    def invalid(self, faults: Sequence[Fault]) -> ConfigurationError:
        """The error of faults of the file, with their lines."""
        return ConfigurationError(str(self.file), faults, self.file.read_text(encoding="utf-8"))

    @property
    def state(self) -> StateDirectory:
        """The pipeline's state directory."""
        return StateDirectory.of(self.file, self.pipeline.settings)

    def board(self, master: str) -> StatusBoard:
        """The status of the parts before they start."""
        parts = [part for _, part in self.pipeline.parts() if part.name in self.names]
        statuses = [PartStatus(part.name, _KINDS[type(part)]) for part in parts]
        return StatusBoard(self.state.status, master, statuses)

    def paths(self) -> dict[str, str]:
        """The paths of the feeds' sources, by the feeds' names."""
        home = self.file.resolve().parent
        return {
            feed.name: located(feed.path, home)
            for feed in self.pipeline.feeds
            if feed.path is not None and feed.name in self.names
        }

    def session_options(self, master: str, log_directory: Path | None = None) -> SessionOptions:
        """Those of the session that all queries share; without a log directory it logs to standard error."""
        settings = self.pipeline.settings
        conf = {"spark.scheduler.mode": "FAIR", **settings.spark}
        if not master.startswith("local"):
            python = settings.spark.get("spark.pyspark.python")
            if python is not None:
                # Spark reads that setting only in spark-submit.
                os.environ["PYSPARK_PYTHON"] = python
            if settings.ship:
                package = str(package_file(self.state.path / "shipped"))
                others = settings.spark.get("spark.submit.pyFiles")
                conf["spark.submit.pyFiles"] = f"{others},{package}" if others else package
        return SessionOptions(
            f"lastvalue {self.file.stem}",
            master,
            log_directory=log_directory,
            registered=self._reads_own_format(),
            low_latency=True,
            mllib=self._runs_foreign_code(master),
            settings=conf,
        )

    def _formats(self) -> list[str]:
        return [feed.format.lower() for feed in self.pipeline.feeds if feed.name in self.names]

    def _reads_own_format(self) -> bool:
        return any(each.startswith(FORMAT) for each in self._formats())

    def _runs_foreign_code(self, master: str) -> bool:
        """Whether Spark may run code that is neither its own nor lastvalue's, and that may need its MLlib."""
        configured = {"SPARK_CONF_DIR", "PYSPARK_SUBMIT_ARGS"} & os.environ.keys()
        return (
            not master.startswith("local")
            or bool(configured)
            or (spark_home() / "conf").exists()
            or any(name.startswith(_FOREIGN_CODE) for name in self.pipeline.settings.spark)
            or any(each not in FILE_FORMATS and not each.startswith(FORMAT) for each in self._formats())
        )
