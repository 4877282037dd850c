"""One thing that a queue may be declared with."""

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

Value: TypeAlias = str | int | bool | None


class Kind(Enum):
    """The type of an option's value."""

    TEXT = "text"
    NUMBER = "number"
    FLAG = "true or false"
    CHOICE = "one of"


@dataclass(frozen=True)
class Option:
    """One option of a queue.

    Attributes:
        choices: for a CHOICE, each accepted value in lower case and ours for it.
        qpid_cpp, broker_j, artemis, rabbitmq: other names for it on the wire, by dialect. Names that
            mean more than a value (`qpid.last_value_queue`, `last-value`, `ring-size`, …) are in `dialects`.
    """

    name: str
    kind: Kind
    default: Value
    sentence: str
    unit: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    qpid_cpp: tuple[str, ...] = ()
    broker_j: tuple[str, ...] = ()
    artemis: tuple[str, ...] = ()
    rabbitmq: tuple[str, ...] = ()

    @property
    def spellings(self) -> tuple[str, ...]:
        """Every name the option has, ours first."""
        return (self.name, *self.qpid_cpp, *self.broker_j, *self.artemis, *self.rabbitmq)
