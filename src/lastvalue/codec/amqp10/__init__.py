"""AMQP 1.0 types, frames, performatives and messages."""
