"""CORE, the protocol of Apache ActiveMQ Artemis: bytes to values and back."""
