"""Runs and scores sessions with Python's standard library alone; packages carry these modules."""
