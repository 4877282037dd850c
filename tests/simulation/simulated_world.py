"""A world of machines in one thread: one queue of events, one clock, one seed.

Each machine has event loops of asyncio's interface, on which the real programs run. Nothing waits: the clock
goes to the next event. So a run is the same whenever it is made again.
"""

import asyncio
import heapq
import logging
import os
import random
import time
import zlib
from asyncio import events
from collections import Counter, deque
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from contextvars import Context
from functools import partial
from typing import Any, Final, TypeVarTuple, cast

import pytest

from lastvalue.client import connection as client_connection

Ts = TypeVarTuple("Ts")

EPOCH_S: Final = 1_700_000_000.0
BOOTED_S: Final = 10_000.0
MOST_AT_ONCE: Final = 300_000
"""So many callbacks without a step of the clock are a program that turns in circles."""


class CrashedError(BaseException):
    """The machine lost its power in the middle of a call; nothing of the program goes on."""


class ViolationError(Exception):
    """A law was broken."""


class World:
    """All machines, and what happens to them.

    Attributes:
        now_s: the true time.
        chance: decides what is not in a history: delays, what a lost power leaves.
        machine: whose program runs now.
        wire: what happens between machines.
        counts: faults that happened, and states that were reached.
        trace: what happened, the newest.
        violation: the first law that was broken, or None.
        digest: of all that happened, to compare two runs.
    """

    def __init__(self, seed: int) -> None:
        self.now_s = 0.0
        self.chance = random.Random(seed)
        self.counts: Counter[str] = Counter()
        self.trace: deque[str] = deque(maxlen=400)
        self.violation: str | None = None
        self.digest = 0
        self.callbacks = 0
        self.machine = Machine(self, "nobody")
        self._heap: list[tuple[float, int, Loop, asyncio.Handle]] = []
        self._ready: deque[tuple[Loop, asyncio.Handle]] = deque()
        self._number = 0
        self.wire = Machine(self, "the network").loop()

    def note(self, text: str, **counted: int) -> None:
        """Something happened."""
        self.trace.append(f"{self.now_s:9.3f} {text}")
        self.digest = zlib.crc32(f"{self.now_s:.6f} {text}".encode(), self.digest)
        self.counts.update(counted)

    def break_law(self, text: str) -> None:
        """A law was broken; the run ends."""
        if self.violation is None:
            self.note(f"BROKEN: {text}")
            self.violation = text

    @contextmanager
    def on(self, machine: "Machine") -> Iterator[None]:
        """What is asked has the clock of this machine."""
        before, self.machine = self.machine, machine
        try:
            yield
        finally:
            self.machine = before

    def soon(self, loop: "Loop", handle: asyncio.Handle) -> None:
        """Let a loop call this behind all that is ready."""
        self._ready.append((loop, handle))

    def at(self, at_s: float, loop: "Loop", handle: asyncio.Handle) -> None:
        """Let a loop call this at a time."""
        self._number += 1
        heapq.heappush(self._heap, (at_s, self._number, loop, handle))

    def run_until(self, done: Callable[[], bool], within_s: float) -> bool:
        """Let time pass until this is so; false where that takes longer."""
        ends_s = self.now_s + within_s
        at_once = 0
        while self.violation is None:
            while self._ready:
                self._call(*self._ready.popleft())
                at_once += 1
                if at_once > MOST_AT_ONCE:
                    self.break_law(f"a program turns in circles: {[each[1] for each in self._ready][:5]}")
                    return False
            if done():
                return True
            if not self._heap or self._heap[0][0] > ends_s:
                # A program that waited in its thread may have let more time pass.
                self.now_s = max(self.now_s, ends_s)
                return done()
            at_s, _, loop, handle = heapq.heappop(self._heap)
            if at_s > self.now_s:
                self.now_s = at_s
                at_once = 0
            self._call(loop, handle)
        return False

    def block(self, done: Callable[[], bool]) -> None:
        """The program that runs waits in its thread, while all others continue."""
        loop = cast("Loop", events._get_running_loop())
        loop.blocked = []
        while not done() and loop.alive and self.violation is None:
            if self._ready:
                self._call(*self._ready.popleft())
            elif self._heap:
                at_s, _, other, handle = heapq.heappop(self._heap)
                self.now_s = max(self.now_s, at_s)
                self._call(other, handle)
            else:
                self.break_law(f"{loop.machine.name} waits for ever")
        events._set_running_loop(loop)
        self.machine = loop.machine
        waited, loop.blocked = loop.blocked, None
        self._ready.extend((loop, handle) for handle in waited or ())
        if not done():
            raise CrashedError

    def _call(self, loop: "Loop", handle: asyncio.Handle) -> None:
        if handle.cancelled() or not loop.alive:
            return
        if loop.blocked is not None:
            loop.blocked.append(handle)
            return
        self.callbacks += 1
        self.machine = loop.machine
        events._set_running_loop(loop)
        handle._run()
        events._set_running_loop(None)

    def _monotonic_s(self) -> float:
        return self.machine.monotonic_s()

    def _wall_s(self) -> float:
        return self.machine.wall_s()

    def forget(self) -> None:
        """End all programs."""
        for loop in {id(each): each for _, _, each, _ in self._heap}.values():
            loop.alive = False
        self._heap.clear()
        self._ready.clear()

    @contextmanager
    def time(self) -> Iterator[None]:
        """The clock of this process is that of the machine whose program runs; chance is of the seed."""
        hidden = logging.getLogger("asyncio")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(time, "monotonic", self._monotonic_s)
            patch.setattr(time, "monotonic_ns", lambda: int(self.machine.monotonic_s() * 1e9))
            patch.setattr(time, "clock_gettime", lambda _: self.machine.monotonic_s())
            patch.setattr(time, "time", self._wall_s)
            patch.setattr(time, "time_ns", lambda: int(self.machine.wall_s() * 1e9))
            patch.setattr(os, "urandom", self.chance.randbytes)
            patch.setattr(client_connection, "_CHANCE", self.chance)
            patch.setattr(hidden, "disabled", True)
            yield


