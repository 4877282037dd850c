"""What is counted of queues, exchanges, connections and the broker, and what alerts on it."""
