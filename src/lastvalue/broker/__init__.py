"""The broker: queues and exchanges by name, their readers and publishers, rights, transactions."""
