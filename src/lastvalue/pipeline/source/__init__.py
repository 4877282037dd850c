"""The source `lastvalue`: a queue as a DataFrame."""
