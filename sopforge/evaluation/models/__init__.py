"""Runs language models as agents with the library Inspect: each gets an SOP and a task."""
