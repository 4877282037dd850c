"""Snapshots in object storage: parts, which several snapshots share, and a manifest of each.

REPOSITORY/begun/NAME.json         a snapshot of this name was begun; stays as long as the snapshot
REPOSITORY/parts/SHA256-RANDOM     8 MiB of a file, or its last bytes
REPOSITORY/snapshots/NAME.json     the snapshot is finished: its files, and the parts of each; written last

Parts are never changed, and each has a name of its own: whoever deletes one that no snapshot has cannot meet
one that is being written. See `SnapshotRepository.delete`.
"""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

from lastvalue.store.object_address import ObjectAddress
from lastvalue.store.object_storage import (
    ObjectExistsError,
    ObjectMissingError,
    ObjectStorage,
    ObjectStorageError,
)
from lastvalue.store.snapshot import (
    Part,
    Progress,
    SnapshotError,
    SnapshotSummary,
    bytes_of,
    new_file,
    restoring,
    sync_file,
)

VERSION: Final = 1
PART_BYTES: Final = 8 << 20
_BEGUN: Final = "begun"
_PARTS: Final = "parts"
_SNAPSHOTS: Final = "snapshots"
_SUFFIX: Final = ".json"
_FILE: Final = re.compile(r"[0-9]{12}\.journal")


@dataclass(frozen=True, slots=True)
class _Manifest:
    """What a snapshot consists of: by file its size in bytes, and its parts in their order."""

    taken_ms: int
    files: dict[str, tuple[int, list[str]]]

    @property
    def size_bytes(self) -> int:
        return sum(size for size, _ in self.files.values())

    @property
    def parts(self) -> set[str]:
        return {each for _, parts in self.files.values() for each in parts}


class SnapshotRepository:
    """The snapshots at an address.

    Raises:
        ObjectStorageError: object storage cannot be used.
    """

    def __init__(self, address: ObjectAddress) -> None:
        self._address = address
        self._storage = ObjectStorage(address)

    def write(self, name: str, parts: list[Part], taken_ms: int, progress: Progress) -> int:
        """Write a snapshot of these files; returns how many bytes were sent.

        A part that a finished snapshot has is not sent again.

        Raises:
            SnapshotError: there is one of that name, or somebody has deleted it meanwhile.
            ObjectStorageError: it cannot be written; what was written is deleted, as far as that is possible.
            OSError: a file cannot be read.
        """
        mark = uuid4().hex.encode()
        self._begin(name, mark)
        sender = _Sender(self._storage, self._known_parts(), progress, sum(part.size for part in parts))
        try:
            files = {part.name: (part.size, sender.send(part)) for part in parts}
        except BaseException:
            self._try_to_delete([*sender.sent, _begun_path(name)])
            raise
        try:
            self._storage.put(_manifest_path(name), _encoded(_Manifest(taken_ms, files)))
            if self._mark(name) != mark:
                raise SnapshotError(f"snapshot {name} was deleted while it was being written")
        except BaseException:
            # Its parts stay, because another snapshot may have found them in the manifest.
            self._try_to_delete([_manifest_path(name)])
            raise
        return sender.sent_bytes

    def _try_to_delete(self, paths: list[str]) -> None:
        # What refuses to be written mostly refuses this, too; `summaries` shows what stays.
        with suppress(ObjectStorageError):
            self._storage.delete(paths)

    def _begin(self, name: str, mark: bytes) -> None:
        try:
            self._storage.create(_begun_path(name), mark)
        except ObjectExistsError:
            # An attempt whose answer was lost may have been the one that created it.
            if self._mark(name) != mark:
                raise SnapshotError(
                    f"{self._address} has a snapshot {name}, maybe one that is being written or was cut off; "
                    f"take another name, or delete it: lastvalue snapshot delete {self._address}/{name}"
                ) from None

    def _mark(self, name: str) -> bytes:
        try:
            return self._storage.get(_begun_path(name))
        except ObjectMissingError:
            return b""

    def summaries(self) -> list[SnapshotSummary]:
        """The snapshots, finished or not, the oldest first; those that are not are first of all.

        Raises:
            ObjectStorageError: they cannot be read.
        """
        names = {_name(path) for path in self._storage.sizes(_BEGUN)} | self._finished()
        there = self._storage.sizes(_PARTS)
        return sorted(
            (self._summary(name, there) for name in names), key=lambda each: (each.taken_ms, each.name)
        )

    def _summary(self, name: str, there: dict[str, int]) -> SnapshotSummary:
        try:
            manifest = self._manifest(name)
        except SnapshotError as fault:
            return SnapshotSummary(name, fault=str(fault))
        missing = sorted(each for each in manifest.parts if each not in there)
        incomplete = f"{self._address}/{missing[0]} is missing; take another snapshot" if missing else ""
        return SnapshotSummary(name, manifest.taken_ms, len(manifest.files), manifest.size_bytes, incomplete)

    def has(self, name: str) -> bool:
        """Whether there is a snapshot of this name, finished or not."""
        return bool(name) and bool(self._mark(name))

    def restore(self, name: str, directory: Path, progress: Progress) -> None:
        """Write the files of a snapshot into a store's directory, which is created or must be empty.

        Raises:
            SnapshotError: it is not finished or is damaged, or the directory is not empty.
            ObjectStorageError: it cannot be read.
            OSError: the directory cannot be written.
        """
        manifest = self._manifest(name)
        done = 0
        with restoring(directory):
            for file_name, (size, parts) in manifest.files.items():
                with new_file(directory / file_name) as file:
                    for data in self._parts(file_name, size, parts):
                        file.write(data)
                        done += len(data)
                        progress(done, manifest.size_bytes)
                    sync_file(file)

    def _parts(self, file_name: str, size: int, parts: list[str]) -> Iterator[bytes]:
        """The bytes of a file, part by part."""
        left = size
        for part in parts:
            where = f"{self._address}/{part}, a part of {file_name},"
            try:
                data = self._storage.get(part)
            except ObjectMissingError:
                raise SnapshotError(f"{where} is missing; restore another snapshot") from None
            if len(data) != min(left, PART_BYTES) or _digest_in(part) != sha256(data).hexdigest():
                raise SnapshotError(
                    f"{where} is damaged: its bytes are not those of its digest; restore another snapshot"
                )
            left -= len(data)
            yield data
        if left:
            raise SnapshotError(f"{file_name} has {left} bytes less than {size}; restore another snapshot")

    def delete(self, name: str) -> int:
        """Delete a snapshot, or what is left of one, and the parts that no other has; returns how many parts.

        While another snapshot is not finished, or is damaged, parts stay, because it may have them: a later
        call deletes them. That is why the parts are listed first, and the beginnings last.

        Raises:
            SnapshotError: there is no such snapshot.
            ObjectStorageError: it cannot be read or deleted.
        """
        if not self.has(name) and name not in self._finished():
            raise SnapshotError(
                f"{self._address} has no snapshot {name}; `lastvalue snapshot list` shows those that it has"
            )
        self._storage.delete([_manifest_path(name), _begun_path(name)])
        parts = set(self._storage.sizes(_PARTS))
        finished = self._finished()
        try:
            needed = [each for one in finished for each in self._manifest(one).parts]
        except SnapshotError:
            return 0
        if {_name(path) for path in self._storage.sizes(_BEGUN)} - finished:
            return 0
        unneeded = sorted(parts.difference(needed))
        self._storage.delete(unneeded)
        return len(unneeded)

    def _finished(self) -> set[str]:
        return {_name(path) for path in self._storage.sizes(_SNAPSHOTS)}

    def _known_parts(self) -> dict[str, str]:
        """The parts of finished snapshots that are there, by digest."""
        there = self._storage.sizes(_PARTS)
        known: dict[str, str] = {}
        for name in self._finished():
            # The parts of a damaged one are sent again.
            with suppress(SnapshotError):
                known.update((_digest_in(each), each) for each in self._manifest(name).parts if each in there)
        return known

    def _manifest(self, name: str) -> _Manifest:
        where = f"{self._address}/{_manifest_path(name)}"
        try:
            return _decoded(self._storage.get(_manifest_path(name)), where)
        except ObjectMissingError:
            raise SnapshotError(
                f"{self._address}/{name} is not a finished snapshot: {where} is missing; "
                "`lastvalue store snapshot` takes one"
            ) from None


