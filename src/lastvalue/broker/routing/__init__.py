"""Exchanges, their bindings, and the way of a message from an exchange to queues."""
