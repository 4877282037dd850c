"""A gateway before a broker, and callers of the gateway."""

from gateway_fixtures import http, served

__all__ = ["http", "served"]
