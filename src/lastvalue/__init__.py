"""A message broker for current state, with its data pipeline on Spark."""

__version__ = "0.1.0"
