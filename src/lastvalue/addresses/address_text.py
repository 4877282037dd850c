"""Writes addresses as text that parses to the same address."""

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Final

from lastvalue.addresses.address import Address, AddressOptions, Binding, LinkOptions, NodeOptions, Policy
from lastvalue.addresses.parts import CONSTANTS, Key, Parts, Value

_BARE_NAME: Final = re.compile(r"[A-Za-z0-9_.*#@$+-]+")
_BARE_WORD: Final = re.compile("[A-Za-z_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?")


def address_text(address: Address) -> str:
    """The address as a string, without options that have their default."""
    options = _options(address.options)
    return parts_text(Parts(address.name, address.subject, options or None))


def parts_text(parts: Parts) -> str:
    """The parts of an address as a string."""
    text = _name(parts.name)
    if parts.subject is not None:
        text += f"/{_name(parts.subject)}"
    if parts.options is not None:
        text += f"; {_value(parts.options)}"
    return text


# ---------------------------------------------------------------------- options to a map


def _options(options: AddressOptions) -> dict[Key, Value]:
    policies = {"create": options.create, "assert": options.assert_, "delete": options.delete}
    found: dict[Key, Value] = {
        name: policy.value for name, policy in policies.items() if policy is not Policy.NEVER
    }
    if options.mode is not None:
        found["mode"] = options.mode.value
    if node := _node(options.node):
        found["node"] = node
    if link := _link(options.link):
        found["link"] = link
    return found


def _node(node: NodeOptions) -> dict[Key, Value]:
    return _given(
        {
            "type": node.type.value if node.type else None,
            "durable": node.durable,
            "x-declare": _map(node.x_declare),
            "x-bindings": [_binding(binding) for binding in node.x_bindings],
            "properties": _map(node.properties),
            "capabilities": list(node.capabilities),
        }
    )


def _link(link: LinkOptions) -> dict[Key, Value]:
    return _given(
        {
            "name": link.name,
            "durable": link.durable,
            "reliability": link.reliability.value if link.reliability else None,
            "x-declare": _map(link.x_declare),
            "x-subscribe": _map(link.x_subscribe),
            "x-bindings": [_binding(binding) for binding in link.x_bindings],
            "selector": link.selector,
            "timeout": link.timeout,
            "filter": [
                {"name": each.name, "descriptor": each.descriptor, "value": each.value}
                for each in link.filter
            ],
            "properties": _map(link.properties),
            "capabilities": list(link.capabilities),
        }
    )


def _binding(binding: Binding) -> dict[Key, Value]:
    return _given(
        {
            "exchange": binding.exchange,
            "queue": binding.queue,
            "key": binding.key,
            "arguments": _map(binding.arguments),
        }
    )


def _map(entries: Mapping[str, Value]) -> dict[Key, Value]:
    return dict(entries.items())


def _given(entries: dict[Key, Value]) -> dict[Key, Value]:
    return {name: value for name, value in entries.items() if value is not None and value not in ([], {})}


# ---------------------------------------------------------------------- values to text


def _name(text: str) -> str:
    return text if _BARE_NAME.fullmatch(text) else _quoted(text)


def _value(value: Value) -> str:
    match value:
        case None | bool():
            return str(value)
        case str():
            return _quoted(value) if value in CONSTANTS or not _BARE_WORD.fullmatch(value) else value
        case dict():
            return "{" + ", ".join(f"{_key(key)}: {_value(item)}" for key, item in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(_value, value)) + "]"
        case _:
            return _number(value)


def _key(key: Key) -> str:
    if isinstance(key, str):
        return key if _BARE_WORD.fullmatch(key) else _quoted(key)
    return _number(key)


def _number(number: float) -> str:
    if isinstance(number, int):
        return str(number)
    # Without an exponent, which the grammar lacks, and with a point, without which it is a whole number.
    text = f"{Decimal(repr(number)):f}"
    return text if "." in text else f"{text}.0"


def _quoted(text: str) -> str:
    return "'" + "".join(map(_escaped, text)) + "'"


def _escaped(character: str) -> str:
    if character in "\\'":
        return f"\\{character}"
    code = ord(character)
    if character.isprintable() or code > 0xFFFF:
        return character
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
