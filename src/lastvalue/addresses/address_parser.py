"""Parses an address string; checks the names and types of its options."""

import difflib
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Final, TypeVar, final

from lastvalue.addresses.address import (
    Address,
    AddressOptions,
    Binding,
    LinkFilter,
    LinkOptions,
    Mode,
    NodeOptions,
    NodeType,
    Policy,
    Reliability,
)
from lastvalue.addresses.errors import InvalidAddressError
from lastvalue.addresses.parts import Key, Value, parse_parts

T = TypeVar("T")
E = TypeVar("E", bound=Enum)

_ADDRESS: Final = ("create", "assert", "delete", "mode", "node", "link")
_NODE: Final = ("type", "durable", "x-declare", "x-bindings", "properties", "capabilities")
_LINK: Final = (
    "name", "durable", "reliability", "x-declare", "x-subscribe", "x-bindings", "selector", "timeout",
    "filter", "properties", "capabilities",
)  # fmt: skip
_BINDING: Final = ("exchange", "queue", "key", "arguments")
_FILTER: Final = ("name", "descriptor", "value")


def is_plain(text: str) -> bool:
    """Whether a text is only a name, without address syntax or a destination's parameters.

    Cost: a few searches of the text. It ignores `/`, quotes and escapes, because names have them too.
    """
    return not (";" in text or "?" in text or "::" in text or " : {" in text or text[:1] == "#")


def parse_address(text: str) -> Address:
    """Parse an address string of `qpid.messaging`.

    Raises:
        InvalidAddressError: the string is malformed (names the token, line and column), an option is unknown
            (names the nearest one), or an option has an invalid value.
    """
    parts = parse_parts(text)
    if parts.options is None:
        return Address(parts.name, parts.subject)
    return Address(parts.name, parts.subject, _address_options(_Fields(text, "", parts.options, _ADDRESS)))


def _address_options(fields: "_Fields") -> AddressOptions:
    return AddressOptions(
        create=fields.choice("create", Policy) or Policy.NEVER,
        assert_=fields.choice("assert", Policy) or Policy.NEVER,
        delete=fields.choice("delete", Policy) or Policy.NEVER,
        mode=fields.choice("mode", Mode),
        node=_node_options(fields.within("node", _NODE)),
        link=_link_options(fields.within("link", _LINK)),
    )


def _node_options(fields: "_Fields") -> NodeOptions:
    return NodeOptions(
        type=fields.choice("type", NodeType),
        durable=fields.flag("durable"),
        x_declare=_declaration(fields),
        x_bindings=fields.each("x-bindings", _BINDING, _binding),
        properties=fields.map("properties"),
        capabilities=fields.texts("capabilities"),
    )


def _link_options(fields: "_Fields") -> LinkOptions:
    subscribe = fields.map("x-subscribe")
    fields.inner("x-subscribe", subscribe).map("arguments")
    return LinkOptions(
        name=fields.text("name"),
        durable=fields.flag("durable"),
        reliability=fields.choice("reliability", Reliability),
        x_declare=_declaration(fields),
        x_subscribe=subscribe,
        x_bindings=fields.each("x-bindings", _BINDING, _binding),
        selector=fields.text("selector"),
        timeout=fields.number("timeout"),
        filter=fields.each("filter", _FILTER, _filter),
        properties=fields.map("properties"),
        capabilities=fields.texts("capabilities"),
    )


def _declaration(fields: "_Fields") -> dict[str, Value]:
    declaration = fields.map("x-declare")
    fields.inner("x-declare", declaration).map("arguments")
    return declaration


def _binding(fields: "_Fields") -> Binding:
    return Binding(fields.text("exchange"), fields.text("queue"), fields.text("key"), fields.map("arguments"))


