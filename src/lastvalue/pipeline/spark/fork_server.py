"""A process that has imported what Spark's Python processes need, and becomes each of them by a fork.

Spark starts a Python process for each kind of work: to look for data sources, to make one, to plan its
reading, and one that forks the workers of tasks. They would import the same modules for one to two seconds
each, from `pyspark.zip`, in which Python stores no compiled code. What Spark starts instead is
`forked_python.py`.

Run as a program, with the descriptor of a socket that listens as its argument, this module is that process,
which ends when its standard input does. An import of it imports nothing of Spark.
"""

import atexit
import gc
import os
import runpy
import selectors
import shlex
import shutil
import signal
import socket
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from errno import EACCES
from importlib import import_module
from importlib.machinery import PathFinder
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Final

from lastvalue.pipeline.spark import forked_python
from lastvalue.pipeline.spark.forked_python import ACCEPTED, LENGTH_BYTES, STREAMS

_SHARED: Final = (
    "pyarrow",
    "pandas",
    "pyspark.daemon",
    "pyspark.worker",
    "pyspark.sql.worker.create_data_source",
    "pyspark.sql.worker.lookup_data_sources",
    "pyspark.sql.worker.plan_data_source_read",
    "pyspark_lastvalue",
)
"""What the processes import; a Spark that lacks one of them does not need it."""
_OWN_VARIABLES: Final = ("LASTVALUE_", "PYSPARK_", "PYTHON_", "SPARK_", "_PYSPARK_")
"""Variables whose names begin so are read by processes after their imports, as are these:"""
_READ_LATER: Final = frozenset(
    {"COLUMNS", "JAVA_HOME", "LINES", "OLDPWD", "PWD", "PYTHONPATH", "PYTHONUNBUFFERED", "SHLVL", "_"}
)
_REQUEST_S: Final = 10.0
_SCRIPT: Final = '#!/bin/sh\nexec {command} "$@"\n'


class ForkServer:
    """The process, started by the driver of a session on this machine; it ends with the driver at the latest.

    Args:
        spark_home: the directory of Spark.
        variables: of the environment of Spark's Python processes, where it differs from this one's.

    Attributes:
        python: the path of what Spark is to run as Python.

    Raises:
        OSError: the process does not start, or there is no place for its files.
    """

    def __init__(self, spark_home: Path, variables: Mapping[str, str]) -> None:
        directory = Path(tempfile.mkdtemp(prefix="lastvalue-"))
        atexit.register(shutil.rmtree, directory, ignore_errors=True)
        address = directory / "python.socket"
        command = [sys.executable, "-I", "-S", forked_python.__file__, str(address), sys.executable]
        self.python = directory / "python"
        self.python.write_text(_SCRIPT.format(command=shlex.join(command)))
        self.python.chmod(0o700)
        if not os.access(self.python, os.X_OK):
            raise PermissionError(EACCES, "no program may be run from there", str(directory))
        archives = [str(each) for each in (spark_home / "python" / "lib").glob("*.zip")]
        path = os.pathsep.join([*archives, *_entries(os.environ)])
        environment = {**os.environ, **variables, "PYTHONPATH": path}
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(address))
            # What connects from now on waits for the imports.
            listener.listen()
            self.process = Popen(  # noqa: S603 - this Python with our own module
                [sys.executable, "-u", "-m", __name__, str(listener.fileno())],
                stdin=PIPE,
                env=environment,
                pass_fds=[listener.fileno()],
            )
        # It closes the standard input and waits. Spark, which starts later, ends before.
        atexit.register(self.process.communicate)


def forking_python(spark_home: Path, settings: Mapping[str, str]) -> str:
    """The path of what Spark is to run as Python: it uses this process's ForkServer, which it starts.

    Without the server, where there is no place for its files, it is this process's Python.
    """
    global _server  # noqa: PLW0603 - all sessions of a process have one, as they have one Java
    if _server is None or _server.process.poll() is not None:
        threads = settings.get("spark.executorEnv.OMP_NUM_THREADS", settings.get("spark.task.cpus", "1"))
        # As Spark sets them for the processes.
        variables = {"OMP_NUM_THREADS": threads, "PYTHONHASHSEED": os.environ.get("PYTHONHASHSEED", "0")}
        try:
            _server = ForkServer(spark_home, variables)
        except OSError:
            return sys.executable
    return str(_server.python)


_server: ForkServer | None = None


def _entries(environment: Mapping[str, str]) -> list[str]:
    return [entry for entry in environment.get("PYTHONPATH", "").split(os.pathsep) if entry]


def installed_path(path: Sequence[str]) -> list[str]:
    """The module path without Spark's zip files; unchanged if they are needed or belong to another Spark.

    The zip file of a PySpark that pip installed is inside the package, at `pyspark/python/lib/pyspark.zip`.
    """
    for archive in (Path(entry) for entry in path if Path(entry).name == "pyspark.zip"):
        rest = [entry for entry in path if Path(entry).parent != archive.parent]
        spec = PathFinder.find_spec("pyspark", rest)
        origin = Path((spec and spec.origin) or "")
        # Spark's path has no symbolic links in it, Python's may.
        own = origin.resolve() == (archive.parents[2] / "__init__.py").resolve()
        if own and PathFinder.find_spec("py4j", rest):
            return rest
    return list(path)


