"""Between engines and the broker, a package a protocol: events to commands, outcomes to engine calls."""
