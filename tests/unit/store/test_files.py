import errno
from pathlib import Path

import pytest

from lastvalue.store.files import NO_SPACE, Files


def test_a_file_is_written_at_its_places_and_cut_off(tmp_path: Path) -> None:
    files, path = Files(), tmp_path / "segment"
    descriptor = files.create(path)
    assert files.write(descriptor, memoryview(b"behind"), 6) == 6
    assert files.write(descriptor, memoryview(b"before"), 0) == 6
    files.sync(descriptor)
    assert path.read_bytes() == b"beforebehind"
    files.truncate(descriptor, 6)
    files.close(descriptor)
    files.sync_directory(tmp_path)
    assert path.read_bytes() == b"before"


def test_a_file_that_is_there_is_not_made_over(tmp_path: Path) -> None:
    path = tmp_path / "segment"
    path.write_bytes(b"precious")
    with pytest.raises(FileExistsError):
        Files().create(path)
    assert path.read_bytes() == b"precious"


def test_only_its_owner_reads_a_file(tmp_path: Path) -> None:
    path = tmp_path / "segment"
    Files().close(Files().create(path))
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_planted_link_is_neither_read_nor_written(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("important")
    link = tmp_path / "00000001.segment"
    link.symlink_to(victim)
    for command in (Files().open, Files().read):
        with pytest.raises(OSError, match="symbolic link"):
            command(link)
    with pytest.raises(FileExistsError):
        Files().create(link)
    assert victim.read_text() == "important"


def test_a_file_may_be_gone_already_when_it_is_deleted(tmp_path: Path) -> None:
    path = tmp_path / "segment"
    path.touch()
    for _ in range(2):
        Files().delete(path)
    assert not path.exists()


def test_an_existing_file_is_opened_and_no_other(tmp_path: Path) -> None:
    files, path = Files(), tmp_path / "segment"
    with pytest.raises(FileNotFoundError):
        files.open(path)
    path.write_bytes(b"before")
    descriptor = files.open(path)
    files.write(descriptor, memoryview(b"B"), 0)
    files.close(descriptor)
    assert (files.names(tmp_path), files.read(path), files.size(path)) == (["segment"], b"Before", 6)


class Synced(Files):
    """Notes the directories whose lists of files are synced."""

    def __init__(self) -> None:
        self.synced: list[tuple[Path, list[str]]] = []

    def sync_directory(self, directory: Path) -> None:
        super().sync_directory(directory)
        self.synced.append((directory, self.names(directory)))


def test_a_new_directory_is_synced_in_its_parent_as_are_all_that_were_missing(tmp_path: Path) -> None:
    files = Synced()
    files.make_directory(tmp_path / "a" / "b")
    assert files.synced == [(tmp_path, ["a"]), (tmp_path / "a", ["b"])]
    files.make_directory(tmp_path / "a" / "b")
    assert len(files.synced) == 2


def test_a_file_is_no_directory(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(NotADirectoryError):
        Files().make_directory(tmp_path / "file")


def test_a_full_disk_is_no_broken_one() -> None:
    assert errno.ENOSPC in NO_SPACE
    assert errno.EIO not in NO_SPACE
