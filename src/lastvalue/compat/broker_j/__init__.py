"""Broker-J's REST API: the objects, attributes and operations that its users' scripts name."""
