"""AMQP 0-10: what commands do to the broker, and what the broker sends; QMF among it."""
