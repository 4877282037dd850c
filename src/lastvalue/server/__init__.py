"""asyncio around the core: listeners, one connection driver, the turn, the clock."""
