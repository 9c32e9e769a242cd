"""Simulates the sender of a case, whom agents must ask for what the case does not state."""
