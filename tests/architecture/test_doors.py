"""Every door reads the limits that concern it."""

import ast
from pathlib import Path

import pytest

import lastvalue
from lastvalue.model import admission
from lastvalue.model.admission import LIMITS, AdmissionLimit, Door

SOURCE = Path(lastvalue.__file__).parent
MODULES = {
    Door.AMQP_1_0: ["protocols/amqp10/*.py"],
    Door.AMQP_0_10: ["protocols/amqp010/*.py"],
    Door.AMQP_0_9_1: ["protocols/amqp091/*.py"],
    Door.CORE: ["protocols/core/*.py"],
    Door.MQTT: ["protocols/mqtt/*.py"],
    Door.WEBSOCKET: ["server/websocket.py"],
    Door.HTTP: ["gateway/*.py", "http/*.py"],
}
SETTINGS = "config/server_options.py"
"""By the settings the server limits all doors but HTTP: see ConnectionLimiter and PasswordChecks."""
TLS = "server/tls_handshakes.py"
"""In front of all doors but that of HTTP."""

NAMES = {limit: name for name, limit in vars(admission).items() if isinstance(limit, AdmissionLimit)}


def limits_read_by(*patterns: str) -> set[str]:
    """The names of limits that modules import and use."""
    read: set[str] = set()
    for path in (path for pattern in patterns for path in SOURCE.glob(pattern)):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and node.attr == "most" and isinstance(node.value, ast.Name):
                read.add(node.value.id)
    return read


def test_the_table_has_every_limit() -> None:
    assert NAMES.keys() == set(LIMITS)


@pytest.mark.parametrize("door", Door)
def test_a_door_reads_the_limits_that_concern_it(door: Door) -> None:
    by_setting = limits_read_by(SETTINGS)
    read = limits_read_by(*MODULES[door]) | (limits_read_by(TLS) if door is not Door.HTTP else set())
    concern = [each for each in LIMITS if door in each.doors]
    assert concern
    for each in concern:
        source = by_setting if each.setting and door is not Door.HTTP else read
        assert NAMES[each] in source, f"{door.value} does not read {NAMES[each]}"
