"""RabbitMQ's management API, as far as the tools of its users need it."""
