"""lastvalue.config.masked_values."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastvalue.config.masked_values import (
    MASK,
    masked_address,
    masked_foreign,
    masked_text,
    masked_value,
    names_a_secret,
)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("prices", "prices"),
        ("a@b", "a@b"),
        ("nats://ann:hunter2@a:4222,b:4222/LOG", "nats://***@a:4222,b:4222/LOG"),
        ("nats://token@a/LOG", "nats://***@a/LOG"),
        ("see https://a/b?key=1 and https://u:p@c/d", "see https://a/b?*** and https://***@c/d"),
        ("http://a:8222", "http://a:8222"),
        ("abfss://box@account.dfs.net/x?sig=1#y", "abfss://***@account.dfs.net/x?***"),
        ("a?b", "a?b"),
    ],
)
def test_a_url_is_shown_without_credentials_and_query(text: str, shown: str) -> None:
    assert masked_text(text) == shown


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://hooks.example/T0/B0/hunter2", "https://hooks.example/***"),
        ("https://ann:hunter2@hooks.example:8443", "https://***@hooks.example:8443/***"),
        ("https://hooks.example?token=hunter2", "https://hooks.example/***"),
    ],
)
def test_of_the_address_of_a_webhook_only_the_host_is_shown(url: str, shown: str) -> None:
    assert masked_address(url) == shown


@given(st.text(st.characters(exclude_characters="/?#@ ", categories=("L", "N", "P")), min_size=8))
def test_no_form_of_a_url_shows_its_password(password: str) -> None:
    for url in (f"tls://ann:{password}@a/LOG", f"https://{password}@a/b", f"https://a/b?t={password}"):
        assert password not in masked_text(url).replace(MASK, "")


@pytest.mark.parametrize("name", ["password", "db.Password", "sasl_passwd", "secret", "token", "Credentials"])
def test_a_name_tells_of_a_secret(name: str) -> None:
    assert names_a_secret(name)
    assert masked_value({"a": [{name: 5}]}) == {"a": [{name: MASK}]}


@pytest.mark.parametrize("name", ["wrong_passwords_per_user", "token_keys", "lvq_key", "password_env"])
def test_names_of_what_may_be_shown_tell_of_none(name: str) -> None:
    assert masked_value({name: "x"}) == {name: "x"}


def test_values_keep_their_form() -> None:
    day = date(2026, 1, 2)
    assert masked_value({"a": [1, True, None, 2.5, ("b",)], "day": day}) == {
        "a": [1, True, None, 2.5, ["b"]],
        "day": "2026-01-02",
    }


def test_of_names_that_others_choose_what_is_no_number_and_not_known_is_masked() -> None:
    foreign = {
        "header": True, "rows": "100", "spark.executor.memory": "4g", "ratio": 0.5, "SEP": ";",
        "kafka.sasl.jaas.config": "x", "url": "jdbc:oracle:thin:ann/hunter2@db", "pin.password": "1234",
        "access.key": 5,
    }  # fmt: skip
    shown = masked_foreign(foreign, frozenset(["sep"]))
    masked = ("kafka.sasl.jaas.config", "url", "pin.password", "access.key")
    assert shown == foreign | dict.fromkeys(masked, MASK)
