"""An object that consoles see."""

from typing import Final, TypeAlias

from lastvalue.broker.authorization import Authorization
from lastvalue.broker.rights.owner import Owner
from lastvalue.broker.rights.verbs import Verb
from lastvalue.codec.amqp010.qmf.schema_class import PACKAGE, SchemaClass
from lastvalue.codec.amqp10.values import Value

BROKER_NAME: Final = "amqp-broker"
Values: TypeAlias = dict[str, Value]


class ManagedObject:
    """One object: its class, its name among those of its class, and its values.

    Attributes:
        nodes: queues and exchanges that who sees it must be able to reach.
        user: whose connection it is of; None if it is of none.
    """

    def __init__(
        self,
        kind: SchemaClass,
        name: str,
        values: Values,
        nodes: tuple[str, ...] = (),
        user: str | None = None,
    ) -> None:
        self.kind = kind
        self.name = name
        self.values = values
        self.nodes = nodes
        self.user = user

    def is_visible(self, authorization: Authorization, owner: Owner) -> bool:
        """Whether the caller may see it."""
        if self.user is not None and not authorization.allows_owned(owner, self.user, Verb.CLOSE_CONNECTION):
            return False
        return all(authorization.shows(owner, name) for name in self.nodes if name)

    @property
    def object_name(self) -> str:
        """By what references name it."""
        return f"{PACKAGE}:{self.kind.name}:{self.name}"


def reference(kind: str, name: str) -> Values:
    """A value that refers to an object."""
    return {"_object_name": f"{PACKAGE}:{kind}:{name}"}


VHOST: Final = reference("vhost", f"{PACKAGE}:broker:{BROKER_NAME},/")
