"""Quick ways from AMQP 0-10 to the encoding of the broker and back, beside the readable ones."""
