"""An object that consoles see."""

from typing import Final, TypeAlias

from lastvalue.codec.amqp10.values import Value
from lastvalue.frontends.amqp010.qmf.schema import PACKAGE, SchemaClass

BROKER_NAME: Final = "amqp-broker"
Values: TypeAlias = dict[str, Value]


class Managed:
    """One object: its class, its name among those of its class, and its values."""

    def __init__(self, kind: SchemaClass, name: str, values: Values) -> None:
        self.kind = kind
        self.name = name
        self.values = values

    @property
    def object_name(self) -> str:
        """By what references name it."""
        return f"{PACKAGE}:{self.kind.name}:{self.name}"


def reference(kind: str, name: str) -> Values:
    """A value that refers to an object."""
    return {"_object_name": f"{PACKAGE}:{kind}:{name}"}


VHOST: Final = reference("vhost", f"{PACKAGE}:broker:{BROKER_NAME},/")
