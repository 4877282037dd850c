"""What comes from Mosquitto: its configuration, its access list and its passwords."""
