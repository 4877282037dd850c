"""lastvalue.cli.health."""

import socket
from collections.abc import Callable

import pytest

Lastvalue = Callable[[str], tuple[int, str, str]]


def test_a_broker_that_answers_is_well(lastvalue: Lastvalue, url: str) -> None:
    assert lastvalue(f"health --url {url}") == (0, "ok\n", "")


@pytest.mark.parametrize(("address", "code"), [("amqp://127.0.0.1:1", 3), ("http://127.0.0.1", 2)])
def test_one_that_is_not_there_is_not_well(lastvalue: Lastvalue, address: str, code: int) -> None:
    ended, output, errors = lastvalue(f"health --url {address}")
    assert (ended, output) == (code, "")
    assert errors.count("\n") == 1


def test_one_that_does_not_let_in_is_not_well(lastvalue: Lastvalue, url: str) -> None:
    ended, output, errors = lastvalue(f"health --url {url.replace('//', '//alice:wrong@')}")
    assert (ended, output) == (3, "")
    assert errors.count("\n") == 1


def test_one_that_says_nothing_is_not_well(lastvalue: Lastvalue) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        ended, _, errors = lastvalue(f"health --timeout 0.2 --url amqp://127.0.0.1:{silent.getsockname()[1]}")
    assert ended == 3
    assert errors.startswith("lastvalue: ")
