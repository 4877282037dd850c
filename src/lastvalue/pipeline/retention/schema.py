"""The columns in which the plans of `retained` tell where messages stand; no other column is named so."""

from typing import Final

QUEUE: Final = "__lastvalue_queue"
"""The queue's name; null where a history is of one queue."""
SEQUENCE: Final = "__lastvalue_sequence"
ARRIVAL_MS: Final = "__lastvalue_arrival_ms"
EXPIRY_MS: Final = "__lastvalue_expiry_ms"
"""When the producer lets the message expire, whatever its time to live."""
DELIVERY_MS: Final = "__lastvalue_delivery_ms"
"""When it may be delivered at the earliest, whatever its annotations say."""
DEADLINE_MS: Final = "__lastvalue_deadline_ms"
"""When it expires on the queue."""
PLACE: Final = "__lastvalue_place"
"""The sequence of the message whose place it took, or its own."""
UPDATES: Final = "__lastvalue_updates"
STATE: Final = "__lastvalue_state"

AVAILABLE: Final = "available"
HELD_BACK: Final = "held_back"

ENGINE_COLUMNS: Final = (QUEUE, SEQUENCE, ARRIVAL_MS, EXPIRY_MS, DELIVERY_MS)
"""What the engine is told of a message besides its fields."""

RETAINED_COLUMNS: Final = (QUEUE, SEQUENCE, PLACE, UPDATES, STATE, DEADLINE_MS)
"""What tells where a message stands."""

RETENTION_SCHEMA: Final = (
    f"{QUEUE} string, {SEQUENCE} long, {PLACE} long, {UPDATES} long, {STATE} string, {DEADLINE_MS} long"
)
