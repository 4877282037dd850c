"""lastvalue.client.loop_thread."""

import asyncio
import os
import signal
import threading
from collections.abc import Iterator
from functools import partial

import pytest

from lastvalue.client import NotOpenError
from lastvalue.client.loop_thread import LoopThread


@pytest.fixture
def thread() -> Iterator[LoopThread]:
    thread = LoopThread()
    yield thread
    thread.stop()


async def answer() -> int:
    return 42


async def fail() -> None:
    raise ValueError("the coroutine's own")


def test_a_coroutine_runs_in_another_thread(thread: LoopThread) -> None:
    async def name() -> str:
        return threading.current_thread().name

    assert thread.run(name()) == "lastvalue-client"


def test_what_a_coroutine_raises_is_raised(thread: LoopThread) -> None:
    with pytest.raises(ValueError, match="the coroutine's own"):
        thread.run(fail())


def test_a_function_is_called_in_the_loop(thread: LoopThread) -> None:
    called = threading.Event()
    thread.call(called.set)
    assert called.wait(120)


def test_functions_are_called_in_their_order_and_before_a_coroutine_that_runs_after_them(
    thread: LoopThread,
) -> None:
    called: list[int] = []

    for number in range(3000):
        thread.call(partial(called.append, number))
    thread.run(answer())
    assert called == list(range(3000))


def test_a_function_that_fails_keeps_no_other_from_being_called(
    thread: LoopThread, caplog: pytest.LogCaptureFixture
) -> None:
    called = threading.Event()

    def fault() -> None:
        thread.call(fail_again)
        thread.call(called.set)
        raise ValueError("the first one's own")

    def fail_again() -> None:
        raise ValueError("the second one's own")

    thread.call(fault)
    assert called.wait(120)
    assert "the first one's own" in caplog.text
    assert "the second one's own" in caplog.text


def test_functions_of_several_threads_are_all_called(thread: LoopThread) -> None:
    called: list[int] = []

    def add() -> None:
        for number in range(5000):
            thread.call(partial(called.append, number))

    callers = [threading.Thread(target=add) for _ in range(4)]
    for each in callers:
        each.start()
    for each in callers:
        each.join(120)
    thread.run(answer())
    assert sorted(called) == sorted(4 * list(range(5000)))


def test_a_started_coroutine_is_not_waited_for(thread: LoopThread) -> None:
    started = threading.Event()

    async def run() -> None:
        started.set()
        await asyncio.Event().wait()

    thread.start(run())
    assert started.wait(120)


def test_stopping_cancels_what_runs() -> None:
    thread = LoopThread()
    cancelled = threading.Event()

    async def run() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    thread.start(run())
    thread.run(answer())
    thread.stop()
    assert cancelled.is_set()


def test_a_thread_that_waits_while_it_is_stopped_is_told() -> None:
    thread = LoopThread()
    running = threading.Event()
    raised: list[Exception] = []

    async def run() -> None:
        running.set()
        await asyncio.Event().wait()

    def wait() -> None:
        with pytest.raises(NotOpenError, match="closed") as caught:
            thread.run(run())
        raised.append(caught.value)

    waiting = threading.Thread(target=wait)
    waiting.start()
    assert running.wait(120)
    thread.stop()
    waiting.join(120)
    assert len(raised) == 1


def test_an_interrupt_cancels_the_coroutine(thread: LoopThread) -> None:
    cancelled = threading.Event()

    async def run() -> None:
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    # A loop that ran in this thread before may have left a handler of its own.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            thread.run(run())
    finally:
        signal.signal(signal.SIGINT, before)
    assert cancelled.wait(120)


def test_what_an_ended_link_does_not_do_is_dropped_and_the_next_is_done(
    thread: LoopThread, caplog: pytest.LogCaptureFixture
) -> None:
    called = threading.Event()

    def refuse() -> None:
        raise NotOpenError("the link has ended")

    thread.call(refuse)
    thread.call(called.set)
    assert called.wait(120)
    assert caplog.text == ""


def test_after_its_end_nothing_runs() -> None:
    thread = LoopThread()
    thread.stop()
    thread.stop()
    assert not thread.is_running
    with pytest.raises(NotOpenError, match="closed"):
        thread.run(answer())
    with pytest.raises(NotOpenError, match="closed"):
        thread.start(answer())
    with pytest.raises(NotOpenError, match="closed"):
        thread.call(threading.Event().set)


def test_it_does_not_cross_a_fork(thread: LoopThread, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as forked:
        forked.setattr(os, "getpid", lambda: -1)
        assert not thread.is_running
        with pytest.raises(NotOpenError, match="does not cross a fork"):
            thread.run(answer())
    assert thread.run(answer()) == 42
