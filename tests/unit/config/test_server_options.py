"""lastvalue.config.server_options and server_setting: each setting by file, flag and variable."""

import json
from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import Any, Final

import pytest
import typer.main

from lastvalue.cli.app import command_app
from lastvalue.config.errors import ConfigurationError
from lastvalue.config.log_levels import LogFormat
from lastvalue.config.merged_options import merged_options
from lastvalue.config.server_options import (
    AMQP_10,
    SETTINGS,
    EventLoop,
    OnCorruption,
    OnDrift,
    OnUnsynced,
    ServerOptions,
)
from lastvalue.config.server_setting import InvalidSettingError, ServerSetting
from lastvalue.config.toml_reader import parse_toml
from lastvalue.store.writer import Sync

SERVE: Final = typer.main.get_group(command_app(["serve"])).commands["serve"]
NUMBERS: Final = [setting for setting in SETTINGS.values() if setting.kind is int]
CHOICES: Final = [setting for setting in SETTINGS.values() if issubclass(setting.kind, Enum)]
SAMPLES: Final[dict[type, tuple[Any, str]]] = {
    bool: (True, "true"),
    str: ("Broker 1.0", "Broker 1.0"),
    Path: (Path("/some/file"), "/some/file"),
    tuple: (("one",), "one"),
    dict: ({"ann": "a:b"}, "ann:a:b"),
    Sync: (Sync.NEVER, "never"),
    OnCorruption: (OnCorruption.SALVAGE, "salvage"),
    EventLoop: (EventLoop.ASYNCIO, "asyncio"),
    OnDrift: (OnDrift.REFUSE, "refuse"),
    OnUnsynced: (OnUnsynced.REFUSE, "refuse"),
}


def by_name(setting: ServerSetting) -> str:
    return setting.name


def sample(setting: ServerSetting) -> tuple[Any, str]:
    """A value that is not the default, and its text."""
    number = setting.least + (setting.default == setting.least)
    special = {
        "protocols": ((AMQP_10,), AMQP_10),
        "store_monitors": (("http://one:8222",), "http://one:8222"),
        "advertise": ("one:5672", "one:5672"),
        "cluster_brokers": (("one:5672",), "one:5672"),
        "http_alerts": (("orders:messages=9",), "orders:messages=9"),
        "http_webhook": ("https://alerts/x", "https://alerts/x"),
        "log_level": (("store=debug",), "store=debug"),
        "log_format": (LogFormat.JSON, "json"),
    }
    if setting.name in special:
        return special[setting.name]
    return SAMPLES.get(setting.kind, (number, str(number)))


def needed(setting: ServerSetting) -> dict[str, Any]:
    """What must be said beside a setting."""
    return {} if setting.needs is None else {setting.needs[1]: Path("/needed")}


def in_file(setting: ServerSetting, value: Any) -> Mapping[str, Any]:
    text = {"ann": "a:b"} if setting.kind is dict else list(value) if setting.kind is tuple else value
    written = '{ ann = "a:b" }' if setting.kind is dict else json.dumps(text, default=plain)
    beside = "".join(f"{name} = '/needed'\n" for name in needed(setting))
    return parse_toml(f"[server]\n{beside}{setting.name} = {written}").server


def plain(value: Any) -> Any:
    return value.value if isinstance(value, Enum) else str(value)


def flags(setting: ServerSetting, text: str) -> Mapping[str, Any]:
    arguments = [setting.flag] if setting.kind is bool else [setting.flag, text]
    params: Mapping[str, Any] = SERVE.make_context("serve", arguments).params
    return params


@pytest.mark.parametrize("setting", SETTINGS.values(), ids=by_name)
def test_every_setting_reaches_the_options_from_a_file_a_variable_and_a_flag(setting: ServerSetting) -> None:
    value, text = sample(setting)
    beside = needed(setting)
    expected = ServerOptions(**{**beside, setting.name: value})
    assert expected != ServerOptions(**beside)
    assert merged_options(in_file(setting, value), {}, {}) == expected
    assert merged_options(beside, {setting.env: text}, {}) == expected
    assert merged_options(beside, {}, flags(setting, text)) == expected


