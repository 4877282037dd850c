"""lastvalue.cli.exits."""

import pytest

from lastvalue.cli.exits import complain, confirm, quiet, warn


def test_what_is_said_is_one_line_without_signs_that_a_terminal_obeys(
    capsys: pytest.CaptureFixture[str],
) -> None:
    confirm("declared queue e\x1b[31m\nvil")
    complain("there is no queue named \x9b2J", "see elsewhere")
    warn("e\x07")
    assert capsys.readouterr().err.splitlines() == [
        "declared queue e\\x1b[31m vil",
        "lastvalue: there is no queue named \\x9b2J; see elsewhere",
        "lastvalue: warning: e\\x07",
    ]


def test_quiet_hushes_what_was_done_and_no_warnings(capsys: pytest.CaptureFixture[str]) -> None:
    token = quiet.set(True)
    confirm("done")
    warn("look")
    quiet.reset(token)
    assert capsys.readouterr().err == "lastvalue: warning: look\n"
