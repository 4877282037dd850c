"""Fast paths from the broker's encoding to CORE, beside the general conversion."""
