"""Fast paths between CORE and the broker's encoding; the general conversion takes all else."""
