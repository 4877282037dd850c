"""Carries out the policies of an address: create, assert, delete.

Queues are created, compared and deleted here, so that a failed assertion names each difference.
For addresses with exchanges or bindings, the broker gets the whole address and carries it out.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Final
from uuid import uuid4

from lastvalue.addresses import Address, NodeType, Policy, Side, address_text, node_arguments
from lastvalue.client.errors import RefusedError
from lastvalue.client.queue_info import QueueInfo
from lastvalue.compat.qpid.messaging.errors import AssertionFailed, LinkError, NotAvailable, NotFound
from lastvalue.compat.qpid.messaging.open_connection import OpenConnection
from lastvalue.model.conditions import Condition
from lastvalue.queues.options import BY_SPELLING
from lastvalue.queues.spec_arguments import spec_from_arguments, spec_to_arguments

_BROKERS_OWN: Final = "amq."


async def resolve_node(opened: OpenConnection, address: Address, side: Side) -> Address:
    """Create, assert and look up the queue of an address as its policies say; returns the resolved address.

    A temporary address gets a unique name and the policy `delete`.

    Raises:
        NotFound: the queue does not exist, and the policy does not create it.
        AssertionFailed: the queue differs from the assertion.
        InvalidSpecError: x-declare is not a valid declaration.
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
        # Attaching checks whether the node exists.
        return address
    queue = await opened.find(address.name)
    if queue is None:
        if not creates:
            raise NotFound(f"no such queue: {address.name}")
        await _create(opened, address)
    elif asserts:
        differences = _differences(address, queue)
        if differences:
            raise AssertionFailed(address.name, differences)
    return address


def terminus(address: Address) -> str:
    """The address to which a link attaches; messages, or a receiver's filter, have the subject."""
    return address_text(replace(address, subject=None)) if _is_the_brokers(address) else address.name


@contextmanager
def asserted(address: Address, side: Side) -> Iterator[None]:
    """A block that attaches: the broker checks the assertion there.

    Raises:
        AssertionFailed: the node differs from the assertion.
    """
    try:
        yield
    except RefusedError as error:
        if error.condition is Condition.PRECONDITION_FAILED and address.options.assert_.covers(side):
            raise AssertionFailed(address.name, (error.description,)) from error
        raise


async def delete(opened: OpenConnection, address: Address, side: Side) -> None:
    """Delete the address's queue, if its policy says so and the broker does not do it itself.

    Raises:
        MessagingError: the node is one of the broker's own.
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
    # Finds faults before the broker does, and refuses names that are not options, such as `name`.
    spec_from_arguments(address.name, arguments)
    await opened.declare(address, arguments)


def _differences(address: Address, queue: QueueInfo) -> tuple[str, ...]:
    """The options of the address that differ from the queue's; other options may have any value."""
    arguments = node_arguments(address)
    wanted = dict(spec_to_arguments(spec_from_arguments(address.name, arguments)))
    if wanted["type"] == "standard" and "type" not in arguments:
        # Every declaration has a type, but the assertion did not name one.
        del wanted["type"]
    for spelling in arguments:
        option = BY_SPELLING.get(spelling)
        if option is not None and option.default is not None:
            # The address asserts the default, which declarations leave out.
            wanted.setdefault(option.name, option.default)
    pairs = [(name, value, queue.options.get(name, _default(name))) for name, value in wanted.items()]
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
