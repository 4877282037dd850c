from pathlib import Path

import pytest

from lastvalue.server.memory_and_disk import disk_room, memory_bytes

UNIT = "/system.slice/lastvalue.service"
V2 = f"0::{UNIT}\n"
V1 = f"5:cpu,cpuacct:/elsewhere\n4:memory:{UNIT}\n1:name=systemd:{UNIT}\n0::/\n"


@pytest.fixture
def machine(tmp_path: Path) -> int:
    return memory_bytes(tmp_path / "none", tmp_path / "none")


def limited(tmp_path: Path, groups: str, limits: dict[str, str | bytes]) -> int:
    """The memory of a process in these control groups, whose files are below the folder."""
    (tmp_path / "cgroup").write_text(groups)
    for name, content in limits.items():
        path = tmp_path / "fs" / name.lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return memory_bytes(tmp_path / "cgroup", tmp_path / "fs")


@pytest.mark.parametrize(
    ("groups", "limits", "expected"),
    [
        (V2, {f"{UNIT}/memory.max": "1000000\n"}, 1_000_000),
        (V2, {f"{UNIT}/memory.max": "max", f"{UNIT}/memory.high": "900000"}, 900_000),
        (V2, {f"{UNIT}/memory.max": "max", "system.slice/memory.max": "700000"}, 700_000),
        (V2, {f"{UNIT}/memory.max": "600000", "system.slice/memory.max": "700000"}, 600_000),
        (V1, {f"memory/{UNIT}/memory.limit_in_bytes": "500000"}, 500_000),
        (V1, {f"memory/{UNIT}/memory.limit_in_bytes": "9223372036854771712",
              "memory/system.slice/memory.limit_in_bytes": "400000"}, 400_000),
        # A container sees its own group as the root, even where the file has the host's path.
        ("0::/\n", {"memory.max": "300000"}, 300_000),
        (V1, {"memory/memory.limit_in_bytes": "200000"}, 200_000),
    ],
)  # fmt: skip
def test_the_groups_of_the_process_may_have_less_than_the_machine(
    tmp_path: Path, groups: str, limits: dict[str, str | bytes], expected: int
) -> None:
    assert limited(tmp_path, groups, limits) == expected


def test_groups_of_other_processes_do_not_count(tmp_path: Path, machine: int) -> None:
    others = {"system.slice/other.service/memory.max": "1", "memory/elsewhere/memory.limit_in_bytes": "1"}
    assert limited(tmp_path, V2 + V1, {**others}) == machine


@pytest.mark.parametrize("text", [b"max", b"", b"\xff\xff", b"9" * 30])
def test_what_is_no_limit_leaves_the_machines_memory(tmp_path: Path, machine: int, text: bytes) -> None:
    assert limited(tmp_path, V2, {f"{UNIT}/memory.max": text}) == machine


def test_a_path_that_leads_out_of_the_groups_is_not_followed(tmp_path: Path, machine: int) -> None:
    (tmp_path / "memory.max").write_text("1")
    assert limited(tmp_path, "0::/../..\n", {"unused": ""}) == machine


def test_the_room_of_a_disk_is_a_part_of_the_whole(tmp_path: Path) -> None:
    room = disk_room(tmp_path)
    assert 0 < room.free <= room.total
    with pytest.raises(OSError, match="none"):
        disk_room(tmp_path / "none")
