"""lastvalue.cli.contexts."""

from pathlib import Path

import pytest

from lastvalue.cli.contexts import Contexts, broker_url
from lastvalue.cli.exits import CommandFailedError, UsageError


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    contexts = Contexts()
    contexts.urls = {"prod": "amqps://broker", 'odd "name"': "amqp://ö"}
    contexts.current = "prod"
    contexts.save()
    return tmp_path


def test_what_is_saved_is_read() -> None:
    assert Contexts().urls == {"prod": "amqps://broker", 'odd "name"': "amqp://ö"}


@pytest.mark.parametrize(
    ("is_given", "context", "ca_file", "url"),
    [
        (True, None, None, "amqps://given"),
        (False, None, None, "amqps://broker"),
        (True, "prod", None, "amqps://broker"),
        (True, None, Path("ca.pem"), "amqps://given?ca_file=ca.pem"),
        (False, None, Path("ca.pem"), "amqps://broker?ca_file=ca.pem"),
    ],
)
def test_a_url_that_is_given_precedes_the_context_in_use(
    *, is_given: bool, context: str | None, ca_file: Path | None, url: str
) -> None:
    assert broker_url("amqps://given", is_given=is_given, context=context, ca_file=ca_file) == url


def test_a_context_that_is_not_there_is_told() -> None:
    with pytest.raises(UsageError, match="no context 'trial'; there are odd \"name\", prod"):
        Contexts().url("trial")


def test_a_file_that_is_no_toml_is_told(home: Path) -> None:
    (home / "contexts.toml").write_text("current = ")
    with pytest.raises(CommandFailedError, match=r"contexts\.toml cannot be read"):
        Contexts(home / "contexts.toml")
