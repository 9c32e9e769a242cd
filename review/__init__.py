"""Serves the review pages, on which people inspect what waits at a gate and decide on it."""
