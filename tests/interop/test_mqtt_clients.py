"""Foreign clients of MQTT against a broker process: each does the same, and is told the same.

The first tests install the clients into `.cache`: those for Python with pip, MQTT.js with npm from the lock
file beside `client.js`, those for Java with Maven, Paho's for Go with Go, rumqttc with Cargo.
Mosquitto's commands are tested where they are on PATH.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from installing import CACHE, INSTALLS, install_once
from java_project import built
from node_packages import HAS_NODE, NODE, installed_modules
from served_broker import HOST, ServedBroker

PROGRAMS = Path(__file__).parent / "mqtt"
PYTHON_CLIENTS = ("paho-mqtt==2.2.0", "aiomqtt==2.5.1")
SECONDS = 120
TOLD = {
    "round": [["round/0", "zero", False], ["round/1", "one", False], ["round/2", "two", False]],
    "retained": [["kept/a", "value", True]],
    "offline": [["later/x", "while away", False]],
    "will": [["gone", "abruptly", False]],
    "shared": [[f"work/{number}", "do", False] for number in range(4)],
}
VERSIONS = {3: "3.1", 4: "3.1.1", 5: "5.0"}
STEPS = ("qos", "retained", "session", "will", "shared")


def shown(client: str, level: int, *more: Any) -> Any:
    """A test's arguments: a level of the protocol, at which a client shows all of the steps."""
    capabilities = (f"mqtt-{VERSIONS[level]}", *STEPS)
    marks = [pytest.mark.capability(client, capability) for capability in capabilities]
    name = "-".join([VERSIONS[level], *map(str, more)])
    return pytest.param(level, *more, marks=marks, id=name)


pytestmark = [pytest.mark.interop, INSTALLS]


@pytest.fixture(scope="module")
def broker() -> Iterator[ServedBroker]:
    with ServedBroker("--ws-port", "0") as served:
        yield served
        code, _, complaints = served.stop()
        assert (code, complaints) == (0, "")


@pytest.fixture(scope="module")
def python() -> Path:
    """A Python with the clients."""

    def install(folder: Path) -> None:
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        pip = [str(folder / "bin" / "python"), "-m", "pip", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "install", *PYTHON_CLIENTS], check=True)

    return install_once(CACHE / "-".join(("mqtt-clients", *PYTHON_CLIENTS)), install) / "bin" / "python"


def printed(*command: str, **environment: str) -> str:
    run = subprocess.run(
        command,
        env={"PATH": os.environ["PATH"], **environment},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, "")
    return run.stdout


@pytest.mark.parametrize(
    ("level", "program"),
    [
        shown(client, level, program)
        for client, program in (("Eclipse Paho for Python", "paho_client.py"), ("aiomqtt", "aio_client.py"))
        for level in VERSIONS
    ],
)
def test_a_client_for_python_is_told_what_was_published_kept_and_willed(
    broker: ServedBroker, python: Path, level: int, program: str
) -> None:
    told = printed(
        str(python), str(PROGRAMS / program), str(broker.port), str(level), f"{program[:4]}{level}/"
    )
    assert json.loads(told) == TOLD


def told_to_node(place: str, level: int, prefix: str) -> Any:
    modules = installed_modules(PROGRAMS)
    program = str(PROGRAMS / "client.js")
    return json.loads(printed(str(NODE), program, place, str(level), prefix, NODE_PATH=str(modules)))


@pytest.mark.parametrize("level", [shown("MQTT.js", level) for level in VERSIONS])
@pytest.mark.skipif(not HAS_NODE, reason="node and npm are not installed")
def test_mqtt_js_is_told_what_was_published_kept_and_willed(broker: ServedBroker, level: int) -> None:
    assert told_to_node(str(broker.port), level, f"js{level}/") == TOLD


@pytest.mark.capability("MQTT.js", "websocket")
@pytest.mark.skipif(not HAS_NODE, reason="node and npm are not installed")
def test_mqtt_js_speaks_over_websocket(broker: ServedBroker) -> None:
    assert told_to_node(broker.announced("ws://"), 5, "web/") == TOLD


@pytest.fixture(scope="module")
def java() -> list[str]:
    """The command that runs a class of the program over the clients for Java."""
    return built(Path(__file__).parent / "mqtt_java")


@pytest.mark.parametrize(
    ("level", "client"),
    [
        *(shown("HiveMQ's client for Java", level, "hive") for level in (4, 5)),
        *(shown("Eclipse Paho for Java", level, "paho") for level in VERSIONS),
    ],
)
def test_a_client_for_java_is_told_what_was_published_kept_and_willed(
    broker: ServedBroker, java: list[str], level: int, client: str
) -> None:
    told = printed(*java, "lastvalue.Told", client, str(broker.port), str(level), f"{client}{level}/")
    assert json.loads(told) == TOLD


def program(compiler: str, folder: str, made: str, *arguments: str) -> str:
    """What a compiler makes of a folder beside this file; without the compiler the test is skipped."""
    found, sources = shutil.which(compiler), Path(__file__).parent / folder
    if found is None:
        pytest.skip(f"{folder} needs {compiler}, which is not on PATH")
    # That of rustup starts nothing if the user has no toolchain.
    if subprocess.run([found, "version"], capture_output=True, check=False).returncode != 0:
        pytest.skip(f"{folder} needs {compiler}, which does not run here")

    def make(place: Path) -> None:
        shutil.copytree(sources, place, ignore=shutil.ignore_patterns("target"), dirs_exist_ok=True)
        subprocess.run([found, "build", *arguments], cwd=place, check=True)

    content = b"".join(each.read_bytes() for each in sorted(sources.rglob("*")) if each.is_file())
    version = hashlib.sha256(content).hexdigest()[:12]
    return str(install_once(CACHE / f"{folder}-{version}", make) / made)


@pytest.mark.parametrize("level", [shown("Eclipse Paho for Go", level) for level in VERSIONS])
def test_paho_for_go_is_told_what_was_published_kept_and_willed(broker: ServedBroker, level: int) -> None:
    told = printed(program("go", "mqtt_go", "told"), str(broker.port), str(level), f"go{level}/")
    assert json.loads(told) == TOLD


@pytest.mark.parametrize("level", [shown("rumqttc", level) for level in (4, 5)])
def test_rumqttc_is_told_what_was_published_kept_and_willed(broker: ServedBroker, level: int) -> None:
    made = program("cargo", "mqtt_rust", "target/debug/told", "--locked")
    assert json.loads(printed(made, str(broker.port), str(level), f"rust{level}/")) == TOLD


@pytest.mark.parametrize(
    "version",
    [
        pytest.param(
            f"mqttv{version.replace('.', '').removesuffix('0')}",
            marks=[
                pytest.mark.capability("mosquitto_pub, mosquitto_sub", each)
                for each in (f"mqtt-{version}", "retained")
            ],
        )
        for version in VERSIONS.values()
    ],
)
@pytest.mark.skipif(shutil.which("mosquitto_sub") is None, reason="Mosquitto's commands are not installed")
def test_mosquitto_s_commands_publish_and_subscribe(broker: ServedBroker, version: str) -> None:
    at = ("-h", HOST, "-p", str(broker.port), "-V", version)
    printed("mosquitto_pub", *at, "-t", f"{version}/kept", "-m", "value", "-r", "-q", "1")
    shown = printed("mosquitto_sub", *at, "-t", f"{version}/+", "-q", "1", "-C", "1", "-F", "%t %p %q %r")
    assert shown == f"{version}/kept value 1 1\n"
