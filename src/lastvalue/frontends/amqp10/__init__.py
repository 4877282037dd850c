"""AMQP 1.0: queues and `$management` as nodes."""
