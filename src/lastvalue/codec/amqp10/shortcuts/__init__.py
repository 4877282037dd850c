"""Fast paths for the most frequent AMQP 1.0 frames, beside the general codec."""
