"""Runs that go on after a decision, and that publish."""
