"""Connections between the machines of a world: ordered bytes with delays, which break as TCP does."""

import asyncio
from collections import deque
from typing import Any, Final, Self

from simulated_world import Loop, Machine, World

ROOM_BYTES: Final = 128 << 10
"""What the systems of both sides keep of a direction before the writer is stopped."""

SPIKE: Final = 0.01
LONGEST_S: Final = 0.2
REFUSES_AFTER_S: Final = 60.0


class Network:
    """Delays, cuts and loses.

    Attributes:
        blocked_until_s: by machine: nothing comes to it or from it before.
        lossy: by machine: what it sends on the connections of now does not arrive.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.blocked_until_s: dict[str, float] = {}
        self.listening: dict[tuple[str, int], Listening] = {}
        self.ends: list[End] = []
        self.latency_s = world.chance.choice([0.0001, 0.001, 0.01])

    def delay_s(self) -> float:
        chance = self.world.chance
        if chance.random() < SPIKE:
            return chance.random() * LONGEST_S
        return self.latency_s * (0.5 + chance.random())

    def arrives_s(self, *machines: Machine) -> float:
        """When what is sent now between machines arrives."""
        begins_s = max([self.world.now_s, *(self.blocked_until_s.get(each.name, 0.0) for each in machines)])
        return begins_s + self.delay_s()

    def listen(self, machine: Machine, host: str, port: int) -> "Listening":
        listening = self.listening[host, port] = Listening(self, machine, host, port)
        return listening

    async def connect(self, loop: Loop, make: Any, host: str, port: int) -> tuple[Any, Any]:
        listening = self.listening.get((host, port))
        machines = [loop.machine] if listening is None else [loop.machine, listening.machine]
        await _until(loop, self.arrives_s(*machines))
        listening = self.listening.get((host, port))
        if listening is None:
            raise ConnectionRefusedError(111, "nobody listens")
        near, far = End(self, loop), End(self, None)
        near.peer, far.peer = far, near
        near.machine, far.machine = loop.machine, listening.machine
        self.ends += [near, far]
        listening.arrive(far)
        protocol = make()
        near.begin(loop, protocol)
        return near, protocol

    def of(self, machine: Machine) -> list["End"]:
        """The ends of the connections of a machine."""
        self.ends = [each for each in self.ends if not each.lost]
        return [each for each in self.ends if each.machine is machine]

    def cut(self, machine: Machine) -> int:
        """Break all connections of a machine; both sides learn of it."""
        ends = self.of(machine)
        for end in ends:
            end.break_off()
            end.peer.break_off()
        return len(ends)

    def lose(self, machine: Machine) -> int:
        """From now on nothing arrives of what a machine sends over the connections that it has."""
        ends = self.of(machine)
        for end in ends:
            end.vanishes = True
        return len(ends)

    def crash(self, machine: Machine, *, told: bool) -> None:
        """The programs of a machine ended; its system tells their peers, if it still runs."""
        self.listening = {at: each for at, each in self.listening.items() if each.machine is not machine}
        for end in self.of(machine):
            end.dead = True
            if told:
                end.lost = True
                end.peer.break_off()


async def _until(loop: Loop, at_s: float) -> None:
    waiting = loop.create_future()
    loop.machine.world.at(at_s, loop, asyncio.Handle(_wake, (waiting,), loop))
    await waiting


def _wake(waiting: asyncio.Future[None]) -> None:
    if not waiting.done():
        waiting.set_result(None)


class Listening:
    """A socket that listens, for `lastvalue.server.listener.Listener`."""

    def __init__(self, network: Network, machine: Machine, host: str, port: int) -> None:
        self.machine = machine
        self._network = network
        self._at = host, port
        self._waiting: deque[End] = deque()
        self._loop: Loop | None = None
        self._callback: Any = None

    def arrive(self, end: "End") -> None:
        self._waiting.append(end)
        if self._loop is not None:
            self._loop.call_soon(self._callback)

    def watch(self, loop: Loop | None, callback: Any) -> None:
        self._loop, self._callback = loop, callback
        if loop is not None and self._waiting:
            loop.call_soon(callback)

    def accept(self) -> tuple["End", tuple[str, int]]:
        if not self._waiting:
            raise BlockingIOError
        return self._waiting.popleft(), ("127.0.0.1", 40_000)

    def getsockname(self) -> tuple[str, int]:
        return self._at

    def settimeout(self, value: float | None) -> None:
        """It never waits."""

    def close(self) -> None:
        self._network.listening.pop(self._at, None)
        for end in self._waiting:
            end.abort()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class End(asyncio.Transport):
    """One end of a connection: a socket, and once a program uses it, its transport.

    Attributes:
        vanishes: what it sends does not arrive any more.
        dead: the machine has crashed.
        lost: no program uses it any more.
    """

    peer: "End"
    machine: Machine
    family = 0

    def __init__(self, network: Network, loop: Loop | None) -> None:
        super().__init__()
        self.vanishes = self.dead = self.lost = False
        self._network = network
        self._world = network.world
        self._loop_of = loop
        self._protocol: Any = None
        self._closing = False
        self._said_all = False
        self._paused = False
        self._stopped = False
        self._incoming: deque[bytes | None] = deque()
        self._feeding = False
        self._under_way = 0
        self._last_s = 0.0
        self._high = ROOM_BYTES

    # ---- the socket

    def settimeout(self, value: float | None) -> None:
        """It never waits."""

    def open(self, loop: Loop, make: Any) -> tuple[Any, Any]:
        self.begin(loop, make())
        return self, self._protocol

    def begin(self, loop: Loop, protocol: Any) -> None:
        self._loop_of = loop
        self._protocol = protocol
        protocol.connection_made(self)
        self._go_on()

    # ---- the transport

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return ("127.0.0.1", 40_000) if name == "peername" else default

    def set_protocol(self, protocol: Any) -> None:
        self._protocol = protocol

    def get_protocol(self) -> Any:
        return self._protocol

    def is_closing(self) -> bool:
        return self._closing

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        """The room of the systems counts."""

    def get_write_buffer_size(self) -> int:
        return max(0, self._under_way - ROOM_BYTES)

    def is_reading(self) -> bool:
        return not self._paused

    def pause_reading(self) -> None:
        self._paused = True

    def resume_reading(self) -> None:
        self._paused = False
        self._go_on()

    def write(self, data: Any) -> None:
        if self._closing or self.lost or not data:
            return
        if self._said_all:
            raise RuntimeError("nothing may be written after write_eof()")
        self._under_way += len(data)
        self._send(bytes(data))
        if self._under_way > self._high and not self._stopped:
            self._stopped = True
            self._protocol.pause_writing()

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        if not self._said_all:
            self._said_all = True
            self._send(None)

    def close(self) -> None:
        if not self._closing:
            self._closing = True
            self.write_eof()
            self._call(self._end, None)

    def abort(self) -> None:
        self._closing = True
        if self._loop_of is None:
            self.lost = True
        else:
            self._call(self._end, None)
        self._at_peer(self.peer.break_off)

    # ---- what arrives

    def _send(self, data: bytes | None) -> None:
        self._at_peer(self.peer._arrive, data)

    def _at_peer(self, what: Any, *args: Any) -> None:
        if self.vanishes or self.dead:
            return
        self._last_s = max(self._last_s, self._network.arrives_s(self.machine, self.peer.machine))
        # What is under way arrives, whatever becomes of the sender.
        wire = self._world.wire
        self._world.at(self._last_s, wire, asyncio.Handle(what, args, wire))

    def _arrive(self, data: bytes | None) -> None:
        if self.dead and self.machine.loops:
            # The system that is there now does not know the connection.
            self.peer.break_off()
        elif self.lost and data is not None:
            self.peer.break_off()
        elif not self.dead:
            self._incoming.append(data)
            self._go_on()

    def _go_on(self) -> None:
        if self._incoming and not self._feeding and not self._paused and self._protocol is not None:
            self._feeding = True
            self._call(self._feed)

    def _feed(self) -> None:
        self._feeding = False
        if self._paused or self.lost or not self._incoming:
            return
        data = self._incoming.popleft()
        if data is None:
            if not self._protocol.eof_received():
                self.close()
            return
        room = self._protocol.get_buffer(-1)
        size = min(len(room), len(data))
        room[:size] = data[:size]
        if size < len(data):
            self._incoming.appendleft(data[size:])
        self.peer._taken(size)
        self._protocol.buffer_updated(size)
        self._go_on()

    def _taken(self, size: int) -> None:
        self._under_way -= size
        if self._stopped and self._under_way <= self._high // 2 and not self._closing:
            self._stopped = False
            self._call(self._protocol.resume_writing)

    def break_off(self) -> None:
        """The other end is gone, or something in between."""
        if not self.lost and not self._closing and not self.dead:
            self._closing = True
            self._call(self._end, ConnectionResetError(104, "connection reset"))

    def _end(self, fault: Exception | None) -> None:
        if not self.lost:
            self.lost = True
            if self._protocol is not None:
                self._protocol.connection_lost(fault)

    def _call(self, what: Any, *args: Any) -> None:
        if self._loop_of is not None:
            self._loop_of.call_soon(what, *args)
        else:
            self.lost = True
