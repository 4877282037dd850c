"""Composite types [1.0 §1.4]: dataclasses that stand for described lists.

A composite is declared as the specification prints it: wire type, mandatory, default, multiple.

    @composite(0x10, "open")
    @dataclass(frozen=True, slots=True, kw_only=True)
    class Open:
        container_id: str = field(metadata=wire("string"))                        # no default: mandatory
        max_frame_size: int = field(default=2**32 - 1, metadata=wire("uint"))
        offered_capabilities: tuple[str, ...] = field(default=(), metadata=wire("symbol", multiple=True))
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, dataclass, fields
from typing import Any, Final, TypeVar
from uuid import UUID

from mypy_extensions import mypyc_attr

from lastvalue.codec.amqp10.errors import DecodeError, EncodeError, FieldError
from lastvalue.codec.amqp10.values import (
    Array,
    Described,
    Symbol,
    Timestamp,
    UByte,
    UInt,
    ULong,
    UShort,
    Value,
)

_T = TypeVar("_T")


@mypyc_attr(native_class=False)
@dataclass(frozen=True, slots=True)
class Rule:
    """One field of a composite, as the specification declares it.

    Attributes:
        name: the field's name in the specification.
        attribute: its name in Python.
        kind: its wire type, or the family of composites that it accepts.
        mandatory: null is refused.
        default: the value that null means.
        multiple: a tuple in Python; on the wire null, one value, or an array [1.0 §1.4].
        choices: the allowed values; empty if all are allowed.
    """

    name: str
    attribute: str
    kind: str
    mandatory: bool
    default: Value
    multiple: bool
    choices: tuple[Value, ...]


@mypyc_attr(native_class=False)
@dataclass(frozen=True, slots=True)
class Composite:
    """A composite type: its class, descriptor and fields in their order on the wire."""

    cls: type[Any]
    code: int
    name: str
    family: str
    rules: tuple[Rule, ...]


_BY_CLASS: Final[dict[type, Composite]] = {}
_BY_DESCRIPTOR: Final[dict[Value, Composite]] = {}


def wire(kind: str, *, multiple: bool = False, choices: tuple[Value, ...] = ()) -> Mapping[str, Any]:
    """The metadata of a dataclass field: its form on the wire."""
    return {"kind": kind, "multiple": multiple, "choices": choices}


def composite(code: int, name: str, family: str = "") -> Callable[[type[_T]], type[_T]]:
    """Declare a dataclass as the composite type `amqp:<name>:list` with the descriptor `code`.

    The family is the name by which fields accept any of several types, such as "delivery-state"; the default
    is the type's own name.
    """

    def declare(cls: type[_T]) -> type[_T]:
        declared: tuple[Field[Any], ...] = fields(cls)  # type: ignore[arg-type]  # a dataclass, which type[_T] cannot say
        layout = Composite(cls, code, name, family or name, tuple([_rule(each) for each in declared]))
        _BY_CLASS[cls] = layout
        _BY_DESCRIPTOR[code] = layout
        _BY_DESCRIPTOR[f"amqp:{name}:list"] = layout
        return cls

    return declare


def _rule(field: Field[Any]) -> Rule:
    mandatory = field.default is MISSING and field.default_factory is MISSING
    default: Value = None
    if field.default is not MISSING:
        default = field.default
    elif field.default_factory is not MISSING:
        default = field.default_factory()
    return Rule(
        name=field.name.replace("_", "-"),
        attribute=field.name,
        kind=field.metadata["kind"],
        mandatory=mandatory,
        default=default,
        multiple=field.metadata["multiple"],
        choices=field.metadata["choices"],
    )


def family_of(value: Value) -> str:
    """The family of a composite; empty for any other value."""
    layout = _BY_CLASS.get(type(value))
    return "" if layout is None else layout.family


def composed(value: Value) -> Value:
    """The composite of a described value; any other value unchanged.

    Raises:
        FieldError: a field is missing, unknown, of the wrong type or out of range.
        DecodeError: the described value is not a list.
    """
    if not isinstance(value, Described):
        return value
    descriptor = value.descriptor
    if not isinstance(descriptor, (ULong, Symbol)):
        return value
    layout = _BY_DESCRIPTOR.get(descriptor)
    if layout is None:
        return value
    items = value.value
    if not isinstance(items, list):
        raise DecodeError(f"{layout.name} is a list, not {items!r:.80}")
    if len(items) > len(layout.rules):
        raise DecodeError(f"{layout.name} has {len(layout.rules)} fields, not {len(items)}")
    arguments: dict[str, Any] = {}
    for position, rule in enumerate(layout.rules):
        item = items[position] if position < len(items) else None
        if item is not None:
            arguments[rule.attribute] = _converted(layout, rule, item)
        elif rule.mandatory:
            raise FieldError(layout.name, rule.name, "is mandatory")
    return layout.cls(**arguments)


def _converted(layout: Composite, rule: Rule, item: Value) -> Value:
    try:
        if rule.multiple:
            items = item.items if isinstance(item, Array) else (item,)
            return tuple([_TAKERS[rule.kind](each) for each in items])
        value = _TAKERS[rule.kind](item)
    except TypeError:
        raise FieldError(layout.name, rule.name, f"is a {rule.kind}, not {item!r:.80}") from None
    if rule.choices and value not in rule.choices:
        raise FieldError(layout.name, rule.name, f"is one of {rule.choices}, not {value!r:.80}")
    return value


def decomposed(value: Value) -> Value:
    """The described value of a composite; any other value unchanged.

    Raises:
        EncodeError: a mandatory field is None, or a field's value is of the wrong type.
    """
    layout = _BY_CLASS.get(type(value))
    if layout is None:
        return value
    items: list[Value] = []
    last = 0
    for rule in layout.rules:
        item = getattr(value, rule.attribute)
        if item is None and rule.mandatory:
            raise EncodeError(f"{layout.name}.{rule.name} is mandatory")
        if item is None or (item == rule.default and not rule.mandatory):
            items.append(None)
            continue
        try:
            items.append(_encode_all(rule, item) if rule.multiple else _GIVERS[rule.kind](item))
        except (TypeError, ValueError) as fault:
            raise EncodeError(f"{layout.name}.{rule.name} is a {rule.kind}, not {item!r:.80}") from fault
        last = len(items)
    # [1.0 §1.4] Trailing nulls may be left out.
    return Described(ULong(layout.code), items[:last])


def _encode_all(rule: Rule, items: tuple[Value, ...]) -> Value:
    values = [_GIVERS[rule.kind](item) for item in items]
    return values[0] if len(values) == 1 else Array(rule.kind, values)


def _exactly(*types: type) -> Callable[[Value], Value]:
    """Accepts only values of these types; returns numbers as plain int and symbols as plain str."""

    def take(value: Value) -> Value:
        if type(value) not in types:
            raise TypeError
        # Checked before the value is narrowed to int, because mypyc then no longer distinguishes bool.
        if type(value) is bool:
            return value
        if isinstance(value, int):
            return int(value)
        return str(value) if isinstance(value, str) else value

    return take


def _anything(value: Value) -> Value:
    return value


def _has_names(value: Mapping[Value, Value]) -> bool:
    return all(isinstance(key, str) for key in value)


def _take_fields(value: Value) -> Value:
    """[1.0 §2.8.9] Keys are symbols; strings are accepted, because several clients send them."""
    if not isinstance(value, dict) or not _has_names(value):
        raise TypeError
    return {key: composed(item) for key, item in value.items()}


def _give_fields(value: Value) -> Value:
    if not isinstance(value, Mapping) or not _has_names(value):
        raise TypeError
    return {Symbol(key): decomposed(item) for key, item in value.items()}


def _take_map(value: Value) -> Value:
    if not isinstance(value, dict):
        raise TypeError
    return {key: composed(item) for key, item in value.items()}


def _give_map(value: Value) -> Value:
    if not isinstance(value, Mapping):
        raise TypeError
    return {key: decomposed(item) for key, item in value.items()}


def _take_family(family: str) -> Callable[[Value], Value]:
    """Accepts the family's composites, and described values of unknown types."""

    def take(value: Value) -> Value:
        if not isinstance(value, Described):
            raise TypeError
        result = composed(value)
        if isinstance(result, Described) and family not in {"delivery-state", "source", "target"}:
            raise TypeError
        if not isinstance(result, Described) and family_of(result) != family:
            raise TypeError
        return result

    return take


