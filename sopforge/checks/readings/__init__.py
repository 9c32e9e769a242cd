"""Checks of a model against a second reading of its brief: what the two decide otherwise."""
