"""Configurations: nodes, address settings, server settings, pipelines, imports from other brokers."""
