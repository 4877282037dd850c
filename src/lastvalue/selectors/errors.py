"""The error of an invalid selector."""

from lastvalue.model.conditions import Condition
from lastvalue.model.errors import BrokerError

_SHOWN = 80


class InvalidSelectorError(BrokerError):
    """A text is not a valid selector.

    Attributes:
        text: the whole selector.
        fault: what is wrong with it.
        position: the index of the fault, from 0; None if the whole is too long or too deep.
    """

    condition = Condition.INVALID_FIELD

    def __init__(self, fault: str, text: str, position: int | None = None) -> None:
        self.text = text
        self.fault = fault
        self.position = position
        where = ""
        if position is not None:
            column = position - text.rfind("\n", 0, position)
            line = f"line {text.count(chr(10), 0, position) + 1}, " if "\n" in text else ""
            where = f"{line}column {column} of "
        shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
        super().__init__(f"{where}the selector {shown!r}: {fault}")