class _Sender:
    """Sends the parts of files that are not there."""

    def __init__(self, storage: ObjectStorage, known: dict[str, str], progress: Progress, total: int) -> None:
        self.sent: list[str] = []
        self.sent_bytes = 0
        self._storage = storage
        self._known = known
        self._progress = progress
        self._done = 0
        self._total = total

    def send(self, part: Part) -> list[str]:
        """The parts that a file consists of."""
        return [self._path_of(data) for data in bytes_of(part, PART_BYTES)]

    def _path_of(self, data: bytes) -> str:
        digest = sha256(data).hexdigest()
        path = self._known.get(digest)
        if path is None:
            path = self._known[digest] = f"{_PARTS}/{digest}-{uuid4().hex[:8]}"
            self.sent.append(path)
            self._storage.put(path, data)
            self.sent_bytes += len(data)
        self._done += len(data)
        self._progress(self._done, self._total)
        return path


def _begun_path(name: str) -> str:
    return f"{_BEGUN}/{name}{_SUFFIX}"


def _manifest_path(name: str) -> str:
    return f"{_SNAPSHOTS}/{name}{_SUFFIX}"


def _name(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(_SUFFIX)


def _digest_in(part: str) -> str:
    return part.removeprefix(f"{_PARTS}/").partition("-")[0]


def _encoded(manifest: _Manifest) -> bytes:
    content = {"version": VERSION, "taken_ms": manifest.taken_ms, "files": manifest.files}
    return json.dumps(content | {"sha256": _digest_of(content)}).encode()


def _digest_of(content: dict[str, Any]) -> str:
    return sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _decoded(data: bytes, where: str) -> _Manifest:
    try:
        content = json.loads(data)
        digest, version = content.pop("sha256"), content["version"]
        sound = digest == _digest_of(content)
        files = {name: (int(size), list(parts)) for name, (size, parts) in content["files"].items()}
        manifest = _Manifest(int(content["taken_ms"]), files)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise SnapshotError(f"{where} cannot be read; take another snapshot") from None
    if version != VERSION:
        raise SnapshotError(f"{where} has the version {version}; this lastvalue restores {VERSION}")
    if not sound or not all(map(_FILE.fullmatch, files)):
        raise SnapshotError(f"{where} is damaged: its digest is another one; take another snapshot")
    return manifest
