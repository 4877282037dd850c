"""Fast paths between AMQP 0-9-1 and the broker's encoding; the general conversion takes all else."""
