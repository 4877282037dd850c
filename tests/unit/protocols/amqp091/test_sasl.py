import pytest
from pamqp import encode

from lastvalue.protocols.amqp091.sasl import AMQPLAIN, begin_sasl, offered_mechanisms
from lastvalue.protocols.sasl import ANONYMOUS, PLAIN, Authenticator

WITH_PASSWORD = Authenticator(anonymous=False, check=lambda user, word: (user, word) == ("ann", "pw"))
OPEN = Authenticator(anonymous=True)


def amqplain(**fields: str) -> bytes:
    """A table without its size."""
    return encode.field_table(dict(fields))[4:]


def test_passwords_are_asked_for_in_both_ways() -> None:
    assert offered_mechanisms(WITH_PASSWORD) == (PLAIN, AMQPLAIN)


def test_clients_that_give_a_password_in_any_case_may_do_so_where_everybody_may_come() -> None:
    assert offered_mechanisms(OPEN)[:2] == (PLAIN, AMQPLAIN)
    assert ANONYMOUS in offered_mechanisms(OPEN)


@pytest.mark.parametrize("mechanism", [PLAIN, AMQPLAIN])
def test_any_password_is_taken_where_everybody_may_come(mechanism: str) -> None:
    exchange = begin_sasl(OPEN, mechanism)
    assert exchange is not None
    assert exchange.step(b"\0guest\0guest").identity is not None


@pytest.mark.parametrize(
    ("response", "identity"),
    [
        (amqplain(LOGIN="ann", PASSWORD="pw"), "ann"),
        (amqplain(LOGIN="ann", PASSWORD="wrong"), None),
        (amqplain(LOGIN="ann"), None),
        (b"", None),
        (b"\xff\xff", None),
        (None, None),
    ],
)
def test_amqplain_is_a_table_with_a_name_and_a_password(response: bytes | None, identity: str | None) -> None:
    exchange = begin_sasl(WITH_PASSWORD, AMQPLAIN)
    assert exchange is not None
    assert exchange.step(response).identity == identity


def test_a_mechanism_that_is_not_offered_begins_nothing() -> None:
    assert begin_sasl(WITH_PASSWORD, "EXTERNAL") is None
    assert begin_sasl(Authenticator(anonymous=False), AMQPLAIN) is None
