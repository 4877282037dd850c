"""AMQP 0-9-1's methods as commands to the broker."""
