"""Java with Spark, started before PySpark is imported: the import takes as long as Spark's launcher.

PySpark itself starts Java only when its context is made.
This module does not import pyspark.
"""

import os
import shlex
import shutil
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from struct import unpack_from
from subprocess import PIPE, Popen
from typing import Any, Final

_POLL_S: Final = 0.01
_PORT: Final = "PYSPARK_GATEWAY_PORT"
_SECRET: Final = "PYSPARK_GATEWAY_SECRET"  # noqa: S105 - the name of a variable
_WITHOUT_INTERRUPT: Final = ("/bin/sh", "-c", 'trap \'\' INT; exec "$0" "$@"')
"""Runs a command that Ctrl-C does not reach; it ends when this process closes its standard input."""


class StartedJava:
    """A process of Java that PySpark has not connected to yet.

    Attributes:
        process: Java; before, the scripts that start it.
    """

    def __init__(self, command: list[str], environment: Mapping[str, str]) -> None:
        self._directory = Path(tempfile.mkdtemp())
        self._address = self._directory / "address"
        asked = {"SPARK_CONNECT_MODE": "0", "_PYSPARK_DRIVER_CONN_INFO_PATH": str(self._address)}
        self.process = Popen(  # noqa: S603 - Spark's own script, and no shell reads the settings
            [*_WITHOUT_INTERRUPT, *command], stdin=PIPE, env={**environment, **asked}
        )

    def connect(self) -> Any:
        """Wait for Java and connect to it; returns PySpark's gateway, as if PySpark had started it.

        Raises:
            PySparkRuntimeError: Java has ended.
        """
        from pyspark import java_gateway  # noqa: PLC0415 - Java starts before the import
        from pyspark.errors import PySparkRuntimeError  # noqa: PLC0415 - Java starts before the import

        untyped: Any = java_gateway
        try:
            while not self._address.is_file():
                if self.process.poll() is not None:
                    raise PySparkRuntimeError(errorClass="JAVA_GATEWAY_EXITED", messageParameters={})
                time.sleep(_POLL_S)
            port, length = unpack_from(">ii", content := self._address.read_bytes())
            os.environ[_PORT], os.environ[_SECRET] = str(port), content[8 : 8 + length].decode()
            gateway = untyped.launch_gateway()
            gateway.proc = self.process
        except BaseException:
            self.end()
            raise
        finally:
            os.environ.pop(_PORT, None)
            os.environ.pop(_SECRET, None)
            shutil.rmtree(self._directory, ignore_errors=True)
        return gateway

    def end(self) -> None:
        """End Java."""
        shutil.rmtree(self._directory, ignore_errors=True)
        self.process.kill()
        self.process.communicate()


def start_java(spark_home: Path, settings: Mapping[str, str]) -> StartedJava | None:
    """Start Java with Spark's settings, as PySpark does; None where only PySpark knows how to."""
    submit = spark_home / "bin" / "spark-submit"
    if _PORT in os.environ or not submit.is_file():
        return None
    options = [part for name, value in settings.items() for part in ("--conf", f"{name}={value}")]
    rest = shlex.split(os.environ.get("PYSPARK_SUBMIT_ARGS", "pyspark-shell"))
    return StartedJava([str(submit), *options, *rest], {**os.environ, "SPARK_HOME": str(spark_home)})
