"""Readers of a live feed over any protocol: they count bodies in what arrives, and decode nothing."""

import multiprocessing
import selectors
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from load import END_MARK
from wire import PeerError
from wires import READ_BYTES

BODY_MARK = b"x" * 90
"""Is in each message's body once, whether or not a number stands before it."""


class Listener:
    """What one connection has got.

    Args:
        peer: has subscribed.

    Attributes:
        count: messages.
        ended: the last one has come.
    """

    def __init__(self, peer: socket.socket) -> None:
        self.peer = peer
        self.count = 0
        self.ended = False
        self._rest = b""

    def read(self) -> None:
        """Take in what has come; waits when nothing has.

        Raises:
            PeerError: the broker has closed the connection.
        """
        received = self.peer.recv(READ_BYTES)
        if not received:
            raise PeerError("the broker closed a reader's connection")
        data = self._rest + received
        self.count += data.count(BODY_MARK)
        self.ended = self.ended or END_MARK in data
        counted = data.rfind(BODY_MARK) + len(BODY_MARK) if BODY_MARK in data else 0
        self._rest = data[max(counted, len(data) - len(BODY_MARK) + 1) :]


@contextmanager
def listening(listen: Callable[[], socket.socket], readers: int) -> Iterator[Callable[[], int]]:
    """Readers in a process of their own; the call waits until each has the end, and tells what all got."""
    if not readers:
        yield lambda: 0
        return
    ours, theirs = multiprocessing.Pipe()

    def read_all() -> None:
        listeners = [Listener(listen()) for _ in range(readers)]
        theirs.send(0)
        with selectors.DefaultSelector() as selector:
            for listener in listeners:
                selector.register(listener.peer, selectors.EVENT_READ, listener)
            while not all(listener.ended for listener in listeners):
                for selected, _ in selector.select():
                    selected.data.read()
        theirs.send(sum(listener.count for listener in listeners))

    process = multiprocessing.get_context("fork").Process(target=read_all, daemon=True)
    process.start()
    theirs.close()
    ours.recv()
    try:
        yield ours.recv
    finally:
        process.terminate()
        process.join()
