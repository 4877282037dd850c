"""MQTT's packets as commands to the broker."""
