"""CORE: the engine of a connection."""
