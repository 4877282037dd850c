"""The columns in which the plans of `retained` return retained messages; their names are reserved."""

from typing import Final

QUEUE: Final = "__lastvalue_queue"
"""The queue's name; null if the history has only one queue."""
SEQUENCE: Final = "__lastvalue_sequence"
ARRIVAL_MS: Final = "__lastvalue_arrival_ms"
EXPIRY_MS: Final = "__lastvalue_expiry_ms"
"""The expiry time of the producer, which overrides the time to live."""
DELIVERY_MS: Final = "__lastvalue_delivery_ms"
"""The earliest time of delivery, which overrides the annotations."""
DEADLINE_MS: Final = "__lastvalue_deadline_ms"
"""When the message expires on the queue."""
PLACE: Final = "__lastvalue_place"
"""The sequence of the message whose place this one took, or its own."""
UPDATES: Final = "__lastvalue_updates"
STATE: Final = "__lastvalue_state"

AVAILABLE: Final = "available"
HELD_BACK: Final = "held_back"

ENGINE_COLUMNS: Final = (QUEUE, SEQUENCE, ARRIVAL_MS, EXPIRY_MS, DELIVERY_MS)
"""The engine's input for a message, besides its fields."""

RETAINED_COLUMNS: Final = (QUEUE, SEQUENCE, PLACE, UPDATES, STATE, DEADLINE_MS)
"""The output of all plans."""

RETENTION_SCHEMA: Final = (
    f"{QUEUE} string, {SEQUENCE} long, {PLACE} long, {UPDATES} long, {STATE} string, {DEADLINE_MS} long"
)
