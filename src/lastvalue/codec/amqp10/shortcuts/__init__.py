"""Quick ways to read and write the frames of AMQP 1.0 that there are most of, beside the readable ones."""
