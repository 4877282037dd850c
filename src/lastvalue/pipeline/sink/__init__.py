"""The sink `lastvalue`: rows of a DataFrame into a queue."""
