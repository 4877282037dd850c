"""AMQP 0-10 connections and sessions [0-10 parts 2 and 3], without input and output."""
