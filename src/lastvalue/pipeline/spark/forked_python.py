"""What Spark runs as Python on this machine: it has the command run by a fork of the `ForkServer`.

A process of its own imports PySpark, pyarrow and pandas for one to two seconds before it does anything, and
Spark starts half a dozen of them, one after the other. The fork has them.

This file runs without the site's packages, and imports nothing but a little of Python itself:

    python -I -S forked_python.py SOCKET PYTHON ARGUMENT...

A request is its length in LENGTH_BYTES, with the descriptors of the streams beside it, and these, with a zero
octet between two: the directory, the number of arguments, the arguments, the variables as NAME=VALUE.
"""

import array
import os
import socket
import sys

ACCEPTED = b"y"
"""The answer of the server when a fork runs the command; the byte after it is the exit status."""
LENGTH_BYTES = 4
STREAMS = (0, 1, 2)


def forked_python(server: str, python: str, arguments: list[str]) -> int:
    """Run Python with the arguments, the environment, the directory and the streams of this process.

    It is a process of its own, started in place of this one, where there is no server or it refuses.
    Returns the exit status. The fork gets a SIGTERM when this process ends before it.
    """
    with socket.socket(socket.AF_UNIX) as connection:
        try:
            connection.connect(server)
            directory = os.getcwd()  # noqa: PTH109 - pathlib would take half as long to import as all else here
            variables = (name + b"=" + value for name, value in os.environb.items())
            texts = map(os.fsencode, (directory, str(len(arguments)), *arguments))
            request = b"\0".join((*texts, *variables))
            length = len(request).to_bytes(LENGTH_BYTES, "big")
            streams = array.array("i", STREAMS)
            connection.sendmsg([length], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, streams)])
            connection.sendall(request)
            accepted = connection.recv(1) == ACCEPTED
        except OSError:
            accepted = False
        if not accepted:
            os.execv(python, [python, *arguments])  # noqa: S606 - in place of this process
        return (connection.recv(1) or b"\1")[0]


if __name__ == "__main__":
    sys.exit(forked_python(sys.argv[1], sys.argv[2], sys.argv[3:]))
