"""SQL over queues as they are and as they were, by DuckDB."""
