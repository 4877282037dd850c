"""AMQP 0-10 types, controls, commands, structs, segments and frames."""
