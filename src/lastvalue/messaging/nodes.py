"""What the policies of an address do: create, assert, delete."""

from dataclasses import replace
from uuid import uuid4

from lastvalue.addresses import Address, NodeType, Policy, Side, node_arguments
from lastvalue.client.queue_info import QueueInfo
from lastvalue.messaging.errors import AssertionFailed, NotAvailable, NotFound
from lastvalue.messaging.opened import OpenConnection
from lastvalue.queues.declaration import spec_from_arguments, spec_to_arguments
from lastvalue.queues.options import BY_SPELLING


async def resolve(opened: OpenConnection, address: Address, side: Side) -> Address:
    """The address of a queue that exists as the address says, created where its policy lets it.

    A temporary address gets a name of its own, and the policy to be deleted.

    Raises:
        NotFound: there is none, and it is not to be created.
        AssertionFailed: it differs from what is asserted.
        InvalidSpecError: x-declare is no declaration.
    """
    _refuse_what_is_not_done(address)
    options = address.options
    if address.is_temporary:
        address = replace(
            address,
            name=f"{uuid4()}{address.name}",
            options=replace(options, create=Policy.ALWAYS, delete=Policy.ALWAYS),
        )
    creates, asserts = address.options.create.covers(side), options.assert_.covers(side)
    if not creates and not asserts:
        # Attaching finds out.
        return address
    found = await opened.find(address.name)
    if found is None:
        if not creates:
            raise NotFound(f"no such queue: {address.name}")
        await _create(opened, address)
    elif asserts:
        differences = _differences(address, found)
        if differences:
            raise AssertionFailed(address.name, differences)
    return address


async def _create(opened: OpenConnection, address: Address) -> None:
    if address.options.node.type is NodeType.TOPIC:
        raise NotAvailable(f"{address.name!r} is to be a topic; this client creates queues")
    arguments = dict(node_arguments(address))
    # Says what is wrong before the broker does, and refuses names that are no option, such as `name`.
    spec_from_arguments(address.name, arguments)
    await opened.declare(address, arguments)


def _differences(address: Address, found: QueueInfo) -> tuple[str, ...]:
    """What the address says and the queue is not; what the address does not say may be anything."""
    if address.options.node.type is NodeType.TOPIC:
        return ("type: wanted topic, has queue",)
    arguments = node_arguments(address)
    wanted = dict(spec_to_arguments(spec_from_arguments(address.name, arguments)))
    if wanted["type"] == "standard" and "type" not in arguments:
        # Every declaration has a type; here nothing asks for it.
        del wanted["type"]
    for spelling in arguments:
        option = BY_SPELLING.get(spelling)
        if option is not None and option.default is not None:
            # Said, and the default, which declarations leave out.
            wanted.setdefault(option.name, option.default)
    pairs = [(name, value, found.options.get(name, _default(name))) for name, value in wanted.items()]
    return tuple(f"{name}: wanted {value!r}, has {has!r}" for name, value, has in pairs if value != has)


def _default(name: str) -> object:
    return BY_SPELLING[name].default


def _refuse_what_is_not_done(address: Address) -> None:
    node, link = address.options.node, address.options.link
    for name, value in (
        ("node.x-bindings", node.x_bindings),
        ("node.properties", node.properties),
        ("node.capabilities", node.capabilities),
        ("link.durable", link.durable),
        ("link.timeout", link.timeout),
        ("link.x-declare", link.x_declare),
        ("link.x-bindings", link.x_bindings),
        ("link.properties", link.properties),
        ("link.capabilities", link.capabilities),
    ):
        if value:
            raise NotAvailable(f"{name} is not available in this client; {address.name!r} asks for it")
