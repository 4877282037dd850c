"""Direct reply-to [RabbitMQ]: replies come to a queue of the channel's, which has its name for as long."""

from mypy_extensions import i64

from lastvalue.broker.queue_names import reply_queue
from lastvalue.queues.spec import QueueSpec
from lastvalue.queues.spec_arguments import spec_from_arguments


def reply_spec(principal: str, channel: i64) -> QueueSpec:
    """The queue that a channel's replies come to; it goes with its consumer."""
    arguments = {"exclusive": "connection", "lifetime": "delete-on-no-outbound-links"}
    return spec_from_arguments(reply_queue(principal, channel), arguments)
