"""The figures of a broker that its gateway keeps: the broker tells them, and the gateway shows them."""

from typing import Final

SUMS: Final = ("published", "acquired", "conflated")
"""Statistics of queues, summed over all of them."""

OF_BROKER: Final = ("held_bytes", "event_loop_lag_ms", "store_bytes")
"""Statistics of the broker."""

GATEWAY_FIGURES: Final = (*SUMS, *OF_BROKER)
"""All of them, in the order in which they are kept."""

EVERY_S: Final = 10.0
"""The seconds between two reports of them, or two requests for them."""
