"""Queues by name, who reads them, and who gets the next message."""
