"""The mechanisms by themselves [RFC 4505, RFC 4616]."""

import pytest

from lastvalue.protocols.amqp10.sasl import Authenticator, Credentials


def check(user: str, password: str) -> bool:
    return (user, password) == ("jürgen", "geheim")


def test_a_client_proves_who_it_is() -> None:
    authenticator = Authenticator(check=check)
    assert authenticator.identify("PLAIN", Credentials("jürgen", "geheim").response()) == "jürgen"
    assert authenticator.identify("PLAIN", Credentials("jürgen", "falsch").response()) is None
    assert authenticator.identify("ANONYMOUS", Credentials().response()) == "anonymous"


@pytest.mark.parametrize(
    ("response", "identity"),
    [
        ("jürgen\0jürgen\0geheim", "jürgen"),
        ("someone\0jürgen\0geheim", None),
        ("\0jürgen\0geheim\0", None),
        ("jürgen\0geheim", None),
        ("", None),
    ],
    ids=["acts for itself", "acts for another", "four parts", "two parts", "empty"],
)
def test_plain_takes_three_parts_and_nobody_acts_for_another(response: str, identity: str | None) -> None:
    assert Authenticator(check=check).identify("PLAIN", response.encode()) == identity


def test_a_mechanism_that_was_not_offered_proves_nothing() -> None:
    assert Authenticator(anonymous=False, check=check).identify("ANONYMOUS", b"") is None
    assert Authenticator().identify("PLAIN", b"\0a\0b") is None
    assert Authenticator(check=check).identify("PLAIN", None) is None


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
