"""The mechanisms by themselves [RFC 4505, RFC 4616]."""

import pytest

from lastvalue.protocols.sasl import Authenticator, Credentials


def check(user: str, password: str) -> bool:
    return (user, password) == ("jürgen", "geheim")


def identity(authenticator: Authenticator, mechanism: str, response: bytes | None) -> str | None:
    exchange = authenticator.begin(mechanism)
    return None if exchange is None else exchange.step(response).identity


def first(credentials: Credentials, mechanism: str) -> bytes | None:
    return credentials.begin(mechanism).first()


def test_a_client_proves_who_it_is() -> None:
    authenticator = Authenticator(check=check)
    right, wrong = Credentials("jürgen", "geheim"), Credentials("jürgen", "falsch")
    assert identity(authenticator, "PLAIN", first(right, "PLAIN")) == "jürgen"
    assert identity(authenticator, "PLAIN", first(wrong, "PLAIN")) is None
    assert identity(authenticator, "ANONYMOUS", first(Credentials(), "ANONYMOUS")) == "anonymous"


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("jürgen\0jürgen\0geheim", "jürgen"),
        ("someone\0jürgen\0geheim", None),
        ("\0jürgen\0geheim\0", None),
        ("jürgen\0geheim", None),
        ("", None),
    ],
    ids=["acts for itself", "acts for another", "four parts", "two parts", "empty"],
)
def test_plain_takes_three_parts_and_nobody_acts_for_another(response: str, expected: str | None) -> None:
    assert identity(Authenticator(check=check), "PLAIN", response.encode()) == expected


def test_a_mechanism_that_was_not_offered_proves_nothing() -> None:
    assert identity(Authenticator(anonymous=False, check=check), "ANONYMOUS", b"") is None
    assert identity(Authenticator(), "PLAIN", b"\0a\0b") is None
    assert identity(Authenticator(), "SCRAM-SHA-256", b"n,,n=a,r=b") is None


def test_a_client_without_an_initial_response_is_asked_for_it_once() -> None:
    exchange = Authenticator(check=check).begin("PLAIN")
    assert exchange is not None
    assert exchange.step(None).challenge == b""
    assert exchange.step(None).challenge is None


def test_a_password_that_is_being_checked_is_asked_for_again() -> None:
    answers: list[bool | None] = [None, None, True]
    exchange = Authenticator(check=lambda user, password: answers.pop(0)).begin("PLAIN")
    assert exchange is not None
    assert exchange.step(b"\0ann\0pw").pending
    assert exchange.step(None).pending
    assert exchange.step(None).identity == "ann"


@pytest.mark.parametrize(
    ("credentials", "offered", "mechanism"),
    [
        (Credentials(), ("PLAIN", "ANONYMOUS"), "ANONYMOUS"),
        (Credentials("user"), ("PLAIN", "ANONYMOUS"), "PLAIN"),
        (Credentials("user"), ("ANONYMOUS",), None),
        (Credentials(), (), None),
    ],
)
def test_a_client_never_falls_back_to_a_weaker_mechanism(
    credentials: Credentials, offered: tuple[str, ...], mechanism: str | None
) -> None:
    assert credentials.choose(offered) == mechanism
