"""A real directory tree, and what a loss of power may leave of it, by the calls of `os.fsync` below it.

A file has the content of its last sync, or any beginning of a later one. A directory has the names of its
last sync; of those that came or went since, any.
"""

import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Final, Self
from unittest import mock

Choose = Callable[[int], int]

SEEDS: Final = max(1, int(os.environ.get("LASTVALUE_CUTS", "200")) // 200)
"""How many losses there are at each moment; each has other chances."""


class SyncedTree:
    """Watches a tree inside its `with` block; what it had at the begin is safe.

    Attributes:
        at_sync: called before each sync and after it, where power may be lost.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._names: dict[int, dict[str, int]] = {}
        self._contents: dict[int, bytes] = {}
        self.at_sync: Callable[[], None] = lambda: None
        self._patch = mock.patch("os.fsync", self._sync)
        for path in [root, *root.rglob("*")]:
            self._note(path)

    def _note(self, path: Path) -> None:
        number = path.stat().st_ino
        if path.is_dir():
            self._names[number] = {each.name: each.stat().st_ino for each in path.iterdir()}
        else:
            self._contents[number] = path.read_bytes()

    def __enter__(self) -> Self:
        self._patch.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._patch.stop()

    def _sync(self, descriptor: int) -> None:
        path = Path(f"/proc/self/fd/{descriptor}").readlink()
        if path.is_relative_to(self._root):
            self.at_sync()
            self._note(path)
            self.at_sync()

    def leave(self, target: Path, choose: Choose) -> None:
        """Write what a loss of power at this moment leaves."""
        self._leave(self._root, self._root.stat().st_ino, target, choose)

    def _leave(self, path: Path, number: int, target: Path, choose: Choose) -> None:
        target.mkdir()
        present = {each.name: each.stat().st_ino for each in path.iterdir()} if path.is_dir() else {}
        safe = self._names.get(number, {})
        for name in sorted({*present, *safe}):
            child = present.get(name, safe.get(name, 0))
            if (name in present and name in safe) or choose(2):
                if child in self._names or (path / name).is_dir():
                    self._leave(path / name, child, target / name, choose)
                else:
                    (target / name).write_bytes(self._content(path / name, child, choose))

    def _content(self, path: Path, number: int, choose: Choose) -> bytes:
        safe = self._contents.get(number, b"")
        now = path.read_bytes() if path.exists() and path.stat().st_ino == number else safe
        if now == safe or choose(2):
            return safe
        return now[: choose(len(now) + 1)]


class Losses:
    """Loses power at every moment that a tree has, and checks what is left.

    Attributes:
        count: how often.
    """

    def __init__(self, tree: SyncedTree, scratch: Path, check: Callable[[Path], None]) -> None:
        self.count = 0
        self._tree = tree
        self._scratch = scratch
        self._check = check
        tree.at_sync = self.lose

    def lose(self) -> None:
        for _ in range(SEEDS):
            self.count += 1
            chance = random.Random(self.count)
            left = self._scratch / f"left-{self.count}"
            self._tree.leave(left, chance.randrange)
            self._check(left)
            shutil.rmtree(left)
