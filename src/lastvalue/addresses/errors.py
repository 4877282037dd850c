"""The error of an invalid address."""

from lastvalue.model.conditions import Condition
from lastvalue.model.errors import BrokerError

_SHOWN = 80


class InvalidAddressError(BrokerError):
    """A text is not a valid address, or its options are invalid.

    Attributes:
        text: the whole address.
        fault: what is wrong with it.
        line, column: the place of the fault, both from 1; None if the fault is in the address's meaning.
    """

    condition = Condition.INVALID_FIELD

    def __init__(self, fault: str, text: str, position: int | None = None) -> None:
        self.text = text
        self.fault = fault
        self.line: int | None = None
        self.column: int | None = None
        where = " in"
        if position is not None:
            self.line = text.count("\n", 0, position) + 1
            self.column = position - text.rfind("\n", 0, position)
            where = f" at line {self.line}, column {self.column} of"
        shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
        super().__init__(f"{fault}{where} the address {shown!r}")
