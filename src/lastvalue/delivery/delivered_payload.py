"""The encoding of a message as its queue's readers get it: with the expiry that the queue has set."""

from lastvalue.codec.amqp10.payloads import expiring_payload
from lastvalue.model.errors import LastvalueError
from lastvalue.model.message import NEVER
from lastvalue.queues.entry import FOREVER, Entry
from lastvalue.queues.spec import LARGEST


def delivered_payload(entry: Entry) -> bytes:
    """The message as it came; with the entry's expiry where the queue has set another than its producer.

    The bytes are the same at every delivery of an entry. A malformed message stays as it came.
    """
    message = entry.example
    extras = message.extras
    if entry.lifetime_ms == FOREVER and (extras is None or not extras.expires):
        return entry.encoded
    own_ms = message.expires_ms
    ttl_ms = message.ttl_ms
    if ttl_ms <= LARGEST and entry.arrival_ms + ttl_ms < own_ms:
        own_ms = entry.arrival_ms + ttl_ms
    if own_ms == entry.expires_ms or (own_ms > NEVER and entry.expires_ms == NEVER):
        return entry.encoded
    try:
        return expiring_payload(entry.encoded, entry.arrival_ms, entry.expires_ms)
    except LastvalueError:
        return entry.encoded
