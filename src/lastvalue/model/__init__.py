"""Values that every part shares: what a message is to a queue, conditions, errors."""
