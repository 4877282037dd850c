"""amqplib, a client of AMQP 0-9-1 for node, against a broker process.

The first test installs it into `.cache` with npm, from the lock file beside `client.js`.
It has no methods for transactions.
"""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from installing import INSTALLS
from node_packages import HAS_NODE, NODE, installed_modules
from served_broker import HOST, PASSWORD, USER, ServedBroker

PROJECT = Path(__file__).parent / "amqplib"
PROGRAM = PROJECT / "prices.js"
PAGE = Path(__file__).parents[2] / "docs" / "clients" / "amqplib.md"
SECONDS = 60

pytestmark = [
    pytest.mark.interop,
    pytest.mark.skipif(not HAS_NODE, reason="node and npm are not installed"),
    INSTALLS,
]


@pytest.fixture(scope="session")
def modules() -> Path:
    return installed_modules(PROJECT)


def printed(broker: ServedBroker, modules: Path, *command: str, password: str = PASSWORD) -> str:
    """What a program prints; its first argument is the broker's URL."""
    program, *arguments = command
    url = f"amqp://{USER}:{password.replace(' ', '%20')}@{HOST}:{broker.port}"
    run = subprocess.run(
        [str(NODE), str(PROJECT / program), url, *arguments],
        env={"NODE_PATH": str(modules)},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, "")
    return run.stdout


def seen(broker: ServedBroker, modules: Path, program: str, **options: str) -> Any:
    return json.loads(printed(broker, modules, "client.js", program, **options))


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        pytest.param("confirm", [["1", "2", "3"], 0], id="what is confirmed is consumed in order"),
        pytest.param("refuse", [312, "lost", "message nacked"], id="what is not taken is told"),
        pytest.param("get", [False, True, False, "x"], id="put back is redelivered, rejected is dead"),
        pytest.param("browse", [["1", "2"], ["1", "2"], 2], id="a browser and a reader leave last values"),
        pytest.param("follow", ["0", "1"], id="a browser follows last values"),
        pytest.param("sort", ["a", "b", "c"], id="a sorted queue gives by its key"),
        pytest.param("prioritise", ["5", "3", "1"], id="a priority queue gives the highest first"),
        pytest.param("group", ["0", "2"], id="a group goes to one consumer"),
        pytest.param("keep", [["1", "2"], ["1", "2"]], id="everybody sees all of a non-destructive queue"),
        pytest.param("select", [["2"], 1], id="a selector leaves what it does not select"),
    ],
)
def test_a_program_sees_what_the_queue_promises(
    broker: ServedBroker, modules: Path, program: str, expected: list[object]
) -> None:
    assert seen(broker, modules, program) == expected


def test_an_unknown_argument_is_refused_with_the_nearest_name(broker: ServedBroker, modules: Path) -> None:
    code, text = seen(broker, modules, "misspell")
    assert code == 406
    assert "did you mean 'x-max-length'" in text


def test_a_wrong_password_is_refused(broker: ServedBroker, modules: Path) -> None:
    assert "403 (ACCESS-REFUSED)" in seen(broker, modules, "confirm", password="wrong")


def test_the_program_of_the_page_prints_the_current_prices(broker: ServedBroker, modules: Path) -> None:
    assert PROGRAM.read_text().partition("\n")[2] in PAGE.read_text()
    assert printed(broker, modules, "prices.js").splitlines() == ["MSFT 402.1", "AAPL 101.7"]
