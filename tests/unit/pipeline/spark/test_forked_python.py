"""What Spark runs as Python: it asks a server for a fork, and is Python itself where there is none."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lastvalue.pipeline.spark.forked_python import ACCEPTED, LENGTH_BYTES, STREAMS, __file__, forked_python

PRINT = "print('itself')"


@pytest.fixture
def listener(tmp_path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "socket"))
        listener.listen()
        yield listener


def started(address: object) -> "subprocess.Popen[str]":
    command = [sys.executable, "-I", "-S", __file__, str(address), sys.executable, "-c", PRINT]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def received(connection: socket.socket) -> tuple[list[str], list[int]]:
    """The parts of a request, and the streams that came with it."""
    length, streams, _, _ = socket.recv_fds(connection, LENGTH_BYTES, len(STREAMS))
    with connection.makefile("rb") as file:
        return os.fsdecode(file.read(int.from_bytes(length, "big"))).split("\0"), streams


def answered(listener: socket.socket, answer: bytes) -> tuple[str, int]:
    """What a process prints that gets an answer, and its exit status."""
    with started(listener.getsockname()) as process:
        connection, _ = listener.accept()
        with connection:
            _, streams = received(connection)
            for each in streams:
                os.close(each)
            connection.sendall(answer)
        return process.communicate()[0], process.returncode


def test_it_sends_its_arguments_environment_directory_and_streams(listener: socket.socket) -> None:
    with started(listener.getsockname()) as process:
        connection, _ = listener.accept()
        with connection:
            (directory, count, *rest), streams = received(connection)
            assert len(streams) == len(STREAMS)
            os.write(streams[1], b"by another\n")
            for each in streams:
                os.close(each)
            connection.sendall(ACCEPTED + b"\7")
        assert process.communicate()[0] == "by another\n"
        assert process.returncode == 7
    assert count == "2"
    assert rest[:2] == ["-c", PRINT]
    environment = dict(variable.split("=", 1) for variable in rest[2:])
    # A line editor that somebody imports sets two more, behind Python's back.
    assert environment | {"COLUMNS": "", "LINES": ""} == {**os.environ, "COLUMNS": "", "LINES": ""}
    assert directory == str(Path.cwd())


def test_a_fork_whose_server_has_gone_has_failed(listener: socket.socket) -> None:
    assert answered(listener, ACCEPTED) == ("", 1)


@pytest.mark.parametrize("answer", [b"", b"n"])
def test_refused_it_is_python_itself(listener: socket.socket, answer: bytes) -> None:
    assert answered(listener, answer) == ("itself\n", 0)


def test_without_a_server_it_is_python_itself(tmp_path: Path) -> None:
    with started(tmp_path / "none") as process:
        assert process.communicate()[0] == "itself\n"
        assert process.returncode == 0


def test_python_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        forked_python(str(tmp_path / "none"), str(tmp_path / "python"), [])
