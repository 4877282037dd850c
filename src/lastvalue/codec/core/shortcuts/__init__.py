"""Fast paths between CORE and the broker's encoding, beside the general conversion."""
