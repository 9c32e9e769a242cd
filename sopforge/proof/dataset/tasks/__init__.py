"""Writes tasks as files: texts, split, trajectories, records and profile."""
