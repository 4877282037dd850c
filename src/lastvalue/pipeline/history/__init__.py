"""Queries on the history of a queue."""
