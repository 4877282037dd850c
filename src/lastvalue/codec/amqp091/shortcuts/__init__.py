"""Quick ways from AMQP 0-9-1 to the encoding of the broker and back, beside the readable ones."""
