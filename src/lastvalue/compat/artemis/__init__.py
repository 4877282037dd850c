"""Artemis's: management over messages of CORE, and the reading of a `broker.xml`."""
