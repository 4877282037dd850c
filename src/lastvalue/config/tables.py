"""Tables of a document, read key by key; faults are collected."""

import difflib
from collections.abc import Iterable, Mapping
from typing import Any

from lastvalue.config.errors import NO_VALUE, Fault


class Table:
    """One table: the caller reads each key once, and `end` reports the keys that were not read."""

    def __init__(self, values: Any, path: tuple[str | int, ...], faults: list[Fault]) -> None:
        self.path = path
        self.faults = faults
        self._known: list[str] = []
        self.is_table = isinstance(values, Mapping)
        self._values: dict[str, Any] = dict(values) if isinstance(values, Mapping) else {}
        if not self.is_table:
            self.faults.append(Fault(path, "expected a table", values))

    def text(self, key: str, default: str | None = None) -> str | None:
        """A text that is not empty."""
        value = self._taken(key, default, lambda value: isinstance(value, str) and value != "", "text")
        return value if isinstance(value, str) else default

    def any_text(self, key: str, default: str = "") -> str:
        """A text, possibly empty."""
        value = self._taken(key, default, lambda value: isinstance(value, str), "text")
        return value if isinstance(value, str) else default

    def required(self, key: str, example: str) -> str:
        """A text that must be present; if it is absent, empty, with a fault."""
        if key not in self._values:
            self._known.append(key)
            if self.is_table:
                self.faults.append(Fault(self.path, f"{key} is missing; write for example {example}"))
            return ""
        return self.text(key) or ""

    def flag(self, key: str, default: Any = False) -> Any:  # noqa: FBT002 - a default, as in dict.get
        """True or false."""
        return self._taken(key, default, lambda value: isinstance(value, bool), "true or false")

    def number(self, key: str, least: int, most: int) -> int | None:
        """A whole number, or None if it is absent."""

        def fits(value: Any) -> bool:
            return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most

        value: int | None = self._taken(key, None, fits, f"a number of {least} to {most}")
        return value

    def real(self, key: str, expected: str) -> float | None:
        """A number above 0, or None if it is absent; `expected` describes it in a fault."""

        def fits(value: Any) -> bool:
            return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < float("inf")

        value: float | None = self._taken(key, None, fits, expected)
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts that are not empty; a single text counts as a list of one."""

        def fits(value: Any) -> bool:
            values = value if isinstance(value, list) else [value]
            return bool(values) and all(isinstance(one, str) and one for one in values)

        value = self._taken(key, [], fits, "a text or a list of texts")
        return tuple(value) if isinstance(value, list) else (value,)

    def choice(self, key: str, choices: Iterable[str], default: str | None) -> str | None:
        """One of some texts, in upper or lower case."""
        known = tuple(choices)
        value = self._taken(
            key,
            default,
            lambda value: isinstance(value, str) and value.lower() in known,
            "one of " + ", ".join(known),
        )
        return value.lower() if isinstance(value, str) else None

    def take(self, key: str) -> Any:
        """The value as it is, or None if it is absent."""
        self._known.append(key)
        return self._values.pop(key, None)

    def mapping(self, key: str) -> Mapping[str, Any]:
        """A nested table that is not checked."""
        value: Mapping[str, Any] = self._taken(key, {}, lambda value: isinstance(value, Mapping), "a table")
        return value

    def tables(self, key: str) -> list["Table"]:
        """An array of tables."""
        self._known.append(key)
        values = self._values.pop(key, [])
        path = (*self.path, key)
        if not isinstance(values, list):
            self.faults.append(Fault(path, f"expected tables; write [[{key}]]", values))
            return []
        return [Table(value, (*path, place), self.faults) for place, value in enumerate(values)]

    def table(self, key: str) -> "Table":
        """A nested table; an empty one if it is absent."""
        self._known.append(key)
        return Table(self._values.pop(key, {}), (*self.path, key), self.faults)

    def rest(self) -> dict[str, Any]:
        """The keys that were not read, with their values."""
        values, self._values = self._values, {}
        return values

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def holds(self, key: str, value: Any) -> bool:
        """Whether a key that was not read yet has that value."""
        return key in self._values and self._values[key] == value

    def fault(self, key: str | None, reason: str, value: Any) -> None:
        """Add a fault of the table, or of one of its keys."""
        self.faults.append(Fault(self.path if key is None else (*self.path, key), reason, value))

    def end(self) -> None:
        """Add a fault for each key that was not read."""
        for key, value in self._values.items():
            near = difflib.get_close_matches(key, self._known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else "expected one of " + ", ".join(self._known)
            # A table of users that is misspelt has passwords.
            plain = NO_VALUE if isinstance(value, Mapping | list) else value
            self.fault(key, f"unknown key; {hint}", plain)

    def _taken(self, key: str, default: Any, fits: Any, expected: str) -> Any:
        self._known.append(key)
        if key not in self._values:
            return default
        value = self._values.pop(key)
        if fits(value):
            return value
        self.fault(key, f"expected {expected}", value)
        return default
