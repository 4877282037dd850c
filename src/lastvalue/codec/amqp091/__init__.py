"""Encodes and decodes AMQP 0-9-1, 0-9 and 0-8."""
