from pathlib import Path

import pytest

from lastvalue.server.memory_and_disk import disk_room, memory_bytes


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        (["1000000"], 1_000_000),
        (["1000000\n", "500000"], 500_000),
        (["max", "700000"], 700_000),
    ],
)
def test_a_control_group_may_have_less_than_the_machine(
    tmp_path: Path, limits: list[str], expected: int
) -> None:
    paths = [tmp_path / str(number) for number in range(len(limits))]
    for path, text in zip(paths, limits, strict=True):
        path.write_text(text)
    assert memory_bytes(tuple(paths)) == expected


@pytest.mark.parametrize("text", [b"max", b"", b"\xff\xff", b"9" * 30])
def test_what_is_no_limit_leaves_the_machines_memory(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "memory.max"
    path.write_bytes(text)
    assert memory_bytes((path,)) == memory_bytes((tmp_path / "none",)) == memory_bytes(())


def test_the_room_of_a_disk_is_a_part_of_the_whole(tmp_path: Path) -> None:
    room = disk_room(tmp_path)
    assert 0 < room.free <= room.total
    with pytest.raises(OSError, match="none"):
        disk_room(tmp_path / "none")
