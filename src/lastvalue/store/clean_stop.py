"""The mark of a clean stop: up to where the newest segment was whole when its broker stopped in order.

The next segment removes it. It counts only while there is none, so a loss of power may bring it back.
"""

import struct
import zlib
from pathlib import Path
from typing import Final

from lastvalue.store.files import DISK, Files
from lastvalue.store.segments import Tail

CLEAN_STOP: Final = "clean-stop"
# Number of the newest segment, its batches, checksum of these.
_MARK: Final = struct.Struct(">QI")
_CHECKSUM: Final = struct.Struct(">I")


def write_clean_stop(directory: Path, tail: Tail, files: Files) -> None:
    """Note that everything up to this end is safe.

    Raises:
        OSError: the disk is full or broken; what is left of the mark counts as none.
    """
    path = directory / CLEAN_STOP
    mark = _MARK.pack(tail.number, tail.batches)
    files.delete(path)
    descriptor = files.create(path)
    try:
        files.write(descriptor, memoryview(mark + _CHECKSUM.pack(zlib.crc32(mark))), 0)
        files.sync(descriptor)
    finally:
        files.close(descriptor)
    files.sync_directory(directory)


def read_clean_stop(directory: Path, files: Files = DISK) -> Tail:
    """The end of the newest segment at the last clean stop; the number 0 if there is no readable mark."""
    try:
        data = files.read(directory / CLEAN_STOP)
    except (FileNotFoundError, NotADirectoryError):
        return Tail()
    mark = data[: _MARK.size]
    if len(data) != _MARK.size + _CHECKSUM.size or _CHECKSUM.pack(zlib.crc32(mark)) != data[_MARK.size :]:
        return Tail()
    return Tail(*_MARK.unpack(mark))
