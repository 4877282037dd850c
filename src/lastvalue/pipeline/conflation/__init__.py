"""Conflation: many rows of a key become one."""
