"""The AMQP 1.0 engine, server and client side [AMQP 1.0 parts 2 and 5]."""
