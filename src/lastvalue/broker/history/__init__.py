"""What a history holds of a queue: its records, its base, its moments, the timeline of a key."""
