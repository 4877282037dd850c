"""Fast paths for the most frequent AMQP 1.0 frames; the general codec takes all others."""
