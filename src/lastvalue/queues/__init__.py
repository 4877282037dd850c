"""What a queue is: one pure state machine, told the time, whose effects are the journal."""
