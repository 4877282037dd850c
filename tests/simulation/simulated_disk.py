"""A disk that loses power in any call, fails, is full or slow; and who carries out commits on it."""

import errno
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from fake_disk import FakeDisk
from simulated_world import CrashedError, Machine

from lastvalue.server.memory_and_disk import DiskRoom
from lastvalue.store.batch_log import Commit
from lastvalue.store.clean_stop import read_clean_stop
from lastvalue.store.committer import ClosingError, CommitSteps
from lastvalue.store.segments import SEGMENT_HEAD, SegmentReader, segment_numbers, segment_path

ROOM: Final = DiskRoom(64 << 20, 32 << 20)
PLACE: Final = Path("/simulated")
LASTING: Final = ("write", "sync", "create", "delete", "truncate", "sync_directory")


class SimulatedDisk(FakeDisk):
    """The disk of a machine, with what is on it.

    Attributes:
        crash_at: the power is lost in this call from now; 0 is none.
        failing: syncs fail now and then.
        full: nothing can be written.
        slow_s: how much longer each commit takes.
        lost_power: nothing can be done with it any more.
        before_flip: what was on it before a bit changed, until a broker has started with that; or None.
    """

    def __init__(self, machine: Machine, content: dict[str, bytes]) -> None:
        super().__init__(PLACE, content)
        self.machine = machine
        self.crash_at = 0
        self.failing = self.full = self.lost_power = False
        self.slow_s = 0.0
        self.before_flip: dict[str, bytes] | None = None
        self.on_crash: Callable[[], None] = lambda: None
        self.lie = machine.world.chance.randrange
        self.before = self._before

    def _before(self, name: str) -> None:
        self.calls.clear()
        if self.lost_power:
            raise CrashedError
        if name not in LASTING:
            return
        if self.crash_at:
            self.crash_at -= 1
            if not self.crash_at:
                self.machine.world.note(f"{self.machine.name} loses its power in {name}")
                self.on_crash()
                raise CrashedError
        world = self.machine.world
        if self.failing and name == "sync" and world.chance.random() < 0.5:
            world.note(f"{self.machine.name}: a sync fails", failed_syncs=1)
            raise OSError(errno.EIO, "the disk fails")
        if self.full and name in ("write", "create"):
            world.counts["full_disks"] += 1
            raise OSError(errno.ENOSPC, "the disk is full")

    def delete(self, path: Path) -> None:
        super().delete(path)
        if path.suffix == ".journal":
            self.machine.world.counts["segments freed"] += 1

    def after_flip(self) -> dict[str, bytes]:
        """What is on it once a bit of the data has changed that is known to be safe."""
        left = self.after_kill()
        safe = safe_ends(self)
        if not safe:
            return left
        chance = self.machine.world.chance
        name = chance.choice(sorted(safe))
        place, bit = chance.randrange(safe[name]), chance.randrange(8)
        data = bytearray(left[name])
        data[place] ^= 1 << bit
        self.machine.world.note(f"{self.machine.name}: bit {bit} of byte {place} of {name} changes", flips=1)
        return {**left, name: bytes(data)}

    def take_s(self) -> float:
        """How long the next commit takes."""
        return 0.0002 + self.machine.world.chance.random() * 0.002 + self.slow_s

    def room(self, directory: Path) -> DiskRoom:
        del directory
        return ROOM

    def lock(self, directory: Path) -> "NoLock":
        del directory
        return NoLock()

    def work(self, steps: CommitSteps) -> "SimulatedWorker":
        return SimulatedWorker(self, steps)


def safe_ends(disk: FakeDisk) -> dict[str, int]:
    """By segment, up to which byte its data is known to be safe: damage there cannot be a torn end."""
    ends: dict[str, int] = {}
    known = read_clean_stop(PLACE, disk)
    for number in reversed(segment_numbers(PLACE, disk)):
        reader = SegmentReader(segment_path(PLACE, number), disk)
        batches = [*reader.read()]
        safe = max([known.batches if known.number == number else 0, *(each.synced for each in batches)])
        if batches:
            ends[reader.path.name] = max([SEGMENT_HEAD.size, *(each.end for each in batches[:safe])])
        known = reader.before
    return ends


class NoLock:
    """The machine has one program."""

    def close(self) -> None:
        """There is nothing to unlock."""


class SimulatedWorker:
    """Carries out commits one after the other, each when the disk has had its time."""

    def __init__(self, disk: SimulatedDisk, steps: CommitSteps) -> None:
        self._disk = disk
        self._steps = steps
        self._loop = disk.machine.loops[-1]
        self._commits: deque[Commit] = deque()
        self._running: Iterator[float] | None = None
        self._looks = False
        self._closed = False

    def submit(self, commit: Commit) -> None:
        """See Worker."""
        self._commits.append(commit)
        if self._running is None:
            self._begin()

    def _begin(self) -> None:
        self._running = self._steps.carry_out(self._commits.popleft())
        self._loop.call_later(self._disk.take_s(), self._go_on)

    def _go_on(self) -> None:
        if self._running is None or self._closed:
            return
        wait_s = next(self._running, None)
        if wait_s is not None:
            self._loop.call_later(wait_s, self._go_on)
            return
        self._running = None
        if self._commits:
            self._begin()
            return
        wait_s = self._steps.wait_s()
        if wait_s is not None and not self._looks:
            self._looks = True
            self._loop.call_later(wait_s, self._look)

    def _look(self) -> None:
        self._looks = False
        if self._running is None and not self._closed:
            self._running = self._steps.look()
            self._go_on()

    def close(self, last: Commit | None) -> None:
        """See Worker; the owner waits for it, so it happens at once."""
        self._closed = self._steps.closing = True
        try:
            for _ in self._running or ():
                pass
            for commit in [*self._commits, *([] if last is None else [last])]:
                for _ in self._steps.carry_out(commit):
                    pass
            for _ in self._steps.close():
                pass
        except ClosingError:
            return
