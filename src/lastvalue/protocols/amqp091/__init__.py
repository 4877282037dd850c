"""The engine of AMQP 0-9-1, 0-9 and 0-8, a server's side: bytes in, events out, and the way back."""
