"""lastvalue.compat.qpid.messaging.connection."""

import pytest

from lastvalue.client.errors import ConnectFailedError
from lastvalue.compat.qpid.messaging import (
    AuthenticationFailure,
    ConnectError,
    Connection,
    InvalidOption,
    LinkClosed,
    MessagingError,
)


@pytest.mark.parametrize("url", ["alice:secret@{}", "alice/secret@{}", "amqp://alice:secret@{}"])
def test_a_url_names_user_and_password(broker: str, url: str) -> None:
    connection = Connection.establish(url.format(broker))
    assert connection.opened()
    connection.close()
    assert not connection.opened()


def test_options_name_user_and_password(broker: str) -> None:
    options = {"username": "alice", "password": "secret", "heartbeat": 10, "timeout": 5, "container_id": "me"}
    with Connection(broker, protocol="amqp1.0", transport="tcp", reconnect=False, **options) as connection:
        assert connection.session("mine").name == "mine"


def test_a_wrong_password_is_told(broker: str) -> None:
    with pytest.raises(AuthenticationFailure):
        Connection.establish(broker, username="alice", password="wrong")


def test_nobody_there_is_told() -> None:
    with pytest.raises(ConnectError, match="cannot connect to") as failed:
        Connection.establish("127.0.0.1:1")
    assert isinstance(failed.value.__cause__, ConnectFailedError)


def test_the_interfaces_connection_error_is_pythons_too() -> None:
    with pytest.raises(ConnectionError):
        Connection.establish("127.0.0.1:1")


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        (
            {"reconect": True},
            "unknown option 'reconect' of a connection",
        ),
        ({"reconnect": True}, "this client does not reconnect"),
        ({"protocol": "amqp0-10"}, "amqp1.0"),
        ({"timeout": -1}, "expected seconds"),
    ],
)
def test_options_that_cannot_be_are_refused(options: dict[str, object], fault: str) -> None:
    with pytest.raises(InvalidOption, match=fault):
        Connection("localhost", **options)


def test_a_wrong_url_is_refused() -> None:
    with pytest.raises(ConnectError, match="not a broker's URL"):
        Connection("http://localhost")


def test_a_session_opens_the_connection(broker: str) -> None:
    connection = Connection(broker)
    connection.session().sender("orders; {create: always}").send("a")
    assert connection.opened()
    connection.close()


def test_a_connection_that_was_closed_may_be_opened_again(broker: str) -> None:
    connection = Connection.establish(broker)
    connection.close()
    connection.close()
    with pytest.raises(LinkClosed, match="is closed; open it"):
        connection.session()
    connection.open()
    with pytest.raises(MessagingError, match="open already"):
        connection.open()
    connection.session()
    connection.close()


def test_closing_the_connection_closes_all_that_it_opened(broker: str) -> None:
    connection = Connection.establish(broker)
    session = connection.session()
    sender = session.sender("orders; {create: always}")
    receiver = session.receiver("orders")
    connection.close()
    for use in (lambda: sender.send("a"), lambda: receiver.fetch(0)):
        with pytest.raises(LinkClosed):
            use()