@pytest.mark.parametrize("setting", NUMBERS, ids=by_name)
def test_a_flag_goes_before_a_variable_and_that_before_the_file(setting: ServerSetting) -> None:
    first, second, third = (setting.least + step for step in range(3))
    file = in_file(setting, first)
    variable, flag = {setting.env: str(second)}, flags(setting, str(third))
    assert getattr(merged_options(file, {}, {}), setting.name) == first
    assert getattr(merged_options(file, variable, {}), setting.name) == second
    assert getattr(merged_options(file, variable, flag), setting.name) == third


@pytest.mark.parametrize("setting", NUMBERS, ids=by_name)
@pytest.mark.parametrize("outside", [-1, 1])
def test_a_number_out_of_range_is_refused_wherever_it_stands(setting: ServerSetting, outside: int) -> None:
    number = setting.most + 1 if outside == 1 else setting.least - 1
    sizes = ", or a size such as 2GB or 512MiB" if setting.is_size else ""
    sizes = ", or a duration such as 500ms, 10s, 5m, 1h or 1d" if setting.is_duration else sizes
    fault = f" is {number}: expected a number of {setting.least} to {setting.most}{sizes}"
    with pytest.raises(ConfigurationError, match=f"server.{setting.name}{fault}"):
        in_file(setting, number)
    with pytest.raises(InvalidSettingError, match=f"^{setting.env}{fault}$"):
        merged_options({}, {setting.env: str(number)}, {})
    with pytest.raises(InvalidSettingError, match=f"^{setting.flag}{fault}$"):
        merged_options({}, {}, flags(setting, str(number)))


@pytest.mark.parametrize("setting", CHOICES, ids=by_name)
def test_an_unknown_choice_is_refused_wherever_it_stands(setting: ServerSetting) -> None:
    fault = " is 'nonsense': expected one of "
    with pytest.raises(ConfigurationError, match=f"server.{setting.name}{fault}"):
        in_file(setting, "nonsense")
    with pytest.raises(InvalidSettingError, match=f"{setting.env}{fault}"):
        merged_options({}, {setting.env: "nonsense"}, {})
    with pytest.raises(typer.TyperException, match="nonsense"):
        flags(setting, "nonsense")


@pytest.mark.parametrize(
    ("variables", "fault"),
    [
        ({"LASTVALUE_AMQP_PORT": "many"}, "LASTVALUE_AMQP_PORT is 'many': expected a number of 0 to 65535"),
        ({"LASTVALUE_ANONYMOUS": "maybe"}, "LASTVALUE_ANONYMOUS is 'maybe': expected true or false"),
        (
            {"LASTVALUE_ANNOUNCE": "Broker"},
            "LASTVALUE_ANNOUNCE is 'Broker': expected a product and a version",
        ),
        ({"LASTVALUE_USERS": "ann:secret bob"}, "LASTVALUE_USERS is NAME:PASSWORD, both not empty"),
        ({"LASTVALUE_USERS": "ann:a ann:b"}, "LASTVALUE_USERS names 'ann' twice"),
        ({"LASTVALUE_TLS_PORT": "0"}, "LASTVALUE_TLS_PORT is 0: TLS needs --tls-certificate"),
        ({"LASTVALUE_TOKEN_ISSUER": "me"}, "LASTVALUE_TOKEN_ISSUER is 'me': tokens need --token-keys"),
        (
            {"LASTVALUE_PROTOCOLS": "amqp-1.0 stomp"},
            "LASTVALUE_PROTOCOLS is ['amqp-1.0', 'stomp']: expected one or more of amqp-1.0, amqp-0-10, ",
        ),
        (
            {"LASTVALUE_PROTOCOLS": "amqp-0-10", "LASTVALUE_WS_PORT": "0"},
            "LASTVALUE_WS_PORT is 0: it needs amqp-1.0 or mqtt, which LASTVALUE_PROTOCOLS leaves out",
        ),
        (
            {"LASTVALUE_PROTOCOLS": "amqp-1.0", "LASTVALUE_MQTT_PORT": "0"},
            "LASTVALUE_MQTT_PORT is 0: it needs mqtt, which LASTVALUE_PROTOCOLS leaves out",
        ),
        (
            {"LASTVALUE_PROTOCOLS": "amqp-1.0", "LASTVALUE_QMF": "yes"},
            "LASTVALUE_QMF is True: it needs amqp-0-10, which LASTVALUE_PROTOCOLS leaves out",
        ),
        ({"LASTVALUE_ANONYMOUS": "no"}, "LASTVALUE_ANONYMOUS is False: this accepts no clients"),
    ],
)
def test_a_fault_names_the_variable(variables: dict[str, str], fault: str) -> None:
    with pytest.raises(InvalidSettingError) as caught:
        merged_options({}, variables, {})
    assert str(caught.value).startswith(fault)
    assert "secret" not in str(caught.value)


