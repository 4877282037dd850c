"""Users and permissions in RabbitMQ's management API; they are those of the broker's users file."""

from http import HTTPStatus
from typing import Annotated, Any, Final

from fastapi import APIRouter
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, field_validator
from starlette.requests import Request
from starlette.responses import Response

from lastvalue.client import Connection
from lastvalue.compat.rabbitmq.refusing_route import RefusingRoute
from lastvalue.compat.rabbitmq.resources import HOST
from lastvalue.compat.rabbitmq.user_resources import (
    TAGS,
    has_permissions,
    permission_resource,
    user_resource,
    wildcards_of,
    with_permissions,
    with_tags,
)
from lastvalue.http.broker_access import BrokerConnection, NodeName
from lastvalue.http.encoded_paths import segment
from lastvalue.http.json_objects import json_model
from lastvalue.http.problems import FieldProblem, Problem
from lastvalue.http.user_rules import (
    MOST_PASSWORD,
    NO_PASSWORD,
    credentials_of,
    remove_user,
    rules_of,
    user_rules,
    write_user,
)

user_routes = APIRouter(prefix="/api", tags=["RabbitMQ"], route_class=RefusingRoute)

MOST_USERS: Final = 1000
"""That one request removes."""


def _listed(tags: object) -> object:
    """Tags are a list, or a text with commas between them."""
    if isinstance(tags, str):
        return [tag.strip() for tag in tags.split(",") if tag.strip()]
    return [] if tags is None else tags


class RabbitUser(BaseModel):
    """A user to make or to change."""

    password: str | None = Field(None, min_length=1, max_length=MOST_PASSWORD)
    password_hash: str | None = None
    tags: Annotated[list[str], BeforeValidator(_listed)] = []

    @field_validator("tags")
    @classmethod
    def _known(cls, tags: list[str]) -> list[str]:
        unknown = [tag for tag in tags if tag not in TAGS]
        if unknown:
            raise ValueError(f"{unknown[0]!r:.80} means nothing here; expected some of {', '.join(TAGS)}")
        return tags

    @field_validator("password_hash")
    @classmethod
    def _empty(cls, password_hash: str | None) -> str | None:
        if password_hash:
            raise ValueError(
                "the broker checks passwords by SCRAM, and cannot use another hash; send `password`"
            )
        return password_hash

    async def credentials(self) -> dict[str, str] | None:
        """What checks the password; None leaves the present one.

        Raises:
            Problem: SCRAM does not take such a password.
        """
        if self.password is not None:
            return await credentials_of(self.password)
        return None if self.password_hash is None else NO_PASSWORD

    async def write(self, name: str, credentials: dict[str, str] | None, broker: Connection) -> bool:
        """Make or change the user; whether it was made."""
        rules = (await user_rules(broker)).get(name, [])
        return await write_user(broker, name, with_tags(rules, self.tags), credentials)


class RabbitPermission(BaseModel):
    """What a user may do on names that match regular expressions."""

    configure: str
    write: str
    read: str

    def patterns(self) -> dict[str, list[str]]:
        """Our patterns for the expressions.

        Raises:
            Problem: there are none.
        """
        expressions = self.model_dump(include={"configure", "write", "read"})
        return {action: _patterns(action, expression) for action, expression in expressions.items()}


class RemovedUsers(BaseModel):
    """Users to remove."""

    model_config = ConfigDict(extra="forbid")

    users: list[str] = Field(max_length=MOST_USERS)


@user_routes.get("/users")
async def list_users(broker: BrokerConnection) -> list[dict[str, Any]]:
    """The users of the users file."""
    return [user_resource(name, rules) for name, rules in (await user_rules(broker)).items()]


@user_routes.get("/users/without-permissions")
async def users_without_permissions(broker: BrokerConnection) -> list[dict[str, Any]]:
    """The users who may do nothing on any name."""
    users = await user_rules(broker)
    return [
        user_resource(name, rules) for name, rules in users.items() if not permission_resource(name, rules)
    ]


