"""The declaration arguments of an address's node."""

from lastvalue.addresses.address import Address, NodeType
from lastvalue.addresses.address_text import address_text
from lastvalue.addresses.errors import InvalidAddressError
from lastvalue.addresses.parts import Value


def node_arguments(address: Address) -> dict[str, Value]:
    """The arguments with which the address's node is declared: x-declare, with its `arguments` merged in.

    They include `node.durable`. `exclusive: true` becomes the policy `session`, because a flag of that name
    means something else in Artemis; a topic's `type` becomes `exchange-type`, because a queue has a type too.

    Raises:
        InvalidAddressError: one argument has two different values.
    """
    node = address.options.node
    arguments: dict[str, Value] = {}
    fields = {name: value for name, value in node.x_declare.items() if name != "arguments"}
    if node.type is NodeType.TOPIC and "type" in fields:
        fields["exchange-type"] = fields.pop("type")
    exclusive = fields.get("exclusive")
    if isinstance(exclusive, bool):
        fields["exclusive"] = "session" if exclusive else "none"
    durable = {} if node.durable is None else {"durable": node.durable}
    for source in (fields, _declared_arguments(address), durable):
        for name, value in source.items():
            if name in arguments and arguments[name] != value:
                fault = f"{name!r} cannot be both {arguments[name]!r} and {value!r}"
                raise InvalidAddressError(fault, address_text(address))
            arguments[name] = value
    return arguments


def _declared_arguments(address: Address) -> dict[str, Value]:
    arguments = address.options.node.x_declare.get("arguments")
    if not isinstance(arguments, dict):
        return {}
    return {str(name): value for name, value in arguments.items()}
