"""lastvalue.cli.stdin."""

import asyncio
import os
import threading
from collections.abc import Iterator

import pytest

from lastvalue.cli.stdin import LineTooLongError, _read, stdin_lines


@pytest.fixture
def stdin(capfd: pytest.CaptureFixture[str]) -> Iterator[int]:
    """The end of a pipe that standard input reads; the test closes it."""
    with capfd.disabled():
        before = os.dup(0)
        reading, writing = os.pipe()
        os.dup2(reading, 0)
        os.close(reading)
        others = set(threading.enumerate())
        yield writing
        # One that still reads would read the next test's pipe.
        for thread in set(threading.enumerate()) - others:
            thread.join()
        os.dup2(before, 0)
        os.close(before)


def lines(most_bytes: int | None = None) -> list[str]:
    async def collect() -> list[str]:
        return [line async for line in stdin_lines(most_bytes)]

    return asyncio.run(collect())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"one\ntwo\nthree", ["one", "two", "three"]),
        (b"\none\n", ["", "one"]),
        (b"", []),
        ("größe\xff\n".encode("latin-1"), ["gr\ufffd\ufffde\ufffd"]),
        (b"12345\n12345", ["12345", "12345"]),
    ],
)
def test_lines_come_without_their_ends(stdin: int, text: bytes, expected: list[str]) -> None:
    os.write(stdin, text)
    os.close(stdin)
    assert lines(5 if text.startswith(b"1") else None) == expected


def test_a_line_that_is_too_long_is_told_by_its_number(stdin: int) -> None:
    os.write(stdin, b"12345\n123456\n")
    with pytest.raises(LineTooLongError, match="line 2 of standard input has more than 5 bytes"):
        lines(5)
    os.close(stdin)


class FullQueue(asyncio.Queue[bytes]):
    """A queue without room, which tells when somebody waits for some."""

    def __init__(self) -> None:
        super().__init__(1)
        self.put_nowait(b"full")
        self.waited = asyncio.Event()

    async def put(self, item: bytes) -> None:
        self.waited.set()
        await super().put(item)


def test_the_reading_ends_quietly_when_nobody_waits_for_lines_any_more(
    stdin: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    faults: list[object] = []
    monkeypatch.setattr(threading, "excepthook", faults.append)
    threads: list[threading.Thread] = []

    async def leave_while_it_waits() -> None:
        chunks = FullQueue()
        threads.append(threading.Thread(target=_read, args=(asyncio.get_running_loop(), chunks)))
        threads[0].start()
        await chunks.waited.wait()

    os.write(stdin, b"more")
    asyncio.run(leave_while_it_waits())
    threads[0].join(60)
    os.close(stdin)
    assert (threads[0].is_alive(), faults) == (False, [])
