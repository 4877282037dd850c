"""lastvalue.cli.shared_options."""

from collections.abc import Callable

import pytest

Lastvalue = Callable[[str], tuple[int, str, str]]


@pytest.mark.parametrize("flag", ["-q", "--quiet"])
def test_quiet_hushes_what_was_done_but_not_errors(lastvalue: Lastvalue, url: str, flag: str) -> None:
    assert url
    lastvalue("queue add orders")
    assert lastvalue(f"connection list {flag} --columns user")[0] == 0
    code, _, errors = lastvalue(f"connection close nosuch {flag}")
    assert (code, errors.count("\n")) == (1, 1)


@pytest.mark.parametrize("command", ["queue list", "connection list", "browse q", "clock show"])
def test_commands_that_have_a_broker_may_trust_a_file(lastvalue: Lastvalue, command: str) -> None:
    code, _, errors = lastvalue(f"{command} --url amqps://127.0.0.1 --ca-file /nowhere")
    assert (code, "'/nowhere' is not a file of certificates" in errors) == (2, True)


def test_a_file_of_authorities_needs_tls(lastvalue: Lastvalue) -> None:
    code, _, errors = lastvalue("queue list --url amqp://127.0.0.1 --ca-file /nowhere")
    assert (code, "needs amqps://" in errors) == (2, True)


def test_commands_without_a_broker_have_no_file_of_authorities(lastvalue: Lastvalue) -> None:
    assert "--ca-file" not in lastvalue("config check --help")[1]
    assert "--quiet" in lastvalue("config check --help")[1]
