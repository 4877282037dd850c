"""What workers of a cluster get in place of librt does the same."""

import ast
from pathlib import Path
from types import ModuleType

import librt.strings
import pytest

import lastvalue
from lastvalue.pipeline.running import bytes_writer, number_vec

ROOT = Path(lastvalue.__file__).parent


def written(module: ModuleType) -> list[object]:
    writer = module.BytesWriter()
    writer.append(0x41)
    writer.write(b"between")
    for number in (0, 1, -1, 0x1234, -0x8000, 0x7FFF):
        module.write_i16_le(writer, number)
        module.write_i16_be(writer, number)
        module.write_i32_be(writer, number << 16)
        module.write_i32_le(writer, number << 16)
        module.write_i64_be(writer, number << 48)
        module.write_i64_le(writer, number << 48)
    writer[1] = 0xFF
    whole = writer.getvalue()
    writer.truncate(3)
    writer.write(b"end")
    return [len(whole), whole, len(writer), writer.getvalue()]


def test_the_same_bytes_are_written() -> None:
    assert written(bytes_writer) == written(librt.strings)


@pytest.mark.parametrize("module", [bytes_writer, librt.strings])
def test_numbers_beyond_their_bits_are_refused(module: ModuleType) -> None:
    for write, number in (
        (module.write_i16_le, 1 << 15),
        (module.write_i16_be, 1 << 15),
        (module.write_i32_be, 1 << 31),
        (module.write_i32_le, 1 << 31),
        (module.write_i64_be, 1 << 63),
        (module.write_i64_le, 1 << 63),
    ):
        with pytest.raises((OverflowError, ValueError)):
            write(module.BytesWriter(), number)


@pytest.mark.parametrize("module", [bytes_writer, librt.strings])
def test_numbers_are_read(module: ModuleType) -> None:
    octets = bytes(range(0x78, 0x88))
    assert module.read_i32_le(octets, 5) == int.from_bytes(octets[5:9], "little", signed=True)
    assert module.read_i64_le(octets, 8) == int.from_bytes(octets[8:], "little", signed=True)
    assert module.read_i16_be(octets, 6) == int.from_bytes(octets[6:8], "big", signed=True)
    assert module.read_i32_be(octets, 5) == int.from_bytes(octets[5:9], "big", signed=True)
    assert module.read_i64_be(octets, 8) == int.from_bytes(octets[8:], "big", signed=True)
    for read, index in (
        (module.read_i32_le, 13),
        (module.read_i64_le, 9),
        (module.read_i16_be, 15),
        (module.read_i32_be, 13),
        (module.read_i64_be, 9),
    ):
        with pytest.raises(IndexError):
            read(octets, index)


@pytest.mark.parametrize(
    ("module", "stand_in"), [("librt.strings", bytes_writer), ("librt.vecs", number_vec)]
)
def test_it_has_all_that_the_package_uses(module: str, stand_in: ModuleType) -> None:
    used = {
        name.name
        for text in (path.read_text() for path in ROOT.rglob("*.py"))
        # Only modules with the name are parsed: to parse all of them takes seconds.
        if module in text
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ImportFrom) and node.module == module
        for name in node.names
    }
    assert used
    assert used <= set(vars(stand_in))
