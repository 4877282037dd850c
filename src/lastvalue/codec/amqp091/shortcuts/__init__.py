"""Fast paths between AMQP 0-9-1 and the broker's encoding, beside the general conversion."""
