"""For all tests: machines are shared, so that no example is too slow; Spark leaves no archive."""

import os

from hypothesis import settings

settings.register_profile("shared machines", deadline=None)
settings.load_profile("shared machines")

# Making it takes longer than a run of the tests gains by it.
os.environ.setdefault("LASTVALUE_CLASS_ARCHIVE", "off")