def _filter(fields: "_Fields") -> LinkFilter:
    name = fields.text("name")
    descriptor = fields.value("descriptor")
    if name is None:
        raise fields.fault("name", "is missing; a filter has name, descriptor and value")
    if isinstance(descriptor, bool) or not isinstance(descriptor, str | int):
        raise fields.fault("descriptor", f"is {descriptor!r}; expected a symbol or a number")
    return LinkFilter(name, descriptor, fields.value("value"))


@final
class _Fields:
    """Typed access to a map of options, whose names must be among `names`; absent ones are None or empty."""

    def __init__(
        self, text: str, path: str, entries: Mapping[Key, Value] | Mapping[str, Value], names: tuple[str, ...]
    ) -> None:
        self._text = text
        self._path = path
        self._entries: dict[Key, Value] = dict(entries.items())
        for name in entries:
            if names and name not in names:
                matches = difflib.get_close_matches(str(name), names, n=1)
                hint = f"did you mean {matches[0]!r}?" if matches else "the options are " + ", ".join(names)
                raise InvalidAddressError(f"unknown option {path + str(name)!r}; {hint}", text)

    def value(self, name: str) -> Value:
        return self._entries.get(name)

    def flag(self, name: str) -> bool | None:
        return self._typed(name, "true or false", lambda value: value if isinstance(value, bool) else None)

    def text(self, name: str) -> str | None:
        return self._typed(name, "a text", lambda value: value if isinstance(value, str) else None)

    def number(self, name: str) -> int | float | None:
        return self._typed(name, "a number", _number)

    def choice(self, name: str, kind: type[E]) -> E | None:
        members = {member.value: member for member in kind}
        expected = "one of " + ", ".join(members)
        return self._typed(
            name, expected, lambda value: members.get(value) if isinstance(value, str) else None
        )

    def map(self, name: str) -> dict[str, Value]:
        """A map whose keys are texts."""
        return self._typed(name, "a map whose keys are texts", _text_map) or {}

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of texts, or one text."""
        return self._typed(name, "a text or a list of texts", _texts) or ()

    def within(self, name: str, names: tuple[str, ...]) -> "_Fields":
        """The map of this name, whose options have these names."""
        entries = self._typed(name, "a map", lambda value: value if isinstance(value, dict) else None)
        return _Fields(self._text, f"{self._path}{name}.", entries or {}, names)

    def inner(self, name: str, entries: Mapping[str, Value]) -> "_Fields":
        """A map of this name in which every key is allowed."""
        return _Fields(self._text, f"{self._path}{name}.", entries, ())

    def each(self, name: str, names: tuple[str, ...], convert: "Callable[[_Fields], T]") -> tuple[T, ...]:
        """A list of maps, or one map, each converted."""
        entries = self._typed(name, "a map or a list of maps", _maps) or []
        return tuple(
            convert(_Fields(self._text, f"{self._path}{name}[{index}].", entry, names))
            for index, entry in enumerate(entries)
        )

    def fault(self, name: str, fault: str) -> InvalidAddressError:
        return InvalidAddressError(f"option {self._path + name!r} {fault}", self._text)

    def _typed(self, name: str, expected: str, read: Callable[[Value], T | None]) -> T | None:
        if name not in self._entries:
            return None
        value = self._entries[name]
        read_value = read(value)
        if read_value is None:
            raise self.fault(name, f"is {_shown(value)}; expected {expected}")
        return read_value


def _shown(value: Value) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}..."


def _number(value: Value) -> int | float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _text_map(value: Value) -> dict[str, Value] | None:
    if not isinstance(value, dict):
        return None
    entries = {key: item for key, item in value.items() if isinstance(key, str)}
    return entries if len(entries) == len(value) else None


def _texts(value: Value) -> tuple[str, ...] | None:
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, list):
        return None
    texts = tuple(item for item in value if isinstance(item, str))
    return texts if len(texts) == len(value) else None


def _maps(value: Value) -> list[dict[Key, Value]] | None:
    if isinstance(value, dict):
        return [value]
    if not isinstance(value, list):
        return None
    maps = [item for item in value if isinstance(item, dict)]
    return maps if len(maps) == len(value) else None
