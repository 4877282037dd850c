"""For all tests: machines are shared, so that no example is too slow."""

from hypothesis import settings

settings.register_profile("shared machines", deadline=None)
settings.load_profile("shared machines")
