"""What an operator writes down: queues, exchanges, settings by address, and where it comes from."""
