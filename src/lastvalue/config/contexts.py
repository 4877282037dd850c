"""`${name}` in the texts of a Broker-J configuration."""

import re
from collections.abc import Mapping
from typing import Any, Final

_VARIABLE: Final = re.compile(r"\$\{([^${}]+)\}")


class Contexts:
    """The context variables of an object and of its enclosing objects, the nearest first."""

    def __init__(self, chain: tuple[Mapping[str, Any], ...] = (), used: set[str] | None = None) -> None:
        self._chain = chain
        self.used: set[str] = set() if used is None else used
        """Every variable that was used so far, in any context."""

    def within(self, context: Any) -> "Contexts":
        """The contexts of an enclosed object with this context."""
        own = (context,) if isinstance(context, Mapping) else ()
        return Contexts((*own, *self._chain), self.used)

    def filled(self, value: Any) -> Any:
        """A value with the variables in all its texts replaced; unknown variables stay."""
        match value:
            case str():
                return self._text(value, ())
            case Mapping():
                return {name: self.filled(item) for name, item in value.items()}
            case list():
                return [self.filled(item) for item in value]
            case _:
                return value

    def _text(self, text: str, within: tuple[str, ...]) -> str:
        def replaced(variable: re.Match[str]) -> str:
            name = variable[1]
            self.used.add(name)
            value = next((context[name] for context in self._chain if name in context), None)
            # A variable that contains itself has no value.
            return variable[0] if value is None or name in within else self._text(str(value), (*within, name))

        return _VARIABLE.sub(replaced, text)


def unfilled(value: Any) -> list[str]:
    """The variables that were not replaced in a value."""
    return [variable[1] for variable in _VARIABLE.finditer(value)] if isinstance(value, str) else []
