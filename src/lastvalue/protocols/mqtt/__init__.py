"""MQTT: the engine of a connection."""
