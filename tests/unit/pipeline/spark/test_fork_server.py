"""A process that forks Spark's Python processes: they are as if Python itself had been started."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from waiting import wait_until

from lastvalue.pipeline.spark import fork_server
from lastvalue.pipeline.spark.fork_server import ForkServer, forking_python, installed_path
from lastvalue.pipeline.spark.session import spark_home

ARCHIVES = ("pyspark.zip", "py4j-0.10.9.9-src.zip")
TELL = """\
import gc, json, os, sys
told = {
    "arguments": sys.argv[1:],
    "directory": os.getcwd(),
    "environment": dict(os.environ),
    "imported": sorted({"pandas", "pyarrow", "pyspark.worker"} & sys.modules.keys()),
    "frozen": gc.get_freeze_count(),
    "input": sys.stdin.read(),
    "name": __name__,
    "parent": os.getppid(),
    "path": sys.path,
}
print(json.dumps(told))
"""


@pytest.fixture(scope="module")
def server() -> Iterator[ForkServer]:
    server = ForkServer(spark_home(), {"OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0"})
    yield server
    end(server)


def end(server: ForkServer | None) -> None:
    assert server is not None
    server.process.kill()
    server.process.communicate()


def environment(**more: str) -> dict[str, str]:
    """As it was when the server started: pytest has the name of each test in it."""
    return {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"} | more


def run(
    server: ForkServer,
    *arguments: str,
    text: str = "",
    variables: dict[str, str] | None = None,
    directory: Path | None = None,
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [str(server.python), *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        input=text,
        env=environment() if variables is None else variables,
        cwd=directory,
    )


def told_by(result: "subprocess.CompletedProcess[str]") -> dict[str, Any]:
    assert result.returncode == 0, result.stderr
    told: dict[str, Any] = json.loads(result.stdout)
    return told


@pytest.mark.parametrize("way", ["-c", "-m"])
def test_a_fork_has_the_arguments_environment_directory_and_streams_of_what_asked(
    server: ForkServer, tmp_path: Path, way: str
) -> None:
    (tmp_path / "tells_all.py").write_text(TELL)
    given = environment(PYTHONPATH="/one:/two", SPARK_REUSE_WORKER="1")
    code = TELL if way == "-c" else "tells_all"
    result = run(server, way, code, "a", "b c", text="some text", variables=given, directory=tmp_path)
    told = told_by(result)
    assert told["parent"] == server.process.pid
    assert told["arguments"] == ["a", "b c"]
    assert told["directory"] == str(tmp_path)
    # The shell of the script has its own.
    assert told["environment"] | {"PWD": "", "SHLVL": "", "_": ""} == given | {
        "PWD": "",
        "SHLVL": "",
        "_": "",
    }
    assert told["input"] == "some text"
    assert told["name"] == "__main__"
    assert result.stderr == ""


def test_a_fork_finds_what_python_itself_would_find(server: ForkServer, tmp_path: Path) -> None:
    given = environment(PYTHONPATH="/one:/two")
    (tmp_path / "tells_all.py").write_text(TELL)
    itself = subprocess.run(
        [sys.executable, "-m", "tells_all"],
        capture_output=True,
        text=True,
        check=True,
        input="",
        env=given,
        cwd=tmp_path,
    )
    forked = run(server, "-m", "tells_all", variables=given, directory=tmp_path)
    assert told_by(forked)["path"] == told_by(itself)["path"]


def test_a_fork_has_arrow_pandas_and_spark_imported(server: ForkServer) -> None:
    told = told_by(run(server, "-c", TELL))
    assert told["imported"] == ["pandas", "pyarrow", "pyspark.worker"]
    assert told["frozen"] > 0


def test_a_module_that_the_server_has_imported_runs_again_without_a_warning(server: ForkServer) -> None:
    result = run(server, "-m", "pyspark.sql.worker.lookup_data_sources")
    assert result.returncode == 1, "it has no Java to connect to"
    assert "RuntimeWarning" not in result.stderr


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("pass", 0),
        ("import sys; sys.exit(3)", 3),
        ("import sys; sys.exit('a reason')", 1),
        ("1 / 0", 1),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", 128 + signal.SIGKILL),
    ],
)
def test_the_exit_status_is_that_of_the_fork(server: ForkServer, code: str, status: int) -> None:
    assert run(server, "-c", code).returncode == status


def test_what_a_fork_raises_is_on_its_standard_error(server: ForkServer) -> None:
    assert "ZeroDivisionError" in run(server, "-c", "1 / 0").stderr


def test_forks_draw_different_random_numbers(server: ForkServer) -> None:
    code = "import random, numpy; print(random.random(), numpy.random.rand())"
    first, second = (run(server, "-c", code).stdout.split() for _ in range(2))
    assert first[0] != second[0]
    assert first[1] != second[1]


def test_a_variable_that_was_read_at_the_start_makes_it_a_process_of_its_own(server: ForkServer) -> None:
    told = told_by(run(server, "-c", TELL, variables=environment(OMP_NUM_THREADS="7")))
    assert told["parent"] == os.getpid()
    assert told["environment"]["OMP_NUM_THREADS"] == "7"
    assert told["imported"] == []


def test_another_option_makes_it_a_process_of_its_own(server: ForkServer) -> None:
    assert run(server, "-V").stdout == f"Python {sys.version.split()[0]}\n"


def test_without_arguments_it_is_a_process_of_its_own(server: ForkServer) -> None:
    assert run(server, text="print(7)").stdout == "7\n"
    assert run(server, "-c").returncode == 2
    assert server.process.poll() is None


def test_what_asks_and_its_fork_may_end_at_the_same_time(server: ForkServer) -> None:
    for _ in range(20):
        code = "print(flush=True)"
        with subprocess.Popen(
            [str(server.python), "-c", code], stdout=subprocess.PIPE, env=environment()
        ) as asker:
            assert asker.stdout is not None
            asker.stdout.readline()
            asker.kill()
    assert told_by(run(server, "-c", TELL))["parent"] == server.process.pid


def test_names_and_values_that_are_no_text_stay_as_they_are(server: ForkServer) -> None:
    code = "import os, sys; print(os.environb[b'LASTVALUE_X'], os.fsencode(sys.argv[1]))"
    odd = os.fsdecode(b"a=\xff\n")
    assert run(server, "-c", code, odd, variables=environment(LASTVALUE_X=odd)).stdout == (
        "b'a=\\xff\\n' b'a=\\xff\\n'\n"
    )


def test_an_import_of_the_server_imports_no_spark() -> None:
    code = f"import sys, {fork_server.__name__}; sys.exit('pyspark' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_fork_ends_with_what_asked_for_it(server: ForkServer) -> None:
    code = "import os, time; print(os.getpid(), flush=True); time.sleep(600)"
    with subprocess.Popen(
        [str(server.python), "-c", code], stdout=subprocess.PIPE, env=environment()
    ) as asker:
        assert asker.stdout is not None
        fork = int(asker.stdout.readline())
        asker.kill()
        # Its standard output is the fork's, too.
        assert asker.stdout.read() == b""
    assert fork != asker.pid


def test_bytes_that_are_no_request_change_nothing(server: ForkServer) -> None:
    for request in (b"", b"\0\0\0\4abcd", b"\0\0\0\3/\x000", b"\0\0\0\x09/\x000"):
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(server.python.with_name("python.socket")))
            connection.sendall(request)
            connection.shutdown(socket.SHUT_WR)
            assert connection.recv(1) == b""
    assert run(server, "-c", "print(7)").stdout == "7\n"


def test_without_the_server_python_itself_runs(tmp_path: Path) -> None:
    server = ForkServer(tmp_path, {})
    end(server)
    assert run(server, "-c", "import os; print(os.getppid())").stdout == f"{os.getpid()}\n"


def test_the_server_ends_when_its_driver_does(tmp_path: Path) -> None:
    code = (
        "import os, pathlib\n"
        "from lastvalue.pipeline.spark.fork_server import ForkServer\n"
        f"server = ForkServer(pathlib.Path({str(tmp_path)!r}), {{}})\n"
        "print(server.process.pid, server.python)\n"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    pid, python = printed.split()
    wait_until(lambda: not Path("/proc", pid).exists())
    assert not Path(python).parent.exists()


def test_a_session_after_another_has_the_same_server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(fork_server, "_server", None)
    first = forking_python(tmp_path, {})
    assert forking_python(tmp_path, {}) == first
    end(fork_server._server)
    assert forking_python(tmp_path, {}) != first
    end(fork_server._server)


def test_without_a_place_for_its_files_it_is_this_python(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(fork_server, "_server", None)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "no such directory"))
    assert forking_python(tmp_path, {}) == sys.executable


def test_where_no_program_may_be_run_from_the_temporary_directory_it_is_this_python(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(fork_server, "_server", None)
    monkeypatch.setattr("os.access", lambda *_: False)
    assert forking_python(tmp_path, {}) == sys.executable


def spark_in(directory: Path) -> list[str]:
    """A path as Spark gives it to its workers, with the installed packages it is of."""
    package = directory / "pyspark"
    (package / "python" / "lib").mkdir(parents=True)
    (package / "__init__.py").touch()
    (directory / "py4j").mkdir()
    (directory / "py4j" / "__init__.py").touch()
    return [*(str(package / "python" / "lib" / name) for name in ARCHIVES), "/own", str(directory)]


def test_the_zip_files_of_an_installed_spark_leave_the_path(tmp_path: Path) -> None:
    assert installed_path(spark_in(tmp_path)) == ["/own", str(tmp_path)]


def test_an_environment_may_be_reached_by_a_link(tmp_path: Path) -> None:
    path = spark_in(tmp_path / "own")
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "own")
    assert installed_path([*path[:2], str(link)]) == [str(link)]


def test_the_zip_files_of_another_spark_stay(tmp_path: Path) -> None:
    own, other = spark_in(tmp_path / "own"), spark_in(tmp_path / "other")
    mixed = [*other[:3], own[-1]]
    assert installed_path(mixed) == mixed


def test_the_zip_files_stay_where_nothing_else_has_py4j(tmp_path: Path) -> None:
    path = spark_in(tmp_path)
    (tmp_path / "py4j" / "__init__.py").unlink()
    (tmp_path / "py4j").rmdir()
    assert installed_path(path) == path


def test_a_path_without_zip_files_stays_as_it_is() -> None:
    assert installed_path(["/own", "/other.zip"]) == ["/own", "/other.zip"]
