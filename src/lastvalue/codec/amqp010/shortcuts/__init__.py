"""Fast paths between AMQP 0-10 and the broker's encoding; the general conversion takes all else."""
