"""A file of RabbitMQ's definitions, and whether the broker would take all of it."""

from collections.abc import Awaitable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

from pydantic import BaseModel, Field, field_validator

from lastvalue.client import Connection
from lastvalue.compat.rabbitmq import resources
from lastvalue.compat.rabbitmq.management_routes import Binding, Node
from lastvalue.compat.rabbitmq.user_routes import RabbitPermission, RabbitUser
from lastvalue.http.problems import Problem
from lastvalue.http.user_rules import user_rules
from lastvalue.model.errors import LastvalueError

MOST_DEFINED: Final = 100_000
OWN: Final = ("amq.", "qpid.", "activemq.notifications")
"""How the names of exchanges begin that the broker makes by itself."""

_EVERYWHERE: Final = ("amq.", "activemq.notifications")

_ABSENT: Final = (
    "policies",
    "parameters",
    "global_parameters",
    "topic_permissions",
    "operator_policies",
)


class DefinedNode(Node):
    """A queue or an exchange of a file."""

    name: str = Field(min_length=1)
    vhost: str = resources.HOST


class DefinedBinding(Binding):
    """A binding of a file."""

    source: str
    destination: str
    vhost: str = resources.HOST

    @property
    def described(self) -> str:
        """What it binds."""
        return f"binding of {self.destination!r} to {self.source!r}"


class DefinedUser(RabbitUser):
    """A user of a file."""

    name: str = Field(min_length=1)


class DefinedPermission(RabbitPermission):
    """The permissions of a user of a file."""

    user: str
    vhost: str = resources.HOST


class Definitions(BaseModel):
    """A file of definitions; it is checked as a whole before anything is declared."""

    users: list[DefinedUser] = Field([], max_length=MOST_DEFINED)
    permissions: list[DefinedPermission] = Field([], max_length=MOST_DEFINED)
    exchanges: list[DefinedNode] = Field([], max_length=MOST_DEFINED)
    queues: list[DefinedNode] = Field([], max_length=MOST_DEFINED)
    bindings: list[DefinedBinding] = Field([], max_length=MOST_DEFINED)
    policies: list[object] = []
    parameters: list[object] = []
    global_parameters: list[object] = []
    topic_permissions: list[object] = []
    operator_policies: list[object] = []

    @field_validator(*_ABSENT)
    @classmethod
    def _none(cls, given: list[object]) -> list[object]:
        if given:
            raise ValueError(
                "the broker does not have these; `lastvalue import` gives queues what their policies say"
            )
        return given

    @field_validator("permissions", "exchanges", "queues", "bindings")
    @classmethod
    def _of_one_host(cls, given: list[Any]) -> list[Any]:
        others = [each for each in given if each.vhost != resources.HOST]
        if others:
            raise ValueError(
                f"the broker has the one virtual host `/`; {others[0].vhost!r:.80} would be the same"
            )
        return given

    @field_validator("exchanges", "queues")
    @classmethod
    def _once(cls, given: list[DefinedNode]) -> list[DefinedNode]:
        nodes: dict[str, DefinedNode] = {}
        for each in given:
            if nodes.setdefault(each.name, each) != each:
                raise ValueError(f"{each.name!r:.80} is there twice, with different options")
        return list(nodes.values())

    def own_exchanges(self) -> list[DefinedNode]:
        """Those that are to be declared, without those that every broker has."""
        return [each for each in self.exchanges if not each.name.startswith(_EVERYWHERE)]

    def own_bindings(self) -> list[DefinedBinding]:
        """Those that are to be made; every queue is bound to the exchange without a name by its own."""
        return [each for each in self.bindings if each.source]


@dataclass(frozen=True, slots=True)
class NewNodes:
    """The exchanges and queues of a file that the broker does not have."""

    exchanges: frozenset[str]
    queues: frozenset[str]


async def check_definitions(broker: Connection, file: Definitions) -> NewNodes:
    """Ask the broker whether it would take each definition, with those before it; what is new to it.

    Raises:
        Problem: it would not; nothing has changed.
    """
    if file.users or file.permissions:
        known = {*await user_rules(broker), *(each.name for each in file.users)}
        strangers = [each.user for each in file.permissions if each.user not in known]
        if strangers:
            raise Problem(HTTPStatus.NOT_FOUND, f"there is no user {strangers[0]!r}; nothing was declared")
    # Exchanges are declared before queues, each in the order of the file.
    to_come: set[str] = set()
    new_exchanges: set[str] = set()
    for exchange in file.own_exchanges():
        asked = broker.manage("CHECK", exchange.name, exchange.exchange_options(), kind="exchange")
        if not await _exists(f"exchange {exchange.name!r}", asked):
            new_exchanges.add(exchange.name)
        to_come.add(exchange.name)
    new_queues: set[str] = set()
    for queue in file.queues:
        options = {**queue.queue_options(), "besides": len(new_queues)}
        if not await _exists(f"queue {queue.name!r}", broker.manage("CHECK", queue.name, options)):
            new_queues.add(queue.name)
        to_come.add(queue.name)
    for binding in file.own_bindings():
        body = {
            "destination": binding.destination,
            "key": binding.routing_key,
            "arguments": binding.arguments,
            "assumed": [each for each in (binding.source, binding.destination) if each in to_come],
        }
        asked = broker.manage("CHECK_BIND", binding.source, body, kind="exchange")
        await _exists(binding.described, asked)
    return NewNodes(frozenset(new_exchanges), frozenset(new_queues))


async def _exists(what: str, check: Awaitable[object]) -> bool:
    """Whether what is to be declared exists already.

    Raises:
        Problem: the broker would refuse it.
    """
    try:
        answer = await check
    except LastvalueError as error:
        detail = f"{what}: {error}; nothing was declared"
        raise Problem(HTTPStatus(error.condition.http), detail) from None
    return isinstance(answer, dict) and bool(answer.get("exists"))