def _give_family(family: str) -> Callable[[Value], Value]:
    def give(value: Value) -> Value:
        if not isinstance(value, Described) and family_of(value) != family:
            raise TypeError
        return decomposed(value)

    return give


def _give_message_id(value: Value) -> Value:
    if isinstance(value, int) and not isinstance(value, bool):
        return ULong(value)
    if not isinstance(value, (str, bytes, UUID)):
        raise TypeError
    return value


def _give(cls: type, needed: type) -> Callable[[Value], Value]:
    def give(value: Value) -> Value:
        if not isinstance(value, needed) or (needed is int and isinstance(value, bool)):
            raise TypeError
        return cls(value)

    return give


_FAMILIES: Final = ("delivery-state", "error", "source", "target")

_TAKERS: Final[dict[str, Callable[[Value], Value]]] = {
    "*": _anything,
    "boolean": _exactly(bool),
    "ubyte": _exactly(UByte),
    "ushort": _exactly(UShort),
    "uint": _exactly(UInt),
    "ulong": _exactly(ULong),
    "timestamp": _exactly(Timestamp),
    "binary": _exactly(bytes),
    "string": _exactly(str),
    "symbol": _exactly(Symbol),
    "message-id": _exactly(ULong, UUID, bytes, str),
    "fields": _take_fields,
    "map": _take_map,
    **{family: _take_family(family) for family in _FAMILIES},
}

_GIVERS: Final[dict[str, Callable[[Value], Value]]] = {
    "*": decomposed,
    "boolean": _give(bool, bool),
    "ubyte": _give(UByte, int),
    "ushort": _give(UShort, int),
    "uint": _give(UInt, int),
    "ulong": _give(ULong, int),
    "timestamp": _give(Timestamp, int),
    "binary": _give(bytes, bytes),
    "string": _give(str, str),
    "symbol": _give(Symbol, str),
    "message-id": _give_message_id,
    "fields": _give_fields,
    "map": _give_map,
    **{family: _give_family(family) for family in _FAMILIES},
}
