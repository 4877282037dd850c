"""What is wrong with an address, and where."""

from lastvalue.model.conditions import Condition
from lastvalue.model.errors import BrokerError

_SHOWN = 80


class InvalidAddressError(BrokerError):
    """A text is no address, or an address asks for what does not exist.

    Attributes:
        text: the whole address.
        fault: what is wrong with it.
        line, column: where, both from 1; None where the fault is in what the address says.
    """

    condition = Condition.INVALID_FIELD

    def __init__(self, fault: str, text: str, position: int | None = None) -> None:
        self.text = text
        self.fault = fault
        self.line: int | None = None
        self.column: int | None = None
        where = ""
        if position is not None:
            self.line = text.count("\n", 0, position) + 1
            self.column = position - text.rfind("\n", 0, position)
            where = f" at line {self.line}, column {self.column}"
        shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
        super().__init__(f"{fault}{where} of the address {shown!r}")
