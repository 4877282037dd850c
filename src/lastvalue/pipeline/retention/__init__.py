"""What a queue retains of a history of messages, and in which order it delivers them."""
