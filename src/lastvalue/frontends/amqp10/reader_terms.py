"""What a reader's link asks of the messages it is given: the one place where a source becomes terms."""

from lastvalue.codec.amqp10.performatives import Attach, Source
from lastvalue.codec.amqp10.values import Value
from lastvalue.queues.subscription import ANY, Terms


def reader_terms(source: Source, attach: Attach | None) -> tuple[Terms, dict[str, Value]]:
    """The reader's terms, and the filters among the source's that they are in place for."""
    del source, attach
    return ANY, {}