@user_routes.get("/users/{name}")
async def show_user(name: NodeName, broker: BrokerConnection) -> dict[str, Any]:
    """A user."""
    return user_resource(name, await rules_of(broker, name))


@user_routes.put(
    "/users/{name}", status_code=HTTPStatus.NO_CONTENT, responses={201: {"description": "Made."}}
)
async def write_named_user(name: NodeName, broker: BrokerConnection, request: Request) -> Response:
    """Make or change a user; one who is new may do nothing until there are permissions."""
    user = await json_model(request, RabbitUser)
    made = await user.write(name, await user.credentials(), broker)
    return Response(status_code=HTTPStatus.CREATED if made else HTTPStatus.NO_CONTENT)


@user_routes.delete("/users/{name}", status_code=HTTPStatus.NO_CONTENT)
async def remove_named_user(name: NodeName, broker: BrokerConnection) -> None:
    """Remove a user, whose connections end."""
    await remove_user(broker, name)


@user_routes.post("/users/bulk-delete", status_code=HTTPStatus.NO_CONTENT)
async def remove_users(broker: BrokerConnection, request: Request) -> None:
    """Remove users; those who do not exist are no fault."""
    asked = await json_model(request, RemovedUsers)
    present = await user_rules(broker)
    for name in dict.fromkeys(asked.users):
        if name in present:
            await remove_user(broker, name)


@user_routes.get("/users/{name}/permissions")
async def user_permissions(name: NodeName, broker: BrokerConnection) -> list[dict[str, Any]]:
    """The permissions of a user; of one who has none the list is empty."""
    shown = permission_resource(name, await rules_of(broker, name))
    return [] if shown is None else [shown]


@user_routes.get("/permissions")
@user_routes.get("/vhosts/{host}/permissions")
async def list_permissions(broker: BrokerConnection) -> list[dict[str, Any]]:
    """The permissions of all users who have some."""
    shown = (permission_resource(name, rules) for name, rules in (await user_rules(broker)).items())
    return [each for each in shown if each is not None]


@user_routes.get("/permissions/{host}/{name}")
async def show_permission(name: NodeName, broker: BrokerConnection) -> dict[str, Any]:
    """The permissions of a user."""
    shown = permission_resource(name, await rules_of(broker, name))
    if shown is None:
        raise Problem(HTTPStatus.NOT_FOUND, f"user {name!r} has no permissions")
    return shown


@user_routes.put(
    "/permissions/{host}/{name}", status_code=HTTPStatus.NO_CONTENT, responses={201: {"description": "Set."}}
)
async def set_permission(host: str, name: NodeName, broker: BrokerConnection, request: Request) -> Response:
    """Replace the permissions of a user; regular expressions that are no patterns are refused."""
    patterns = (await json_model(request, RabbitPermission)).patterns()
    rules = await rules_of(broker, name)
    if not _is_the_host(host):
        # For the other name of the one virtual host: nobody gets more by that.
        if not has_permissions(rules, patterns):
            raise _one_host()
        return Response(status_code=HTTPStatus.NO_CONTENT)
    await write_user(broker, name, with_permissions(rules, patterns), None)
    had = permission_resource(name, rules) is not None
    return Response(status_code=HTTPStatus.NO_CONTENT if had else HTTPStatus.CREATED)


@user_routes.delete("/permissions/{host}/{name}", status_code=HTTPStatus.NO_CONTENT)
async def remove_permission(host: str, name: NodeName, broker: BrokerConnection) -> None:
    """Take away what a user may do on names."""
    if not _is_the_host(host):
        raise _one_host()
    await write_user(broker, name, with_permissions(await rules_of(broker, name), {}), None)


def _patterns(action: str, expression: str) -> list[str]:
    try:
        return wildcards_of(expression)
    except ValueError as error:
        raise FieldProblem(action, f"{action}: {error}") from None


def _is_the_host(host: str) -> bool:
    return segment(host) == HOST


def _one_host() -> FieldProblem:
    return FieldProblem(
        "host",
        "the broker has one virtual host, whatever its name; permissions are those on `/`, "
        "and others would hold for all names",
    )
