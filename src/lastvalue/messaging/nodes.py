"""What the policies of an address do: create, assert, delete.

Queues are created, compared and deleted here, so that an assertion names each difference.
Where exchanges or bindings are asked for, the broker gets the whole address and carries out all of it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Final
from uuid import uuid4

from lastvalue.addresses import Address, NodeType, Policy, Side, address_text, node_arguments
from lastvalue.client.errors import RefusedError
from lastvalue.client.queue_info import QueueInfo
from lastvalue.messaging.errors import AssertionFailed, LinkError, NotAvailable, NotFound
from lastvalue.messaging.open_connection import OpenConnection
from lastvalue.model.conditions import Condition
from lastvalue.queues.options import BY_SPELLING
from lastvalue.queues.spec_arguments import spec_from_arguments, spec_to_arguments

_BROKERS_OWN: Final = "amq."


async def resolve_node(opened: OpenConnection, address: Address, side: Side) -> Address:
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
    if _is_the_brokers(address):
        return address
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


def terminus(address: Address) -> str:
    """The address that a link is attached to; the subject is said by messages, and by a receiver's filter."""
    return address_text(replace(address, subject=None)) if _is_the_brokers(address) else address.name


@contextmanager
def asserted(address: Address, side: Side) -> Iterator[None]:
    """Attaching in the block is where the broker asserts.

    Raises:
        AssertionFailed: the node differs.
    """
    try:
        yield
    except RefusedError as error:
        if error.condition is Condition.PRECONDITION_FAILED and address.options.assert_.covers(side):
            raise AssertionFailed(address.name, (error.description,)) from error
        raise


async def delete(opened: OpenConnection, address: Address, side: Side) -> None:
    """Delete the address's queue, where its policy says so and the broker does not do it by itself.

    Raises:
        MessagingError: the node is the broker's own.
    """
    if not address.options.delete.covers(side):
        return
    if address.name.startswith(_BROKERS_OWN):
        failure = LinkError(f"{address.name!r} is the broker's own and is not deleted")
        failure.condition = Condition.NOT_ALLOWED
        raise failure
    if not _is_the_brokers(address):
        await opened.delete(address.name)


def _is_the_brokers(address: Address) -> bool:
    node, link = address.options.node, address.options.link
    return node.type is NodeType.TOPIC or bool(node.x_bindings or link.x_bindings or link.x_declare)


async def _create(opened: OpenConnection, address: Address) -> None:
    arguments = dict(node_arguments(address))
    # Says what is wrong before the broker does, and refuses names that are no option, such as `name`.
    spec_from_arguments(address.name, arguments)
    await opened.declare(address, arguments)


def _differences(address: Address, found: QueueInfo) -> tuple[str, ...]:
    """What the address says and the queue is not; what the address does not say may be anything."""
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
        ("node.properties", node.properties),
        ("node.capabilities", node.capabilities),
        ("link.durable", link.durable),
        ("link.timeout", link.timeout),
        ("link.properties", link.properties),
        ("link.capabilities", link.capabilities),
    ):
        if value:
            raise NotAvailable(f"{name} is not available in this client; {address.name!r} asks for it")
