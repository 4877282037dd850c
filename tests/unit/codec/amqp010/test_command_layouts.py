"""The tables of commands and structs of AMQP 0-10."""

import subprocess
import sys
from pathlib import Path

import pytest

from lastvalue.codec.amqp010.command_layouts import (
    COMMANDS,
    MESSAGE_TRANSFER,
)

ROOT = Path(__file__).parents[4]


@pytest.mark.pure
def test_the_tables_are_what_the_facts_make() -> None:
    script = ROOT / "packaging/amqp010_layouts.py"
    result = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


def test_every_command_has_its_class_and_number() -> None:
    assert COMMANDS[0x0401] is MESSAGE_TRANSFER
    assert len(COMMANDS) == 38
    assert all(layout.code == code for code, layout in COMMANDS.items())
