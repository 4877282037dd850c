"""The journal in a replicated log: a stream of NATS JetStream, and who may write it."""
