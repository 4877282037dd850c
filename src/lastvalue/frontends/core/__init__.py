"""CORE: engine events become commands of the broker."""
