"""Requests in messages to the address `activemq.management`, and the answers to them.

A request names a resource and an attribute of it, or an operation whose parameters are its body, as JSON.
"""

import json
from collections.abc import Mapping
from typing import Any, Final, final

from lastvalue.broker.broker import Broker
from lastvalue.broker.long_commands import LongCommand
from lastvalue.broker.rights.owner import Owner
from lastvalue.codec.amqp10.content import BodyKind, MessageContent, decode_content, encode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.amqp10.sections import check_structure
from lastvalue.codec.amqp10.values import Byte
from lastvalue.codec.core.jms_names import JMS_TYPES, TEXT_TYPE
from lastvalue.codec.core.reader import CoreReader
from lastvalue.compat.artemis.management.address_control import (
    ADDRESS_ATTRIBUTES,
    ADDRESS_OPERATIONS,
)
from lastvalue.compat.artemis.management.address_names import check_address
from lastvalue.compat.artemis.management.broker_control import BROKER_ATTRIBUTES, BROKER_OPERATIONS
from lastvalue.compat.artemis.management.management_call import (
    ManagementCall,
    ManagementError,
    Operation,
    read_json,
)
from lastvalue.compat.artemis.management.notifications import Notifications
from lastvalue.compat.artemis.management.queue_attributes import QUEUE_ATTRIBUTES
from lastvalue.compat.artemis.management.queue_control import QUEUE_OPERATIONS
from lastvalue.frontends.core.broker_state import Management
from lastvalue.frontends.core.declarations import MANAGEMENT_ADDRESS
from lastvalue.model.errors import BrokerError, LastvalueError
from lastvalue.model.property_names import JMS_MESSAGE_TYPE

RESOURCE: Final = "_AMQ_ResourceName"
ATTRIBUTE: Final = "_AMQ_Attribute"
OPERATION: Final = "_AMQ_OperationName"
SUCCEEDED: Final = "_AMQ_OperationSucceeded"

_OFF: Final = "management over CORE is off here; core_management = true turns it on"
_QUEUE: Final = "queue."
_ADDRESS: Final = "address."
_BROKER: Final = "broker"


@final
class ManagementRequests(Management):
    """Carries out requests; each answer is published to the request's reply address.

    Args:
        broker: that is managed.
        node_id: of the broker, as its clients know it.
        offered: requests are carried out, and there are notifications; else each request fails.
    """

    __slots__ = ("_broker", "_node_id", "_notifications", "_offered")

    def __init__(self, broker: Broker, node_id: str, offered: bool = True) -> None:
        self._broker = broker
        self._node_id = node_id
        self._offered = offered
        self._notifications: Notifications | None = None

    def begin(self) -> None:
        """See Management."""
        if self._offered and self._notifications is None:
            self._notifications = Notifications(self._broker)

    def takes(self, address: str) -> bool:
        """See Management."""
        return address == MANAGEMENT_ADDRESS

    def take(self, payload: bytes, owner: Owner, now: int) -> None:
        """See Management.

        Raises:
            LastvalueError: the request cannot be read.
        """
        check_structure(payload)
        request = decode_content(payload)
        call = ManagementCall(self._broker, self._node_id, owner, now)
        try:
            if not self._offered:
                raise BrokerError(_OFF)
            result, succeeded = _carried_out(call, request), True
        except LastvalueError as fault:
            result, succeeded = str(fault), False
        if request.reply_to is not None:
            # It comes after what the operation has begun, which may take several turns.
            self._broker.long_commands.begin(_Answer(call, request, result, succeeded), now)


