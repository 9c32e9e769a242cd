"""Writes the report of runs: a page that shows wrong attempts beside the gold trajectories."""
