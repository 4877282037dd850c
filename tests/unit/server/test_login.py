"""lastvalue.server.login: what a peer is offered, and what ends its connection later."""

import asyncio
from pathlib import Path

import pytest
from login_records import LoginRecord
from waiting import until

from lastvalue.client.scram import scram
from lastvalue.protocols.sasl import EXTERNAL
from lastvalue.server.authentication import AuthenticationPolicy
from lastvalue.server.clock import system_time_ms
from lastvalue.server.login import EXPIRED, Login, Peer
from lastvalue.server.password_checks import PasswordChecks
from lastvalue.server.users import Users

HERE = Peer(secret=True, address="127.0.0.1")


@pytest.fixture
def users(tmp_path: Path) -> Users:
    users = Users(tmp_path / "users.toml")
    users.put("ann", "pw", None)
    users.put("bob", "pw", None)
    users.load()
    return users


def policy(users: Users, per_user: int = 0) -> AuthenticationPolicy:
    checks = PasswordChecks(0, per_user)
    return AuthenticationPolicy(users, anonymous=False, passwords={}, checks=checks)


def shown(login: Login, user: str, password: str, mechanism: str = "SCRAM-SHA-256") -> str | None:
    """The identity that a client of SCRAM gets."""
    client = scram(user, password)[mechanism]()
    exchange = login.make_authenticator().begin(mechanism)
    assert exchange is not None
    step = exchange.step(client.first())
    return None if step.challenge is None else exchange.step(client.respond(step.challenge)).identity


async def test_a_password_is_checked_once_and_its_result_is_asked_for(users: Users) -> None:
    record = LoginRecord()
    login = policy(users).login(HERE, record)
    assert login.check("ann", "pw") is None
    checking = [login.checking]
    assert login.check("ann", "pw") is None
    await until(lambda: record.checked == 1)
    assert record.checked == 1
    assert [*checking, login.checking] == [True, False]
    assert login.check("ann", "pw") is True


async def test_a_login_that_is_over_is_told_nothing(users: Users) -> None:
    record, other = LoginRecord(), LoginRecord()
    authentication = policy(users)
    gone, waits = authentication.login(HERE, record), authentication.login(HERE, other)
    gone.check("ann", "pw")
    waits.check("ann", "pw")
    gone.abandon()
    await until(lambda: other.checked == 1)
    assert record.checked == 0


async def test_wrong_passwords_of_scram_count_and_a_right_one_does_not(users: Users) -> None:
    authentication = policy(users, per_user=2)
    shown_passwords = ("pw", "pw", "pw", "wrong", "wrong", "pw")
    results = [shown(authentication.login(HERE, LoginRecord()), "ann", each) for each in shown_passwords]
    assert results == ["ann", "ann", "ann", None, None, None]
    assert shown(authentication.login(HERE, LoginRecord()), "bob", "pw") == "bob"
    elsewhere = Peer(secret=True, address="192.0.2.1")
    assert shown(authentication.login(elsewhere, LoginRecord()), "ann", "pw") == "ann"


@pytest.mark.parametrize(
    ("by_password", "change", "reason"),
    [
        (True, "password", "the password of user 'ann' has changed"),
        (True, "removal", "the user 'ann' has been removed"),
        (True, "rules", None),
        (True, "another user", None),
        (False, "password", None),
        (False, "removal", "the user 'ann' has been removed"),
    ],
)
async def test_a_change_of_the_users_file_ends_the_logins_that_it_revokes(
    users: Users, by_password: bool, change: str, reason: str | None
) -> None:
    login = policy(users).login(Peer(secret=True, certificate="ann"), LoginRecord())
    assert EXTERNAL in login.make_authenticator().mechanisms
    assert not by_password or shown(login, "ann", "pw") == "ann"
    login.enter("ann")
    assert login.revoked is None
    changes = {
        "password": lambda: users.put("ann", "new", None),
        "removal": lambda: users.remove("ann"),
        "rules": lambda: users.put("ann", None, ("read *",)),
        "another user": lambda: users.remove("bob"),
    }
    await asyncio.to_thread(changes[change])
    assert login.revoked == reason


@pytest.mark.parametrize("change", ["password", "removal"])
async def test_what_revokes_a_login_revokes_the_one_that_follows_it(users: Users, change: str) -> None:
    first, second = (policy(users).login(HERE, LoginRecord()) for _ in range(2))
    assert shown(first, "ann", "pw") == "ann"
    first.enter("ann")
    first.abandon()
    second.enter("ann")
    second.follow(first)
    reasons = [second.revoked]
    if change == "password":
        await asyncio.to_thread(users.put, "ann", "new", None)
    else:
        await asyncio.to_thread(users.remove, "ann")
    reasons += [second.revoked, first.revoked]
    assert reasons[0] is None
    assert reasons[1] == reasons[2] is not None


async def test_a_token_ends_the_connection_that_goes_on_with_its_login(users: Users) -> None:
    record = LoginRecord()
    first, second = policy(users).login(HERE, LoginRecord()), policy(users).login(HERE, record)
    first.enter("ann")
    first.proof.expires_ms = system_time_ms() + 60_000
    second.follow(first)
    assert (second.user, second.revoked) == ("ann", None)
    assert 0 < record.lasts_s[-1] <= 60


async def test_a_token_that_has_expired_revokes_its_login(users: Users) -> None:
    login = policy(users).login(HERE, LoginRecord())
    login.enter("ann")
    login.proof.expires_ms = system_time_ms()
    assert login.revoked == EXPIRED


async def test_a_user_that_was_never_in_the_file_is_not_revoked(users: Users) -> None:
    login = policy(users).login(Peer(secret=True, certificate="carol"), LoginRecord())
    login.enter("carol")
    assert login.revoked is None