@final
class _Answer(LongCommand):
    """Publishes an answer in the turn after that in which the operation was over."""

    __slots__ = ("_call", "_due", "_request", "_result", "_succeeded")

    def __init__(self, call: ManagementCall, request: MessageContent, result: Any, succeeded: bool) -> None:
        super().__init__(call.owner.connection)
        self._call = call
        self._request = request
        self._result = result
        self._succeeded = succeeded
        self._due = False

    def step(self, now: int) -> bool:
        """See LongCommand; at the second step the journal has what the operation did."""
        if not self._due:
            self._due = True
            return True
        result, succeeded = self._result, self._succeeded
        if callable(result):
            try:
                result = result()
            except LastvalueError as fault:
                result, succeeded = str(fault), False
        request = self._request
        content = MessageContent(
            to=request.reply_to,
            correlation_id=request.message_id if request.correlation_id is None else request.correlation_id,
            creation_time=now,
            message_annotations={JMS_MESSAGE_TYPE: Byte(JMS_TYPES[TEXT_TYPE])},
            application_properties={SUCCEEDED: succeeded},
            body=None if result is None else json.dumps([result]),
            body_kind=BodyKind.VALUE,
        )
        self._publish(encode_content(content), now)
        return False

    def _publish(self, payload: bytes, now: int) -> None:
        broker = self._call.broker
        try:
            node = broker.resolve(self._request.reply_to or "", True)
            if node is None:
                return
            target = broker.target(node, self._call.owner)
            broker.route(target, node.subject or "", read_message(payload), now)
            broker.release(target)
        except LastvalueError:
            # The caller may not publish there, or the queue does not take it: nobody waits for the answer.
            return


def _carried_out(call: ManagementCall, request: MessageContent) -> Any:
    """The result of an operation, or a function that returns it once what it has begun is over."""
    properties = request.application_properties
    resource, operation = str(properties.get(RESOURCE, "")), properties.get(OPERATION)
    kind, attributes, operations, name = _resource(call, resource)
    if operation is None:
        return _attribute(call, attributes, str(properties.get(ATTRIBUTE, "")), kind, name)
    parameters = _parameters(request)
    function = operations.get(str(operation))
    if function is None:
        if not parameters and _bare(str(operation)) in _by_name(attributes):
            return _attribute(call, attributes, str(operation), kind, name)
        raise ManagementError(
            f"there is no operation {str(operation)!r} of {resource!r}; known are {', '.join(operations)}"
        )
    try:
        return function(call, *name, *parameters)
    except TypeError as fault:
        raise ManagementError(f"wrong parameters of {operation}: {fault}") from None


def _resource(
    call: ManagementCall, resource: str
) -> tuple[str, Mapping[str, Operation], Mapping[str, Operation], tuple[str, ...]]:
    """The attributes and operations of a resource, and its name."""
    if resource == _BROKER:
        return _BROKER, BROKER_ATTRIBUTES, BROKER_OPERATIONS, ()
    if resource.startswith(_QUEUE):
        name = resource[len(_QUEUE) :]
        call.broker.show(name, call.owner)
        return _QUEUE, QUEUE_ATTRIBUTES, QUEUE_OPERATIONS, (name,)
    if resource.startswith(_ADDRESS):
        name = resource[len(_ADDRESS) :]
        check_address(call, name)
        return _ADDRESS, ADDRESS_ATTRIBUTES, ADDRESS_OPERATIONS, (name,)
    raise ManagementError(f"there is no resource {resource!r}; expected broker, queue.NAME or address.NAME")


def _attribute(
    call: ManagementCall,
    attributes: Mapping[str, Operation],
    named: str,
    kind: str,
    name: tuple[str, ...],
) -> Any:
    read = _by_name(attributes).get(_bare(named))
    if read is None:
        raise ManagementError(f"there is no attribute {named!r}; known are {', '.join(attributes)}")
    if kind == _QUEUE:
        return read(call, call.broker.lookup(name[0]))
    return read(call, *name)


def _by_name(attributes: Mapping[str, Operation]) -> dict[str, Operation]:
    return {name.lower(): read for name, read in attributes.items()}


def _bare(named: str) -> str:
    """An attribute's name without what Java puts before it."""
    for prefix in ("get", "is"):
        rest = named.removeprefix(prefix)
        if rest != named and rest[:1].isupper():
            return rest.lower()
    return named.lower()


def _parameters(request: MessageContent) -> list[Any]:
    body = request.body
    if isinstance(body, bytes):
        # A message of the default type, whose body is a text of CORE.
        body = CoreReader(body).nullable_simple_string() if body else None
    if body is None:
        return []
    if not isinstance(body, str):
        raise ManagementError("the parameters of an operation are a text: a JSON array")
    found = read_json(body, "the text of the parameters")
    if not isinstance(found, list):
        raise ManagementError(f"the parameters of an operation are {body!r:.60}; expected a JSON array")
    return found