def test_a_flag_that_names_no_address_is_refused() -> None:
    with pytest.raises(InvalidSettingError, match=r"^--host is '': expected text$"):
        merged_options({}, {}, {"host": ""})


def test_an_empty_variable_says_nothing() -> None:
    assert merged_options({}, {"LASTVALUE_AMQP_PORT": ""}, {}) == ServerOptions()


def test_the_variable_that_kubernetes_sets_for_a_service_of_this_name_is_not_read() -> None:
    assert merged_options({}, {"LASTVALUE_PORT": "tcp://10.0.0.1:5672"}, {}) == ServerOptions()


@pytest.mark.parametrize("name", ["users", "users_file", "token_keys"])
def test_where_there_are_users_they_alone_are_let_in(name: str) -> None:
    said = {name: sample(SETTINGS[name])[0]}
    assert ServerOptions().admits_anonymous
    assert not ServerOptions(**said).admits_anonymous
    assert ServerOptions(**said, anonymous=True).admits_anonymous


@pytest.mark.parametrize(
    ("host", "turned", "offered"),
    [
        ("127.0.0.1", None, True),
        ("127.1.2.3", None, True),
        ("::1", None, True),
        ("localhost", None, True),
        ("127.0.0.1", False, False),
        ("0.0.0.0", None, False),
        ("::", None, False),
        ("broker.example", None, False),
        ("0.0.0.0", True, True),
    ],
)
def test_foreign_management_is_offered_to_this_machine_and_to_others_only_where_it_is_turned_on(
    host: str, turned: bool | None, offered: bool
) -> None:
    assert ServerOptions(host=host, qmf=turned).offers_qmf is offered
    assert ServerOptions(host=host, core_management=turned).offers_core_management is offered


def test_passwords_are_not_in_what_is_printed_of_the_options() -> None:
    assert "secret" not in repr(ServerOptions(users={"ann": "secret"}))


def test_every_setting_says_in_a_sentence_what_it_does() -> None:
    assert [each.name for each in SETTINGS.values() if not each.sentence.endswith(".")] == []


def test_no_flag_and_no_variable_belongs_to_two_settings() -> None:
    for names in ([each.flag for each in SETTINGS.values()], [each.env for each in SETTINGS.values()]):
        assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("text", "size_bytes"),
    [("2GB", 2_000_000_000), ("512MiB", 512 << 20), ("64 kb", 64_000), ("1TiB", 1 << 40), ("4096", 4096)],
)
def test_a_number_of_bytes_may_have_a_unit(text: str, size_bytes: int) -> None:
    assert SETTINGS["memory_limit"].read_text(text, "memory_limit") == size_bytes


@pytest.mark.parametrize("text", ["2G", "GB", "1.5GB", "9999999TB"])
def test_a_size_that_is_none_is_told_with_the_form(text: str) -> None:
    with pytest.raises(InvalidSettingError, match="or a size such as 2GB or 512MiB"):
        SETTINGS["memory_limit"].read_text(text, "memory_limit")


@pytest.mark.parametrize(("text", "duration_ms"), [("90s", 90_000), ("1.5m", 90_000), ("250", 250)])
def test_a_number_of_milliseconds_may_be_a_duration(text: str, duration_ms: int) -> None:
    setting = SETTINGS["drain_timeout_ms"]
    assert setting.read_text(text, setting.name) == duration_ms


def test_a_number_that_counts_no_bytes_has_no_unit() -> None:
    with pytest.raises(InvalidSettingError, match=r"to 65535$"):
        SETTINGS["port"].read_text("5GB", "port")
