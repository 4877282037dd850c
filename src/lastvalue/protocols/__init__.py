"""Sans-IO protocol engines: bytes and the time in, events and bytes out."""
