"""Management over messages of CORE, without a connection: requests to a broker, and what it answers."""

import json
from collections.abc import Mapping
from typing import Any

from lastvalue.broker.broker import Broker
from lastvalue.broker.rights.owner import BROKER, NOBODY, Owner
from lastvalue.codec.amqp10.content import BodyKind, MessageContent, decode_content, encode_content
from lastvalue.codec.amqp10.message import read_message
from lastvalue.codec.core.writer import CoreWriter
from lastvalue.compat.artemis.management.management_requests import ManagementRequests
from lastvalue.queues.spec_arguments import spec_from_arguments

ANSWERS = "answers"
NOW = 1_700_000_000_000


class ManagedBroker:
    """A broker, and a caller of its management."""

    def __init__(self) -> None:
        self.broker = Broker(all_effects=False)
        self.broker.declare(spec_from_arguments(ANSWERS, {}))
        self.requests = ManagementRequests(self.broker, "node-1")
        self.now = NOW

    def declare(self, name: str, **options: Any) -> None:
        """Make a queue."""
        self.broker.declare(spec_from_arguments(name, options))

    def publish(self, name: str, *texts: str, **properties: Any) -> None:
        """Publish texts to a queue."""
        target = self.broker.queue_target(name)
        for text in texts:
            content = MessageContent(body=text, body_kind=BodyKind.VALUE, application_properties=properties)
            assert self.broker.publish(target, read_message(encode_content(content)), self.now)
        self.broker.release(target)

    def depth(self, name: str) -> int:
        """How many messages a queue holds."""
        return int(self.broker.lookup(name).queue.depth)

    def ask(self, resource: str, operation: str, *parameters: Any, owner: Owner = NOBODY) -> Any:
        """The result of an operation that succeeds."""
        succeeded, result = self.asked(
            {"_AMQ_ResourceName": resource, "_AMQ_OperationName": operation}, parameters, owner
        )
        assert succeeded, result
        return result

    def refusal(self, resource: str, operation: str, *parameters: Any, owner: Owner = NOBODY) -> str:
        """Why an operation is refused."""
        succeeded, result = self.asked(
            {"_AMQ_ResourceName": resource, "_AMQ_OperationName": operation}, parameters, owner
        )
        assert not succeeded, result
        return str(result)

    def attribute(self, resource: str, name: str, owner: Owner = NOBODY) -> Any:
        """An attribute that there is."""
        succeeded, result = self.asked({"_AMQ_ResourceName": resource, "_AMQ_Attribute": name}, (), owner)
        assert succeeded, result
        return result

    def asked(
        self, properties: Mapping[str, Any], parameters: tuple[Any, ...], owner: Owner
    ) -> tuple[bool, Any]:
        """Whether a request succeeds, and the answer's result."""
        writer = CoreWriter()
        writer.nullable_simple_string(json.dumps(parameters) if parameters else None)
        content = MessageContent(
            reply_to=ANSWERS,
            correlation_id="c",
            application_properties=properties,
            body=writer.data(),
            body_kind=BodyKind.DATA,
        )
        self.requests.take(encode_content(content), owner, self.now)
        while self.broker.long_commands.busy:
            self.broker.long_commands.step(self.now)
        queue = self.broker.lookup(ANSWERS).queue
        (entry,) = queue.entries()
        self.broker.purge(ANSWERS, BROKER)
        answer = decode_content(entry.message.encoded)
        assert answer.correlation_id == "c"
        result = None if answer.body is None else json.loads(str(answer.body))[0]
        return answer.application_properties["_AMQ_OperationSucceeded"] is True, result
