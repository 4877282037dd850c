"""The filters of a receiver's address, as filters of an AMQP 1.0 source."""

from collections.abc import Mapping
from typing import Final

from lastvalue.addresses import Address, InvalidAddressError, address_text
from lastvalue.codec.amqp10.values import Described, Symbol, ULong, Value
from lastvalue.compat.qpid.messaging.errors import NotAvailable

SELECTOR: Final = "apache.org:selector-filter:string"
NO_LOCAL: Final = "apache.org:no-local-filter:list"


def link_filters(address: Address) -> dict[str, Value]:
    """The filters by name: the selector, those of `link.filter`, and a filter for each x-subscribe argument.

    Raises:
        NotAvailable: x-subscribe has keys other than arguments.
    """
    link = address.options.link
    filters: dict[str, Value] = {}
    if link.selector is not None:
        filters["selector"] = Described(Symbol(SELECTOR), link.selector)
    for each in link.filter:
        code = each.descriptor
        filters[each.name] = Described(Symbol(code) if isinstance(code, str) else ULong(code), each.value)
    for name, value in link.x_subscribe.items():
        if name != "arguments":
            raise NotAvailable(f"link.x-subscribe.{name} is not available in this client")
        if isinstance(value, Mapping):
            filters |= {str(argument): _argument(str(argument), item) for argument, item in value.items()}
    for name in filters:
        if not (name.isascii() and name):
            raise InvalidAddressError(
                f"{name!r} is not the name of a filter; names must be ASCII", address_text(address)
            )
    return filters


def check_in_place(address: Address, wanted: Mapping[str, Value], in_place: Mapping[str, Value]) -> None:
    """Check the broker's answer, which has the filters in effect [1.0 §3.5.3].

    Raises:
        NotAvailable: a requested filter is not in effect.
    """
    missing = [name for name in wanted if name not in in_place]
    if missing:
        raise NotAvailable(f"the broker does not filter messages of {address.name!r} by {', '.join(missing)}")


def _argument(name: str, value: Value) -> Value:
    if name == "no-local":
        return Described(Symbol(NO_LOCAL), [])
    return Described(Symbol(name), value)