@dataclass(frozen=True, slots=True)
class _Request:
    """What forked_python.py asks for: see there."""

    arguments: list[str]
    environment: dict[str, str]
    directory: str
    streams: list[int]

    def can_be_forked(self) -> bool:
        """Python would run code, and with what the server's own imports have read of the environment."""
        return (
            len(self.arguments) > 1
            and self.arguments[0] in {"-c", "-m"}
            and not any(
                os.environ.get(name) != value
                and name not in _READ_LATER
                and not name.startswith(_OWN_VARIABLES)
                for name, value in self.environment.items()
            )
        )


def _receive(asker: socket.socket) -> _Request | None:
    """The request of an asker; None where it has gone, or is not forked_python.py."""
    asker.settimeout(_REQUEST_S)
    streams: list[int] = []
    try:
        length, streams, _, _ = socket.recv_fds(asker, LENGTH_BYTES, len(STREAMS))
        with asker.makefile("rb") as file:
            request = file.read(int.from_bytes(length, "big"))
        if len(streams) < len(STREAMS) or len(request) < int.from_bytes(length, "big"):
            raise EOFError
        directory, count, *rest = os.fsdecode(request).split("\0")
        arguments, variables = rest[: int(count)], rest[int(count) :]
        environment = dict(variable.split("=", 1) for variable in variables)
        return _Request(arguments, environment, directory, streams)
    except (OSError, EOFError, ValueError):
        for each in streams:
            os.close(each)
        return None


class _Forked(BaseException):
    """Raised in a fork, so that it leaves the server."""

    def __init__(self, arguments: list[str]) -> None:
        self.arguments = arguments


class _Server:
    """Forks at each request, and tells each asker the exit status of its fork."""

    def __init__(self, listener: socket.socket, base_path: list[str]) -> None:
        self._listener = listener
        self._base_path = base_path
        self._askers: dict[int, socket.socket] = {}
        self._selector = selectors.DefaultSelector()
        self._ended, self._wakes = socket.socketpair()
        self._wakes.settimeout(0)
        signal.set_wakeup_fd(self._wakes.fileno(), warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)

    def run(self) -> None:
        """Serve until the standard input ends; raises _Forked in a fork."""
        for each in (sys.stdin.fileno(), self._listener, self._ended):
            self._selector.register(each, selectors.EVENT_READ)
        while True:
            for key, _ in self._selector.select():
                if key.fileobj is self._listener:
                    self._answer(self._listener.accept()[0])
                elif key.fileobj is self._ended:
                    self._ended.recv(4096)
                    self._tell_ends()
                elif key.data is None:
                    return
                elif key.data in self._askers:
                    # The asker has gone: as if the signal that ended it had met the process it stands for.
                    self._selector.unregister(key.fileobj)
                    os.kill(key.data, signal.SIGTERM)

    def _answer(self, asker: socket.socket) -> None:
        """Fork for an asker; one that has no answer runs Python itself."""
        request = _receive(asker)
        child = None
        if request is not None and request.can_be_forked():
            with suppress(OSError):
                child = os.fork()
            if child == 0:
                self._become(request)
                raise _Forked(request.arguments)
        for each in () if request is None else request.streams:
            os.close(each)
        if child is None:
            asker.close()
            return
        self._askers[child] = asker
        self._selector.register(asker, selectors.EVENT_READ, child)
        with suppress(OSError):
            asker.sendall(ACCEPTED)

    def _tell_ends(self) -> None:
        """Tell the askers of all forks that have ended."""
        with suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                asker = self._askers.pop(ended[0])
                status = os.waitstatus_to_exitcode(ended[1])
                with suppress(KeyError):
                    self._selector.unregister(asker)
                with asker, suppress(OSError):
                    asker.sendall(bytes([status if status >= 0 else 128 - status]))

    def _become(self, request: _Request) -> None:
        """Be what the asker would be if it ran Python."""
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        self._selector.close()
        for each in (self._listener, self._ended, self._wakes, *self._askers.values()):
            each.close()
        for wanted, stream in enumerate(request.streams):
            os.dup2(stream, wanted)
            os.close(stream)
        os.chdir(request.directory)
        os.environ.clear()
        os.environ.update(request.environment)
        current = [] if "PYTHONSAFEPATH" in request.environment else [request.directory]
        sys.path[:] = installed_path([*current, *_entries(request.environment), *self._base_path])


def main(listener: int) -> None:
    """Serve forks at a socket that listens, until the standard input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    base_path = list(sys.path)
    # Python has put these first.
    for entry in (str(Path.cwd()), *_entries(os.environ)):
        with suppress(ValueError):
            base_path.remove(entry)
    sys.path[:] = installed_path(sys.path)
    for name in _SHARED:
        # Without them plain Python functions run; what needs them says so in its process.
        with suppress(ImportError):
            import_module(name)
    if "numpy" in sys.modules:
        # Otherwise all workers draw the same numbers.
        os.register_at_fork(after_in_child=sys.modules["numpy"].random.seed)
    # A collection in a fork would copy the pages of all objects that it shares with this process.
    gc.freeze()
    asked = socket.socket(fileno=listener)
    directory = Path(asked.getsockname()).parent
    try:
        _Server(asked, base_path).run()
    except _Forked as forked:
        option, code, *rest = forked.arguments
    else:
        # The driver may have been killed.
        shutil.rmtree(directory, ignore_errors=True)
        return
    sys.argv[:] = [option, *rest]
    if option == "-c":
        exec(code, {"__name__": "__main__"})  # noqa: S102 - what Python was called for
        return
    # Python warns where a module that is to run is imported already.
    sys.modules.pop(code, None)
    runpy.run_module(code, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
