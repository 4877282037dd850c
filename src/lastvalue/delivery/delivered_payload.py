"""The encoding of a message as its queue's readers get it: with the expiry that the queue has set."""

from mypy_extensions import i64

from lastvalue.codec.amqp10.payloads import expiring_payload
from lastvalue.model.errors import LastvalueError
from lastvalue.model.message import NEVER
from lastvalue.queues.entry import Entry
from lastvalue.queues.spec import LARGEST


def delivered_payload(entry: Entry) -> bytes:
    """The message as it came; with the entry's expiry where the queue has set another than its producer.

    The bytes are the same at every delivery of an entry. A malformed message stays as it came.
    """
    message = entry.message
    own_ms: i64 = min(message.expires_ms, NEVER)
    if message.ttl_ms <= LARGEST:
        own_ms = min(own_ms, entry.arrival_ms + message.ttl_ms)
    if own_ms == entry.expires_ms:
        return message.encoded
    try:
        return expiring_payload(message.encoded, entry.arrival_ms, entry.expires_ms)
    except LastvalueError:
        return message.encoded