class Machine:
    """A machine with a clock of its own.

    Attributes:
        pace: how fast its clocks run.
        set_s: by how much its clock was set.
        loops: of its programs that run.
    """

    def __init__(self, world: World, name: str) -> None:
        self.world = world
        self.name = name
        self.pace = 1.0
        self.set_s = 0.0
        self.loops: list[Loop] = []

    def monotonic_s(self) -> float:
        return BOOTED_S + self.world.now_s * self.pace

    def wall_s(self) -> float:
        return EPOCH_S + self.world.now_s * self.pace + self.set_s

    def loop(self) -> "Loop":
        """The loop of a program that begins."""
        # It has no threads, processes and signals: asyncio's interface is wider.
        loop: Loop = cast("Any", Loop)(self)
        self.loops.append(loop)
        return loop

    def end(self) -> None:
        """End all programs at once."""
        for loop in self.loops:
            loop.alive = False
        self.loops.clear()


class Loop(asyncio.AbstractEventLoop):
    """The event loop of a program on a machine; the world calls its callbacks.

    Attributes:
        alive: the program runs.
        blocked: what waits while the program's thread waits for another one, or None.
        network: where it connects to others, and listens.
    """

    network: Any = None

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.alive = True
        self.blocked: list[asyncio.Handle] | None = None
        self._world = machine.world

    def time(self) -> float:
        return self.machine.monotonic_s()

    def call_soon(
        self, callback: Callable[[*Ts], object], *args: *Ts, context: Context | None = None
    ) -> asyncio.Handle:
        handle = asyncio.Handle(callback, args, self, context)
        self._world.soon(self, handle)
        return handle

    def call_soon_threadsafe(
        self, callback: Callable[[*Ts], object], *args: *Ts, context: Context | None = None
    ) -> asyncio.Handle:
        return self.call_soon(callback, *args, context=context)

    def call_later(
        self,
        delay: float,
        callback: Callable[[*Ts], object],
        *args: *Ts,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        return self.call_at(self.time() + delay, callback, *args, context=context)

    def call_at(
        self,
        when: float,
        callback: Callable[[*Ts], object],
        *args: *Ts,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        handle = asyncio.TimerHandle(when, callback, args, self, context)
        self._world.at((when - BOOTED_S) / self.machine.pace, self, handle)
        return handle

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        """It is left out when its time has come."""

    def create_task(
        self, coro: Any, *, name: str | None = None, context: Context | None = None
    ) -> asyncio.Task[Any]:
        return asyncio.Task(coro, loop=self, name=name, context=context)

    def create_future(self) -> asyncio.Future[Any]:
        return asyncio.Future(loop=self)

    def get_debug(self) -> bool:
        return False

    def is_running(self) -> bool:
        return self.alive

    def is_closed(self) -> bool:
        return not self.alive

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        fault = context.get("exception")
        if self.alive and not isinstance(fault, CrashedError):
            self._world.break_law(f"{self.machine.name}: {context.get('message')}: {fault!r}")

    def run(self, steps: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Begin a coroutine of the program."""
        return self.create_task(steps)

    # ---- sockets: see simulated_network

    async def create_connection(
        self, protocol_factory: Any, host: Any = None, port: Any = None, **_: Any
    ) -> Any:
        return await self.network.connect(self, protocol_factory, host, port)

    async def connect_accepted_socket(self, protocol_factory: Any, sock: Any, **_: Any) -> Any:
        return sock.open(self, protocol_factory)

    def add_reader(self, fd: Any, callback: Callable[[*Ts], Any], *args: *Ts) -> None:
        fd.watch(self, partial(callback, *args))

    def remove_reader(self, fd: Any) -> Any:
        fd.watch(None, None)
