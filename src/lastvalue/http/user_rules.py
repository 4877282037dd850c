"""The users of the broker's users file, as an administrator shows and changes them over AMQP.

A password becomes a SCRAM credential here, so the broker does not learn it and spends no time on it.
"""

import asyncio
import secrets
from collections.abc import Sequence
from http import HTTPStatus
from typing import Final

from lastvalue.client import Connection
from lastvalue.http.problems import FieldProblem, Problem
from lastvalue.protocols.scram_credential import SALT_BYTES, SCRAM_MECHANISMS, ScramCredential

KIND: Final = "permission"
MOST_PASSWORD: Final = 1024

NO_PASSWORD: Final[dict[str, str]] = {}
"""The credentials of a user who cannot connect by a password."""


async def user_rules(broker: Connection) -> dict[str, list[str]]:
    """The rules of each user, by name; without a users file there are none.

    Raises:
        RefusedError: the caller lacks the right `administer` on `$permissions`.
    """
    answer = await broker.manage("QUERY", kind=KIND)
    users = answer if isinstance(answer, list) else []
    return {str(each["user"]): [str(rule) for rule in each["rules"]] for each in users}


async def rules_of(broker: Connection, user: str) -> list[str]:
    """The rules of a user.

    Raises:
        Problem: there is no such user.
    """
    users = await user_rules(broker)
    if user not in users:
        raise Problem(HTTPStatus.NOT_FOUND, f"there is no user {user!r}")
    return users[user]


async def write_user(
    broker: Connection, user: str, rules: Sequence[str] | None, credentials: dict[str, str] | None
) -> bool:
    """Make or change a user; whether it was made. None stays as it is; a new user needs rules."""
    made = user not in await user_rules(broker)
    body: dict[str, object] = {} if rules is None else {"rules": list(rules)}
    if credentials is not None:
        body["credentials"] = credentials
    await broker.manage("CREATE" if made else "UPDATE", user, body, kind=KIND)
    return made


async def remove_user(broker: Connection, user: str) -> None:
    """Remove a user, whose connections end."""
    await broker.manage("DELETE", user, kind=KIND)


async def credentials_of(password: str) -> dict[str, str]:
    """What checks a password, by mechanism; it is computed in a thread.

    Raises:
        Problem: SCRAM does not take such a password.
    """
    try:
        return await asyncio.to_thread(_credentials, password)
    except ValueError as error:
        raise FieldProblem("password", f"password: {error}") from None


def _credentials(password: str) -> dict[str, str]:
    return {
        mechanism: str(ScramCredential.of(mechanism, password, secrets.token_bytes(SALT_BYTES)))
        for mechanism in SCRAM_MECHANISMS
    }
