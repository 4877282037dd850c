"""The HTTP gateway: a client of the broker that serves its queues, values and statistics over HTTP.

It speaks AMQP 1.0 to the broker with the rights of its caller, so it may run on any machine.
"""
