"""Finds the passage of the brief that each item of a model comes from, and compares the two."""
