"""Fast paths between AMQP 0-10 and the broker's encoding, beside the general conversion."""
